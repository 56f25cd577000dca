import { diagnose } from "../tables/diagnostics/index.ts";
import type { Address, EventName } from "../tables/events.ts";
import { isRestriction, isStricter, type VerdictKind } from "../tables/kinds.ts";
import { type Rule, ruleFor } from "../tables/rules.ts";
import type { Diagnostic, HookTerms, Mutable, Part, Run, RunReport, Stream, Verdict } from "../types.ts";
import { type Answer, readAnswer, type Tally, unlisted } from "./answer.ts";
import { type Fault, findFault, scriptNotOpened, withStderr } from "./fault.ts";
import {
  notText,
  type Output,
  readOutput,
  readWhole,
  seemsToAnswer,
  whatDecided,
  withoutBlankLines,
} from "./output.ts";

/** One run of one hook, and the rule to read it by. */
export interface Reading {
  readonly hook: HookTerms;
  readonly run: Run;
  readonly rule: Rule;
}

/** Reads one Run by its event's rule (design §4). Never throws, whatever the hook printed. */
export function parse(hook: HookTerms, run: Run, rule: Rule): Verdict {
  const { name } = hook;
  const observed = hook.mode === "observe";
  if (isSilent(run))
    return {
      hook: name,
      dialect: rule.dialectName,
      kind: "abstain",
      parts: [],
      diagnostics: [],
      read: "exit-code",
      observed,
    };
  const reading: Reading = { hook, run, rule };
  const output = outputOf(run, rule);
  const answer = readAnswers(output, reading);
  const fault = findFault(output, answer, reading);
  const exit = readExit(fault, answer, reading);
  const decided = combine(answer, exit, reading);
  const words = wordsOf(decided, answer, reading);
  const verdict: Mutable<Verdict> = {
    hook: name,
    dialect: rule.dialectName,
    kind: decided.kind,
    parts: [
      ...decisionParts(decided, words, answer, reading),
      ...contextParts(decided, answer, output, reading),
      ...systemParts(decided, words, answer, reading),
      ...exit.parts,
      ...transcriptParts(answer, output, reading),
    ],
    diagnostics: [
      ...answer.diagnostics,
      ...fault.own,
      ...decided.diagnostics,
      ...exit2Unread(reading),
      ...scriptNotOpened(run, name),
      ...restrictionOnStderr(answer, reading),
      ...streamDiagnostics(run, answer, name),
      ...(run.unset ?? []).map((variable) => diagnose("http-variable-unset", { variable }, { hook: name })),
    ],
    read: readBy(output, answer, decided),
    observed,
  };
  if (hook.simulated) verdict.simulated = true;
  if (words) verdict.reason = words.text;
  if (decided.kind === answer.kind && answer.interrupt) verdict.interrupt = true;
  if (!answer.restrictOnly && answer.updatedInput) verdict.updatedInput = answer.updatedInput;
  if (!answer.restrictOnly && answer.updatedPrompt !== undefined)
    verdict.updatedPrompt = answer.updatedPrompt;
  if (!answer.restrictOnly && answer.updatedToolOutput !== undefined)
    verdict.updatedToolOutput = answer.updatedToolOutput;
  if (!answer.restrictOnly && answer.updatedMCPToolOutput !== undefined)
    verdict.updatedMCPToolOutput = answer.updatedMCPToolOutput;
  if (fault.text !== undefined) verdict.fault = fault.text;
  return verdict;
}

function outputOf(run: Run, { dialect }: Rule): Output {
  return dialect.wholeJsonOnly ? readWhole(run) : readOutput(run);
}

/** True for exit 0 without a word, and for a hook that nobody waits for. Most runs are such, and need no reading. */
function isSilent(run: Run): boolean {
  if (run.background) return true;
  const isEmpty = run.exitCode === 0 && run.stdout === "" && run.stderr === "";
  const isDisturbed = run.failure ?? run.signal ?? run.cut ?? run.notUtf8 ?? run.leftOpen ?? run.unset;
  return isEmpty && isDisturbed === undefined && !run.timedOut && !run.truncated;
}

/** What the JSON in a run's output says. */
export interface RunAnswer extends Answer {
  /** The output is mixed, unfinished or invalid: it may only restrict, and speak to the user. */
  readonly restrictOnly: boolean;
}

const NO_ANSWER: RunAnswer = {
  kind: "abstain",
  speaks: false,
  suppressOutput: false,
  diagnostics: [],
  invalid: false,
  setAside: false,
  restrictOnly: false,
};

function readAnswers(output: Output, { hook: { name: hook }, run, rule }: Reading): RunAnswer {
  const tally: Tally = new Map();
  if (output.form === "json") {
    const answer = readAnswer(output.object, rule, hook, output.flaws, tally);
    const isVoid = rule.dialect.wholeJsonOnly && (answer.invalid || answer.setAside);
    if (isVoid) {
      const { invalid, setAside, diagnostics } = answer;
      const why = voided("a field of it is not valid", rule, hook);
      return { ...NO_ANSWER, invalid, setAside, diagnostics: [...diagnostics, why] };
    }
    const read = answer.invalid ? restrictionOf([answer]) : { ...answer, restrictOnly: false };
    return { ...read, diagnostics: [...read.diagnostics, ...unlisted(tally, hook)] };
  }
  if ("lost" in output && output.lost !== undefined)
    return { ...NO_ANSWER, diagnostics: [voided(output.lost, rule, hook)] };
  if (output.form !== "mixed" && output.form !== "plain") return NO_ANSWER;
  // Plain words may name a field; a brace shows that an object was meant.
  const noObject =
    output.mayHoldAnswer && output.text.includes("{")
      ? [diagnose("output-no-object", { so: whatDecided(run, output.form === "mixed") }, { hook })]
      : [];
  if (output.form === "plain") return { ...NO_ANSWER, diagnostics: noObject };
  const mixed = restrictionOf(
    output.objects.map(({ object, flaws }) => readAnswer(object, rule, hook, flaws, tally)),
  );
  return {
    ...mixed,
    diagnostics: [
      diagnose("output-mixed", { found: output.why.found, advice: output.why.advice }, { hook }),
      ...(mixed.speaks ? [] : noObject),
      ...mixed.diagnostics,
      ...unlisted(tally, hook),
    ],
  };
}

function voided(why: string, { dialectName: dialect }: Rule, hook: string): Diagnostic {
  return diagnose("output-void", { why, dialect }, { hook });
}

/** The strictest restriction of several answers, and their words for the user (design §4.4); a context may be a block. */
function restrictionOf(answers: readonly Answer[]): RunAnswer {
  const strictest = answers.reduce<Answer>(
    (best, answer) => (isStricter(answer.kind, best.kind) ? answer : best),
    NO_ANSWER,
  );
  const systemMessages = answers.flatMap(({ systemMessage }) => systemMessage ?? []);
  return {
    ...NO_ANSWER,
    ...(isRestriction(strictest.kind) && { kind: strictest.kind, speaks: true, reason: strictest.reason }),
    ...(strictest.kind === "deny" && { interrupt: answers.some(({ interrupt }) => interrupt) }),
    context: answers.find(({ context }) => context !== undefined)?.context,
    ...(systemMessages.length > 0 && { systemMessage: systemMessages.join("\n") }),
    diagnostics: answers.flatMap(({ diagnostics }) => diagnostics),
    invalid: answers.some(({ invalid }) => invalid),
    setAside: answers.some(({ setAside }) => setAside),
    restrictOnly: true,
  };
}

/** What the exit code says. With onFailure "block" a fault says the same as exit 2 (design §4.9). */
interface Exit {
  readonly kind: VerdictKind;
  readonly reason?: string;
  /** Shown whether the answer or the exit code decides. */
  readonly parts: readonly Part[];
  /** Set for the refusal of a hook that failed and must not: nothing that the hook printed undoes it. */
  readonly forced?: Diagnostic;
}

function readExit(fault: Fault, answer: RunAnswer, { hook, run, rule }: Reading): Exit {
  const stderr = run.stderr.trim();
  const faultPart = fault.text === undefined ? [] : [errorPart(`hook ${hook.name}: ${fault.text}`)];
  if (run.exitCode === 2) {
    if (rule.unread.includes("exit 2")) return { kind: "abstain", parts: faultPart };
    if (rule.refusal) return { kind: rule.refusal, reason: stderr, parts: faultPart };
    if (isAnswered(answer)) return { kind: "abstain", parts: faultPart };
    const text = stderr === "" ? `hook ${hook.name} exited with 2 and said nothing` : stderr;
    return { kind: "abstain", parts: [{ kind: "notice", text }, ...faultPart] };
  }
  const failed = isFailedExit(
    run,
    rule.dialect.failureWins && hook.onFailure === "block" ? NO_ANSWER : answer,
  );
  const failure = fault.text ?? (failed ? withStderr(`exited with ${run.exitCode}`, run) : undefined);
  if (failure === undefined) return { kind: "abstain", parts: [] };
  if (hook.onFailure === "block" && rule.refusal && !rule.unread.includes("onFailure")) {
    const values = { detail: failure, advice: adviceFor(run) };
    const toAgent = rule.stderr.to === "agent";
    const words = toAgent ? (fault.unquoted ?? failure) : failure;
    return {
      kind: rule.refusal,
      reason: `hook ${hook.name} failed and must not (onFailure: block): ${words}`,
      parts: toAgent ? [errorPart(`hook ${hook.name}: ${failure}`)] : [],
      forced: diagnose("run-failure-blocks", values, { hook: hook.name }),
    };
  }
  if (fault.text !== undefined) {
    const isUnsaid = failed && stderr !== "" && !fault.text.includes(stderr);
    return { kind: "abstain", parts: [...(isUnsaid ? [errorPart(stderr)] : []), ...faultPart] };
  }
  const text =
    stderr === "" ? `hook ${hook.name} exited with ${run.exitCode} and wrote nothing to stderr` : stderr;
  return { kind: "abstain", parts: [errorPart(text)] };
}

/** An exit code other than 0 and 2 without a JSON answer: an uncaught exception, say. */
function isFailedExit({ exitCode }: Run, answer: RunAnswer): boolean {
  return exitCode !== undefined && exitCode !== 0 && exitCode !== 2 && !isAnswered(answer);
}

function isAnswered({ speaks, restrictOnly }: RunAnswer): boolean {
  return speaks && !restrictOnly;
}

function adviceFor({ failure }: Run): string {
  if (failure?.kind === "edited") return "Trust it as it is now, or undo the edit.";
  return "Fix what failed; remove onFailure if the door may stay open.";
}

function errorPart(text: string): Part {
  return { kind: "error", text };
}

/** What a hook decides: by its answer or by its exit code. */
interface Combined {
  readonly kind: VerdictKind;
  readonly reason?: string | undefined;
  readonly source: "answer" | "exit";
  /** The reason is the answer's additionalContext, which is a block here. */
  readonly contextBlocks?: true;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The answer decides where it speaks, else the exit code. Where the dialect lets additionalContext keep the agent going, it
 * blocks what neither of them refused, and gives a refusal by a silent exit 2 its words.
 */
function combine(answer: RunAnswer, exit: Exit, reading: Reading): Combined {
  const decided = answerOrExit(answer, exit, reading);
  const { hook, rule } = reading;
  const hasWords = decided.source === "answer" || decided.reason !== undefined;
  if (answer.context === undefined || rule.context !== "block") return decided;
  if (isRestriction(decided.kind) && hasWords) return decided;
  const values = { dialect: rule.dialectName };
  return {
    kind: "block",
    reason: answer.context,
    source: "answer",
    contextBlocks: true,
    diagnostics: answer.speaks
      ? [diagnose("output-approve-and-context", values, { hook: hook.name })]
      : decided.diagnostics,
  };
}

/** Where neither side may overrule the other, the stricter one decides. */
function answerOrExit(answer: RunAnswer, exit: Exit, { hook: { name: hook }, run, rule }: Reading): Combined {
  const fromAnswer = { kind: answer.kind, reason: answer.reason, source: "answer" } as const;
  const fromExit = { kind: exit.kind, reason: exit.reason || undefined, source: "exit" } as const;
  const forced = exit.forced ? [exit.forced] : [];
  if (!answer.speaks) return { ...fromExit, diagnostics: forced };
  const values = { said: answer.kind === "abstain" ? "approve" : answer.kind, dialect: rule.dialectName };
  const exit2Decides = run.exitCode === 2 && rule.dialect.exit2Wins;
  if (answer.restrictOnly || answer.setAside || exit2Decides || exit.forced) {
    const exitDecides =
      isStricter(exit.kind, answer.kind) || (answer.restrictOnly && exit.kind === answer.kind);
    const won = exitDecides && exit2Decides ? [diagnose("exit-2-won", values, { hook })] : [];
    return { ...(exitDecides ? fromExit : fromAnswer), diagnostics: [...forced, ...won] };
  }
  const overruled = run.exitCode === 2 && rule.refusal && !isRestriction(answer.kind);
  return { ...fromAnswer, diagnostics: overruled ? [diagnose("exit-2-overruled", values, { hook })] : [] };
}

/** The words of a decision, and whose they are: the hook's own, its systemMessage, or a sentence of ours. */
interface Words {
  readonly text: string;
  readonly from: "reason" | "systemMessage" | "belay";
}

/** The hook's own words, else the best stand-in (design §4.2, §6). */
function wordsOf(decided: Combined, answer: RunAnswer, { hook, rule }: Reading): Words | undefined {
  const { kind, reason } = decided;
  if (reason !== undefined) return { text: reason, from: "reason" };
  if (!isRestriction(kind)) return undefined;
  const borrows = kind === "ask" || rule.dialect.systemMessageIsReason;
  if (borrows && answer.systemMessage !== undefined)
    return { text: answer.systemMessage, from: "systemMessage" };
  const verb = kind === "ask" ? "confirmation asked" : kind === "stop" ? "stopped" : "blocked";
  return { text: `${verb} by hook ${hook.name}: no reason given`, from: "belay" };
}

function decisionParts(
  { kind, source }: Combined,
  words: Words | undefined,
  answer: RunAnswer,
  { hook: { name: hook }, rule }: Reading,
): Part[] {
  if (words === undefined || kind === "abstain") return [];
  const { text, from } = words;
  if (kind === "stop") return [{ kind: "stop-reason", text }];
  const isShownAnyway = from === "systemMessage" && rule.dialect.systemMessage.includes("user");
  if (kind === "allow" || kind === "ask") return isShownAnyway ? [] : [{ kind: "permission-reason", text }];
  const part = source === "exit" ? "refusal-stderr" : "refusal-reason";
  const isFromJson = from === "systemMessage" || (from === "reason" && source === "answer");
  if (!answer.restrictOnly || !isFromJson || refusalAddress(source, rule).to === "user")
    return [{ kind: part, text }];
  const toAgent = `blocked by hook ${hook}; its words went to the user only, because its output was not one sound answer`;
  return [
    { kind: part, text: toAgent },
    { kind: "withheld", text: `hook ${hook} says: ${text}` },
  ];
}

/** Who reads the words of a refusal. */
function refusalAddress(source: Combined["source"], { stderr, reason }: Rule): Address {
  return source === "exit" ? stderr : reason;
}

function contextParts(
  { contextBlocks }: Combined,
  { context, restrictOnly }: RunAnswer,
  output: Output,
  { run, rule }: Reading,
): Part[] {
  const isSound = output.form === "plain" || (output.form === "mixed" && output.problem === undefined);
  const isDone = run.exitCode === 0 && run.failure === undefined;
  const plain = isSound && isDone && rule.stdoutIsContext ? output.text : "";
  const isContext = context !== undefined && !restrictOnly && !contextBlocks;
  return [
    ...(plain === "" ? [] : [{ kind: "plain-context", text: plain } as const]),
    ...(isContext ? [{ kind: "context", text: context } as const] : []),
  ];
}

/** A systemMessage that is the reason of a refusal is left out where its only reader has read it as the reason. */
function systemParts(
  { kind, source }: Combined,
  words: Words | undefined,
  { systemMessage, restrictOnly }: RunAnswer,
  { rule }: Reading,
): Part[] {
  if (systemMessage === undefined) return [];
  const isReason = words?.from === "systemMessage" && kind === rule.refusal;
  const { to } = refusalAddress(source, rule);
  if (isReason && !restrictOnly && rule.dialect.systemMessage.every((reader) => reader === to)) return [];
  return [{ kind: "system", text: systemMessage, ...(restrictOnly && { userOnly: true }) }];
}

/** Raw stdout of exit 0, for dialects that show it. */
function transcriptParts({ suppressOutput }: RunAnswer, output: Output, { run, rule }: Reading): Part[] {
  if (rule.dialect.otherStdout !== "transcript" || suppressOutput || run.exitCode !== 0) return [];
  const isContext = rule.stdoutIsContext && output.form !== "json";
  const isSilence = output.form === "json" && Object.keys(output.object).length === 0;
  if (output.form === "empty" || isSilence || isContext) return [];
  return [{ kind: "transcript", text: withoutBlankLines(run.stdout) }];
}

function readBy(output: Output, answer: RunAnswer, { contextBlocks }: Combined): Verdict["read"] {
  if (output.form === "mixed") return "mixed";
  if (output.form !== "json") return "exit-code";
  if (!answer.restrictOnly) return "json";
  return answer.speaks || contextBlocks ? "mixed" : "exit-code";
}

/** A restriction that was printed to stderr, by a hook that decided nothing. */
function restrictionOnStderr(answer: RunAnswer, reading: Reading): Diagnostic[] {
  const { run, hook } = reading;
  if (answer.speaks || run.exitCode !== 0 || !seemsToAnswer(run.stderr)) return [];
  const { kind: said } = readAnswers(outputOf({ ...run, stdout: run.stderr }, reading.rule), reading);
  return isRestriction(said) ? [diagnose("output-on-stderr", { said }, { hook: hook.name })] : [];
}

function exit2Unread({ hook, run, rule }: Reading): Diagnostic[] {
  if (run.exitCode !== 2 || !rule.unread.includes("exit 2")) return [];
  const values = { dialect: rule.dialectName, event: rule.event };
  return [diagnose("exit-2-unread", values, { hook: hook.name })];
}

/** An http or module hook has no process: its answer is called output as well. */
const STREAM_NAMES: Record<Stream, string> = { stdout: "its output", stderr: "its stderr" };

/** Bytes kept per stream unless configured otherwise: seed 002's 100 KB. */
export const DEFAULT_CAP = 102_400;

/** What was lost of a stream before it could be read. */
function streamDiagnostics(run: Run, answer: RunAnswer, hook: string): Diagnostic[] {
  const notUtf8 = notText(run);
  const named = (streams: readonly Stream[]) => ({
    streams: streams.map((stream) => STREAM_NAMES[stream]).join(" and "),
  });
  const cut = { ...named(run.cut ?? ["stdout"]), cap: run.cap ?? DEFAULT_CAP };
  return [
    ...(run.truncated ? [diagnose("output-truncated", cut, { hook })] : []),
    ...(run.leftOpen && !answer.speaks ? [diagnose("output-left-open", {}, { hook })] : []),
    ...(notUtf8.length > 0 ? [diagnose("output-not-utf8", named(notUtf8), { hook })] : []),
  ];
}

/**
 * Why a hook gave no answer of its own: a fault, an exit code that says it failed (design §4.9), or an exit 2 of its
 * interpreter. The latter two are no `fault` of the report: work goes on after the one, and is refused after the other.
 */
export function whyNoAnswer(report: RunReport, event: EventName): string | undefined {
  if (report.fault !== undefined) return report.fault;
  if (report.exitCode === undefined || report.exitCode === 0) return undefined;
  const hook = { name: report.hook, onFailure: "continue", mode: "enforce" } as const;
  const rule = ruleFor(event, report.dialect, report.simulated);
  const answer = readAnswers(outputOf(report, rule), { hook, run: report, rule });
  const isFailed = isFailedExit(report, answer) || scriptNotOpened(report, report.hook).length > 0;
  return isFailed ? withStderr(`exited with ${report.exitCode}`, report) : undefined;
}

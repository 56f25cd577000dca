import { diagnose } from "../tables/diagnostics/index.ts";
import type { Address, EventName } from "../tables/events.ts";
import { isRestriction, isStricter, type VerdictKind } from "../tables/kinds.ts";
import { type Rule, ruleFor } from "../tables/rules.ts";
import type { Diagnostic, HookTerms, Part, Rewrites, Run, RunReport, Stream, Verdict } from "../types.ts";
import { type Answer, errorsIn, readAnswer, type Tally, unlisted } from "./answer.ts";
import { type Fault, findFault, scriptNotOpened, withStderr } from "./fault.ts";
import {
  AMONG_OTHER,
  isProcess,
  type Mixed,
  notText,
  type Output,
  readOutput,
  seemsToAnswer,
  whatDecided,
  withoutBlankLines,
} from "./output.ts";

/** Reads one Run by its event's rule (DESIGN §4). Never throws, whatever the hook printed. */
export function parse(hook: HookTerms, run: Run, rule: Rule): Verdict {
  if (!isSilent(run)) return read(hook, run, rule);
  const known = silences.get(hook);
  if (known?.rule === rule) return known.verdict;
  const verdict = read(hook, run, rule);
  silences.set(hook, { rule, verdict });
  return verdict;
}

/** What it means that a hook says nothing, which nearly every run is, is worked out once. */
const silences = new WeakMap<HookTerms, { readonly rule: Rule; readonly verdict: Verdict }>();

/** Every field that a verdict is read from; the time a run took is none of them. */
function isSilent(run: Run): boolean {
  return (
    run.exitCode === 0 &&
    run.stdout === "" &&
    run.stderr === "" &&
    !run.timedOut &&
    !run.truncated &&
    run.failure === undefined &&
    run.signal === undefined &&
    run.cut === undefined &&
    run.notUtf8 === undefined &&
    run.leftOpen === undefined &&
    run.unset === undefined
  );
}

function read(hook: HookTerms, run: Run, rule: Rule): Verdict {
  const { name } = hook;
  const reading: Reading = { hook, run, rule };
  const output = readOutput(run);
  const answer = hear(output, reading);
  const fault = findFault(output, answer, reading);
  const exit = readExit(fault, answer, reading);
  const said = weigh(answer, exit, reading);
  return {
    hook: name,
    dialect: rule.dialectName,
    kind: said.kind,
    ...wordsOf(said, answer, reading),
    ...(said.kind === answer.kind && answer.interrupt && { interrupt: true }),
    ...rewritesOf(answer),
    parts: partsOf(said, answer, output, reading),
    diagnostics: [
      ...answer.diagnostics,
      ...fault.own,
      ...said.diagnostics,
      ...scriptNotOpened(run, name),
      ...restrictionOnStderr(answer, reading),
      ...streamDiagnostics(run, answer, name),
      ...(run.unset ?? []).map((variable) => diagnose("http-variable-unset", { variable }, { hook: name })),
    ],
    read: readBy(output, answer, said),
    ...(fault.text !== undefined && { fault: fault.text }),
    observed: hook.mode === "observe",
  };
}

/** A restriction that a hook which decided nothing wrote to stderr. */
function restrictionOnStderr(answer: Heard, reading: Reading): Diagnostic[] {
  const { run, hook } = reading;
  if (answer.speaks || run.exitCode !== 0 || !seemsToAnswer(run.stderr)) return [];
  const { kind: said } = hear(readOutput({ ...run, stdout: run.stderr }), reading);
  return isRestriction(said) ? [diagnose("output-on-stderr", { said }, { hook: hook.name })] : [];
}

function rewritesOf({ restrictOnly, updatedInput, updatedPrompt }: Heard): Rewrites {
  if (restrictOnly) return {};
  return {
    ...(updatedInput !== undefined && { updatedInput }),
    ...(updatedPrompt !== undefined && { updatedPrompt }),
  };
}

/** What an http or module hook has in place of the streams of a process. */
const WITHOUT_PROCESS: Record<Stream, string> = { stdout: "the answer", stderr: "what it printed" };

/** What became of the streams before they could be read: a cut, bytes that are no text. */
function streamDiagnostics(run: Run, answer: Heard, hook: string): Diagnostic[] {
  const { truncated, cut, cap } = run;
  const notUtf8 = notText(run);
  const found: Diagnostic[] = [];
  const named = (streams: readonly Stream[]) =>
    streams.map((stream) => (isProcess(run) ? stream : WITHOUT_PROCESS[stream])).join(" and ");
  if (truncated) {
    const streams = named(cut ?? ["stdout"]);
    found.push(diagnose("output-truncated", { streams, cap: cap ?? DEFAULT_CAP }, { hook }));
  }
  if (run.leftOpen && !answer.speaks) found.push(diagnose("output-left-open", {}, { hook }));
  if (notUtf8.length > 0) found.push(diagnose("output-not-utf8", { streams: named(notUtf8) }, { hook }));
  return found;
}

/** Bytes kept per stream unless configured otherwise: seed 002's 100 KB. */
export const DEFAULT_CAP = 102_400;

function readBy(output: Output, answer: Heard, said: Said): Verdict["read"] {
  if (output.form === "mixed") return "mixed";
  if (output.form !== "json") return "exit-code";
  if (!answer.restrictOnly) return "json";
  return answer.speaks || said.saysContext ? "mixed" : "exit-code";
}

/** What every step of parse is about: one run of one hook, by its event's rule. */
export interface Reading {
  readonly hook: HookTerms;
  readonly run: Run;
  readonly rule: Rule;
}

/** What a run's output says, and whether it may only restrict and speak to the user: mixed, unfinished or invalid. */
export interface Heard extends Answer {
  readonly restrictOnly: boolean;
  /** How many errors were found in it, listed or not. */
  readonly errors: number;
}

const SILENCE: Heard = {
  kind: "abstain",
  speaks: false,
  suppressOutput: false,
  diagnostics: [],
  invalid: false,
  setAside: false,
  restrictOnly: false,
  errors: 0,
};

function hear(output: Output, { hook: { name: hook }, run, rule }: Reading): Heard {
  const tally: Tally = new Map();
  if (output.form === "json") {
    const answer = readAnswer(output.object, rule, hook, output.flaws, tally);
    const reading = answer.invalid ? restricted([answer]) : { ...SILENCE, ...answer };
    return {
      ...reading,
      diagnostics: [...reading.diagnostics, ...unlisted(tally, hook)],
      errors: errorsIn(tally),
    };
  }
  if (output.form !== "mixed" && output.form !== "plain") return SILENCE;
  // Words for a reader may name a field; a brace shows that an object was meant.
  const unsound =
    output.isSuspect && output.text.includes("{")
      ? [diagnose("output-no-object", { so: whatDecided(run, output.form === "mixed") }, { hook })]
      : [];
  if (output.form === "plain") return { ...SILENCE, diagnostics: unsound };
  const mixed = restricted(answersOf(output.objects, rule, hook, tally));
  const told = diagnose("output-mixed", { found: output.hedge.found, advice: output.hedge.advice }, { hook });
  return {
    ...mixed,
    diagnostics: [told, ...(mixed.speaks ? [] : unsound), ...mixed.diagnostics, ...unlisted(tally, hook)],
    errors: errorsIn(tally),
  };
}

/** The strictest restriction of several answers, and their words for the user (DESIGN §4.4); a context may be a block. */
function restricted(answers: Iterable<Answer>): Heard {
  let strictest: Answer = SILENCE;
  let context: string | undefined;
  const systemMessages: string[] = [];
  const diagnostics: Diagnostic[] = [];
  let invalid = false;
  let setAside = false;
  let interrupt = false;
  // One by one, and none is kept: an output may hold thousands.
  for (const answer of answers) {
    if (isStricter(answer.kind, strictest.kind)) strictest = answer;
    context ??= answer.context;
    if (answer.systemMessage !== undefined) systemMessages.push(answer.systemMessage);
    diagnostics.push(...answer.diagnostics);
    invalid ||= answer.invalid;
    setAside ||= answer.setAside;
    interrupt ||= answer.interrupt === true;
  }
  const holds = isRestriction(strictest.kind);
  return {
    ...SILENCE,
    ...(holds && { kind: strictest.kind, speaks: true }),
    ...(holds && strictest.reason !== undefined && { reason: strictest.reason }),
    ...(strictest.kind === "deny" && interrupt && { interrupt }),
    ...(context !== undefined && { context }),
    ...(systemMessages.length > 0 && { systemMessage: systemMessages.join("\n") }),
    diagnostics,
    invalid,
    setAside,
    restrictOnly: true,
  };
}

function* answersOf(objects: Mixed["objects"], rule: Rule, hook: string, tally: Tally): Iterable<Answer> {
  for (const { object, flaws } of objects) yield readAnswer(object, rule, hook, flaws, tally);
}

/** What the exit code says, with a fault under onFailure: "block" read as exit 2 (DESIGN §4.9). */
interface Exit {
  readonly kind: VerdictKind;
  readonly reason?: string;
  /** What is shown whichever side decides. */
  readonly parts: readonly Part[];
  /** The refusal of a hook that failed and must not: nothing the hook printed undoes it. */
  readonly forced?: Diagnostic;
}

/** An exit code other than 0 and 2 that comes without a JSON answer: an uncaught exception, say. */
function isFailedExit({ exitCode }: Run, answer: Heard): boolean {
  return exitCode !== undefined && exitCode !== 0 && exitCode !== 2 && !isAnswered(answer);
}

function isAnswered({ speaks, restrictOnly }: Heard): boolean {
  return speaks && !restrictOnly;
}

function readExit(fault: Fault, answer: Heard, { hook, run, rule }: Reading): Exit {
  const stderr = run.stderr.trim();
  const faultPart = fault.text === undefined ? [] : [errorPart(`hook ${hook.name}: ${fault.text}`)];
  if (run.exitCode === 2) {
    if (rule.refusal) return { kind: rule.refusal, reason: stderr, parts: faultPart };
    if (isAnswered(answer)) return { kind: "abstain", parts: faultPart };
    const text = stderr === "" ? `hook ${hook.name} exited with 2 and said nothing` : stderr;
    return { kind: "abstain", parts: [{ kind: "notice", text }, ...faultPart] };
  }
  const failed = isFailedExit(run, answer);
  const failure = fault.text ?? (failed ? withStderr(`exited with ${run.exitCode}`, run) : undefined);
  if (failure === undefined) return { kind: "abstain", parts: [] };
  if (hook.onFailure === "block" && rule.refusal) {
    const forced = diagnose(
      "run-failure-blocks",
      { detail: failure, advice: adviceFor(run) },
      { hook: hook.name },
    );
    const toAgent = rule.stderr.to === "agent";
    const words = toAgent ? (fault.unquoted ?? failure) : failure;
    const reason = `hook ${hook.name} failed and must not (onFailure: block): ${words}`;
    const told = toAgent ? [errorPart(`hook ${hook.name}: ${failure}`)] : [];
    return { kind: rule.refusal, reason, parts: told, forced };
  }
  if (fault.text !== undefined) {
    const isUnsaid = failed && stderr !== "" && !fault.text.includes(stderr);
    return { kind: "abstain", parts: [...(isUnsaid ? [errorPart(stderr)] : []), ...faultPart] };
  }
  const text =
    stderr === "" ? `hook ${hook.name} exited with ${run.exitCode} and wrote nothing to stderr` : stderr;
  return { kind: "abstain", parts: [errorPart(text)] };
}

function adviceFor({ failure }: Run): string {
  if (failure?.kind === "edited") return "Trust it again, or undo the edit.";
  return "Fix what failed; remove onFailure if the door may stay open.";
}

function errorPart(text: string): Part {
  return { kind: "error", text };
}

/** What a hook says in the end: its JSON or its exit code. */
interface Said {
  readonly kind: VerdictKind;
  readonly reason?: string;
  readonly source: "answer" | "exit";
  /** The reason is the answer's context, which is a block here. */
  readonly saysContext?: true;
  /** What is shown whichever side decided. */
  readonly parts: readonly Part[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * JSON decides where it speaks, else the exit code. Context is no decision; where the dialect lets it keep the agent
 * going, it blocks what neither of them refused, and gives a refusal by a silent exit 2 its words.
 */
function weigh(answer: Heard, exit: Exit, reading: Reading): Said {
  const said = weighDecisions(answer, exit, reading);
  const { context } = answer;
  const { hook, rule } = reading;
  const hasWords = said.source === "answer" || said.reason !== undefined;
  if (context === undefined || rule.context !== "block" || (isRestriction(said.kind) && hasWords))
    return said;
  const approved = diagnose("output-approve-and-context", { dialect: rule.dialectName }, { hook: hook.name });
  return {
    kind: "block",
    reason: context,
    source: "answer",
    saysContext: true,
    parts: said.parts,
    diagnostics: answer.speaks ? [approved] : said.diagnostics,
  };
}

/** Restrictions add up where one side may not overrule the other. */
function weighDecisions(answer: Heard, exit: Exit, { hook: { name: hook }, run, rule }: Reading): Said {
  const { parts } = exit;
  const fromAnswer = { kind: answer.kind, ...given(answer.reason), source: "answer", parts } as const;
  const fromExit = { kind: exit.kind, ...given(exit.reason), source: "exit", parts } as const;
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

function given(reason: string | undefined): { reason?: string } {
  return reason === undefined || reason === "" ? {} : { reason };
}

/** Every text of a verdict by what it is, in the order in which it is read: decision, context, message, transcript. */
function partsOf(said: Said, answer: Heard, output: Output, reading: Reading): Part[] {
  return [
    ...decisionParts(said, answer, output, reading),
    ...contextParts(said, answer, output, reading),
    ...systemParts(said, answer, reading),
    ...said.parts,
    ...transcriptParts(answer, output, reading),
  ];
}

/** A systemMessage that is a refusal's reason is not told again to who has read it so. */
function systemParts(said: Said, { systemMessage, restrictOnly }: Heard, { rule }: Reading): Part[] {
  if (systemMessage === undefined) return [];
  const { refusal, dialect } = rule;
  const isReason = dialect.systemMessageIsReason && said.reason === undefined && said.kind === refusal;
  const { to } = addressOf(said, rule);
  if (isReason && !restrictOnly && dialect.systemMessage.every((reader) => reader === to)) return [];
  return [{ kind: "system", text: systemMessage, ...(restrictOnly && { userOnly: true }) }];
}

/** The words of a decision: the hook's own, else the best stand-in (DESIGN §4.2, §6). */
function wordsOf(said: Said, answer: Heard, { hook, rule }: Reading): { reason?: string } {
  if (said.reason !== undefined) return { reason: said.reason };
  const { kind } = said;
  if (!isRestriction(kind)) return {};
  const borrows = kind === "ask" || rule.dialect.systemMessageIsReason;
  if (borrows && answer.systemMessage !== undefined) return { reason: answer.systemMessage };
  const verb = kind === "ask" ? "confirmation asked" : kind === "stop" ? "stopped" : "blocked";
  return { reason: `${verb} by hook ${hook.name}: no reason given` };
}

/** Who reads the words of a refusal. */
function addressOf({ source }: Said, { stderr, reason }: Rule): Address {
  return source === "exit" ? stderr : reason;
}

function decisionParts(said: Said, answer: Heard, output: Output, reading: Reading): Part[] {
  const { reason } = wordsOf(said, answer, reading);
  const { rule } = reading;
  const { name: hook } = reading.hook;
  if (reason === undefined || said.kind === "abstain") return [];
  if (said.kind === "stop") return [{ kind: "stop-reason", text: reason }];
  if (said.kind === "allow") return [{ kind: "permission-reason", text: reason }];
  if (said.kind === "ask") {
    const alreadyShown = said.reason === undefined && rule.dialect.systemMessage.includes("user");
    return alreadyShown && answer.systemMessage !== undefined
      ? []
      : [{ kind: "permission-reason", text: reason }];
  }
  const isStderr = said.source === "exit";
  const words = { kind: isStderr ? "refusal-stderr" : "refusal-reason", text: reason } as const;
  const isBorrowed = said.reason === undefined && reason === answer.systemMessage;
  const isFromJson = isBorrowed || (!isStderr && said.reason !== undefined);
  const { to } = addressOf(said, rule);
  if (!answer.restrictOnly || !isFromJson || to === "user") return [words];
  const { withheld } = output.form === "mixed" ? output.hedge : AMONG_OTHER;
  const instead = `blocked by hook ${hook}; its words went to the user only, because ${withheld}`;
  return [
    { ...words, text: instead },
    { kind: "withheld", text: `hook ${hook} says: ${reason}` },
  ];
}

function contextParts(said: Said, answer: Heard, output: Output, { run, rule }: Reading): Part[] {
  const parts: Part[] = [];
  const isSound = output.form === "plain" || (output.form === "mixed" && output.problem === undefined);
  const plain = isSound ? output.text : "";
  const isDone = run.exitCode === 0 && run.failure === undefined;
  if (plain !== "" && isDone && rule.stdoutIsContext) {
    parts.push({ kind: "plain-context", text: plain });
  }
  if (answer.context !== undefined && !answer.restrictOnly && !said.saysContext)
    parts.push({ kind: "context", text: answer.context });
  return parts;
}

/** Raw stdout of exit 0, for dialects that show it. */
function transcriptParts(answer: Heard, output: Output, { run, rule }: Reading): Part[] {
  if (rule.dialect.otherStdout !== "transcript" || answer.suppressOutput || run.exitCode !== 0) return [];
  const isContext = rule.stdoutIsContext && output.form !== "json";
  const isSilence = output.form === "json" && Object.keys(output.object).length === 0;
  if (output.form === "empty" || isSilence || isContext) return [];
  return [{ kind: "transcript", text: withoutBlankLines(run.stdout) }];
}

/**
 * Why a hook gave no answer of its own, if it gave none: a fault, an exit code that says it failed (DESIGN §4.9), or a 2 that
 * its interpreter ended with, which had nothing to run. The latter two are no `fault` of the report: by the contract work goes
 * on after the one, and is refused after the other.
 */
export function whyNoAnswer(report: RunReport, event: EventName): string | undefined {
  if (report.fault !== undefined) return report.fault;
  if (report.exitCode === undefined || report.exitCode === 0) return undefined;
  const hook = { name: report.hook, onFailure: "continue", mode: "enforce" } as const;
  const answer = hear(readOutput(report), { hook, run: report, rule: ruleFor(event, report.dialect) });
  const isFailed = isFailedExit(report, answer) || scriptNotOpened(report, report.hook).length > 0;
  return isFailed ? withStderr(`exited with ${report.exitCode}`, report) : undefined;
}

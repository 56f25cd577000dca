import { type Answer, readAnswer } from "./answer.ts";
import { type Tally, unlisted } from "./answer-reading.ts";
import { type DiagnosticCode, diagnose } from "./diagnostics.ts";
import { NOT_STARTED_CODES, type Output, readOutput } from "./output.ts";
import type { Rule } from "./rules.ts";
import { isRestriction, isStricter } from "./strict.ts";
import type { Diagnostic, FailureKind, HookPolicy, Part, Run, Verdict, VerdictKind } from "./types.ts";

/** Reads one Run by its event's rule (DESIGN §4). Never throws, whatever the hook printed. */
export function parse(hook: HookPolicy, run: Run, rule: Rule): Verdict {
  const output = readOutput(run);
  const answer = readAnswers(output, rule, hook.name);
  const fault = findFault(run, output, answer, hook.name);
  const exit = readExit(hook, run, rule, fault, answer);
  const said = weigh(answer, exit, run, rule, hook.name);
  const parts = [
    ...decisionParts(said, answer, rule, hook.name),
    ...contextParts(output, answer, run, rule),
    ...(answer.systemMessage !== undefined
      ? [
          {
            kind: "system",
            text: answer.systemMessage,
            ...(answer.restrictOnly && { userOnly: true }),
          } as const,
        ]
      : []),
    ...exit.parts,
    ...transcriptParts(output, answer, run, rule),
  ];
  const rewrites = answer.restrictOnly ? {} : pickRewrites(answer);
  return {
    hook: hook.name,
    dialect: rule.dialectName,
    kind: said.kind,
    ...wordsOf(said, answer, rule, hook.name),
    ...(said.source === "answer" && answer.interrupt && { interrupt: true }),
    ...rewrites,
    parts,
    diagnostics: [
      ...answer.diagnostics,
      ...fault.own,
      ...said.diagnostics,
      ...cutDiagnostics(run, hook.name),
    ],
    read: readBy(output, answer),
    ...(fault.text !== undefined && { fault: fault.text }),
    observed: hook.mode === "observe",
  };
}

/** An answer, and whether it may only restrict and speak to the user (mixed, unfinished or invalid output). */
interface Reading extends Answer {
  readonly restrictOnly: boolean;
}

const SILENCE: Reading = {
  kind: "abstain",
  speaks: false,
  suppressOutput: false,
  diagnostics: [],
  invalid: false,
  setAside: false,
  restrictOnly: false,
};

function readAnswers(output: Output, rule: Rule, hook: string): Reading {
  const tally: Tally = new Map();
  if (output.form === "json") {
    const answer = readAnswer(output.object, rule, hook, output.tooDeep, tally);
    const reading = answer.invalid ? restricted([answer]) : { ...answer, restrictOnly: false };
    return { ...reading, diagnostics: [...reading.diagnostics, ...unlisted(tally, hook)] };
  }
  if (output.form !== "mixed") return SILENCE;
  const mixed = restricted(
    output.objects.map(({ object, tooDeep }) => readAnswer(object, rule, hook, tooDeep, tally)),
  );
  const told = diagnose("output-mixed", { because: output.because }, { hook });
  return { ...mixed, diagnostics: [told, ...mixed.diagnostics, ...unlisted(tally, hook)] };
}

/** The strictest restriction of several objects, and their words for the user (DESIGN §4.4). */
function restricted(answers: readonly Answer[]): Reading {
  const strictest = answers.reduce((a, b) => (isStricter(b.kind, a.kind) ? b : a));
  const holds = isRestriction(strictest.kind);
  const systemMessages = answers.map((answer) => answer.systemMessage).filter((text) => text !== undefined);
  return {
    ...SILENCE,
    ...(holds && { kind: strictest.kind, speaks: true }),
    ...(holds && strictest.reason !== undefined && { reason: strictest.reason }),
    ...(systemMessages.length > 0 && { systemMessage: systemMessages.join("\n") }),
    diagnostics: answers.flatMap((answer) => answer.diagnostics),
    invalid: answers.some((answer) => answer.invalid),
    setAside: answers.some((answer) => answer.setAside),
    restrictOnly: true,
  };
}

interface Fault {
  readonly text?: string;
  /** The same without a word of what the hook printed: such words never reach the agent. */
  readonly unquoted?: string;
  /** Diagnostics that are not among the answer's own. */
  readonly own: readonly Diagnostic[];
}

const FAILURE_CODES: Record<FailureKind, DiagnosticCode> = {
  start: "run-not-started",
  timeout: "run-timed-out",
  signal: "run-killed",
  abort: "run-aborted",
  http: "run-http-failed",
  throw: "run-module-failed",
};

function findFault(run: Run, output: Output, answer: Reading, hook: string): Fault {
  const own: Diagnostic[] = [];
  if (run.failure)
    own.push(diagnose(FAILURE_CODES[run.failure.kind], { detail: run.failure.detail }, { hook }));
  else if (run.exitCode !== undefined && NOT_STARTED_CODES.includes(run.exitCode)) {
    own.push(diagnose("run-not-started", { detail: withStderr(`exit ${run.exitCode}`, run) }, { hook }));
  }
  const problem = output.form === "malformed" || output.form === "mixed" ? output.problem : undefined;
  if (problem !== undefined) own.push(diagnose("output-malformed", { problem }, { hook }));
  const broken = answer.invalid || answer.setAside;
  if (own[0]) return { own, text: own[0].message, unquoted: own[0].message };
  const error = broken ? answer.diagnostics.find(({ severity }) => severity === "error") : undefined;
  if (!error) return { own };
  return { own, text: error.message, unquoted: `its output is not valid at \`${error.path}\`` };
}

function withStderr(text: string, run: Run): string {
  const stderr = run.stderr.trim();
  return stderr === "" ? text : `${text}: ${stderr}`;
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

function readExit(hook: HookPolicy, run: Run, rule: Rule, fault: Fault, answer: Reading): Exit {
  const stderr = run.stderr.trim();
  const faultPart = fault.text === undefined ? [] : [errorPart(`hook ${hook.name}: ${fault.text}`)];
  const answered = answer.speaks && !answer.restrictOnly;
  if (run.exitCode === 2) {
    if (rule.refusal) return { kind: rule.refusal, reason: stderr, parts: faultPart };
    if (answered) return { kind: "abstain", parts: faultPart };
    const text = stderr === "" ? `hook ${hook.name} exited with 2 and said nothing` : stderr;
    return { kind: "abstain", parts: [{ kind: "notice", text }, ...faultPart] };
  }
  const failed = run.exitCode !== undefined && run.exitCode !== 0;
  const failure =
    fault.text ?? (failed && !answered ? withStderr(`exited with ${run.exitCode}`, run) : undefined);
  if (failure === undefined) return { kind: "abstain", parts: [] };
  if (hook.onFailure === "block" && rule.refusal) {
    const forced = diagnose("run-failure-blocks", { detail: failure }, { hook: hook.name });
    const toAgent = rule.stderr.to === "agent";
    const words = toAgent ? (fault.unquoted ?? failure) : failure;
    const reason = `hook ${hook.name} failed and must not (onFailure: block): ${words}`;
    const told = toAgent ? [errorPart(`hook ${hook.name}: ${failure}`)] : [];
    return { kind: rule.refusal, reason, parts: told, forced };
  }
  if (fault.text !== undefined) {
    const isUnsaid = failed && !answered && stderr !== "" && !fault.text.includes(stderr);
    return { kind: "abstain", parts: [...(isUnsaid ? [errorPart(stderr)] : []), ...faultPart] };
  }
  const text =
    stderr === "" ? `hook ${hook.name} exited with ${run.exitCode} and wrote nothing to stderr` : stderr;
  return { kind: "abstain", parts: [errorPart(text)] };
}

function errorPart(text: string): Part {
  return { kind: "error", text };
}

interface Said {
  readonly kind: VerdictKind;
  readonly reason?: string;
  readonly source: "answer" | "exit";
  readonly diagnostics: readonly Diagnostic[];
}

/** JSON decides where it speaks; restrictions add up where one side may not overrule the other. */
function weigh(answer: Reading, exit: Exit, run: Run, rule: Rule, hook: string): Said {
  const fromAnswer = { kind: answer.kind, ...given(answer.reason), source: "answer" } as const;
  const fromExit = { kind: exit.kind, ...given(exit.reason), source: "exit" } as const;
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

/** The words of a decision: the hook's own, else the best stand-in (DESIGN §4.2, §6). */
function wordsOf(said: Said, answer: Reading, rule: Rule, hook: string): { reason?: string } {
  if (said.reason !== undefined) return { reason: said.reason };
  const { kind } = said;
  if (!isRestriction(kind)) return {};
  const borrows = kind === "ask" || rule.dialect.systemMessageIsReason;
  if (borrows && answer.systemMessage !== undefined) return { reason: answer.systemMessage };
  const verb = kind === "ask" ? "confirmation asked" : kind === "stop" ? "stopped" : "blocked";
  return { reason: `${verb} by hook ${hook}: no reason given` };
}

function decisionParts(said: Said, answer: Reading, rule: Rule, hook: string): Part[] {
  const { reason } = wordsOf(said, answer, rule, hook);
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
  const { to } = isStderr ? rule.stderr : rule.reason;
  if (!answer.restrictOnly || !isFromJson || to === "user") return [words];
  const instead = `blocked by hook ${hook}; its words went to the user only, because its output was not one sound JSON object`;
  return [
    { ...words, text: instead },
    { kind: "withheld", text: `hook ${hook} says: ${reason}` },
  ];
}

function contextParts(output: Output, answer: Reading, run: Run, rule: Rule): Part[] {
  const parts: Part[] = [];
  const isSound = output.form === "plain" || (output.form === "mixed" && output.problem === undefined);
  const plain = isSound ? output.text : "";
  const isDone = run.exitCode === 0 && run.failure === undefined;
  if (plain !== "" && isDone && rule.plainStdout === "context") {
    parts.push({ kind: "plain-context", text: plain });
  }
  if (answer.context !== undefined && !answer.restrictOnly)
    parts.push({ kind: "context", text: answer.context });
  return parts;
}

/** Raw stdout of exit 0, for dialects that show it. */
function transcriptParts(output: Output, answer: Reading, run: Run, rule: Rule): Part[] {
  if (rule.dialect.otherStdout !== "transcript" || answer.suppressOutput || run.exitCode !== 0) return [];
  const isContext = rule.plainStdout === "context" && output.form !== "json";
  if (output.form === "empty" || isContext) return [];
  return [{ kind: "transcript", text: run.stdout.trim() }];
}

function pickRewrites(answer: Reading) {
  return {
    ...(answer.updatedInput !== undefined && { updatedInput: answer.updatedInput }),
    ...(answer.updatedPrompt !== undefined && { updatedPrompt: answer.updatedPrompt }),
  };
}

function cutDiagnostics(run: Run, hook: string): Diagnostic[] {
  if (!run.truncated) return [];
  const streams = (run.cut ?? ["stdout"]).join(" and ");
  const cap = run.cap ?? DEFAULT_CAP;
  return [diagnose("output-truncated", { streams, cap }, { hook })];
}

/** Bytes kept per stream unless configured otherwise: seed 002's 100 KB. */
export const DEFAULT_CAP = 102_400;

function readBy(output: Output, answer: Reading): Verdict["read"] {
  if (output.form === "mixed") return "mixed";
  if (output.form !== "json") return "exit-code";
  if (!answer.restrictOnly) return "json";
  return answer.speaks ? "mixed" : "exit-code";
}

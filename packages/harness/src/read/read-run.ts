import type { Run } from "@belay/core";
import { isObject } from "@belay/core/internal";
import type { HookRun } from "../harness.ts";
import { at } from "./at.ts";
import { wrongField } from "./fields.ts";
import type { Answers, Flaw, Form, Reads, Saying } from "./reads.ts";

/** What a harness makes of one run. */
export interface Reading {
  readonly decision?: "allow" | "ask" | "deny";
  /** "stop": continue: false refused the step, and no other hook's allow undoes it. */
  readonly by?: "exit" | "json" | "stop";
  readonly words?: string | undefined;
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  readonly prompt?: string | undefined;
  readonly output?: unknown;
  readonly toAgent: readonly string[];
  readonly toUser: readonly string[];
  readonly ends: boolean;
  /** `continue: false` had some effect. */
  readonly stops: boolean;
  /** Why the output as a whole does not count. */
  readonly flaw?: Flaw | undefined;
  /** A refusal that lacks the words without which it does not count: where they belong. */
  readonly wordless?: string | undefined;
}

const SILENT: Reading = { toAgent: [], toUser: [], ends: false, stops: false };

/** Reads one run as the harness does that has this `reads`, at an event with these answers. */
export function readRun(reads: Reads, answers: Answers, hook: HookRun, native: string): Reading {
  if (hook.off) return { ...SILENT, flaw: hook.off };
  const isClosed =
    !answers.failsOpen && hook.failClosed !== undefined && hook.failClosed === reads.failClosed;
  const failed = whyFailed(reads, hook, isClosed);
  const form: Form = answers.readsNoJson ? { text: hook.run.stdout.trim() } : reads.form(hook.run.stdout);
  if (failed && "flaw" in failed) return { ...SILENT, flaw: failed.flaw };
  if (failed) return refusal(answers, failed.words);
  const { exitCode = 0 } = hook.run;
  const answer = soundAnswer(reads, answers, form, exitCode, native);
  if (isClosed && hasFailed(hook, form, answer)) {
    const own = "fields" in answer ? readFields(answers, answer.fields) : undefined;
    const words = hook.run.stderr.trim() || ("text" in form && form.text) || "the hook failed";
    return own?.decision === "deny" ? own : refusal(answers, words);
  }
  if (exitCode === 2 && reads.denyBeforeExit2 && "fields" in answer) {
    const own = readFields(answers, answer.fields);
    if (own.decision === "deny") return own;
  }
  const isJsonFirst = reads.json === "first" || answers.exit2 === "alone";
  if (exitCode === 2 && !(isJsonFirst && "fields" in answer))
    return readExit2(reads, answers, hook.run, form);
  if (exitCode === answers.endingExit) return { ...refusal(answers, undefined), ends: true };
  if (isRefusingExit(reads, exitCode) && !("fields" in answer))
    return readExit2(reads, answers, hook.run, form);
  if ("fields" in answer) {
    const reading = readFields(answers, answer.fields);
    if (!answers.plainBesides || exitCode !== 0 || reading.decision === "deny") return reading;
    return { ...reading, toAgent: [...reading.toAgent, hook.run.stdout.trim()] };
  }
  const stderr = exitCode === 1 && reads.exit1Stderr ? wordsOf(hook.run.stderr) : [];
  if (reads.strict && exitCode === 0 && hook.run.stdout.trim() !== "")
    return { ...refusal(answers, undefined), flaw: answer.flaw };
  const plain = exitCode === 0 && "text" in form ? wordsOf(form.text) : [];
  return {
    ...SILENT,
    toAgent: [...stderr, ...(answers.plain === "agent" ? plain : [])],
    toUser: answers.plain === "user" ? plain : [],
    flaw: answer.flaw,
  };
}

/** Why a hook that came to no end of its own counts as nothing, or the words with which it refuses. */
function whyFailed(
  reads: Reads,
  { run, type }: HookRun,
  isClosed: boolean,
): { flaw: Flaw } | { words: string } | undefined {
  if (type !== "command" && !reads.types?.includes(type))
    return { flaw: { why: `${type} hooks do not run there`, fix: "use a command hook" } };
  const why = run.timedOut
    ? "the time limit was reached, and the step goes on"
    : type === "http" && run.failure !== undefined
      ? "a failed http hook is no answer"
      : undefined;
  if (isClosed && (why !== undefined || run.failure !== undefined))
    return { words: run.stderr.trim() || "the hook failed" };
  if (why === undefined) return undefined;
  if (type === "http" && !run.timedOut && reads.httpFailureRefuses) return { words: "" };
  const fix = reads.failClosed
    ? `set ${reads.failClosed === "onFailure" ? '"onFailure": "block"' : '"failClosed": true'} in its entry`
    : "nothing closes this door there; keep the hook quick";
  return { flaw: { why, fix } };
}

/** Whether a hook whose entry asks that a failure refuses has failed, though it came to its end. */
function hasFailed({ run, type }: HookRun, form: Form, answer: ReturnType<typeof soundAnswer>): boolean {
  if (run.exitCode !== undefined && run.exitCode !== 0) return run.exitCode !== 2;
  if ("answer" in form) return "flaw" in answer;
  return form.failed === true || (type === "http" && form.text !== "");
}

function isRefusingExit({ otherExits }: Reads, code: number): boolean {
  if (otherExits === undefined || code === 0 || code === 2) return false;
  return otherExits === "refuse" || code >= 3;
}

/** The fields of an answer that counts, or why there are none. */
function soundAnswer(
  reads: Reads,
  answers: Answers,
  form: Form,
  exitCode: number,
  native: string,
): { fields: Readonly<Record<string, unknown>> } | { flaw?: Flaw | undefined } {
  if ("text" in form) return { flaw: form.flaw };
  if (exitCode !== 0 && reads.json === "exit-0")
    return { flaw: { why: `JSON counts with exit code 0 alone there, not ${exitCode}`, fix: "exit with 0" } };
  const flaw =
    wrongField({ ...reads.fields, ...answers.fields }, form.answer) ?? reads.flaw?.(form.answer, native);
  return flaw ? { flaw } : { fields: form.answer };
}

function readExit2(reads: Reads, answers: Answers, run: Run, form: Form): Reading {
  const { exit2: when } = answers;
  const stderr = run.stderr.trim();
  const printed = "text" in form ? form.text : "";
  const words = when === "words" ? printed || stderr : stderr;
  const isRead = reads.losesStderr && run.exitCode === 2 && "answer" in form;
  const beside = isRead ? readFields(answers, form.answer) : SILENT;
  if (when === "always" || when === "alone" || (when !== undefined && words !== ""))
    return {
      ...refusal(answers, reads.losesStderr ? beside.words : words || undefined),
      toAgent: beside.toAgent,
    };
  const notice = wordsOf(stderr);
  return {
    ...beside,
    toAgent: [...beside.toAgent, ...(answers.notice === "agent" ? notice : [])],
    toUser: [...beside.toUser, ...(answers.notice === "user" ? notice : [])],
    ...(when !== undefined && {
      flaw: { why: "exit 2 without words on stderr is no refusal there", fix: "write the reason to stderr" },
    }),
  };
}

function refusal(answers: Answers, words: string | undefined): Reading {
  return { ...SILENT, decision: "deny", by: "exit", words, ends: answers.refusalEnds ?? false };
}

function readFields(answers: Answers, fields: Readonly<Record<string, unknown>>): Reading {
  const denied = said(answers.deny, fields);
  const asked = said(answers.ask, fields);
  const allowed = said(answers.allow, fields);
  const context = (answers.context ?? []).flatMap((path) => wordsOf(at(fields, path)));
  const isStopped = fields.continue === false;
  const { stop } = answers;
  const stopWords = answers.stopWords === undefined ? [] : wordsOf(at(fields, answers.stopWords));
  const refuses = isStopped && (stop === "refuses" || stop === "refuses-and-ends");
  const decided = refuses
    ? { decision: "deny", by: "stop", words: stopWords[0] ?? denied?.words }
    : denied?.counts && !(isStopped && stop === "passes")
      ? { decision: "deny", by: "json", words: denied.words }
      : answers.contextRefuses && context.length > 0
        ? { decision: "deny", by: "json", words: context.join("\n") }
        : asked
          ? { decision: "ask", by: "json", words: asked.words }
          : allowed && { decision: "allow", by: "json", words: allowed.words };
  const isDenied = decided?.decision === "deny";
  const { rewrite } = answers;
  const rewrites = rewrite?.needs === "allow" ? allowed : rewrite?.needs !== "no-ask" || !asked;
  const input = rewrite && rewrites ? at(fields, rewrite.at) : undefined;
  const prompt = answers.prompt === undefined ? undefined : at(fields, answers.prompt);
  const output = outputIn(answers.output, fields);
  return {
    ...(decided as Pick<Reading, "decision" | "by" | "words"> | undefined),
    input: isObject(input) ? input : undefined,
    prompt: typeof prompt === "string" ? prompt : undefined,
    output,
    toAgent: isStopped && stop === "told" ? stopWords : answers.contextRefuses ? [] : context,
    toUser: [
      ...(answers.message ? wordsOf(fields.systemMessage) : []),
      ...(isStopped && (stop === "ends" || stop === "refuses-and-ends") && !isDenied ? stopWords : []),
    ],
    ends:
      (isStopped && (stop === "ends" || stop === "refuses-and-ends")) ||
      (decided?.decision === "ask" && asked?.ends === true) ||
      (isDenied &&
        (answers.refusalEnds === true ||
          denied?.ends === true ||
          (answers.interrupt !== undefined && at(fields, answers.interrupt) === true))),
    stops: isStopped && stop !== undefined,
    wordless: denied && !denied.counts ? denied.wordsAt : undefined,
  };
}

/** The first saying that is there: one that counts goes before one that lacks its words. */
function said(sayings: readonly Saying[] = [], fields: Readonly<Record<string, unknown>>) {
  const found = sayings
    .filter(({ unless }) => unless === undefined || at(fields, unless) == null)
    .filter(({ at: path, is }) => is.includes(at(fields, path)))
    .map(({ words: wordsAt, needsWords, ends }) => {
      const [words] = wordsAt === undefined ? [] : wordsOf(at(fields, wordsAt));
      return { words, wordsAt, ends, counts: !needsWords || words !== undefined };
    });
  return found.find(({ counts }) => counts) ?? found[0];
}

function outputIn(place: Answers["output"], fields: Readonly<Record<string, unknown>>): unknown {
  if (place === undefined) return undefined;
  const output = at(fields, place.at);
  return place.is === "any" || isObject(output) ? output : undefined;
}

function wordsOf(value: unknown): string[] {
  return typeof value === "string" && value.trim() !== "" ? [value.trim()] : [];
}

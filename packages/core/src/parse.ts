import { diagnose } from "./diagnostics.ts";
import { readExit } from "./exit.ts";
import { findFault } from "./fault.ts";
import { type Heard, hear } from "./hear.ts";
import { type Output, readOutput, seemsToAnswer } from "./output.ts";
import { partsOf, wordsOf } from "./parts.ts";
import type { Reading } from "./reading.ts";
import type { Rule } from "./rules.ts";
import { scriptNotOpened } from "./script-not-opened.ts";
import { isRestriction } from "./strict.ts";
import type { Diagnostic, HookTerms, Rewrites, Run, Stream, Verdict } from "./types.ts";
import { isProcess, notText } from "./unfinished.ts";
import { type Said, weigh } from "./weigh.ts";

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

import { diagnose } from "./diagnostics.ts";
import { type Fault, withStderr } from "./fault.ts";
import type { Heard } from "./hear.ts";
import type { VerdictKind } from "./kinds.ts";
import type { Reading } from "./reading.ts";
import type { Diagnostic, Part, Run } from "./types.ts";

/** What the exit code says, with a fault under onFailure: "block" read as exit 2 (DESIGN §4.9). */
export interface Exit {
  readonly kind: VerdictKind;
  readonly reason?: string;
  /** What is shown whichever side decides. */
  readonly parts: readonly Part[];
  /** The refusal of a hook that failed and must not: nothing the hook printed undoes it. */
  readonly forced?: Diagnostic;
}

/** An exit code other than 0 and 2 that comes without a JSON answer: an uncaught exception, say. */
export function isFailedExit({ exitCode }: Run, answer: Heard): boolean {
  return exitCode !== undefined && exitCode !== 0 && exitCode !== 2 && !isAnswered(answer);
}

function isAnswered({ speaks, restrictOnly }: Heard): boolean {
  return speaks && !restrictOnly;
}

export function readExit(fault: Fault, answer: Heard, { hook, run, rule }: Reading): Exit {
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

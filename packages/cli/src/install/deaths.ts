import type { EventName, Run } from "@belay/core";
import { emulate, type Harness } from "@belay/harness";
import { EXAMPLE_EVENT } from "../hooks/first-hook.ts";

/** What becomes of a tool call whose relay gives no answer. */
export interface Deaths {
  /** The relay script is not there. Where only Node or Belay is gone, the script refuses. */
  readonly gone: "refused" | "runs";
  /** The time limit was reached. */
  readonly late: "refused" | "runs";
}

const SILENT = { executionTime: 0, timedOut: false, truncated: false, stdout: "", stderr: "" };
const GONE: Run = { ...SILENT, exitCode: 127, stderr: "not found" };
const LATE: Run = { ...SILENT, timedOut: true, failure: { kind: "timeout", detail: "the time limit" } };

/** `events`: events whose entries use the agent's own setting for hooks that fail. */
export function deathsOf(harness: Harness, events: readonly EventName[]): Deaths {
  const { reads, settings } = harness;
  // Our own code refuses what has no answer.
  if (settings.shape.kind === "plugin") return { gone: "refused", late: "refused" };
  const closed = events.includes(EXAMPLE_EVENT) && reads?.failClosed ? { failClosed: reads.failClosed } : {};
  const stepAfter = (run: Run) => {
    const hooks = [{ hook: "belay", type: "command" as const, run, ...closed }];
    return emulate(harness, { event: EXAMPLE_EVENT, hooks }).step === "runs" ? "runs" : "refused";
  };
  return { gone: stepAfter(GONE), late: stepAfter(LATE) };
}

import type { EventName, Run } from "@belay/core";
import { emulate, type Harness } from "@belay/harness";
import { EXAMPLE_EVENT } from "../hooks/first-hook.ts";
import { isInShell } from "./place.ts";

/** What can befall the relay. Without Belay the script refuses as it does without Node. */
export const DEATHS = ["script gone", "Node gone", "killed", "limit reached"] as const;

export type Death = (typeof DEATHS)[number];

/** What becomes of a tool call whose relay gives no answer. `belay verify --deaths` measures it. */
export type Deaths = Readonly<Record<Death, "refused" | "runs">>;

const SILENT = { executionTime: 0, timedOut: false, truncated: false, stdout: "", stderr: "" };
const GONE: Run = { ...SILENT, exitCode: 127, stderr: "not found" };
const KILLED: Run = { ...SILENT, failure: { kind: "signal", detail: "SIGKILL" } };
const LATE: Run = { ...SILENT, timedOut: true, failure: { kind: "timeout", detail: "the time limit" } };
const REFUSED: Run = { ...SILENT, exitCode: 2, stderr: "the hooks could not be asked" };

/** `events`: events whose entries use the agent's own setting for hooks that fail. */
export function deathsOf(harness: Harness, events: readonly EventName[]): Deaths {
  const { reads, settings } = harness;
  const closed = events.includes(EXAMPLE_EVENT) && reads?.failClosed ? { failClosed: reads.failClosed } : {};
  const after = (run: Run) => {
    const hooks = [{ hook: "belay", type: "command" as const, run, ...closed }];
    return emulate(harness, { event: EXAMPLE_EVENT, hooks }).step === "runs" ? "runs" : "refused";
  };
  // Our own code stands between, and refuses what has no answer.
  const isOwn = settings.shape.kind === "plugin" || settings.shape.kind === "script";
  const unanswered = (run: Run) => (isOwn ? "refused" : after(isInShell(harness) ? REFUSED : run));
  return {
    "script gone": unanswered(GONE),
    "Node gone": isOwn ? "refused" : after(REFUSED),
    killed: unanswered(KILLED),
    "limit reached": settings.shape.kind === "plugin" ? "refused" : after(LATE),
  };
}

export function deathsSaid(deaths: Deaths): string {
  return DEATHS.map((death) => `${death}, ${deaths[death]}`).join("; ");
}

import type { Hook, Outcome, RunReport } from "@belay/core";
import { isObject, placeOf } from "@belay/core/internal";
import { type Emulated, emulate, type Harness, type HookRun } from "@belay/harness";

/** What would happen in each agent after the hooks of an outcome ran. `hooks`: those of the config, for what their entries say. */
export function emulateAll(
  agents: readonly Harness[],
  { event, runs }: Pick<Outcome, "event" | "runs">,
  payload: Readonly<Record<string, unknown>>,
  hooks: readonly Hook[],
): Emulated[] {
  const { tool_name: tool, tool_input: input } = payload;
  const occasion = {
    event,
    ...(typeof tool === "string" && { tool }),
    ...(isObject(input) && { input }),
    hooks: runs.filter(({ observed }) => !observed).map((run) => hookRun(run, hooks)),
  };
  return agents.map((harness) => emulate(harness, occasion));
}

function hookRun(report: RunReport, hooks: readonly Hook[]): HookRun {
  const {
    hook,
    source,
    dialect: _,
    read: _read,
    verdict: _verdict,
    adds: _adds,
    fault: _fault,
    ...run
  } = report;
  const configured = hooks.find(({ name, source: at }) => name === hook && placeOf(at) === source);
  return {
    hook,
    run,
    type: configured?.handler.type === "http" ? "http" : "command",
    ...(configured?.onFailure === "block" && { failClosed: "onFailure" }),
  };
}

/** A restriction was meant, and the step happens all the same. */
export function losesRestriction({ lost }: Emulated): boolean {
  return lost.some(({ code }) => code === "agent-loses-restriction");
}

/** One agent: what happens there. Several: whether any of them loses a restriction. */
export function exitCodeAs(emulated: readonly Emulated[]): number {
  const [only] = emulated;
  if (only && emulated.length === 1) return only.step === "refused" ? 2 : only.step === "asks" ? 3 : 0;
  return emulated.some(losesRestriction) ? 2 : 0;
}

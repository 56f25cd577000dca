import type { Hook, Outcome, RunReport } from "@belay/core";
import { isObject, placeOf } from "@belay/core/internal";
import { type Emulated, emulate, type Harness, type HookRun, harnessNamed } from "@belay/harness";
import { offIn } from "./letter.ts";

/** What would happen in an agent; "unknown": it would go on, but for hooks that gave no answer here. */
export type EmulatedAs = Omit<Emulated, "step"> & { readonly step: Emulated["step"] | "unknown" };

/** What keeps a hook from answering here, and would not in an agent. */
const UNHEARD: readonly string[] = ["hook-skipped", "run-prompt-failed", "run-elsewhere"];

/** No agent knows of Belay's trust, or reads an entry as Belay does: what did not run here can still refuse there. */
export function asFarAsKnown(
  emulated: readonly Emulated[],
  { diagnostics }: Pick<Outcome, "diagnostics">,
): EmulatedAs[] {
  const isUnheard = diagnostics.some(({ code }) => UNHEARD.includes(code));
  const isOff = diagnostics.some(({ severity, about }) => severity === "error" && about === "hooks");
  return emulated.map((one) => {
    // An agent whose reading of the file is known has said what it skips.
    const isKnown = losesRestriction(one) && harnessNamed(one.agent)?.settingsDialect !== undefined;
    const isUnknown = one.step === "runs" && (isUnheard || (isOff && !isKnown));
    return isUnknown ? { ...one, step: "unknown" } : one;
  });
}

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
  };
  const ran = runs.filter(({ observed }) => !observed).map((run) => ({ run, hook: hookOf(run, hooks) }));
  const read = ran.map(({ run, hook }) => hookRun(run, hook));
  return agents.map((harness) => {
    const own = read.map((one, index) => {
      const hook = ran[index]?.hook;
      const off = hook && offIn(harness, hook, hooks, payload);
      return off ? { ...one, off } : one;
    });
    return emulate(harness, { ...occasion, hooks: own });
  });
}

function hookOf({ hook, source }: RunReport, hooks: readonly Hook[]): Hook | undefined {
  return hooks.find(({ name, source: at }) => name === hook && placeOf(at) === source);
}

function hookRun(report: RunReport, configured: Hook | undefined): HookRun {
  const {
    hook,
    source: _source,
    dialect: _,
    read: _read,
    verdict: _verdict,
    adds: _adds,
    fault: _fault,
    ...run
  } = report;
  // What our own types say is read as if a program had printed it; `check` says that they run nowhere else.
  const type = configured?.handler.type ?? "command";
  return {
    hook,
    run,
    type: type === "json" || type === "module" ? "command" : type,
    ...(configured?.onFailure === "block" && { failClosed: "onFailure" }),
  };
}

/** A restriction was meant, and the step happens all the same. */
export function losesRestriction({ lost }: Pick<Emulated, "lost">): boolean {
  return lost.some(({ code }) => code === "agent-loses-restriction");
}

const EXIT_CODES: Record<EmulatedAs["step"], number> = { runs: 0, refused: 2, asks: 3, unknown: 3 };

/** One agent: what happens there. Several: whether any of them loses a restriction, or else whether it is unknown. */
export function exitCodeAs(emulated: readonly EmulatedAs[]): number {
  const [only] = emulated;
  if (only && emulated.length === 1) return EXIT_CODES[only.step];
  if (emulated.some(losesRestriction)) return 2;
  return emulated.some(({ step }) => step === "unknown") ? 3 : 0;
}

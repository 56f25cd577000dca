import type { EventName, Hook, Outcome } from "@belay/core";
import type { FlagValues } from "../args/args.ts";
import type { CONFIG_FLAGS } from "../args/flags.ts";
import { agentsMeant } from "./agents.ts";
import { checkAs } from "./check.ts";
import { asFarAsKnown, type EmulatedAs, emulateAll, exitCodeAs } from "./emulated.ts";
import { firesAs, renderFires } from "./fires.ts";
import { renderEmulated } from "./render.ts";

/** What `--as` adds to a command. Loaded when the flag is given: it is not on the path of a tool call. */
export async function asAgents(given: string, values: FlagValues<typeof CONFIG_FLAGS>) {
  const agents = await agentsMeant(given, values);
  return {
    emulate: (
      outcome: Pick<Outcome, "event" | "runs" | "diagnostics">,
      payload: Readonly<Record<string, unknown>>,
      hooks: readonly Hook[],
    ) => asFarAsKnown(emulateAll(agents, outcome, payload, hooks), outcome),
    toJson: (emulated: readonly EmulatedAs[]) => (agents.length === 1 ? emulated[0] : emulated),
    render: renderEmulated,
    exitCode: exitCodeAs,
    check: (hooks: readonly Hook[], cwd: string) => checkAs(agents, hooks, cwd),
    fires: (event: EventName, hooks: readonly Hook[]) =>
      agents.map((harness) => firesAs(harness, event, hooks)),
    renderFires,
  };
}

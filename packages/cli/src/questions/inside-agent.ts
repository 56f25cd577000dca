import { UsageError } from "@belay/engine";
import { OWN_AGENT_VARIABLE } from "@belay/engine/internal";
import { callVariables } from "@belay/harness";
import { BELAY } from "../args/flags.ts";

/** An agent that may run commands would trust what it has written, and allow what it wants. */
export function refuseInsideAgent(command: "trust" | "questions" | "allow"): void {
  const variable = [OWN_AGENT_VARIABLE, ...callVariables].find((name) => process.env[name]);
  if (variable === undefined) return;
  const what = command === "trust" ? "decide about trust" : "allow its own calls";
  throw new UsageError(
    `an agent must not ${what}, and ${variable} says that this is an agent's tool call`,
    `run ${BELAY} ${command} in a terminal of your own`,
  );
}

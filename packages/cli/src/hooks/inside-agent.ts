import { UsageError } from "@belay/engine";
import { OWN_AGENT_VARIABLE } from "@belay/engine/internal";
import { callVariables } from "@belay/harness";
import { BELAY } from "../args/flags.ts";

/** An agent that may run commands would decide about its own hooks. `about` ends "an agent must not decide about". */
export function refuseInsideAgent(command: string, about: string): void {
  const variable = [OWN_AGENT_VARIABLE, ...callVariables].find((name) => process.env[name]);
  if (variable !== undefined)
    throw new UsageError(
      `an agent must not decide about ${about}, and ${variable} says that this is an agent's tool call`,
      `run ${BELAY} ${command} in a terminal of your own`,
    );
}

import { UsageError } from "@belay/engine";
import { OWN_AGENT_VARIABLE } from "@belay/engine/internal";
import { callVariables } from "@belay/harness";
import { BELAY } from "../args/flags.ts";

const WHAT = {
  trust: "decide about trust",
  questions: "allow its own calls",
  allow: "allow its own calls",
  install: "change its own hooks",
  uninstall: "change its own hooks",
  adopt: "change its own hooks",
};

/** An agent that may run commands would trust what it has written, and allow what it wants. */
export function refuseInsideAgent(command: keyof typeof WHAT): void {
  const variable = [OWN_AGENT_VARIABLE, ...callVariables].find((name) => process.env[name]);
  if (variable === undefined) return;
  throw new UsageError(
    `an agent must not ${WHAT[command]}, and ${variable} says that this is an agent's tool call`,
    `run ${BELAY} ${command} in a terminal of your own`,
  );
}

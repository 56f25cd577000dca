import type { Variables } from "../environment.ts";

/** Set by Belay's own agent for every command that its tools run. */
export const OWN_AGENT_VARIABLE = "BELAY_AGENT";

/** Variables that agents set for the commands that their tools run. */
export const AGENT_VARIABLES = [
  OWN_AGENT_VARIABLE,
  "CLAUDECODE",
  "CODEX_SANDBOX",
  "CODEX_SANDBOX_NETWORK_DISABLED",
  "CODEX_THREAD_ID",
  "GEMINI_CLI",
  "QWEN_CODE",
  "COPILOT_CLI",
  "CURSOR_AGENT",
  "OPENCODE",
  "CLINE_ACTIVE",
  "AUGMENT_AGENT",
] as const;

/** The variable by which a process knows that it runs inside a tool call of an agent, if it does. */
export function agentVariable(env: Variables): string | undefined {
  return AGENT_VARIABLES.find((name) => env[name] !== undefined && env[name] !== "");
}

import { type Expect, permission, specific } from "./row.ts";

/** Every kind of answer to a tool call, strictest first, with its words and who reads them. */
export type Kind = "stop" | "deny" | "ask" | "allow" | "none";

export const STRICTEST: readonly Kind[] = ["stop", "deny", "ask", "allow", "none"];

export const OUT: Record<Kind, object> = {
  stop: { continue: false, stopReason: "enough" },
  deny: permission("deny", "not here"),
  ask: permission("ask", "sure?"),
  allow: permission("allow", "fine"),
  none: {},
};

export const MESSAGE: Record<Kind, (hook: string) => readonly string[]> = {
  stop: (hook) => [`user error (${hook}): enough`],
  deny: (hook) => [`agent tool (${hook}): not here`],
  ask: (hook) => [`user text (${hook}): sure?`],
  allow: (hook) => [`user text (${hook}): fine`],
  none: () => [],
};

export const DECISION: Record<Kind, Expect> = {
  stop: { action: "stop", kind: "stop", reason: "enough" },
  deny: { action: "block-tool", kind: "deny", reason: "not here" },
  ask: { action: "ask-user", kind: "ask", reason: "sure?" },
  allow: { action: "continue", kind: "allow", reason: "fine" },
  none: {},
};

export const READ = ["json (a)", "json (b)"];

export const rewrite = (command: string, permissionDecision?: string) =>
  specific("PreToolUse", { updatedInput: { command }, ...(permissionDecision && { permissionDecision }) });

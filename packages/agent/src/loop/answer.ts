import type { PendingPermission } from "@belay/core";
import { messageOf } from "@belay/core";
import type { Answer } from "../agent-types.ts";
import { outlastsAllow, settle } from "../permissions/settle.ts";
import type { Parts } from "./parts.ts";

/** The rules that "always" stores for a call; none when no rule can allow just this. */
export function rulesFor({ thread, settings }: Parts, pending: PendingPermission): readonly string[] {
  const tool = thread.tools.find(({ name }) => name === pending.toolName);
  return tool ? settings.rulesFor(tool, inputOf(pending)) : [];
}

const KINDS: readonly Answer["kind"][] = ["once", "session", "always", "deny"];

/** The user's answer to one question, and to those like it when the answer is about more than one call. */
export function answerQuestion(parts: Parts, id: string, answer: Answer): void {
  const { queue, settings } = parts;
  const pending = queue.pending.find((question) => question.id === id);
  if (!pending) return;
  const { kind, reason } = answer;
  if (!KINDS.includes(kind)) throw new TypeError(`an answer is ${KINDS.join(", ")}, not ${String(kind)}`);
  const rules = rulesFor(parts, pending);
  queue.decide(id, { decision: kind === "deny" ? "deny" : "allow", ...(reason !== undefined && { reason }) });
  if (kind === "session") settings.allowForSession(pending.toolName);
  if (kind === "always") store(parts, rules);
  if (kind !== "session" && kind !== "always") return;
  for (const other of queue.pending)
    if (isSpared(parts, other)) queue.decide(other.id, { decision: "allow" });
}

/** The call itself is allowed either way; that it will be asked about again is said. */
function store({ settings, session }: Parts, rules: readonly string[]): void {
  try {
    for (const rule of rules) settings.allowAlways(rule);
  } catch (error) {
    const words = messageOf(error);
    session.conversation.addWarnBlock(`Allowed this once: the rule could not be stored. ${words}`);
  }
}

/** Whether the question would not be asked now; one that a hook raised stays, and a rule's about what a hook has rewritten. */
function isSpared({ thread, settings, live }: Parts, question: PendingPermission): boolean {
  const tool = thread.tools.find(({ name }) => name === question.toolName);
  if (!tool || question.hook !== undefined || outlastsAllow(question)) return false;
  const judged = settings.judge(tool, inputOf(question));
  return settle({ hook: "none", ...judged, toolKind: tool.kind, mode: live.mode }).kind === "allow";
}

function inputOf({ updatedInput, toolInput }: PendingPermission): Record<string, unknown> {
  return updatedInput ?? toolInput;
}

import type { PendingPermission } from "@belay/core";
import type { Answer } from "../agent-types.ts";
import type { Parts } from "./parts.ts";

/** The rules that "always" stores for a call; none when no rule can allow just this. */
export function rulesFor({ thread, settings }: Parts, pending: PendingPermission): readonly string[] {
  const tool = thread.tools.find(({ name }) => name === pending.toolName);
  return tool ? settings.rulesFor(tool, inputOf(pending)) : [];
}

/** The user's answer to one question, and to those like it when the answer is about more than one call. */
export function answerQuestion(parts: Parts, id: string, answer: Answer): void {
  const { queue, settings, thread } = parts;
  const pending = queue.pending.find((question) => question.id === id);
  if (!pending) return;
  const { kind, reason } = answer;
  if (kind === "session") settings.allowForSession(pending.toolName);
  if (kind === "always") for (const rule of rulesFor(parts, pending)) settings.allowAlways(rule);
  queue.decide(id, { decision: kind === "deny" ? "deny" : "allow", ...(reason !== undefined && { reason }) });
  if (kind !== "session" && kind !== "always") return;
  for (const other of queue.pending) if (isSpared(other)) queue.decide(other.id, { decision: "allow" });

  function isSpared(question: PendingPermission): boolean {
    const tool = thread.tools.find(({ name }) => name === question.toolName);
    if (!tool || question.hook !== undefined) return false;
    return settings.judge(tool, inputOf(question)).ruling?.kind === "allow";
  }
}

function inputOf({ updatedInput, toolInput }: PendingPermission): Record<string, unknown> {
  return updatedInput ?? toolInput;
}

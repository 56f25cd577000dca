import type { PendingPermission } from "@belay/core";
import type { Answer } from "../agent-types.ts";
import type { Parts } from "./parts.ts";

/** The rule that "always" stores for a call: a command as it stands, or the tool. */
export function ruleFor({ thread }: Parts, pending: PendingPermission): string {
  const { toolName } = pending;
  const tool = thread.tools.find(({ name }) => name === toolName);
  return tool?.kind === "execute" ? `${toolName}(${tool.subject(inputOf(pending))})` : toolName;
}

/** The user's answer to one question, and to those like it when the answer is about more than one call. */
export function answerQuestion(parts: Parts, id: string, answer: Answer): void {
  const { queue, settings, thread } = parts;
  const pending = queue.pending.find((question) => question.id === id);
  if (!pending) return;
  const { kind, reason } = answer;
  if (kind === "session") settings.allowForSession(pending.toolName);
  if (kind === "always") settings.allowAlways(ruleFor(parts, pending));
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

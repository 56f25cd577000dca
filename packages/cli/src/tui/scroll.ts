import type { AgentState } from "@belay/agent";

/**
 * How many messages will not change any more: they may scroll away. While a turn goes on, its last prompt and all behind
 * the model's last answer may still change: a hook can erase the one and fail the calls of the other.
 */
export function finished({ messages, isBusy }: Pick<AgentState, "messages" | "isBusy">): number {
  if (!isBusy) return messages.length;
  const last = messages.findLastIndex(({ source }) => source === "model" || source === "prompt");
  return Math.max(0, last);
}

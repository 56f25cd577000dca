import type { AgentState } from "@belay/agent";
import { useRef } from "react";

/**
 * How many messages will not change any more: they may scroll away. While a turn goes on, its last prompt and all behind
 * the model's last answer may still change: a hook can erase the one and fail the calls of the other.
 */
export function finished({ messages, isBusy }: Pick<AgentState, "messages" | "isBusy">): number {
  if (!isBusy) return messages.length;
  const last = messages.findLastIndex(({ source }) => source === "model" || source === "prompt");
  return Math.max(0, last);
}

/**
 * The same over time: what has scrolled away does not come back when the next turn begins. `generation` grows when
 * another conversation has taken its place, by a clear or a compaction.
 */
export function useFinished(state: Pick<AgentState, "messages" | "isBusy">): {
  readonly done: number;
  readonly generation: number;
} {
  const known = useRef({ done: 0, first: "", generation: 0 });
  const { done, first, generation } = known.current;
  const now = state.messages[0]?.id ?? "";
  const isOther = done > 0 && now !== first;
  const least = isOther ? 0 : done;
  known.current = {
    done: Math.min(state.messages.length, Math.max(least, finished(state))),
    first: now,
    generation: isOther ? generation + 1 : generation,
  };
  return known.current;
}

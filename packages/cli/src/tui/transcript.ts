import type { AgentState } from "@belay/agent";
import { useRef } from "react";
import { type Narration, narrationLines, withNarration } from "../demo/narration.ts";
import { type Look, messageParts } from "./blocks.ts";
import { type Line, prose } from "./lines.tsx";

/**
 * The number of messages that do not change any more, and may scroll away. During a turn, the last prompt and everything
 * behind the model's last answer may change: a hook can erase the prompt, and fail the calls of the answer.
 */
export function finished({ messages, isBusy }: Pick<AgentState, "messages" | "isBusy">): number {
  if (!isBusy) return messages.length;
  const last = messages.findLastIndex(({ source }) => source === "model" || source === "prompt");
  return Math.max(0, last);
}

/**
 * The same over time: messages that scrolled away stay away when the next turn begins. `generation` grows when a clear or a
 * compaction replaces the conversation.
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

/** Rows of one block, which are drawn once and then scroll away. */
export interface ScrolledRows {
  readonly key: string;
  readonly lines: readonly Line[];
}

/** A conversation in rows: `gone` does not change any more, `live` is drawn anew each time. */
export function conversationRows(shown: {
  readonly state: Pick<AgentState, "messages" | "draft">;
  /** So many messages will not change. */
  readonly done: number;
  readonly look: Look;
  readonly narration: Narration;
  readonly isLeaving: boolean;
}): { readonly gone: ScrolledRows[]; readonly live: readonly Line[] } {
  const { state, done, look, narration, isLeaving } = shown;
  const { columns } = look;
  const draft = state.draft === "" ? [] : prose(state.draft, columns);
  // One item per block: hooks may add a block to a message that has scrolled away.
  const gone = withNarration(state.messages.slice(0, done), narration.told).flatMap((item) => {
    const parts = "story" in item ? [narrationLines(item, columns)] : messageParts(item, look);
    return parts.map((lines, index) => ({ key: `${item.id} ${index}`, lines }));
  });
  const cutOff = isLeaving && draft.length > 0 ? [{ key: "draft", lines: draft }] : [];
  return {
    gone: [...gone, ...cutOff],
    live: [
      ...state.messages.slice(done).flatMap((message) => messageParts(message, look).flat()),
      ...draft,
      ...(narration.next ? narrationLines(narration.next, columns) : []),
    ],
  };
}

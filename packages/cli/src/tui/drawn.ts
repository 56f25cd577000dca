import type { AgentState } from "@belay/agent";
import { storyLines, type Telling, withStory } from "../demo/story.ts";
import { type Look, messageParts } from "./blocks.ts";
import { type Line, prose } from "./lines.tsx";

/** Rows that are drawn once and then scroll away; their key says which they are. */
export interface Gone {
  readonly key: string;
  readonly lines: readonly Line[];
}

/** A conversation in rows: what will not change any more, and what is drawn anew each time. */
export function drawn(shown: {
  readonly state: Pick<AgentState, "messages" | "draft">;
  /** So many messages will not change. */
  readonly done: number;
  readonly look: Look;
  readonly telling: Telling;
  readonly isLeaving: boolean;
}): { readonly gone: Gone[]; readonly live: readonly Line[] } {
  const { state, done, look, telling, isLeaving } = shown;
  const { columns } = look;
  const draft = state.draft === "" ? [] : prose(state.draft, columns);
  // By block: hooks may add one to a message that has scrolled away.
  const gone = withStory(state.messages.slice(0, done), telling.told).flatMap((item) => {
    const parts = "story" in item ? [storyLines(item, columns)] : messageParts(item, look);
    return parts.map((lines, index) => ({ key: `${item.id} ${index}`, lines }));
  });
  const cutOff = isLeaving && draft.length > 0 ? [{ key: "draft", lines: draft }] : [];
  return {
    gone: [...gone, ...cutOff],
    live: [
      ...state.messages.slice(done).flatMap((message) => messageParts(message, look).flat()),
      ...draft,
      ...(telling.next ? storyLines(telling.next, columns) : []),
    ],
  };
}

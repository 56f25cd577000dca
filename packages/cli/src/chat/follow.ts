import type { Block, Message } from "@belay/agent";

/** One change of a conversation. A reader builds the conversation from all steps; each is a line of stream-json. */
export type Step =
  /** A new block, or one that replaces the block at this index of the message. */
  | ({ readonly type: "block"; readonly message: string; readonly index: number } & Pick<
      Message,
      "role" | "source"
    > & { readonly block: Block })
  /** A hook erased a prompt. */
  | { readonly type: "remove"; readonly message: string }
  /** All messages so far are void; the new ones follow. */
  | { readonly type: "reset" };

/** Tells every step between two calls. The messages in `past` are known to the reader. */
export function followMessages(
  past: readonly Message[],
  tell: (step: Step) => void,
): (messages: readonly Message[]) => void {
  let known = past;
  return (messages) => {
    const before = known;
    known = messages;
    const gone = before.filter(({ id }) => !messages.some((message) => message.id === id));
    const kept = before.filter((message) => !gone.includes(message));
    const isOther = gone.length > 1 || kept.some(({ id }, index) => messages[index]?.id !== id);
    if (isOther) tell({ type: "reset" });
    else for (const { id } of gone) tell({ type: "remove", message: id });
    const last = new Map((isOther ? [] : before).map(({ id, blocks }) => [id, blocks]));
    for (const { id, role, source, blocks } of messages)
      blocks.forEach((block, index) => {
        if (last.get(id)?.[index] !== block) tell({ type: "block", message: id, index, role, source, block });
      });
  };
}

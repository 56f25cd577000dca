import type { Block, Message } from "@belay/agent";

/** How a conversation goes on, in steps from which a reader can build it: one line of stream-json each. */
export type Step =
  /** A block that is new, or takes the place of the one at this index of the message. */
  | ({ readonly type: "block"; readonly message: string; readonly index: number } & Pick<
      Message,
      "role" | "source"
    > & { readonly block: Block })
  /** A hook erased a prompt. */
  | { readonly type: "remove"; readonly message: string }
  /** Everything so far makes way; what takes its place follows. */
  | { readonly type: "reset" };

/** Tells every step from one look at the messages to the next; what is in `past` is known. */
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

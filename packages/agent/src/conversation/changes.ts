import type { Block, Message, ToolBlock } from "./message.ts";

/**
 * A conversation is the fold of its changes: what the transcript keeps, line by line, and what a resumed session is read
 * from.
 */
export type Change =
  | { readonly type: "message"; readonly message: Message }
  /** Added to a message that is there. */
  | { readonly type: "block"; readonly message: string; readonly block: Block }
  | { readonly type: "tool"; readonly id: string; readonly patch: ToolPatch }
  /** A prompt that a hook rewrote. */
  | { readonly type: "prompt"; readonly message: string; readonly content: string }
  /** Hooks let a prompt pass. */
  | { readonly type: "accepted"; readonly message: string }
  | { readonly type: "remove"; readonly message: string }
  /** Everything so far makes way: the conversation was cleared or compacted. */
  | { readonly type: "reset"; readonly messages: readonly Message[] };

export type ToolPatch = Partial<
  Pick<ToolBlock, "updatedInput" | "rewriter" | "stage" | "result" | "success" | "hook">
>;

export function applyChange(messages: readonly Message[], change: Change): readonly Message[] {
  switch (change.type) {
    case "message":
      return [...messages, change.message];
    case "block":
      return edit(messages, change.message, (message) => ({
        ...message,
        blocks: [...message.blocks, change.block],
      }));
    case "tool":
      return messages.map((message) => withTool(message, change.id, change.patch));
    case "prompt":
      return edit(messages, change.message, (message) => ({
        ...message,
        blocks: [{ type: "text", content: change.content, to: ["user", "agent"] }],
      }));
    case "accepted":
      return messages;
    case "remove":
      return messages.filter(({ id }) => id !== change.message);
    case "reset":
      return change.messages;
  }
}

function edit(messages: readonly Message[], id: string, change: (message: Message) => Message): Message[] {
  return messages.map((message) => (message.id === id ? change(message) : message));
}

function withTool(message: Message, id: string, patch: ToolPatch): Message {
  if (!message.blocks.some((block) => block.type === "tool" && block.id === id)) return message;
  const blocks = message.blocks.map((block) =>
    block.type === "tool" && block.id === id
      ? { ...(patch.stage === "called" ? asCalled(block) : block), ...patch }
      : block,
  );
  return { ...message, blocks };
}

/** A call that begins anew is what the model wants, and nothing that has been made of it since. */
function asCalled({ type, id, name, input, stage }: ToolBlock): ToolBlock {
  return { type, id, name, input, stage };
}

import { randomUUID } from "node:crypto";
import type { MessageManager } from "@belay/core";
import type { Block, Message, MessageSource, ToolBlock } from "./message.ts";

/** The port of hooks (core's applyOutcome writes through it). */
interface Port extends Required<MessageManager> {
  from(hook: string): Port;
}

/** What was said so far. Every change goes to the listeners, in order: the transcript is one of them, a screen another. */
export interface Conversation extends Port {
  readonly messages: readonly Message[];
  /** What the model has said of an answer that still goes on. */
  readonly draft: string;
  addPrompt(content: string): void;
  /** No hook objected to the last prompt. One that was never accepted is not part of a resumed conversation. */
  acceptPrompt(): void;
  rewritePrompt(content: string): void;
  /** A new message of the model; what it says is added block by block. */
  startReply(): void;
  addToDraft(text: string): void;
  /** The draft becomes a block of the reply. */
  endDraft(): void;
  addToolCall(call: Pick<ToolBlock, "id" | "name" | "input">): void;
  changeTool(id: string, patch: ToolPatch): void;
  toolBlock(id: string): ToolBlock | undefined;
  reset(messages: readonly Message[]): void;
  /** Called after each change; without a change when only the draft has grown. */
  subscribe(listener: (change?: Change) => void): () => void;
}

export function createConversation(initial: readonly Message[] = []): Conversation {
  let messages = initial;
  let draft = "";
  const listeners = new Set<(change?: Change) => void>();

  function change(next: Change): void {
    messages = applyChange(messages, next);
    for (const listener of listeners) listener(next);
  }
  function start(role: Message["role"], source: MessageSource, blocks: readonly Block[]): void {
    const message = { id: randomUUID(), role, source, time: new Date().toISOString(), blocks };
    change({ type: "message", message });
  }
  const last = () => messages[messages.length - 1];

  /** Adds words of hooks or the engine as a new message: a screen may have drawn the older ones for good. */
  function aside(block: Block): void {
    start("user", "hook", [block]);
  }
  function lastPrompt(): Message | undefined {
    return messages.findLast(({ source }) => source === "prompt");
  }
  function inReply(block: Block): void {
    const message = last();
    if (message?.source === "model") change({ type: "block", message: message.id, block });
    else start("assistant", "model", [block]);
  }

  function portFor(hook: string | undefined): Port {
    const by = hook === undefined ? {} : { hook };
    return {
      addUserMessage: (content) => aside({ type: "text", content, to: ["agent"], ...by }),
      addTextBlock: (content) => aside({ type: "text", content, to: ["user"], ...by }),
      addErrorBlock: (content) => aside({ type: "error", content, ...by }),
      addWarnBlock: (content, to = "user") => aside({ type: "warn", content, to: [to], ...by }),
      addHookBlock: (block) => aside({ ...block, ...by }),
      updateToolBlock: ({ toolId, result, success }) => {
        if (toolId === undefined) return;
        change({ type: "tool", id: toolId, patch: { result, success, stage: "done", ...by } });
      },
      removeLastUserMessage: () => {
        const prompt = lastPrompt();
        if (prompt) change({ type: "remove", message: prompt.id });
      },
      from: portFor,
    };
  }

  return {
    get messages() {
      return messages;
    },
    get draft() {
      return draft;
    },
    addPrompt: (content) => start("user", "prompt", [{ type: "text", content, to: ["user", "agent"] }]),
    rewritePrompt: (content) => {
      const prompt = lastPrompt();
      if (prompt) change({ type: "prompt", message: prompt.id, content });
    },
    acceptPrompt: () => {
      const prompt = lastPrompt();
      if (prompt) change({ type: "accepted", message: prompt.id });
    },
    startReply: () => start("assistant", "model", []),
    addToDraft: (text) => {
      draft += text;
      for (const listener of listeners) listener();
    },
    endDraft: () => {
      const content = draft;
      draft = "";
      if (content !== "") inReply({ type: "text", content, to: ["user", "agent"] });
    },
    addToolCall: (call) => inReply({ type: "tool", ...call, stage: "called" }),
    changeTool: (id, patch) => change({ type: "tool", id, patch }),
    toolBlock: (id) =>
      messages.flatMap(({ blocks }) => blocks).find((block) => block.type === "tool" && block.id === id) as
        | ToolBlock
        | undefined,
    reset: (next) => change({ type: "reset", messages: next }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ...portFor(undefined),
  };
}

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

/** The call as the model wanted it, without what hooks made of it. */
function asCalled({ type, id, name, input, stage }: ToolBlock): ToolBlock {
  return { type, id, name, input, stage };
}

/** A killed process loses at most this much of an answer. */
const KEEP_EVERY_MS = 250;

/** Writes the draft to the transcript, piece by piece, until the answer is a block. */
export function keepDraft(conversation: Conversation, write: (text: string) => void): void {
  let kept = 0;
  let timer: NodeJS.Timeout | undefined;

  function keep(): void {
    timer = undefined;
    const text = conversation.draft.slice(kept);
    kept += text.length;
    write(text);
  }

  conversation.subscribe(() => {
    if (conversation.draft.length > kept) timer ??= setTimeout(keep, KEEP_EVERY_MS).unref();
    else if (conversation.draft === "") {
      clearTimeout(timer);
      timer = undefined;
      kept = 0;
    }
  });
}

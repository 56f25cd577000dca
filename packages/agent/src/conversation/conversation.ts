import { randomUUID } from "node:crypto";
import type { MessageManager } from "@belay/core";
import { applyChange, type Change, type ToolPatch } from "./changes.ts";
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

  /** What hooks and the engine say: each time a message of its own, because an older one may have been drawn for good. */
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

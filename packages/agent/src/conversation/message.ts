import type { HookEventName } from "@belay/core";

/** Who may read a block. What the model is sent is decided by this, never by a block's type. */
export type Reader = "user" | "agent";

interface Said {
  /** Whose words these are, when they are a hook's. */
  readonly hook?: string;
}

interface TextBlock extends Said {
  readonly type: "text";
  readonly content: string;
  readonly to: readonly Reader[];
}

/**
 * called: the model wants it. asking: the user is being asked. running: it has begun. done: it has a result.
 * interrupted: it had begun when the agent ended, and nobody knows how far it came.
 */
export type ToolStage = "called" | "asking" | "running" | "done" | "interrupted";

export interface ToolBlock {
  readonly type: "tool";
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What runs instead of `input`: a hook rewrote it. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  /** The hook that did. */
  readonly rewriter?: string;
  readonly stage: ToolStage;
  readonly result?: string;
  readonly success?: boolean;
  /** Who refused it, or objects to its result, when hooks did. */
  readonly hook?: string;
}

/** For the user alone. */
interface ErrorBlock extends Said {
  readonly type: "error";
  readonly content: string;
}

interface WarnBlock extends Said {
  readonly type: "warn";
  readonly content: string;
  readonly to: readonly Reader[];
}

/** A hook's words for the agent. */
interface HookBlock extends Said {
  readonly type: "hook";
  readonly hookEvent: HookEventName;
  readonly content: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export type Block = TextBlock | ToolBlock | ErrorBlock | WarnBlock | HookBlock;

/** What a message is: the user's words, the model's, words that hooks or the engine put there, or a summary of older ones. */
export type MessageSource = "prompt" | "model" | "hook" | "summary";

export interface Message {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly source: MessageSource;
  /** ISO 8601. */
  readonly time: string;
  readonly blocks: readonly Block[];
}

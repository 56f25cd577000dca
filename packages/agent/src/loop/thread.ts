import type { Outcome } from "@belay/core";
import { messageOf } from "@belay/core/internal";
import type { Variables } from "@belay/engine";
import type { Conversation } from "../conversation/conversation.ts";
import type { Model } from "../models/model.ts";
import type { ReadingOf, Tool } from "../tools/tool.ts";
import type { EndReason, TurnEnd } from "../types.ts";
import type { Compacted } from "./compact.ts";
import type { Moments } from "./moments.ts";
import type { AskAgain, Permit } from "./permit.ts";

/** One line of work: the agent's own, or a subagent's. What the loop needs, and nothing of how it came to be. */
export interface Thread {
  readonly conversation: Conversation;
  readonly model: Model;
  readonly system: string;
  /** Of the tags in what the model is sent; the system prompt names it. */
  readonly mark: string;
  readonly tools: readonly Tool[];
  readonly cwd: string;
  readonly env: Variables;
  readonly moments: Moments;
  /** Asks rules, hooks and the user whether a call may run. */
  readonly permit: Permit;
  readonly askAgain: AskAgain;
  readonly readingOf: ReadingOf;
  /** Ids of calls, of the agent and of its subagents: no two are alike. */
  readonly callIds: Set<string>;
  /** Hooks that may keep it from ending. */
  atStop(lastWords: string, signal: AbortSignal): Promise<Outcome>;
  /** Makes room when the conversation has become too long for the model; `force` when the model said so. */
  makeRoom(signal: AbortSignal, force: boolean): Promise<Compacted>;
  readonly maxTurns: number;
  /** Aborts when what it works for is over: what runs may end, nothing new begins. Absent: with the turn. */
  readonly closed?: AbortSignal;
  readonly isSubagent: boolean;
}

/** What the agent said last since the user's last prompt. */
export function lastWords({ messages }: Conversation): string {
  const prompt = messages.findLastIndex(({ source }) => source === "prompt");
  const reply = messages.slice(prompt + 1).findLast(({ source }) => source === "model");
  const texts = reply?.blocks.map((block) => (block.type === "text" ? block.content : "")) ?? [];
  return texts.filter((text) => text !== "").join("\n");
}

export function ended(
  { conversation }: Pick<Thread, "conversation">,
  reason: EndReason,
  detail?: string,
): TurnEnd {
  return { reason, text: lastWords(conversation), ...(detail !== undefined && { detail }) };
}

/** The end of a turn that a hook stopped by `continue: false`. */
export function stoppedBy(thread: Thread, { decision }: Outcome): TurnEnd | undefined {
  return decision.kind === "stop" ? ended(thread, "stopped", decision.reason) : undefined;
}

/** Why a turn is broken off when a hook stops the agent that nothing waits for. */
export class StoppedMeanwhile extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super("a hook stopped the agent");
    this.outcome = outcome;
  }
}

/** The outcome, or none where the event was aborted with what it was fired for: no answer is no permission. */
export async function unlessClosed(
  firing: Promise<Outcome>,
  closed: AbortSignal,
): Promise<Outcome | undefined> {
  try {
    return await firing;
  } catch (error) {
    if (!closed.aborted) throw error;
    return undefined;
  }
}

/** The result of a call that was not made because the turn was over. Nobody has refused it. */
export function whyNotRun(closed: AbortSignal): string {
  return `Not run: ${messageOf(closed.reason)}.`;
}

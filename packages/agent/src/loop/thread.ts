import type { Outcome, PendingPermission, PermissionDecision } from "@belay/core";
import { messageOf } from "@belay/core/internal";
import type { Variables } from "@belay/engine";
import type { Conversation } from "../conversation/conversation.ts";
import type { Model } from "../models/model.ts";
import type { PermissionSettings } from "../permissions/settings.ts";
import type { Tool } from "../tools/tool.ts";
import type { EndReason, PermissionMode, TurnEnd } from "../types.ts";
import type { Compacted } from "./compact.ts";
import type { Notifier } from "./live.ts";
import type { Moments } from "./moments.ts";

/** One line of work, of the agent or of a subagent: everything that the loop needs. */
export interface Thread {
  readonly conversation: Conversation;
  readonly model: Model;
  readonly system: string;
  /** Part of the names of the tags that the model is sent. Only the system prompt tells it. */
  readonly mark: string;
  readonly tools: readonly Tool[];
  readonly cwd: string;
  readonly env: Variables;
  readonly moments: Moments;
  readonly notify: Notifier["notify"];
  mode(): PermissionMode;
  readonly judge: PermissionSettings["judge"];
  /** Pauses until the user has decided. Absent: nobody is there to be asked. */
  readonly ask:
    | ((pending: PendingPermission, closed: AbortSignal) => Promise<PermissionDecision | NotAsked>)
    | undefined;
  /** The ids of all calls, of the agent and of its subagents. No two calls share an id. */
  readonly callIds: Set<string>;
  /** Fires the event of this thread's end. A hook may refuse the end. */
  atStop(lastWords: string, signal: AbortSignal): Promise<Outcome>;
  /** Compacts a conversation that is too long for the model. `force`: the model has said so. */
  makeRoom(signal: AbortSignal, force: boolean): Promise<Compacted>;
  readonly maxTurns: number;
  /** Aborts when the thread's work is no longer wanted: what runs may end, nothing new begins. Absent: aborts with the turn. */
  readonly closed?: AbortSignal;
  readonly isSubagent: boolean;
}

/** The question could not be asked because too many are open. Nobody has said no, so the turn goes on. */
interface NotAsked {
  readonly refused: string;
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

/** The reason of an abort by a Notification hook: no turn waits for such a hook, so its stop aborts the turn. */
export class StoppedMeanwhile extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super("a hook stopped the agent");
    this.outcome = outcome;
  }
}

/** The outcome, or undefined if `closed` aborted the event. Callers must not take undefined for a permission. */
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

/** The result of a call that did not run because the turn was over. Nobody has refused the call. */
export function whyNotRun(closed: AbortSignal): string {
  return `Not run: ${messageOf(closed.reason)}.`;
}

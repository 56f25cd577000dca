import type { HookExecutionRecord, PendingPermission, PermissionMode } from "@belay/core";
import type { Message } from "./conversation/message.ts";

export { PERMISSION_MODES, type PermissionMode } from "@belay/core";

/** How a turn ended, and the agent's last words in it. */
export interface TurnEnd {
  readonly reason: EndReason;
  readonly text: string;
  /** Whose word it was: a hook's stopReason, an error's message. */
  readonly detail?: string;
}

/**
 * done: the agent has finished. stopped: a hook said `continue: false`. prompt-blocked: a hook erased the prompt.
 * denied: the user said no. unanswered: a question, and nobody there to answer. turn-limit: the model went round and round.
 */
export type EndReason =
  | "done"
  | "stopped"
  | "prompt-blocked"
  | "denied"
  | "unanswered"
  | "turn-limit"
  | "aborted"
  | "error";

/** The user's answer to a question. */
export interface Answer {
  readonly kind: "once" | "session" | "always" | "deny";
  readonly reason?: string;
}

/** A hook that runs now. */
export interface RunningHook {
  readonly hook: string;
  readonly event: string;
  /** What its entry wants to be shown in place of its name. */
  readonly status?: string;
  /** performance.now() of its start. */
  readonly since: number;
}

/** Everything a screen shows, as it is now. A new object after each change. */
export interface AgentState {
  readonly messages: readonly Message[];
  /** What the model has said of an answer that still goes on. */
  readonly draft: string;
  readonly isBusy: boolean;
  readonly mode: PermissionMode;
  readonly pending: readonly PendingPermission[];
  readonly runningHooks: readonly RunningHook[];
  /** The newest runs of hooks. */
  readonly history: readonly HookExecutionRecord[];
  /** How many there were in all. */
  readonly recorded: number;
}

/** One configured hook, for a list of them. */
export interface ListedHook {
  /** Tells it apart from all others, as long as its entry stays the same. */
  readonly id: string;
  readonly name: string;
  readonly event: string;
  readonly matcher: string;
  /** File and place. */
  readonly source: string;
  readonly trusted: boolean;
  readonly enabled: boolean;
}

export interface Agent {
  readonly sessionId: string;
  readonly transcriptPath: string;
  /** The model's name. */
  readonly model: string;
  readonly state: AgentState;
  subscribe(listener: () => void): () => void;
  /** Takes a prompt to its end: hooks, model, tools, stop. One at a time. */
  send(prompt: string): Promise<TurnEnd>;
  /** Goes on where a resumed session was cut off; undefined when nothing is open. */
  goOn(): Promise<TurnEnd | undefined>;
  answer(pendingId: string, answer: Answer): void;
  /** The rules that an answer of "always" stores; none when no rule can allow just this call. */
  rulesFor(pending: PendingPermission): readonly string[];
  /** Tells hooks that the agent waits for the user. */
  noteIdle(): void;
  /** Ends the turn: model, tools, hooks and open questions; also hooks that run beside it. */
  abort(): void;
  compact(instructions?: string): Promise<void>;
  clear(): Promise<void>;
  setMode(mode: PermissionMode): void;
  hooks(): Promise<readonly ListedHook[]>;
  switchHook(id: string, on: boolean): void;
  /** A warning for the user, from any part of the program. */
  warn(content: string): void;
  /** Fires the end of the session, within its time, and lets go of everything. */
  close(reason: string): Promise<void>;
}

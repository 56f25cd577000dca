import { setMaxListeners } from "node:events";
import type { HookExecutionRecord, PendingPermission } from "@belay/core";
import { type HookStep, UsageError } from "@belay/engine";
import type { AgentState, PermissionMode, RunningHook } from "../agent-types.ts";
import type { Conversation } from "../conversation/conversation.ts";

const MAX_RECORDS = 500;

export type Live = ReturnType<typeof createLive>;

/** How the agent is doing now: its turn, its mode, its open questions, its hooks; and who is told when that changes. */
export function createLive(conversation: Conversation, initial: PermissionMode) {
  let mode = initial;
  let turn: AbortController | undefined;
  let isClosed = false;
  let whenIdle = Promise.resolve();
  let becomeIdle = () => {};
  let pending: readonly PendingPermission[] = [];
  let running: readonly RunningHook[] = [];
  let history: readonly HookExecutionRecord[] = [];
  let recorded = 0;
  let snapshot: AgentState | undefined;
  const listeners = new Set<() => void>();

  function changed(): void {
    snapshot = undefined;
    for (const listener of listeners) listener();
  }
  conversation.subscribe(changed);

  return {
    get mode() {
      return mode;
    },
    setMode(next: PermissionMode) {
      mode = next;
      changed();
    },
    setPending(next: readonly PendingPermission[]) {
      pending = next;
      changed();
    },
    addHistory(records: readonly HookExecutionRecord[]) {
      history = [...history, ...records].slice(-MAX_RECORDS);
      recorded += records.length;
      changed();
    },
    noteHook({ phase, hook, event }: HookStep) {
      if (phase === "start") running = [...running, { hook, event, since: performance.now() }];
      else {
        const at = running.findIndex((other) => other.hook === hook && other.event === event);
        running = running.filter((_, index) => index !== at);
      }
      changed();
    },
    /** A turn has the agent to itself. */
    begin(): AbortController {
      if (isClosed) throw new UsageError("the session is closed");
      if (turn) throw new UsageError("the agent is at work; wait for its answer, or abort it");
      turn = new AbortController();
      setMaxListeners(0, turn.signal); // every tool and every hook listens to it
      whenIdle = new Promise((resolve) => {
        becomeIdle = resolve;
      });
      changed();
      return turn;
    },
    finish() {
      turn = undefined;
      becomeIdle();
      changed();
    },
    /** No turn begins any more. */
    close() {
      isClosed = true;
    },
    /** Resolves when no turn is under way. */
    idle: () => whenIdle,
    /** Whether there was a turn to end. */
    abort(why: Error = new Error("aborted by the user")): boolean {
      turn?.abort(why);
      return turn !== undefined;
    },
    snapshot(): AgentState {
      snapshot ??= {
        messages: conversation.messages,
        draft: conversation.draft,
        isBusy: turn !== undefined,
        mode,
        pending,
        runningHooks: running,
        history,
        recorded,
      };
      return snapshot;
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

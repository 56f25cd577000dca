import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import {
  applyOutcome,
  type HookExecutionRecord,
  type Outcome,
  type PendingPermission,
  type RunReport,
} from "@belay/core";
import { whyNoAnswer } from "@belay/core/compare";
import { type HookStep, UsageError } from "@belay/engine";
import type { Conversation } from "../conversation/conversation.ts";
import type { AgentState, PermissionMode, RunningHook } from "../types.ts";
import type { Moments } from "./moments.ts";

const MAX_RECORDS = 500;

export type Live = ReturnType<typeof createLive>;

/** The agent's state that a screen shows: turn, mode, open questions, hooks. Listeners are called after each change. */
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
    noteHook({ phase, hook, event, status, background }: HookStep) {
      if (background) return; // nobody waits for it
      if (phase === "start") {
        const since = performance.now();
        running = [...running, { hook, event, ...(status !== undefined && { status }), since }];
      } else {
        const at = running.findIndex((other) => other.hook === hook && other.event === event);
        running = running.filter((_, index) => index !== at);
      }
      changed();
    },
    /** Begins a turn. Throws a UsageError if one is under way or the session is closed. */
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
    /** Aborts the turn. Returns whether there was one. */
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

/** Tells hooks that the agent waits for the user. Only the end of the session waits for these hooks. */
export interface Notifier {
  notify(kind: Parameters<Moments["notification"]>[0], message: string): void;
  /** Ends the hooks that still run. They may outlive the turn. */
  abort(): void;
  settled(): Promise<void>;
  /** Called when one of them stops the agent. */
  onStop(listener: (outcome: Outcome) => void): void;
}

export function notifier(moments: Moments, conversation: Conversation): Notifier {
  const underWay = new Map<Promise<void>, AbortController>();
  let stopped = (_: Outcome) => {};
  return {
    notify: (kind, message) => {
      const ending = new AbortController();
      const heard = (outcome: Outcome) => {
        applyOutcome(outcome, {}, conversation);
        if (outcome.decision.kind === "stop") stopped(outcome);
      };
      // A hook that was aborted has said nothing.
      const telling = moments
        .notification(kind, message, ending.signal)
        .then(heard, () => {})
        .finally(() => underWay.delete(telling));
      underWay.set(telling, ending);
    },
    abort: () => {
      for (const ending of underWay.values()) ending.abort();
    },
    settled: async () => {
      await Promise.all(underWay.keys());
    },
    onStop: (listener) => {
      stopped = listener;
    },
  };
}

/** What each hook of an event did, as records of seed 000 §7. */
export function recordsOf({ event, runs }: Outcome): HookExecutionRecord[] {
  const timestamp = Date.now();
  return runs.map((run) => ({
    id: randomUUID(),
    hookEvent: event,
    hook: run.hook,
    source: run.source,
    ...(run.exitCode !== undefined && { exitCode: run.exitCode }),
    executionTime: run.executionTime,
    decision: decisionOf(run, event),
    timestamp,
  }));
}

/** A hook that decides nothing may still have added something, or have failed. */
function decisionOf(run: RunReport, event: Outcome["event"]): string {
  const { verdict, fault, adds = [] } = run;
  if (fault !== undefined) return `fault: ${fault}`;
  if (verdict !== "abstain") return verdict;
  const failure = whyNoAnswer(run, event);
  if (failure !== undefined) return `failed: ${failure}`;
  return adds.length > 0 ? adds.join(", ") : verdict;
}

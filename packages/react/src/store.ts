import {
  type AIManagerCallbacks,
  areUserPreferences,
  type HookEventContext,
  type HookExecutionRecord,
  type HookUserPreferences,
  isPermissionDecision,
  type PendingPermission,
  type PermissionDecision,
} from "@belay/core";

/** Seed 000 §7, and what feeds it: an agent tells what its hooks did and which questions were answered elsewhere. */
export interface HookEventState extends HookEventContext {
  recordHookExecutions(records: readonly HookExecutionRecord[]): void;
  /** A question is no longer open, and whoever closed it has told the agent. */
  dropPendingPermission(id: string): void;
}

/** State outside of React, so that an agent can feed it and several trees can show it. */
export interface HookEventStore {
  /** A new object after each change. */
  getSnapshot(): HookEventState;
  subscribe(listener: () => void): () => void;
}

export interface StoreOptions {
  /** Pauses and resumes the agent; what nobody gives does nothing. */
  readonly callbacks?: Partial<AIManagerCallbacks>;
  readonly preferences?: Partial<HookUserPreferences>;
  /** Open questions at once; one more is refused. */
  readonly maxPending?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export const DEFAULT_PREFERENCES: HookUserPreferences = {
  showHookOutput: "decisions",
  notify: false,
  historyMinutes: 60,
};

const MAX_PENDING = 64;
const MAX_RECORDS = 1_000;

export function createHookEventStore(options: StoreOptions = {}): HookEventStore {
  const { maxPending = MAX_PENDING, now = Date.now } = options;
  const callbacks: AIManagerCallbacks = {
    pauseRecursion: () => {},
    resumeRecursion: () => {},
    abortRecursion: () => {},
    ...options.callbacks,
  };
  let pending: readonly PendingPermission[] = [];
  let history: readonly HookExecutionRecord[] = [];
  let preferences = checked({ ...DEFAULT_PREFERENCES, ...options.preferences });
  const listeners = new Set<() => void>();

  const actions = {
    addPendingPermission(permission: PendingPermission): void {
      if (pending.some(({ id }) => id === permission.id)) return;
      if (pending.length >= maxPending) {
        callbacks.abortRecursion(`${maxPending} permissions are waiting already`, permission);
        return;
      }
      pending = [...pending, permission];
      changed();
      callbacks.pauseRecursion();
    },
    resolvePendingPermission(id: string, decision: PermissionDecision): void {
      const permission = pending.find((other) => other.id === id);
      if (!permission) return;
      if (!isPermissionDecision(decision))
        throw new TypeError(
          `the decision about ${permission.toolName} is not sound: decision is "allow" or "deny", shouldContinueRecursion true for an allow and false for a deny, timestamp milliseconds since 1970`,
        );
      if (permission.toolName !== decision.toolName)
        throw new TypeError(
          `the question is about ${permission.toolName}, the decision about ${decision.toolName}`,
        );
      actions.dropPendingPermission(id);
      if (decision.decision === "allow") callbacks.resumeRecursion(decision, permission);
      else callbacks.abortRecursion(decision.reason ?? "denied by the user", permission, decision);
    },
    dropPendingPermission(id: string): void {
      pending = pending.filter((other) => other.id !== id);
      changed();
    },
    recordHookExecutions(records: readonly HookExecutionRecord[]): void {
      history = recent([...history, ...records], preferences, now());
      changed();
    },
    clearHookHistory(): void {
      history = [];
      changed();
    },
    updateUserPreferences(update: Partial<HookUserPreferences>): void {
      preferences = checked({ ...preferences, ...update });
      history = recent(history, preferences, now());
      changed();
    },
  };

  const take = (): HookEventState => ({
    pendingPermissions: pending,
    hookExecutionHistory: history,
    userPreferences: preferences,
    isAwaitingPermission: pending.length > 0,
    aiManagerCallbacks: callbacks,
    ...actions,
  });
  let snapshot = take();
  function changed(): void {
    snapshot = take();
    for (const listener of listeners) listener();
  }

  return {
    getSnapshot: () => {
      // Time passes without anybody telling us.
      if (recent(history, preferences, now()).length < history.length) {
        history = recent(history, preferences, now());
        snapshot = take();
      }
      return snapshot;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function checked(preferences: HookUserPreferences): HookUserPreferences {
  if (areUserPreferences(preferences)) return preferences;
  throw new TypeError(
    "preferences are showHookOutput (all, decisions or none), notify (true or false) and historyMinutes (1 to 1440)",
  );
}

function recent(
  history: readonly HookExecutionRecord[],
  { historyMinutes }: HookUserPreferences,
  now: number,
): readonly HookExecutionRecord[] {
  const oldest = now - historyMinutes * 60_000;
  return history.filter(({ timestamp }) => timestamp >= oldest).slice(-MAX_RECORDS);
}

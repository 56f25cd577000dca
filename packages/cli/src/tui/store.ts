import type { Agent, Answer } from "@belay/agent";
import type { HookUserPreferences, PendingPermission, PermissionDecision } from "@belay/core";
import { createHookEventStore, type HookEventStore } from "@belay/react";

/** Keeps React's state in step with the agent's, and hands the user's decisions back: to `answer`, if it is not the agent's. */
export function storeFor(
  agent: Agent,
  preferences: Partial<HookUserPreferences> = {},
  answer = agent.answer,
): HookEventStore {
  const store = createHookEventStore({
    preferences,
    callbacks: {
      resumeRecursion: (decision, permission) => permission && answer(permission.id, answerOf(decision)),
      abortRecursion: (reason, permission, decision) =>
        permission && answer(permission.id, decision ? answerOf(decision) : { kind: "deny", reason }),
    },
  });
  let known = 0;
  const follow = () => {
    const { pending, history, recorded } = agent.state;
    const { pendingPermissions, addPendingPermission, dropPendingPermission } = store.getSnapshot();
    for (const permission of pending) addPendingPermission(permission);
    for (const { id } of pendingPermissions)
      if (!pending.some((permission) => permission.id === id)) dropPendingPermission(id);
    if (recorded === known) return;
    store.getSnapshot().recordHookExecutions(history.slice(known - recorded));
    known = recorded;
  };
  // Hooks of the session's start have run before anybody could listen.
  follow();
  agent.subscribe(follow);
  return store;
}

export function decisionOn({ toolName }: PendingPermission, { kind, reason }: Answer): PermissionDecision {
  const isAllowed = kind !== "deny";
  return {
    decision: isAllowed ? "allow" : "deny",
    toolName,
    ...(reason !== undefined && { reason }),
    timestamp: Date.now(),
    shouldContinueRecursion: isAllowed,
    ...((kind === "session" || kind === "always") && { remember: kind }),
  };
}

function answerOf({ decision, reason, remember }: PermissionDecision): Answer {
  return {
    kind: decision === "deny" ? "deny" : (remember ?? "once"),
    ...(reason !== undefined && { reason }),
  };
}

import type { PermissionDecision } from "@belay/core";
import type { HookEventState, HookEventStore } from "@belay/react";
import { expect, it } from "vitest";
import { appWith } from "./screens.tsx";

/** The same store, and every decision that went through it. */
function watched(store: HookEventStore) {
  const decisions: PermissionDecision[] = [];
  const seen = new WeakMap<HookEventState, HookEventState>();
  const getSnapshot = () => {
    const state = store.getSnapshot();
    const known = seen.get(state) ?? {
      ...state,
      resolvePendingPermission: (id: string, decision: PermissionDecision) => {
        decisions.push(decision);
        state.resolvePendingPermission(id, decision);
      },
    };
    seen.set(state, known);
    return known;
  };
  return { decisions, store: { ...store, getSnapshot } };
}

/** A chat, and the decisions that went through its store. */
async function chat() {
  let decisions: readonly PermissionDecision[] = [];
  const { screen, store } = await appWith({}, (plain) => {
    const seen = watched(plain);
    decisions = seen.decisions;
    return seen.store;
  });
  return { decisions, screen, store };
}

it.each([
  { keys: ["1"], decision: { decision: "allow" }, shown: /● Bash echo hi/ },
  { keys: ["2"], decision: { decision: "allow", remember: "session" }, shown: /● Bash echo hi/ },
  { keys: ["3"], decision: { decision: "allow", remember: "always" }, shown: /● Bash echo hi/ },
  { keys: ["n", "\r"], decision: { decision: "deny" }, shown: /The user did not allow this\.$/m },
  {
    keys: ["n", "later", "\r"],
    decision: { decision: "deny", reason: "later" },
    shown: /The user did not allow this: later$/m,
  },
])("an answer goes to the agent through the store: $keys", async ({ keys, decision, shown }) => {
  const { decisions, screen } = await chat();
  await screen.press("run echo hi\r");
  await screen.shows(/1 Yes, once/);
  await screen.press(...keys);
  await screen.shows(shown);
  expect(decisions).toEqual([
    {
      toolName: "Bash",
      timestamp: expect.any(Number),
      shouldContinueRecursion: decision.decision === "allow",
      ...decision,
    },
  ]);
});

it("what the user allows for the session is not asked again", async () => {
  const { decisions, screen } = await chat();
  await screen.press("run echo hi then run echo there\r");
  await screen.shows(/1 Yes, once/);
  await screen.press("2");
  await screen.shows(/● Bash echo there/);
  expect(decisions).toHaveLength(1);
});

it("the history can be cleared", async () => {
  const { screen, store } = await chat();
  store.getSnapshot().recordHookExecutions([
    {
      id: "1",
      hookEvent: "Stop",
      hook: "guard",
      executionTime: 1,
      decision: "block",
      timestamp: Date.now(),
    },
  ]);
  await screen.press("/history\r");
  await screen.shows(/1 run of a hook.*c clears/s);
  await screen.press("c");
  await screen.shows(/No hook has run yet/);
});

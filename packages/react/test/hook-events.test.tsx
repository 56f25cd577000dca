import type { HookExecutionRecord, PendingPermission, PermissionDecision } from "@belay/core";
import { Text } from "ink";
import { render } from "ink-testing-library";
import { describe, expect, it, vi } from "vitest";
import { HookEventProvider, useHookEvents } from "../src/provider.tsx";
import { createHookEventStore, DEFAULT_PREFERENCES } from "../src/store.ts";

// Ink draws only the last frame where it sees a CI; it looks when it is loaded.
vi.hoisted(() => {
  for (const name of ["CI", "CONTINUOUS_INTEGRATION"]) delete process.env[name];
});

const NOW = Date.UTC(2026, 10, 15);

function question(id: string, toolName = "Bash"): PendingPermission {
  return { id, toolName, toolInput: { command: "ls" }, timestamp: NOW };
}

function decision(kind: "allow" | "deny", toolName = "Bash", reason?: string): PermissionDecision {
  const isAllow = kind === "allow";
  return {
    decision: kind,
    toolName,
    timestamp: NOW,
    shouldContinueRecursion: isAllow,
    ...(reason && { reason }),
  };
}

function record(minutesAgo: number): HookExecutionRecord {
  const timestamp = NOW - minutesAgo * 60_000;
  return {
    id: `${minutesAgo}`,
    hookEvent: "PreToolUse",
    hook: "guard",
    executionTime: 3,
    decision: "deny",
    timestamp,
  };
}

function Count() {
  const { pendingPermissions, isAwaitingPermission } = useHookEvents();
  return <Text>{isAwaitingPermission ? `${pendingPermissions.length} open` : "none"}</Text>;
}

/** A store whose calls to the agent are kept. */
function watched(options: { maxPending?: number } = {}) {
  const calls: unknown[][] = [];
  const store = createHookEventStore({
    ...options,
    now: () => NOW,
    callbacks: {
      pauseRecursion: () => calls.push(["pause"]),
      resumeRecursion: ({ decision: said }, { id } = question("?")) => calls.push(["resume", said, id]),
      abortRecursion: (reason, { id } = question("?")) => calls.push(["abort", reason, id]),
    },
  });
  return { store, calls };
}

describe("pending permissions (seed 000 §7)", () => {
  it("a question pauses the agent and waits its turn", () => {
    const { store, calls } = watched();
    for (const id of ["a", "b"]) store.getSnapshot().addPendingPermission(question(id));
    const { pendingPermissions, isAwaitingPermission } = store.getSnapshot();
    expect(pendingPermissions.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(isAwaitingPermission).toBe(true);
    expect(calls).toEqual([["pause"], ["pause"]]);
  });

  const rows = [
    ["an allow resumes it", decision("allow"), ["resume", "allow", "a"]],
    [
      "a deny aborts it with the user's reason",
      decision("deny", "Bash", "not now"),
      ["abort", "not now", "a"],
    ],
    ["a deny without words", decision("deny"), ["abort", "denied by the user", "a"]],
  ] as const;
  for (const [name, said, call] of rows) {
    it(name, () => {
      const { store, calls } = watched();
      store.getSnapshot().addPendingPermission(question("a"));
      store.getSnapshot().resolvePendingPermission("a", said);
      expect(calls).toEqual([["pause"], call]);
      expect(store.getSnapshot()).toMatchObject({ pendingPermissions: [], isAwaitingPermission: false });
    });
  }

  it("the agent is told whole decisions: a no without words, and how long a yes holds", () => {
    const told: unknown[] = [];
    const store = createHookEventStore({
      callbacks: {
        resumeRecursion: (said) => told.push(said),
        abortRecursion: (_reason, _permission, said) => told.push(said),
      },
    });
    const said = [decision("deny"), { ...decision("allow"), remember: "session" as const }];
    for (const one of said) {
      store.getSnapshot().addPendingPermission(question("a"));
      store.getSnapshot().resolvePendingPermission("a", one);
    }
    expect(told).toEqual(said);
  });

  const refused: [name: string, said: PermissionDecision, why: RegExp][] = [
    ["about another tool", decision("allow", "Write"), /Bash/],
    ["that contradicts itself", { ...decision("deny"), shouldContinueRecursion: true }, /true for an allow/],
  ];
  it.each(refused)("a decision %s is refused, and the question stays open", (_name, said, why) => {
    const { store, calls } = watched();
    store.getSnapshot().addPendingPermission(question("a"));
    const resolving = () => store.getSnapshot().resolvePendingPermission("a", said);
    expect(resolving).toThrow(TypeError);
    expect(resolving).toThrow(why);
    expect(store.getSnapshot().pendingPermissions).toHaveLength(1);
    expect(calls).toEqual([["pause"]]);
  });

  it("one question too many is refused with a reason", () => {
    const { store, calls } = watched({ maxPending: 1 });
    for (const id of ["a", "b"]) store.getSnapshot().addPendingPermission(question(id));
    expect(store.getSnapshot().pendingPermissions.map(({ id }) => id)).toEqual(["a"]);
    expect(calls).toEqual([["pause"], ["abort", "1 permissions are waiting already", "b"]]);
  });

  it("a decision about a question that is not open changes nothing", () => {
    const { store, calls } = watched();
    store.getSnapshot().resolvePendingPermission("a", decision("allow"));
    expect(calls).toEqual([]);
  });
});

describe("history and preferences", () => {
  it("history goes back as far as the preferences say", () => {
    const { store } = watched();
    store.getSnapshot().recordHookExecutions([61, 59, 1].map(record));
    expect(store.getSnapshot().hookExecutionHistory.map(({ id }) => id)).toEqual(["59", "1"]);
    store.getSnapshot().updateUserPreferences({ historyMinutes: 5 });
    expect(store.getSnapshot().hookExecutionHistory.map(({ id }) => id)).toEqual(["1"]);
    store.getSnapshot().clearHookHistory();
    expect(store.getSnapshot().hookExecutionHistory).toEqual([]);
  });

  const refused = [
    { historyMinutes: 0 },
    { historyMinutes: 1441 },
    { showHookOutput: "some" },
    { colour: "red" },
  ];
  for (const update of refused) {
    it(`refuses ${JSON.stringify(update)}`, () => {
      const { store } = watched();
      expect(() => store.getSnapshot().updateUserPreferences(update as never)).toThrow(/preferences are/);
      expect(store.getSnapshot().userPreferences).toEqual(DEFAULT_PREFERENCES);
    });
  }
});

describe("in a tree", () => {
  it("shows what the store holds, as it changes", async () => {
    const { store } = watched();
    const { lastFrame, unmount } = render(
      <HookEventProvider store={store}>
        <Count />
      </HookEventProvider>,
    );
    expect(lastFrame()).toBe("none");
    store.getSnapshot().addPendingPermission(question("a"));
    await expect.poll(lastFrame).toBe("1 open");
    store.getSnapshot().resolvePendingPermission("a", decision("allow"));
    await expect.poll(lastFrame).toBe("none");
    unmount();
  });

  it("says what is missing without a provider", () => {
    const { lastFrame } = render(<Count />);
    expect(lastFrame()).toContain("useHookEvents needs a HookEventProvider above it");
  });
});

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { createAgent, offlineModel } from "@belay/agent";
import type { PermissionDecision } from "@belay/core";
import { HookEventProvider, type HookEventState, type HookEventStore } from "@belay/react";
import { render } from "ink-testing-library";
import { expect, it, onTestFinished, vi } from "vitest";
import { App } from "../src/tui/app.tsx";
import { KeyQueue } from "../src/tui/keys.tsx";
import { storeFor } from "../src/tui/store.ts";

// Ink draws only the last frame where it sees a CI; it looks when it is loaded.
vi.hoisted(() => {
  for (const name of ["CI", "CONTINUOUS_INTEGRATION"]) delete process.env[name];
});

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

async function chat() {
  const root = mkdtempSync(join(tmpdir(), "belay-store-"));
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const folder of [home, join(project, ".git")]) mkdirSync(folder, { recursive: true });
  const agent = await createAgent({ cwd: project, home, model: offlineModel(), isAttended: true });
  const { decisions, store } = watched(storeFor(agent));
  const { lastFrame, stdin, unmount } = render(
    <KeyQueue>
      <HookEventProvider store={store}>
        <App agent={agent} />
      </HookEventProvider>
    </KeyQueue>,
  );
  onTestFinished(async () => {
    unmount();
    await agent.close("other");
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });
  const shows = (wanted: RegExp) =>
    expect.poll(() => stripVTControlCharacters(lastFrame() ?? ""), { timeout: 15_000 }).toMatch(wanted);
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      stdin.write(key);
    }
  };
  return { decisions, shows, press, store };
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
  const { decisions, shows, press } = await chat();
  await press("run echo hi\r");
  await shows(/1 Yes, once/);
  await press(...keys);
  await shows(shown);
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
  const { decisions, shows, press } = await chat();
  await press("run echo hi then run echo there\r");
  await shows(/1 Yes, once/);
  await press("2");
  await shows(/● Bash echo there/);
  expect(decisions).toHaveLength(1);
});

it("the history can be cleared", async () => {
  const { shows, press, store } = await chat();
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
  await press("/history\r");
  await shows(/1 run of a hook.*c clears/s);
  await press("c");
  await shows(/No hook has run yet/);
});

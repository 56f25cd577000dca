import type { HookExecutionRecord } from "@belay/core";
import { createHookEventStore } from "@belay/react";
import { expect, it } from "vitest";
import { HelpView, HistoryView, HooksView } from "../src/tui/panels.tsx";
import { storeFor } from "../src/tui/store.ts";
import { agentWith, command, DOWN, ESCAPE, screenOf, UP, WIDE } from "./screens.tsx";

const GUARD = {
  PreToolUse: [{ matcher: "Bash", hooks: [command("guard", "exit 0")] }],
  Stop: [{ hooks: [{ ...command("last", "exit 0"), enabled: false }] }],
};

it("lists hooks with what they did, and switches them", async () => {
  const { agent } = await agentWith(GUARD);
  const store = storeFor(agent);
  store.getSnapshot().recordHookExecutions([
    {
      id: "1",
      hookEvent: "PreToolUse",
      hook: "guard",
      executionTime: 12.3,
      decision: "deny",
      timestamp: Date.now(),
    },
  ]);
  let closed = 0;
  const screen = screenOf(<HooksView agent={agent} size={WIDE} close={() => (closed += 1)} />, store);
  await screen.shows("2 hooks");
  expect(screen.text()).toMatch(/❯ on {2}PreToolUse Bash {2}guard/);
  expect(screen.text()).toMatch(/trusted · .*settings\.json:1/);
  expect(screen.text()).toMatch(/\d\d:\d\d:\d\d deny 12 ms/);
  expect(screen.text()).toMatch(/off Stop {2}last.*has not run yet/s);
  await screen.press(" ");
  await screen.shows("❯ off PreToolUse Bash  guard");
  await screen.press(DOWN, " ");
  await screen.shows("❯ on  Stop  last");
  await screen.press("o");
  await screen.shows("words for the agent: none");
  expect(store.getSnapshot().userPreferences.showHookOutput).toBe("none");
  expect((await agent.hooks()).map(({ name, enabled }) => [name, enabled])).toEqual([
    ["guard", false],
    ["last", true],
  ]);
  await screen.press(ESCAPE);
  expect(closed).toBe(1);
});

const [PASTE, PASTED] = [`${ESCAPE}[200~`, `${ESCAPE}[201~`];
const control = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96);

const RUN: HookExecutionRecord = {
  id: "1",
  hookEvent: "Stop",
  hook: "last",
  executionTime: 1,
  decision: "block",
  timestamp: Date.now(),
};

const UNMEANT = [
  ...[" ", "\r", "o", "c", "q"].map((text) => [PASTE, text, PASTED]),
  ...["o", "c", "q"].map((text) => [control(text)]),
  [control("c").repeat(2)],
];

it("switches, clears and closes nothing by a paste or with Ctrl", async () => {
  const { agent } = await agentWith(GUARD);
  const store = storeFor(agent);
  store.getSnapshot().recordHookExecutions([RUN]);
  const state = async () => ({ hooks: await agent.hooks(), state: store.getSnapshot(), closed });
  let closed = 0;
  const panel = { size: WIDE, close: () => (closed += 1) };
  const both = (
    <>
      <HooksView agent={agent} {...panel} />
      <HistoryView {...panel} />
    </>
  );
  const screen = screenOf(both, store);
  await screen.shows("2 hooks");
  const before = await state();
  for (const keys of UNMEANT) {
    await screen.press(...keys);
    expect({ keys, ...(await state()) }).toEqual({ keys, ...before });
  }
  await screen.press("q");
  expect(closed).toBe(2);
});

it("knows what hooks did before there was a screen, and what they added", async () => {
  const answer = { hookEventName: "SessionStart", additionalContext: "it is Monday" };
  const line = `printf '%s' '${JSON.stringify({ systemMessage: "hello", hookSpecificOutput: answer })}'`;
  const { agent } = await agentWith({ SessionStart: [{ hooks: [command("notes", line)] }] });
  expect(storeFor(agent).getSnapshot().hookExecutionHistory).toMatchObject([
    {
      hookEvent: "SessionStart",
      hook: "notes",
      source: expect.stringMatching(/settings\.json:1$/),
      decision: "context, message",
    },
  ]);
});

it("says why a hook gave no answer", async () => {
  const line = "echo 'no such rule' >&2; exit 1";
  const { agent } = await agentWith({ SessionStart: [{ hooks: [command("notes", line)] }] });
  const screen = screenOf(<HooksView agent={agent} size={WIDE} close={() => {}} />, storeFor(agent));
  await screen.shows(/failed: exited with 1: no such rule \d/);
});

const NEVER = "has not run yet";
const SHARED = "one of this name: block 1 ms";

it.each<{ what: string; now: string[]; runs: string[]; rows: string[]; columns?: number }>([
  { what: "by their places", now: ["a.json:2", "a.json:9"], runs: ["a.json:2"], rows: ["block 1 ms", NEVER] },
  { what: "by their files", now: ["a.json:2", "b.json:9"], runs: ["b.json:3"], rows: [NEVER, "block 1 ms"] },
  { what: "moved by an edit", now: ["a.json:2"], runs: ["a.json:1"], rows: ["block 1 ms"] },
  { what: "both moved", now: ["a.json:4", "a.json:9"], runs: ["a.json:1"], rows: [SHARED, SHARED] },
  { what: "on one line", now: ["a.json:1", "a.json:1"], runs: ["a.json:1"], rows: [SHARED, SHARED] },
  {
    what: "moved, and run again",
    ...{ now: ["a.json:4", "a.json:9"], runs: ["a.json:1", "a.json:4"], rows: ["block 1 ms", SHARED] },
  },
  {
    what: "on a narrow screen",
    ...{
      now: ["a.json:1", "a.json:1"],
      runs: ["a.json:1"],
      columns: 34,
      rows: ["? block 1 ms", "? block 1 ms"],
    },
  },
])(
  "tells the runs of hooks of one name apart: $what",
  async ({ now, runs, rows, columns = WIDE.columns }) => {
    const listed = now.map((source, index) => ({
      ...{ id: `${index}`, name: "last", event: "Stop", matcher: "", source },
      ...{ trusted: true, enabled: true },
    }));
    const store = createHookEventStore();
    store.getSnapshot().recordHookExecutions(runs.map((source) => ({ ...RUN, source })));
    const screen = screenOf(
      <HooksView
        agent={{ hooks: async () => listed, switchHook: () => {}, warn: () => {} }}
        size={{ ...WIDE, columns }}
        close={() => {}}
      />,
      store,
    );
    await screen.shows(/Stop {2}last/);
    const shown =
      screen.text().match(/(?:one of this name: |\? )?\d\d:\d\d:\d\d .*? ms|has not run yet/g) ?? [];
    expect(shown.map((row) => row.replace(/\d\d:\d\d:\d\d /, ""))).toEqual(rows);
  },
);

it("looks through many hooks on a small screen", async () => {
  const many = Array.from({ length: 9 }, (_, index) => command(`hook-${index + 1}`, "exit 0"));
  const { agent } = await agentWith({ Stop: [{ hooks: many }] });
  const screen = screenOf(
    <HooksView agent={agent} size={{ columns: 44, rows: 20 }} close={() => {}} />,
    storeFor(agent),
  );
  await screen.shows("9 hooks (1 of 9)");
  expect(screen.text().split("\n").length).toBeLessThan(20);
  expect(screen.text()).not.toContain("hook-5");
  await screen.press(DOWN, DOWN, DOWN, DOWN);
  await screen.shows("❯ on  Stop  hook-5");
});

it("shows the newest runs first on a small screen, and older ones above", async () => {
  const store = createHookEventStore({ now: () => 0 });
  store.getSnapshot().recordHookExecutions(
    Array.from({ length: 30 }, (_, index) => ({
      id: `${index}`,
      hookEvent: "Stop" as const,
      hook: `hook-${index + 1}`,
      executionTime: 1,
      decision: "block",
      timestamp: 0,
    })),
  );
  const screen = screenOf(<HistoryView size={{ columns: 44, rows: 20 }} close={() => {}} />, store);
  expect(screen.text()).toMatch(/30 runs of hooks.*hook-18\b.*hook-30\b/s);
  expect(screen.text()).not.toMatch(/hook-17\b/);
  await screen.press(UP);
  expect(screen.text()).toMatch(/hook-17\b/);
});

it("says in full on a narrow screen that nothing has run", () => {
  const screen = screenOf(
    <HistoryView size={{ columns: 40, rows: 15 }} close={() => {}} />,
    createHookEventStore({}),
  );
  expect(screen.text()).toMatch(/No hook has run yet, or the history +│\n│ was cleared\./);
});

it.each([
  { columns: 44, rows: 20 },
  { columns: 100, rows: 30 },
])("helps within $columns columns and $rows rows", (size) => {
  const screen = screenOf(<HelpView size={size} close={() => {}} />);
  const rows = screen.text().split("\n");
  expect(rows.length).toBeLessThan(size.rows);
  expect(screen.text()).toContain("/hooks");
});

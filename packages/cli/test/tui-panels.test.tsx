import type { ListedHook } from "@belay/agent";
import type { HookExecutionRecord } from "@belay/core";
import { withoutPlace } from "@belay/core/internal";
import { createHookEventStore } from "@belay/react";
import type { ReactElement } from "react";
import { expect, it } from "vitest";
import { HelpView, HistoryView, HooksView } from "../src/tui/panels.tsx";
import { storeFor } from "../src/tui/store.ts";
import {
  agentWith,
  command,
  DOWN,
  ESCAPE,
  PASTE_BEGINS,
  PASTE_ENDS,
  screenOf,
  UP,
  WIDE,
} from "./screens.tsx";

const UNNAMED = "PreToolUse[0.1] node lint-all-of-it.js --strict --everywhere";
const close = () => {};

const run = (fields: Partial<HookExecutionRecord>): HookExecutionRecord => ({
  id: "1",
  hookEvent: "Stop",
  hook: "last",
  executionTime: 1,
  decision: "block",
  timestamp: Date.now(),
  ...fields,
});
const listed = (fields: Partial<ListedHook>): ListedHook => ({
  id: "1",
  name: "last",
  event: "Stop",
  matcher: "",
  source: "/somewhere/deep/down/in/the/home/of/a/user/.belay/settings.json:3",
  trusted: true,
  enabled: true,
  ...fields,
});
const agentOf = (...hooks: ListedHook[]) => ({ hooks: async () => hooks, switchHook: close, warn: close });
const LINTS = agentOf(listed({ event: "PreToolUse", matcher: "Bash", name: UNNAMED }));

/** A panel over three runs of the hook without a name, and more. */
function panel(element: ReactElement, more: readonly HookExecutionRecord[] = []) {
  const store = createHookEventStore({ now: () => 3000 });
  const lints = { hookEvent: "PreToolUse", hook: UNNAMED, executionTime: 164, decision: "abstain" } as const;
  const runs = [1000, 2000, 3000].map((timestamp) => run({ ...lints, id: `${timestamp}`, timestamp }));
  store.getSnapshot().recordHookExecutions([...runs, ...more]);
  return screenOf(element, store);
}
async function rowsOf(screen: ReturnType<typeof screenOf>, wanted: string): Promise<string[]> {
  await screen.shows(wanted);
  const rows = screen.text().split("\n").slice(1, -1);
  return rows.map((row) => row.slice(2, -2).trimEnd());
}
const clock = (time: number) => new Date(time).toTimeString().slice(0, 8);

const GUARD = {
  PreToolUse: [{ matcher: "Bash", hooks: [command("guard", "exit 0")] }],
  Stop: [{ hooks: [{ ...command("last", "exit 0"), enabled: false }] }],
};

it("lists hooks with what they did, and switches them", async () => {
  const { agent } = await agentWith(GUARD);
  const store = storeFor(agent);
  const denied = run({ hookEvent: "PreToolUse", hook: "guard", executionTime: 12.3, decision: "deny" });
  store.getSnapshot().recordHookExecutions([denied]);
  let closed = 0;
  const screen = screenOf(<HooksView agent={agent} size={WIDE} close={() => (closed += 1)} />, store);
  await screen.shows("2 hooks");
  expect(screen.text()).toMatch(
    /❯ on {2}PreToolUse Bash {2}guard.*trusted · .*settings\.json:1.*\d\d:\d\d:\d\d deny 12 ms.*off Stop {2}last.*has not run yet/s,
  );
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

const control = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96);

const UNMEANT = [
  ...[" ", "\r", "o", "c", "q"].map((text) => [PASTE_BEGINS, text, PASTE_ENDS]),
  ...["o", "c", "q"].map((text) => [control(text)]),
  [control("c").repeat(2)],
];

it("switches, clears and closes nothing by a paste or with Ctrl", async () => {
  const { agent } = await agentWith(GUARD);
  const store = storeFor(agent);
  store.getSnapshot().recordHookExecutions([run({})]);
  const state = async () => ({ hooks: await agent.hooks(), state: store.getSnapshot(), closed });
  let closed = 0;
  const props = { size: WIDE, close: () => (closed += 1) };
  const both = (
    <>
      <HooksView agent={agent} {...props} />
      <HistoryView {...props} />
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

it("knows what hooks did before there was a screen, what they added, and why one gave no answer", async () => {
  const answer = { hookEventName: "SessionStart", additionalContext: "it is Monday" };
  const line = `printf '%s' '${JSON.stringify({ systemMessage: "hello", hookSpecificOutput: answer })}'`;
  const hooks = [command("notes", line), command("broken", "echo 'no such rule' >&2; exit 1")];
  const { agent } = await agentWith({ SessionStart: [{ hooks }] });
  const store = storeFor(agent);
  expect(store.getSnapshot().hookExecutionHistory).toMatchObject([
    {
      hookEvent: "SessionStart",
      hook: "notes",
      source: expect.stringMatching(/settings\.json:1$/),
      decision: "context, message",
    },
    { hook: "broken" },
  ]);
  const screen = screenOf(<HooksView agent={agent} size={WIDE} close={close} />, store);
  await screen.shows(/failed: exited with 1: no such rule \d/);
});

const NEVER = "has not run yet";
const OWN = "block 1 ms";
const SHARED = "one of this name: block 1 ms";

it.each<[what: string, now: string[], ran: string[], rows: string[], columns?: number]>([
  ["by their places", ["a.json:2", "a.json:9"], ["a.json:2"], [OWN, NEVER]],
  ["by their files", ["a.json:2", "b.json:9"], ["b.json:3"], [NEVER, OWN]],
  ["moved by an edit", ["a.json:2"], ["a.json:1"], [OWN]],
  ["both moved", ["a.json:4", "a.json:9"], ["a.json:1"], [SHARED, SHARED]],
  ["on one line", ["a.json:1", "a.json:1"], ["a.json:1"], [SHARED, SHARED]],
  ["moved, and run again", ["a.json:4", "a.json:9"], ["a.json:1", "a.json:4"], [OWN, SHARED]],
  ["on a narrow screen", ["a.json:1", "a.json:1"], ["a.json:1"], [`? ${OWN}`, `? ${OWN}`], 34],
])("tells the runs of hooks of one name apart: %s", async (_, now, ran, rows, columns = WIDE.columns) => {
  const agent = agentOf(...now.map((source, index) => listed({ id: `${index}`, source })));
  const size = { ...WIDE, columns };
  const runs = ran.map((source) => run({ source }));
  const screen = panel(<HooksView agent={agent} size={size} close={close} />, runs);
  await screen.shows(/Stop {2}last/);
  const shown = screen.text().match(/(?:one of this name: |\? )?\d\d:\d\d:\d\d .*? ms|has not run yet/g);
  expect(shown?.map((row) => row.replace(/\d\d:\d\d:\d\d /, ""))).toEqual(rows);
});

it("looks through many hooks on a small screen", async () => {
  const many = Array.from({ length: 9 }, (_, at) => listed({ id: `${at}`, name: `hook-${at + 1}` }));
  const size = { columns: 44, rows: 20 };
  const screen = panel(<HooksView agent={agentOf(...many)} size={size} close={close} />);
  await screen.shows("9 hooks (1 of 9)");
  expect(screen.text().split("\n").length).toBeLessThan(20);
  expect(screen.text()).not.toContain("hook-5");
  await screen.press(DOWN, DOWN, DOWN, DOWN);
  await screen.shows("❯ on  Stop  hook-5");
});

it("shows the newest runs first on a small screen, older ones above, and that there are none", async () => {
  const runs = Array.from({ length: 30 }, (_, at) => run({ id: `${at}`, hook: `hook-${at + 1}` }));
  const screen = panel(<HistoryView size={{ columns: 44, rows: 20 }} close={close} />, runs);
  expect(screen.text()).toMatch(/33 runs of hooks.*hook-18\b.*hook-30\b.*c clears/s);
  expect(screen.text()).not.toMatch(/hook-17\b/);
  await screen.press(UP);
  expect(screen.text()).toMatch(/hook-17\b/);
  await screen.press("c");
  await screen.shows(/No hook has run yet, or the history was +│\n│ cleared\./);
});

it.each([
  { columns: 44, rows: 20 },
  { columns: 100, rows: 30 },
])("helps within $columns columns and $rows rows", (size) => {
  const screen = screenOf(<HelpView size={size} close={close} />);
  expect(screen.text().split("\n").length).toBeLessThan(size.rows);
  expect(screen.text()).toContain("/hooks");
});

it.each<[columns: number, name: string, place: string, runs: number[], hint: string]>([
  [
    80,
    "node lint-all-of-it.js --strict --everywhere",
    "…here/deep/down/in/the/home/of/a/user/.belay/settings.json:3",
    [3000, 2000],
    "↑ ↓ · space on/off · o words for the agent: decisions · Esc",
  ],
  [
    50,
    "node lint-all-of-it.js…",
    "…a/user/.belay/settings.json:3",
    [3000],
    "space on/off · o shown to you: decisions · Esc",
  ],
  [40, "node lint-al…", "…lay/settings.json:3", [3000], "space on/off·o shown: decisions·Esc"],
])("lists hooks on %i columns", async (columns, name, place, runs, hint) => {
  const view = <HooksView agent={LINTS} size={{ columns, rows: 20 }} close={close} />;
  const rows = await rowsOf(panel(view), "1 hook");
  expect(rows.map((row) => row.trim())).toEqual([
    "1 hook",
    `❯ on  PreToolUse Bash  ${name}`,
    `trusted · ${place}`,
    runs.map((time) => `${clock(time)} abstain 164 ms`).join(" · "),
    hint,
  ]);
});

it.each([
  [80, "NOT TRUSTED, does not run · …the/home/of/a/user/.belay/settings.json:3"],
  [50, "NOT TRUSTED · …er/.belay/settings.json:3"],
])("does not call a hook on that does not run, on %i columns", async (columns, place) => {
  const agent = agentOf(listed({ trusted: false }));
  const view = <HooksView agent={agent} size={{ columns, rows: 20 }} close={close} />;
  const rows = await rowsOf(panel(view), "1 hook");
  expect(rows.slice(1, 3).map((row) => row.trim())).toEqual(["❯ –   Stop  last", place]);
});

it("says the whole name of what ran, on as many rows as it takes", async () => {
  const screen = panel(<HistoryView size={{ columns: 40, rows: 20 }} close={close} />);
  expect((await rowsOf(screen, "3 runs")).slice(0, 4)).toEqual([
    "3 runs of hooks",
    `${clock(1000)} abstain 164 ms  PreToolUse`,
    "         node lint-all-of-it.js",
    "         --strict --everywhere",
  ]);
});

it.each([
  [0, "abstain", "abstain"],
  [1, "abstain", "abstain (exit 1)"],
  [3, "context", "context (exit 3)"],
  [2, "deny", "deny"],
  [2, "abstain", "abstain (exit 2)"],
  [1, "fault: exit-status", "fault: exit-status"],
])("shows a hook that exits %i with %s as %s", async (exitCode, decision, did) => {
  const last = run({ hookEvent: "PreToolUse", hook: UNNAMED, timestamp: 3000, exitCode, decision });
  const size = { columns: 120, rows: 20 };
  const history = await rowsOf(panel(<HistoryView size={size} close={close} />, [last]), "4 runs");
  expect(history.at(-2)).toBe(`${clock(3000)} ${did} 1 ms  PreToolUse ${withoutPlace(UNNAMED)}`);
  const hooks = await rowsOf(panel(<HooksView agent={LINTS} size={size} close={close} />, [last]), "1 hook");
  expect(hooks[3]).toContain(`${clock(3000)} ${did} 1 ms`);
});

import type { ListedHook } from "@belay/agent";
import type { HookExecutionRecord } from "@belay/core";
import { createHookEventStore } from "@belay/react";
import type { ReactElement } from "react";
import { expect, it } from "vitest";
import { withoutPlace } from "../src/render/brief.ts";
import { bottomLine } from "../src/tui/input-area.tsx";
import { HistoryView, HooksView } from "../src/tui/panels.tsx";
import { statusText } from "../src/tui/status.tsx";
import { screenOf } from "./screens.tsx";

const UNNAMED = "PreToolUse[0.1] node lint-all-of-it.js --strict --everywhere";

const run = (hook: string, timestamp: number): HookExecutionRecord => ({
  id: `${timestamp}`,
  hookEvent: "PreToolUse",
  hook,
  executionTime: 164,
  decision: "abstain",
  timestamp,
});
const hook = (name: string): ListedHook => ({
  id: name,
  name,
  event: "PreToolUse",
  matcher: "Bash",
  source: "/somewhere/deep/down/in/the/home/of/a/user/.belay/settings.json:3",
  trusted: true,
  enabled: true,
});

async function rowsOf(
  element: ReactElement,
  wanted: string,
  more: readonly HookExecutionRecord[] = [],
): Promise<string[]> {
  const store = createHookEventStore({ now: () => 3000 });
  store.getSnapshot().recordHookExecutions([1000, 2000, 3000].map((time) => run(UNNAMED, time)));
  store.getSnapshot().recordHookExecutions(more);
  const screen = screenOf(element, store);
  await screen.shows(wanted);
  return screen
    .text()
    .split("\n")
    .slice(1, -1)
    .map((row) => row.slice(2, -2).trimEnd());
}

const agent = { hooks: async () => [hook(UNNAMED)], switchHook: () => {}, warn: () => {} };
const clock = (time: number) => new Date(time).toTimeString().slice(0, 8);

it.each([
  {
    columns: 80,
    name: "node lint-all-of-it.js --strict --everywhere",
    place: "trusted · …here/deep/down/in/the/home/of/a/user/.belay/settings.json:3",
    runs: [3000, 2000],
    hint: "↑ ↓ · space on/off · o words for the agent: decisions · Esc",
  },
  {
    columns: 50,
    name: "node lint-all-of-it.js…",
    place: "trusted · …a/user/.belay/settings.json:3",
    runs: [3000],
    hint: "space on/off · o shown to you: decisions · Esc",
  },
  {
    columns: 40,
    name: "node lint-al…",
    place: "trusted · …lay/settings.json:3",
    runs: [3000],
    hint: "space on/off·o shown: decisions·Esc",
  },
])("lists hooks on $columns columns", async ({ columns, name, place, runs, hint }) => {
  const size = { columns, rows: 20 };
  const rows = await rowsOf(<HooksView agent={agent} size={size} close={() => {}} />, "1 hook");
  expect(rows.map((row) => row.trim())).toEqual([
    "1 hook",
    `❯ on  PreToolUse Bash  ${name}`,
    place,
    runs.map((time) => `${clock(time)} abstain 164 ms`).join(" · "),
    hint,
  ]);
});

it.each([
  { columns: 80, place: "NOT TRUSTED, does not run · …the/home/of/a/user/.belay/settings.json:3" },
  { columns: 50, place: "NOT TRUSTED · …er/.belay/settings.json:3" },
])("does not call a hook on that does not run, on $columns columns", async ({ columns, place }) => {
  const untrusted = { ...agent, hooks: async () => [{ ...hook("lint"), trusted: false }] };
  const view = <HooksView agent={untrusted} size={{ columns, rows: 20 }} close={() => {}} />;
  const rows = await rowsOf(view, "1 hook");
  expect(rows.slice(1, 3).map((row) => row.trim())).toEqual(["❯ –   PreToolUse Bash  lint", place]);
});

it("says the whole name of what ran, on as many rows as it takes", async () => {
  const view = <HistoryView size={{ columns: 40, rows: 20 }} close={() => {}} />;
  const rows = await rowsOf(view, "3 runs");
  expect(rows.slice(0, 4)).toEqual([
    "3 runs of hooks",
    `${clock(1000)} abstain 164 ms  PreToolUse`,
    "         node lint-all-of-it.js",
    "         --strict --everywhere",
  ]);
});

it.each([
  { exitCode: 0, decision: "abstain", did: "abstain" },
  { exitCode: 1, decision: "abstain", did: "abstain (exit 1)" },
  { exitCode: 3, decision: "context", did: "context (exit 3)" },
  { exitCode: 2, decision: "deny", did: "deny" },
  { exitCode: 2, decision: "abstain", did: "abstain (exit 2)" },
  { exitCode: 1, decision: "fault: exit-status", did: "fault: exit-status" },
])("shows a hook that exits $exitCode with $decision as $did", async ({ exitCode, decision, did }) => {
  const size = { columns: 120, rows: 20 };
  const last = { ...run(UNNAMED, 3000), id: "last", exitCode, decision };
  const history = await rowsOf(<HistoryView size={size} close={() => {}} />, "4 runs", [last]);
  expect(history.at(-2)).toBe(`${clock(3000)} ${did} 164 ms  PreToolUse ${withoutPlace(UNNAMED)}`);
  const hooks = await rowsOf(<HooksView agent={agent} size={size} close={() => {}} />, "1 hook", [last]);
  expect(hooks[3]).toContain(`${clock(3000)} ${did} 164 ms`);
});

const WAITING = {
  messages: [],
  draft: "",
  isBusy: true,
  mode: "default",
  pending: [],
  history: [],
  recorded: 0,
} as const;

it.each([
  [80, "hook node lint-all-of-it.js --stri… (PreToolUse) and 1 more, 1.0 s (Esc aborts)"],
  [60, "hook node lint-all-of-it.js --stri… and 1 more, 1.0 s"],
  [50, "hook node lint-all-of-it.js --s… and 1 more, 1.0 s"],
  [40, "hook node lint-all-of… and 1 more, 1.0 s"],
])("says on %i columns what is waited for and since when", (columns, says) => {
  const runningHooks = [0, 1].map(() => ({ hook: UNNAMED, event: "PreToolUse", since: 1000 }));
  expect(statusText({ ...WAITING, runningHooks }, 2000, columns, "Esc")).toBe(says);
});

const MODEL = "anthropic/claude-sonnet-4-5-20250929";

it.each([
  [80, `${MODEL} · acceptEdits (Shift-Tab)`, undefined],
  [50, `${MODEL} · acceptEdits`, undefined],
  [40, "anthropic/claude-sonnet-4… · acceptEdits", undefined],
  [140, `Enter sends this, or type your own · q leaves · ${MODEL} · acceptEdits (Shift-Tab)`, "next"],
  [50, "Enter sends this · q leaves · acceptEdits", "next"],
  [40, "Enter sends this · q leaves", "next"],
])("says on %i columns who answers and what it may do: %s", (columns, says, next) => {
  expect(bottomLine({ model: MODEL, mode: "acceptEdits", next, columns })).toBe(says);
});

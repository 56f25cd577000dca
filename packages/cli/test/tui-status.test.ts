import { expect, it } from "vitest";
import { finished } from "../src/tui/conversation.ts";
import { BLANK, type Line, lastLines } from "../src/tui/lines.tsx";
import { statusText } from "../src/tui/status.tsx";
import { hook, message, rowsOf, text, tool } from "./blocks.ts";

it("says how much has no room, and shows the end", () => {
  const lines = ["1", "2", "3", "4"].map((text): Line => [{ text }]);
  const seen = [9, 4, 3, 1, -2].map((room) => rowsOf(lastLines(lines, room)));
  expect(seen).toEqual([["1", "2", "3", "4"], ["1", "2", "3", "4"], ["… 2 lines above", "3", "4"], [], []]);
  expect(rowsOf([BLANK])).toEqual([""]);
});

const TURN = [
  message("prompt", text("a", "user")),
  message("model", text("b", "user", "agent")),
  message("hook", hook("context")),
];

it.each([
  { isBusy: false, messages: TURN, done: 3 },
  { isBusy: true, messages: TURN, done: 1 },
  { isBusy: true, messages: TURN.slice(0, 1), done: 0 },
  { isBusy: true, messages: [], done: 0 },
])("lets $done messages scroll away (busy: $isBusy)", ({ done, ...state }) => {
  expect(finished(state)).toBe(done);
});

it.each([
  { what: "the model", messages: TURN, runningHooks: [], says: "thinking" },
  {
    what: "tools",
    messages: [message("model", tool({ stage: "running" }), tool({ stage: "running" }))],
    runningHooks: [],
    says: "running Bash and 1 more",
  },
  {
    what: "a hook",
    messages: TURN,
    runningHooks: [{ hook: "guard", event: "Stop", since: 500 }],
    says: "hook guard (Stop), 1.5 s",
  },
  {
    what: "several hooks",
    messages: TURN,
    runningHooks: [
      { hook: "a", event: "Stop", since: 1000 },
      { hook: "b", event: "Stop", since: 1000 },
    ],
    says: "hook a (Stop) and 1 more, 1.0 s",
  },
] as const)("waits for $what", ({ messages, runningHooks, says }) => {
  const state = {
    messages,
    runningHooks,
    draft: "",
    isBusy: true,
    mode: "default",
    pending: [],
    history: [],
    recorded: 0,
  } as const;
  for (const key of ["Esc", "Ctrl-C"] as const)
    expect(statusText(state, 2000, 80, key)).toBe(`${says} (${key} aborts)`);
});

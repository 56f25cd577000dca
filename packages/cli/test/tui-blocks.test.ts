import type { Block, Message, ToolBlock } from "@belay/agent";
import { expect, it } from "vitest";
import { type Look, messageParts } from "../src/tui/blocks.ts";
import { BLANK, type Line, lastLines } from "../src/tui/lines.tsx";
import { finished } from "../src/tui/scroll.ts";
import { statusText } from "../src/tui/status.tsx";

const NARROW: Look = { columns: 24, isOpen: false, hooks: "decisions" };
const OPEN: Look = { ...NARROW, isOpen: true };

function message(source: Message["source"], ...blocks: Block[]): Message {
  return { id: source, role: source === "model" ? "assistant" : "user", source, time: "", blocks };
}
const text = (content: string, ...to: ("user" | "agent")[]): Block => ({ type: "text", content, to });
const tool = (fields: Partial<ToolBlock>): ToolBlock => ({
  type: "tool",
  id: "1",
  name: "Bash",
  input: { command: "ls" },
  stage: "done",
  success: true,
  ...fields,
});
const hook = (kind: string): Block => ({
  type: "hook",
  hookEvent: "Stop",
  content: "Run the tests first",
  metadata: { kind },
});
const rowsOf = (lines: readonly Line[]) =>
  lines.map((line) =>
    line
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );

it.each<{ what: string; message: Message; look?: Look; rows: string[] }>([
  {
    what: "a prompt",
    message: message("prompt", text("please read the README now", "user", "agent")),
    rows: ["› please read the README", "  now"],
  },
  {
    what: "an answer, wrapped between words",
    message: message("model", text("one two three four five six", "user", "agent")),
    rows: ["one two three four five", "six"],
  },
  {
    what: "wide characters",
    message: message("model", text("漢字漢字漢字漢字漢字漢字漢字", "user", "agent")),
    rows: ["漢字漢字漢字漢字漢字漢字", "漢字"],
  },
  {
    what: "controls, made visible",
    message: message("model", text("a\u001b[2Jb", "user", "agent")),
    rows: ["a\\u001b[2Jb"],
  },
  {
    what: "words of a hook for the user",
    message: message("hook", text("reading is fine", "user")),
    rows: ["· reading is fine"],
  },
  {
    what: "an error",
    message: message("hook", { type: "error", content: "it broke" }),
    rows: ["✗ it broke"],
  },
  {
    what: "a warning",
    message: message("hook", { type: "warn", content: "mind the tests", to: ["user"] }),
    rows: ["⚠ mind the tests"],
  },
  {
    what: "nothing of a warning for the agent",
    message: message("hook", { type: "warn", content: "mind", to: ["agent"] }),
    rows: [],
  },
  {
    what: "a refusal in one line",
    message: message("hook", hook("refusal-reason")),
    rows: ["↳ a Stop hook told the …"],
  },
  { what: "no context", message: message("hook", hook("context")), rows: [] },
  {
    what: "all that hooks say",
    message: message("hook", hook("context")),
    look: { ...NARROW, hooks: "all" },
    rows: ["↳ a Stop hook told the", "  agent: Run the tests", "  first"],
  },
  {
    what: "nothing that hooks say",
    message: message("hook", hook("refusal-reason"), text("go on", "agent")),
    look: { ...NARROW, hooks: "none" },
    rows: [],
  },
  {
    what: "who told the user",
    message: message("hook", { ...text("reading is fine", "user"), hook: "reader" } as Block),
    rows: ["· reader: reading is", "  fine"],
  },
  {
    what: "whose error it is",
    message: message("hook", { type: "error", content: "it broke", hook: "guard" }),
    rows: ["✗ guard: it broke"],
  },
  {
    what: "an error that names its hook",
    message: message("hook", { type: "error", content: "hook guard: died", hook: "guard" }),
    rows: ["✗ hook guard: died"],
  },
  {
    what: "a hook without a name by its command",
    message: message("hook", {
      type: "warn",
      content: "mind",
      to: ["user"],
      hook: "PreToolUse[0.1] lint.sh",
    }),
    rows: ["⚠ lint.sh: mind"],
  },
  {
    what: "no long command",
    message: message("hook", {
      type: "error",
      content: "mind",
      hook: "Stop[0.0] node lint-all-of-it.js --strict --now",
    }),
    look: { ...NARROW, columns: 60 },
    rows: ["✗ node lint-all-of-it.js --stri…: mind"],
  },
  {
    what: "who told the agent",
    message: message("hook", { ...hook("refusal-reason"), hook: "tests-first" } as Block),
    look: { ...NARROW, columns: 80 },
    rows: ["↳ tests-first (Stop) told the agent: Run the tests first"],
  },
  {
    what: "who told the agent, in plain words",
    message: message("hook", { ...text("go on", "agent"), hook: "tests-first" } as Block),
    look: { ...NARROW, columns: 80 },
    rows: ["↳ tests-first told the agent: go on"],
  },
  {
    what: "who refused a call",
    message: message("model", tool({ success: false, result: "not here", hook: "guard" })),
    look: { ...NARROW, columns: 40 },
    rows: ["✗ Bash ls (guard says no)", "  not here"],
  },
  {
    what: "a call that waits",
    message: message("model", tool({ stage: "called" })),
    rows: ["○ Bash ls"],
  },
  {
    what: "a call that is asked about",
    message: message("model", tool({ stage: "asking" })),
    rows: ["? Bash ls"],
  },
  { what: "a call that runs", message: message("model", tool({ stage: "running" })), rows: ["◌ Bash ls"] },
  {
    what: "a call after words",
    message: message("model", text("I look.", "user", "agent"), tool({ stage: "running" })),
    rows: ["I look.", "", "◌ Bash ls"],
  },
  {
    what: "a closed result",
    message: message("model", tool({ result: "1\n2\na very long line of a result\n4\n5\n" })),
    rows: ["● Bash ls", "  1", "  2", "  a very long line of a…", "  … 2 more lines (Ctrl-O opens)"],
  },
  {
    what: "an open result",
    message: message("model", tool({ result: "1\n2\n3\na very long line of a result\n" })),
    look: OPEN,
    rows: ["● Bash ls", "  1", "  2", "  3", "  a very long line of a", "  result"],
  },
  {
    what: "a failure, with its reason whole",
    message: message("model", tool({ success: false, result: "not allowed: too dangerous" })),
    rows: ["✗ Bash ls", "  not allowed: too", "  dangerous"],
  },
  {
    what: "a rewritten input",
    message: message("model", tool({ updatedInput: { command: "ls -l" }, stage: "running" })),
    look: { ...NARROW, columns: 40 },
    rows: ["◌ Bash ls -l (changed by a hook)"],
  },
  {
    what: "who rewrote an input",
    message: message(
      "model",
      tool({ updatedInput: { command: "ls -l" }, rewriter: "long", stage: "running" }),
    ),
    look: { ...NARROW, columns: 40 },
    rows: ["◌ Bash ls -l (changed by long)"],
  },
  {
    what: "a rewritten input, open",
    message: message("model", tool({ updatedInput: { command: "ls -l" } })),
    look: { ...OPEN, columns: 40 },
    rows: ["● Bash ls -l (changed by a hook)", "  was: ls"],
  },
  {
    what: "an input of several values, on one line",
    message: message("model", tool({ name: "Write", input: { file_path: "a.txt", content: "x\ny" } })),
    look: { ...NARROW, columns: 60 },
    rows: ["● Write a.txt content: x ⏎ y"],
  },
  {
    what: "an input of several values, open, line by line",
    message: message("model", tool({ name: "Write", input: { file_path: "a.txt", content: "x\n\n  y" } })),
    look: OPEN,
    rows: ["● Write", "    file_path: a.txt", "    content:", "      x", "", "        y"],
  },
  {
    what: "a command of several lines, open",
    message: message("model", tool({ input: { command: "ls\npwd" }, result: "a.txt" })),
    look: OPEN,
    rows: ["● Bash", "    ls", "    pwd", "  a.txt"],
  },
  {
    what: "a rewritten input of several lines, open",
    message: message(
      "model",
      tool({ input: { command: "ls\nrm a" }, updatedInput: { command: "ls\npwd" }, stage: "running" }),
    ),
    look: { ...OPEN, columns: 40 },
    rows: ["◌ Bash (changed by a hook)", "    ls", "    pwd", "  was:", "    ls", "    rm a"],
  },
])("shows $what", ({ message, look = NARROW, rows }) => {
  const shown = rowsOf(messageParts(message, look).flat());
  expect(shown).toEqual(rows.length === 0 ? [] : [...rows, ""]);
});

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
  expect(statusText(state, 2000, 80)).toBe(`${says} (Esc aborts)`);
});

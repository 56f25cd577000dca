import type { Block, Message, ToolBlock } from "@belay/agent";
import { expect, it } from "vitest";
import { finished, type Look, messageParts } from "../src/tui/conversation.ts";
import { bottomLine } from "../src/tui/input-area.tsx";
import { BLANK, type Line, lastLines } from "../src/tui/lines.tsx";
import { statusText } from "../src/tui/status.tsx";

function message(source: Message["source"], ...blocks: Block[]): Message {
  return { id: source, role: source === "model" ? "assistant" : "user", source, time: "", blocks };
}
const fromHook = (...blocks: Block[]) => message("hook", ...blocks);
const fromModel = (...blocks: Block[]) => message("model", ...blocks);
const text = (content: string, ...to: ("user" | "agent")[]): Block => ({ type: "text", content, to });
const said = (content: string) => text(content, "user", "agent");
const error = (content: string, hook?: string): Block => ({ type: "error", content, ...(hook && { hook }) });
const warn = (to: "user" | "agent", hook?: string): Block => ({
  type: "warn",
  content: "mind",
  to: [to],
  ...(hook && { hook }),
});
const tool = (fields: Partial<ToolBlock>): ToolBlock => ({
  type: "tool",
  id: "1",
  name: "Bash",
  input: { command: "ls" },
  stage: "done",
  success: true,
  ...fields,
});
const call = (fields: Partial<ToolBlock>) => fromModel(tool(fields));
const by = (hook: string, block: Block) => ({ ...block, hook }) as Block;
const told = (kind: string): Block => ({
  type: "hook",
  hookEvent: "Stop",
  content: "Run the tests first",
  metadata: { kind },
});
const rowsOf = (lines: readonly Line[]) =>
  lines.map((line) =>
    line
      .map((part) => part.text)
      .join("")
      .trimEnd(),
  );

const LONGER = { updatedInput: { command: "ls -l" } };
const NOTES = { name: "Write", input: { file_path: "a.txt", content: "x\n\n  y" } };
const LS_AND_RM = { input: { command: "ls\nrm a" }, updatedInput: { command: "ls\npwd" } };
const LINTS = "Stop[0.0] node lint-all-of-it.js --strict --now";
const REFUSED = { success: false, result: "no", hook: "guard" };

const LOOK: Look = { columns: 24, isOpen: false, hooks: "decisions" };
const OPEN = { isOpen: true };
const WIDER = { columns: 40 };
const WIDE = { columns: 80 };

it.each<[what: string, message: Message, rows: string[], look?: Partial<Look>]>([
  ["a prompt", message("prompt", said("please read the README now")), ["› please read the README", "  now"]],
  [
    "an answer, wrapped between words",
    fromModel(said("one two three four five six")),
    ["one two three four five", "six"],
  ],
  ["wide characters", fromModel(said("漢字".repeat(7))), ["漢字".repeat(6), "漢字"]],
  ["controls, made visible", fromModel(said("a\u001b[2Jb")), ["a\\u001b[2Jb"]],
  ["words of a hook for the user", fromHook(text("reading is fine", "user")), ["· reading is fine"]],
  ["an error", fromHook(error("it broke")), ["✗ it broke"]],
  ["a warning", fromHook(warn("user")), ["⚠ mind"]],
  ["nothing of a warning for the agent", fromHook(warn("agent")), []],
  ["a refusal in one line", fromHook(told("refusal-reason")), ["↳ a Stop hook told the …"]],
  ["no context", fromHook(told("context")), []],
  [
    "all that hooks say",
    fromHook(told("context")),
    ["↳ a Stop hook told the", "  agent: Run the tests", "  first"],
    { hooks: "all" },
  ],
  ["nothing that hooks say", fromHook(told("refusal-reason"), text("go on", "agent")), [], { hooks: "none" }],
  [
    "who told the user",
    fromHook(by("reader", text("reading is fine", "user"))),
    ["· reader: reading is", "  fine"],
  ],
  ["whose error it is", fromHook(error("it broke", "guard")), ["✗ guard: it broke"]],
  ["an error that names its hook", fromHook(error("hook guard: died", "guard")), ["✗ hook guard: died"]],
  [
    "a hook without a name by its command",
    fromHook(warn("user", "PreToolUse[0.1] lint.sh")),
    ["⚠ lint.sh: mind"],
  ],
  ["no long command", fromHook(error("mind", LINTS)), ["✗ node lint-all-of-it.js --stri…: mind"], WIDE],
  [
    "who told the agent",
    fromHook(by("tests-first", told("refusal-reason"))),
    ["↳ tests-first (Stop) told the agent: Run the tests first"],
    WIDE,
  ],
  [
    "who told the agent, in plain words",
    fromHook(by("tests-first", text("go on", "agent"))),
    ["↳ tests-first told the agent: go on"],
    WIDE,
  ],
  ["who refused a call", call(REFUSED), ["✗ Bash ls (guard says no)", "  no"], WIDER],
  ["a call that waits", call({ stage: "called" }), ["○ Bash ls"]],
  ["a call that is asked about", call({ stage: "asking" }), ["? Bash ls"]],
  ["a call that runs", call({ stage: "running" }), ["◌ Bash ls"]],
  ["a call after words", fromModel(said("I look."), tool({})), ["I look.", "", "● Bash ls"]],
  [
    "a closed result",
    call({ result: "1\n2\na very long line of a result\n4\n5\n" }),
    ["● Bash ls", "  1", "  2", "  a very long line of a…", "  … 2 more lines (Ctrl-O opens)"],
  ],
  [
    "an open result",
    call({ result: "1\n2\n3\na very long line of a result\n" }),
    ["● Bash ls", "  1", "  2", "  3", "  a very long line of a", "  result"],
    OPEN,
  ],
  [
    "a failure, with its reason whole",
    call({ success: false, result: "not allowed: too dangerous" }),
    ["✗ Bash ls", "  not allowed: too", "  dangerous"],
  ],
  ["a rewritten input", call(LONGER), ["● Bash ls -l (changed by a hook)"], WIDER],
  ["who rewrote an input", call({ ...LONGER, rewriter: "long" }), ["● Bash ls -l (changed by long)"], WIDER],
  [
    "who rewrote a call and who refused it, in few columns",
    call({ ...LONGER, ...REFUSED, rewriter: "long-lists" }),
    ["✗ Bash ls -l", "  (changed by long-lists) (guard says", "  no)", "  no"],
    WIDER,
  ],
  [
    "a rewritten input, open",
    call(LONGER),
    ["● Bash ls -l (changed by a hook)", "  was: ls"],
    { ...OPEN, ...WIDER },
  ],
  ["an input of several values, on one line", call(NOTES), ["● Write a.txt content: x ⏎ ⏎ y"], WIDER],
  [
    "an input of several values, open, line by line",
    call(NOTES),
    ["● Write", "    file_path: a.txt", "    content:", "      x", "", "        y"],
    OPEN,
  ],
  [
    "a rewritten input of several lines and its result, open",
    call({ ...LS_AND_RM, result: "a.txt" }),
    ["● Bash (changed by a hook)", "    ls", "    pwd", "  was:", "    ls", "    rm a", "  a.txt"],
    { ...OPEN, ...WIDER },
  ],
])("shows %s", (_, message, rows, look) => {
  const shown = rowsOf(messageParts(message, { ...LOOK, ...look }).flat());
  expect(shown).toEqual(rows.length === 0 ? [] : [...rows, ""]);
});

const PIPES = "PreToolUse[0.1] cat >/dev/null; echo '{\"hookSpecificOutput\":{}}'";

it.each<[columns: number, rewriter: string, rows: string[]]>([
  [
    60,
    "limit-command-time",
    ["Bash npm test --workspaces --if-present -- --reporter dot", "(changed by limit-command-time)"],
  ],
  [40, "limit-the-time", ["Bash npm test --workspaces --if-prese…", "(changed by limit-the-time)"]],
  [30, "limit-the-time-of-it", ["Bash npm test --workspaces …", "(changed by", "limit-the-time-of-it)"]],
  [40, PIPES, ["Bash npm test --workspaces --if-prese…", "(changed by cat >/dev/null; echo", "'{\"hookS…)"]],
  [40, "guard", ["Bash npm test --wo… (changed by guard)"]],
  [30, "guard", ["Bash npm test --workspaces …", "(changed by guard)"]],
])("shows a long call, on %i columns, that %s rewrote", (columns, rewriter, rows) => {
  const updatedInput = { command: "npm test --workspaces --if-present -- --reporter dot" };
  const shown = rowsOf(messageParts(call({ updatedInput, rewriter }), { ...LOOK, columns }).flat());
  expect(shown).toEqual([...rows.map((row, at) => `${at === 0 ? "● " : "  "}${row}`), ""]);
});

it("says how much has no room, and shows the end", () => {
  const lines = ["1", "2", "3", "4"].map((text): Line => [{ text }]);
  const seen = [9, 4, 3, 1, -2].map((room) => rowsOf(lastLines(lines, room)));
  expect(seen).toEqual([["1", "2", "3", "4"], ["1", "2", "3", "4"], ["… 2 lines above", "3", "4"], [], []]);
  expect(rowsOf([BLANK])).toEqual([""]);
});

const TURN = [message("prompt", text("a", "user")), fromModel(said("b")), fromHook(told("context"))];

it.each([
  [false, TURN, 3],
  [true, TURN, 1],
  [true, TURN.slice(0, 1), 0],
  [true, [], 0],
])("lets messages scroll away (busy: %s)", (isBusy, messages, done) => {
  expect(finished({ isBusy, messages })).toBe(done);
});

const STATE = {
  messages: TURN,
  runningHooks: [],
  draft: "",
  isBusy: true,
  mode: "default",
  pending: [],
  history: [],
  recorded: 0,
} as const;
const runs = (...hooks: string[]) => hooks.map((hook) => ({ hook, event: "Stop", since: 500 }));

it.each([
  [80, {}, "thinking (Esc aborts)"],
  [80, { draft: "Well" }, "answering (Esc aborts)"],
  [
    80,
    { messages: [fromModel(tool({ stage: "running" }), tool({ stage: "running" }))] },
    "running Bash and 1 more (Esc aborts)",
  ],
  [80, { runningHooks: runs("guard") }, "hook guard (Stop), 1.5 s (Esc aborts)"],
  [
    80,
    { runningHooks: runs(LINTS, LINTS) },
    "hook node lint-all-of-it.js --stri… (Stop) and 1 more, 1.5 s (Esc aborts)",
  ],
  [60, { runningHooks: runs(LINTS, LINTS) }, "hook node lint-all-of-it.js --stri… and 1 more, 1.5 s"],
  [50, { runningHooks: runs(LINTS, LINTS) }, "hook node lint-all-of-it.js --s… and 1 more, 1.5 s"],
  [40, { runningHooks: runs(LINTS, LINTS) }, "hook node lint-all-of… and 1 more, 1.5 s"],
] as const)("says on %i columns what is waited for and since when: %j", (columns, state, says) => {
  expect(statusText({ ...STATE, ...state }, 2000, columns, "Esc")).toBe(says);
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

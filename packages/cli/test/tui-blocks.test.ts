import type { Block, Message } from "@belay/agent";
import { expect, it } from "vitest";
import { type Look, messageParts } from "../src/tui/conversation.ts";
import { hook, message, rowsOf, text, tool } from "./blocks.ts";

const NARROW: Look = { columns: 24, isOpen: false, hooks: "decisions" };
const OPEN: Look = { ...NARROW, isOpen: true };

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
  ...(
    [
      [
        40,
        "limit-command-time",
        ["◌ Bash npm test --workspaces --if-prese…", "  (changed by limit-command-time)"],
      ],
      [
        30,
        "limit-command-time",
        ["◌ Bash npm test --workspaces …", "  (changed by", "  limit-command-time)"],
      ],
      [
        40,
        "PreToolUse[0.1] cat >/dev/null; echo '{\"hookSpecificOutput\":{}}'",
        ["◌ Bash npm test --workspaces --if-prese…", "  (changed by cat >/dev/null; echo", "  '{\"hookS…)"],
      ],
      [40, "guard", ["◌ Bash npm test --wo… (changed by guard)"]],
      [30, "guard", ["◌ Bash npm test --workspaces …", "  (changed by guard)"]],
      [
        60,
        "limit-command-time",
        ["◌ Bash npm test --workspaces --if-present -- --reporter dot", "  (changed by limit-command-time)"],
      ],
    ] as const
  ).map(([columns, rewriter, rows]) => ({
    what: `a long call that ${rewriter} rewrote, in ${columns} columns`,
    message: message(
      "model",
      tool({
        updatedInput: { command: "npm test --workspaces --if-present -- --reporter dot" },
        rewriter,
        stage: "running",
      }),
    ),
    look: { ...NARROW, columns },
    rows: [...rows],
  })),
  {
    what: "who rewrote a call and who refused it, in few columns",
    message: message(
      "model",
      tool({
        updatedInput: { command: "ls -l" },
        rewriter: "long-lists",
        success: false,
        result: "no",
        hook: "guard",
      }),
    ),
    look: { ...NARROW, columns: 40 },
    rows: ["✗ Bash ls -l", "  (changed by long-lists) (guard says", "  no)", "  no"],
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

import type { Answer } from "@belay/agent";
import type { PendingPermission } from "@belay/core";
import { expect, it } from "vitest";
import { PermissionDialog, permissionHeight } from "../src/tui/permission.tsx";
import { decisionOn } from "../src/tui/store.ts";
import { type TrustAnswer, TrustQuestion } from "../src/tui/trust.tsx";
import {
  CTRL_C,
  CTRL_D,
  DOWN,
  ENTER,
  ESCAPE,
  LEFT,
  PASTE_BEGINS,
  PASTE_ENDS,
  RIGHT,
  screenOf,
  UP,
  WIDE,
} from "./screens.tsx";

const QUESTION: PendingPermission = {
  id: "1",
  toolName: "Bash",
  toolInput: { command: "git push --force" },
  reason: "this reaches others",
  hook: "ask-before-push",
  timestamp: 0,
};
const { hook: _, ...UNHOOKED } = QUESTION;
const RULES = ["Bash(git push --force)"];
const LONG = "a reason that goes on ".repeat(12);
const numbered = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `${word} ${at + 1}`);

function dialog(props: Partial<Parameters<typeof PermissionDialog>[0]> = {}) {
  const given: (Answer | "abort")[] = [];
  const screen = screenOf(
    <PermissionDialog
      question={QUESTION}
      waiting={0}
      rules={RULES}
      size={WIDE}
      isQuiet
      answer={(answer) => given.push(answer)}
      abort={() => given.push("abort")}
      {...props}
    />,
  );
  /** The rows inside of the frame. */
  const rows = () =>
    screen
      .text()
      .split("\n")
      .slice(1, -1)
      .map((row) => row.replace(/^│ ?| *│$/g, ""));
  return { screen, given, rows };
}

function trustDialog() {
  const given: TrustAnswer[] = [];
  const screen = screenOf(<TrustQuestion title="Trust 1 hook?" answer={(answer) => given.push(answer)} />);
  return { screen, given };
}

const SESSION = "Yes, Bash for this session";
const ALWAYS = `Always: ${RULES[0]} (into .belay/settings.local.json)`;

it.each<[by: PendingPermission["by"], longer: string[]]>([
  [undefined, [SESSION, ALWAYS]],
  ["mode", [SESSION, ALWAYS]],
  ["outside", [ALWAYS]],
  ["rule", []],
  ["unreadable", []],
  ["hook", []],
])("a question by %s offers, beside once and no, only what would spare the next one: %j", (by, longer) => {
  const labels = ["Yes, once", ...longer, "No"].map(
    (label, index) => `${index === 0 ? "❯" : " "} ${index + 1} ${label}`,
  );
  const question = { ...UNHOOKED, ...(by && { by }) };
  expect(dialog({ question }).rows().slice(2)).toEqual(["┃ this reaches others", ...labels]);
});

const WRITE = { ...QUESTION, toolName: "Write", toolInput: { file_path: "a.txt", content: "one\ntwo" } };

it.each<[what: string, props: Parameters<typeof dialog>[0], from: number, rows: string[]]>([
  [
    "with tool, input, reason and hook",
    { waiting: 2 },
    0,
    [
      "May the agent use Bash?",
      "┃ git push --force",
      "┃ this reaches others",
      "asked by the hook ask-before-push",
      "2 more waiting behind this one",
      "❯ 1 Yes, once",
      "  2 No",
    ],
  ],
  [
    "with what a hook added to the input, and not what it left",
    {
      question: { ...QUESTION, updatedInput: { timeout: 5, command: "git push --force" } },
      rewriter: "add-timeout",
    },
    1,
    ["add-timeout changed the input:", "  ┃ command: git push --force", "+ ┃ timeout: 5"],
  ],
  [
    "with the difference that a rewrite makes",
    { question: { ...WRITE, updatedInput: { file_path: "a.txt", content: "one\n2" } } },
    1,
    [
      "a hook changed the input:",
      "  ┃ file_path: a.txt",
      "  ┃ content:",
      "  ┃   one",
      "- ┃   two",
      "+ ┃   2",
    ],
  ],
  [
    "with the whole of a reason that has room",
    { question: { ...QUESTION, reason: numbered(9, "why").join("\n") } },
    2,
    numbered(9, "┃ why"),
  ],
])("asks %s", (_, props, from, rows) => {
  expect(
    dialog(props)
      .rows()
      .slice(from, from + rows.length),
  ).toEqual(rows);
});

it.each<[what: string, keys: (string | undefined)[], given: (Answer | "abort")[], rules?: string[]]>([
  ["Enter: once", [ENTER], [{ kind: "once" }]],
  ["y: once", ["y"], [{ kind: "once" }]],
  ["a number", ["2"], [{ kind: "session" }]],
  ["arrows", [DOWN, DOWN, ENTER], [{ kind: "always" }]],
  ["keys that come together", [`${DOWN}${DOWN}${ENTER}`], [{ kind: "always" }]],
  ["a number that is none", ["5", "0"], []],
  ["a number without rules", ["3", ENTER], [{ kind: "deny" }], []],
  ["up from the first: no, without a reason", [UP, ENTER, ENTER], [{ kind: "deny" }]],
  ["n and a reason", ["n", "too early", ENTER], [{ kind: "deny", reason: "too early" }]],
  [
    "an empty line that is pasted into the reason",
    ["n", PASTE_BEGINS, ENTER, "not", PASTE_ENDS, " now", ENTER],
    [{ kind: "deny", reason: "not now" }],
  ],
  ["a held backspace", ["n", "on\u007f\u007f", ENTER], [{ kind: "deny" }]],
  ["n, back, and yes", ["n", "too", ESCAPE, "y"], [{ kind: "once" }]],
  ["escape", [ESCAPE], ["abort"]],
  ["words that are no answer", ["yes of course\r"], []],
])("takes %s", async (_, keys, given, rules = RULES) => {
  const { screen, given: seen } = dialog({ question: UNHOOKED, rules });
  await screen.press(...keys);
  await expect.poll(() => seen).toEqual(given);
});

it.each<[answer: Answer, decision: object]>([
  [{ kind: "once" }, { decision: "allow", shouldContinueRecursion: true }],
  [{ kind: "session" }, { decision: "allow", shouldContinueRecursion: true, remember: "session" }],
  [{ kind: "always" }, { decision: "allow", shouldContinueRecursion: true, remember: "always" }],
  [{ kind: "deny" }, { decision: "deny", shouldContinueRecursion: false }],
  [
    { kind: "deny", reason: "later" },
    { decision: "deny", shouldContinueRecursion: false, reason: "later" },
  ],
])("gives the store %j as %j", (answer, decision) => {
  const common = { toolName: "Bash", timestamp: expect.any(Number) };
  expect(decisionOn(QUESTION, answer)).toEqual({ ...common, ...decision });
});

it("takes no key but Escape of someone who is still typing", async () => {
  const { screen, given, rows } = dialog({ isQuiet: false });
  await screen.press("y", "1", ENTER, "n");
  expect(given).toEqual([]);
  expect(rows().slice(-2)).toEqual(["a moment … (Esc aborts)", ""]);
  await screen.press(ESCAPE);
  expect(given).toEqual(["abort"]);
});

it("shows a long input page by page, and is never higher than the terminal", async () => {
  const question = { ...QUESTION, toolInput: { command: numbered(40, "echo").join("\n") } };
  const size = { columns: 44, rows: 20 };
  const { screen } = dialog({ question, size, waiting: 1 });
  const height = permissionHeight({ question, waiting: 1, rules: RULES }, size);
  expect(screen.text().split("\n")).toHaveLength(height);
  expect(height).toBeLessThan(size.rows);
  expect(screen.text()).toMatch(/echo 1 .*part 1 of 5/s);
  await screen.press(RIGHT);
  expect(screen.text()).toMatch(/echo 10 .*part 2 of 5/s);
  await screen.press(LEFT, LEFT, RIGHT, RIGHT, RIGHT);
  expect(screen.text()).toContain("part 4 of 5");
});

it("sets what others wrote apart from its own choices", () => {
  const drawn = "fine\n❯ 1 Yes, once\n  2 No";
  const rows = dialog({ question: { ...QUESTION, toolInput: { command: drawn }, reason: drawn } }).rows();
  expect(rows.filter((row) => /^(?:❯| ) \d/.test(row))).toEqual(["❯ 1 Yes, once", "  2 No"]);
  expect(rows.filter((row) => row.startsWith("┃ "))).toHaveLength(6);
});

it("says that a reason goes on, and shows all of it behind the input", async () => {
  const question = { ...QUESTION, reason: numbered(9, "why").join("\n") };
  const { screen, rows } = dialog({ question, size: { columns: 50, rows: 17 } });
  expect(rows()).toEqual([
    "May the agent use Bash?",
    "┃ git push --force",
    "the reason goes on:",
    "┃ why 5",
    "part 1 of 3 (← → turn the page)",
    ...numbered(4, "┃ why"),
    "… 5 more rows, behind the input",
    "asked by the hook ask-before-push",
    "❯ 1 Yes, once",
    "  2 No",
  ]);
  await screen.press(RIGHT, RIGHT);
  expect(screen.text()).toContain("┃ why 9");
});

it.each([12, 10])("shows first what would run on a screen of %i rows", (height) => {
  const question = { ...QUESTION, reason: LONG, updatedInput: { command: "echo pushed" } };
  const rows = dialog({ question, size: { columns: 40, rows: height } }).rows();
  expect(rows.slice(1, 4)).toEqual(["a hook changed the input:", "- ┃ git push --force", "+ ┃ echo pushed"]);
  expect(rows.length + 2).toBeLessThan(height);
});

it.each([
  { columns: 40, rows: 12, question: UNHOOKED, waiting: 0 },
  { columns: 40, rows: 10, question: UNHOOKED, waiting: 3 },
  { columns: 40, rows: 10, question: { ...UNHOOKED, reason: LONG }, waiting: 0 },
  { columns: 40, rows: 10, question: { ...QUESTION, reason: LONG }, waiting: 3 },
  { columns: 50, rows: 20, question: { ...UNHOOKED, reason: LONG }, waiting: 3 },
])("keeps the question on a screen of $columns×$rows", ({ columns, rows, question, waiting }) => {
  const size = { columns, rows };
  const seen = dialog({ question, size, waiting }).screen.text().split("\n");
  expect(seen.length).toBeLessThan(rows);
  expect(seen).toHaveLength(permissionHeight({ question, waiting, rules: RULES }, size));
  expect(seen[1]).toContain("May the agent use Bash?");
  expect(seen[2]).toContain("git push --force");
  expect(seen.at(-2)).toMatch(/[24] No/);
});

it.each<[what: string, keys: (string | undefined)[], given: TrustAnswer]>([
  ["Enter, which is no", [ENTER], "no"],
  ["the second choice", [DOWN, ENTER], "yes"],
  ["y", ["y"], "yes"],
  ["n", ["n"], "no"],
  ["escape", [ESCAPE], "no"],
  ["escape before y", [`${ESCAPE}y`], "no"],
  ["Ctrl-C", [CTRL_C], "leave"],
  ["Ctrl-C, held", [`${CTRL_C}${CTRL_C}`], "leave"],
  ["Ctrl-D", [CTRL_D], "leave"],
])("takes %s about trust", async (_, keys, given) => {
  const { screen, given: seen } = trustDialog();
  await screen.shows(/│ Trust 1 hook\? +│\n│ ❯ 1 No, go on without +│\n│ {3}2 Yes, as it is now +│/);
  await screen.press(...keys);
  await expect.poll(() => seen).toEqual([given]);
});

it("does not take the letters of someone who began to type before the question of trust was there", async () => {
  const { screen, given } = trustDialog();
  await screen.press(..."really, 2 of my 12 tests", ENTER, DOWN, ENTER);
  expect(given).toEqual([]);
  await screen.shows("❯ 1 No, go on without");
  await screen.press("y");
  expect(given).toEqual(["yes"]);
});

it.each<[key: string | undefined, given: TrustAnswer]>([
  [ESCAPE, "no"],
  [CTRL_C, "leave"],
  [CTRL_D, "leave"],
])("lets someone out of the question of trust who is still typing: %j", async (key, expected) => {
  const { screen, given } = trustDialog();
  await screen.press("w", key);
  expect(given).toEqual([expected]);
});

const NO_ANSWERS: (string | undefined)[][] = [
  ...["y", "1", "2", "n", "\r", "y\r"].map((text) => [`${PASTE_BEGINS}${text}${PASTE_ENDS}`]),
  [PASTE_BEGINS, "y", PASTE_ENDS],
  [PASTE_BEGINS, ENTER, "1", PASTE_ENDS],
  [PASTE_BEGINS, DOWN, "2", `${ESCAPE}[201`, "~"],
  [`${PASTE_BEGINS}some`, "y", PASTE_ENDS],
  // With Ctrl or Alt, a letter is a command and no answer.
  ...["\u0019", "\u000e", `${ESCAPE}\r`].map((key) => [key]),
];

it.each([
  ["of the agent", dialog, "❯ 1 Yes, once", { kind: "once" }],
  ["of trust", trustDialog, "❯ 1 No, go on without", "yes"],
] as const)("a paste or a chord answers no question %s, a key after it does", async (_, ask, first, yes) => {
  const { screen, given } = ask();
  await screen.shows(first);
  for (const keys of NO_ANSWERS) {
    await screen.press(...keys);
    await screen.shows(first);
    expect({ keys, given }).toEqual({ keys, given: [] });
  }
  await screen.press("y");
  expect(given).toEqual([yes]);
});

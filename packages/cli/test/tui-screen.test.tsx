import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "@belay/agent";
import type { PendingPermission } from "@belay/core";
import { expect, it } from "vitest";
import { PermissionDialog, permissionHeight } from "../src/tui/permission.tsx";
import {
  appWith,
  CTRL_C,
  command,
  DOWN,
  ENTER,
  ESCAPE,
  LEFT,
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

function dialog(props: Partial<Parameters<typeof PermissionDialog>[0]> = {}) {
  const given: (Answer | "abort")[] = [];
  const screen = screenOf(
    <PermissionDialog
      question={QUESTION}
      waiting={0}
      rules={["Bash(git push --force)"]}
      size={WIDE}
      isQuiet
      answer={(answer) => given.push(answer)}
      abort={() => given.push("abort")}
      {...props}
    />,
  );
  return { screen, given };
}

/** The rows inside of a frame. */
const inside = (text: string) =>
  text
    .split("\n")
    .slice(1, -1)
    .map((row) => row.replace(/^│ ?/, "").replace(/ *│$/, ""));

it("asks with tool, input, reason and hook", () => {
  expect(inside(dialog({ waiting: 2 }).screen.text())).toEqual([
    "May the agent use Bash?",
    "┃ git push --force",
    "┃ this reaches others",
    "asked by the hook ask-before-push",
    "2 more waiting behind this one",
    "❯ 1 Yes, once",
    "  2 No",
  ]);
});

const SESSION = "Yes, Bash for this session";
const ALWAYS = "Always: Bash(git push --force) (into .belay/settings.local.json)";
const OFFERED: [by: PendingPermission["by"], longer: string[]][] = [
  [undefined, [SESSION, ALWAYS]],
  ["mode", [SESSION, ALWAYS]],
  ["outside", [ALWAYS]],
  ["rule", []],
  ["unreadable", []],
  ["hook", []],
];
it.each(OFFERED)(
  "a question by %s offers, beside once and no, only what would spare the next one: %j",
  (by, longer) => {
    const labels = ["Yes, once", ...longer, "No"].map(
      (label, index) => `${index === 0 ? "❯" : " "} ${index + 1} ${label}`,
    );
    const question = { ...UNHOOKED, ...(by && { by }) };
    expect(inside(dialog({ question }).screen.text()).slice(2)).toEqual(["┃ this reaches others", ...labels]);
  },
);

it("shows what a hook added to the input, and not what it left", () => {
  const question = { ...QUESTION, updatedInput: { timeout: 5, command: "git push --force" } };
  expect(inside(dialog({ question, rewriter: "add-timeout" }).screen.text()).slice(1, 4)).toEqual([
    "add-timeout changed the input:",
    "  ┃ command: git push --force",
    "+ ┃ timeout: 5",
  ]);
});

it("shows a rewritten input as a difference", () => {
  const question = {
    ...QUESTION,
    toolName: "Write",
    toolInput: { file_path: "a.txt", content: "one\ntwo" },
    updatedInput: { file_path: "a.txt", content: "one\n2" },
  };
  const rows = inside(dialog({ question }).screen.text());
  expect(rows.slice(0, 7)).toEqual([
    "May the agent use Write?",
    "a hook changed the input:",
    "  ┃ file_path: a.txt",
    "  ┃ content:",
    "  ┃   one",
    "- ┃   two",
    "+ ┃   2",
  ]);
});

it.each<{
  what: string;
  keys: readonly (string | undefined)[];
  rules?: string[];
  given: (Answer | "abort")[];
}>([
  { what: "Enter: once", keys: [ENTER], given: [{ kind: "once" }] },
  { what: "y: once", keys: ["y"], given: [{ kind: "once" }] },
  { what: "a number", keys: ["2"], given: [{ kind: "session" }] },
  { what: "arrows", keys: [DOWN, DOWN, ENTER], given: [{ kind: "always" }] },
  { what: "keys that come together", keys: [`${DOWN}${DOWN}${ENTER}`], given: [{ kind: "always" }] },
  { what: "a number that is none", keys: ["5", "0"], given: [] },
  { what: "a number without rules", keys: ["3", ENTER], rules: [], given: [{ kind: "deny" }] },
  { what: "up from the first: no, without a reason", keys: [UP, ENTER, ENTER], given: [{ kind: "deny" }] },
  { what: "n and a reason", keys: ["n", "too early", ENTER], given: [{ kind: "deny", reason: "too early" }] },
  { what: "a held backspace", keys: ["n", "on\u007f\u007f", ENTER], given: [{ kind: "deny" }] },
  { what: "n, back, and yes", keys: ["n", "too", ESCAPE, "y"], given: [{ kind: "once" }] },
  { what: "escape", keys: [ESCAPE], given: ["abort"] },
  { what: "words that are no answer", keys: ["yes of course\r"], given: [] },
])("takes $what", async ({ keys, rules = ["Bash(x)"], given }) => {
  const { screen, given: seen } = dialog({ question: UNHOOKED, rules });
  await screen.press(...keys);
  await expect.poll(() => seen).toEqual(given);
});

it("does not take keys of someone who is still typing", async () => {
  const { screen, given } = dialog({ isQuiet: false });
  await screen.press("y", "1", ENTER, "n");
  expect(given).toEqual([]);
  expect(inside(screen.text()).slice(-2)).toEqual(["a moment … (Esc aborts)", ""]);
});

it("aborts at Escape, also of someone who is still typing", async () => {
  const { screen, given } = dialog({ isQuiet: false });
  await screen.press(ESCAPE);
  expect(given).toEqual(["abort"]);
});

it("shows a long input page by page, and is never higher than the terminal", async () => {
  const command = Array.from({ length: 40 }, (_, index) => `echo ${index + 1}`).join("\n");
  const question = { ...QUESTION, toolInput: { command } };
  const size = { columns: 44, rows: 20 };
  const { screen } = dialog({ question, size, waiting: 1 });
  const height = permissionHeight({ question, waiting: 1, rules: ["Bash(git push --force)"] }, size);
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
  const question = { ...QUESTION, toolInput: { command: drawn }, reason: drawn };
  const rows = inside(dialog({ question }).screen.text());
  expect(rows.filter((row) => /^(?:❯| ) \d/.test(row))).toEqual(["❯ 1 Yes, once", "  2 No"]);
  expect(rows.filter((row) => row.startsWith("┃ "))).toHaveLength(6);
});

it("shows the whole of a reason that has room", () => {
  const reason = Array.from({ length: 9 }, (_, index) => `why ${index + 1}`).join("\n");
  const rows = inside(dialog({ question: { ...QUESTION, reason } }).screen.text());
  expect(rows.slice(2, 11)).toEqual(reason.split("\n").map((row) => `┃ ${row}`));
});

it("says that a reason goes on, and shows all of it behind the input", async () => {
  const reason = Array.from({ length: 9 }, (_, index) => `why ${index + 1}`).join("\n");
  const size = { columns: 50, rows: 17 };
  const { screen } = dialog({ question: { ...QUESTION, reason }, size });
  expect(inside(screen.text())).toEqual([
    "May the agent use Bash?",
    "┃ git push --force",
    "the reason goes on:",
    "┃ why 5",
    "part 1 of 3 (← → turn the page)",
    ...[1, 2, 3, 4].map((number) => `┃ why ${number}`),
    "… 5 more rows, behind the input",
    "asked by the hook ask-before-push",
    "❯ 1 Yes, once",
    "  2 No",
  ]);
  await screen.press(RIGHT, RIGHT);
  expect(screen.text()).toContain("┃ why 9");
});

it.each([12, 10])("shows first what would run on a screen of %i rows", (rows) => {
  const question = { ...QUESTION, reason: LONG, updatedInput: { command: "echo pushed" } };
  const seen = inside(dialog({ question, size: { columns: 40, rows } }).screen.text());
  expect(seen.slice(0, 4)).toEqual([
    "May the agent use Bash?",
    "a hook changed the input:",
    "- ┃ git push --force",
    "+ ┃ echo pushed",
  ]);
  expect(seen.length + 2).toBeLessThan(rows);
});

const LONG = "a reason that goes on ".repeat(12);

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
  expect(seen).toHaveLength(permissionHeight({ question, waiting, rules: ["Bash(git push --force)"] }, size));
  expect(seen[1]).toContain("May the agent use Bash?");
  expect(seen[2]).toContain("git push --force");
  expect(seen.at(-2)).toMatch(/[24] No/);
});

it("does not type the key that answers a question, nor the one that closes a panel", async () => {
  const { agent, screen } = await appWith({});
  await screen.press("run echo done-it\r");
  await screen.shows("1 Yes, once");
  await screen.press("1");
  await screen.shows("● Bash echo done-it");
  await expect.poll(() => agent.state.isBusy).toBe(false);
  await screen.press("/help\r");
  await screen.shows("belay chat");
  await screen.press("q");
  await screen.shows("›   ask for something, or /help");
});

it("takes a paste whose end mark comes in two reads", async () => {
  const { screen } = await appWith({});
  await screen.press(`${ESCAPE}[200~run echo`, `${ESCAPE}[201`, "~", " pasted", ENTER);
  await screen.shows(/May the agent use Bash\?.*echo pasted/s);
});

it("keeps what is typed while the agent works, and opens panels meanwhile", async () => {
  const { agent, screen } = await appWith({ UserPromptSubmit: [{ hooks: [command("slow", "sleep 30")] }] });
  await screen.press("hello\r");
  await screen.shows(/hook slow \(UserPromptSubmit\), \d\.\d s \(Esc aborts\)/);
  await screen.press("next\r");
  await screen.shows("The agent is at work: this can be sent when it is done");
  await screen.press("!");
  await screen.shows("› next!");
  await screen.press(CTRL_C);
  await screen.shows("⚠ Aborted.");
  await screen.shows("› next!");
  await expect.poll(() => agent.state.isBusy).toBe(false);
  await screen.press(CTRL_C, "/hooks\r");
  await screen.shows("1 hook");
});

it("tells that a rule could not be stored", async () => {
  const { project, screen } = await appWith({});
  await screen.press("run echo hi\r");
  await screen.shows("3 Always");
  mkdirSync(join(project, ".belay", "settings.local.json"), { recursive: true });
  await screen.press("3");
  await screen.shows(/● Bash echo hi.*⚠ Allowed this once: the rule could not be stored/s);
});

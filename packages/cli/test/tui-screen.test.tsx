import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Agent, type Answer, createAgent, offlineModel } from "@belay/agent";
import type { PendingPermission } from "@belay/core";
import { createHookEventStore, HookEventProvider } from "@belay/react";
import { render } from "ink-testing-library";
import type { ReactElement } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import { App } from "../src/tui/app.tsx";
import { HelpView, HistoryView, HooksView } from "../src/tui/panels.tsx";
import { PermissionDialog } from "../src/tui/permission.tsx";
import { permissionHeight } from "../src/tui/permission-layout.ts";
import { storeFor } from "../src/tui/store.ts";
import { type TrustAnswer, TrustQuestion } from "../src/tui/trust.tsx";

// Ink draws only the last frame where it sees a CI; it looks when it is loaded.
vi.hoisted(() => {
  for (const name of ["CI", "CONTINUOUS_INTEGRATION"]) delete process.env[name];
});

const ESCAPE = "\u001b";
const [UP, DOWN, LEFT, RIGHT] = ["A", "B", "D", "C"].map((letter) => `${ESCAPE}[${letter}`);
const [ENTER, CTRL_C, CTRL_D, CTRL_O] = ["\r", "\u0003", "\u0004", "\u000f"];
const WIDE = { columns: 80, rows: 30 };

interface Screen {
  /** Without colours, and without spaces at the ends of rows. */
  text(): string;
  press(...keys: (string | undefined)[]): Promise<void>;
  shows(text: string | RegExp): Promise<void>;
}

function screenOf(element: ReactElement): Screen {
  const { lastFrame, stdin, unmount } = render(element);
  onTestFinished(unmount);
  const text = () => stripVTControlCharacters(lastFrame() ?? "").replaceAll(/ +$/gm, "");
  return {
    text,
    press: async (...keys) => {
      for (const key of keys) {
        // What is on the screen listens a moment after it was drawn, not sooner.
        await new Promise((resolve) => setTimeout(resolve, 20));
        stdin.write(key ?? "");
        // A lone escape is known for one only when nothing follows it for a moment.
        await new Promise((resolve) => setTimeout(resolve, key === ESCAPE ? 60 : 0));
      }
    },
    shows: async (wanted) => {
      if (typeof wanted === "string") await expect.poll(text, { timeout: 15_000 }).toContain(wanted);
      else await expect.poll(text, { timeout: 15_000 }).toMatch(wanted);
    },
  };
}

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
  { what: "n, back, and yes", keys: ["n", "too", ESCAPE, "y"], given: [{ kind: "once" }] },
  { what: "escape", keys: [ESCAPE], given: ["abort"] },
  { what: "words that are no answer", keys: ["yes of course\r"], given: [] },
])("takes $what", async ({ keys, rules = ["Bash(x)"], given }) => {
  const { screen, given: seen } = dialog({ question: UNHOOKED, rules });
  await screen.press(...keys);
  expect(seen).toEqual(given);
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

it.each<{ what: string; keys: readonly (string | undefined)[]; given: TrustAnswer }>([
  { what: "Enter, which is no", keys: [ENTER], given: "no" },
  { what: "the second choice", keys: [DOWN, ENTER], given: "yes" },
  { what: "y", keys: ["y"], given: "yes" },
  { what: "n", keys: ["n"], given: "no" },
  { what: "escape", keys: [ESCAPE], given: "no" },
  { what: "Ctrl-C", keys: [CTRL_C], given: "leave" },
  { what: "Ctrl-D", keys: [CTRL_D], given: "leave" },
])("takes $what about trust", async ({ keys, given }) => {
  const seen: TrustAnswer[] = [];
  const screen = screenOf(<TrustQuestion title="Trust 1 hook?" answer={(answer) => seen.push(answer)} />);
  expect(inside(screen.text())).toEqual(["Trust 1 hook?", "❯ 1 No, go on without", "  2 Yes, as it is now"]);
  await screen.press(...keys);
  expect(seen).toEqual([given]);
});

/** An agent with the offline model, and these hooks in the user's own file. */
async function agentWith(hooks: object): Promise<{ agent: Agent; project: string }> {
  const root = mkdtempSync(join(tmpdir(), "belay-tui-"));
  const [home, project] = [join(root, "home"), join(root, "project")];
  mkdirSync(join(home, ".belay"), { recursive: true });
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(home, ".belay", "settings.json"), JSON.stringify({ hooks }));
  const agent = await createAgent({ cwd: project, home, model: offlineModel(), isAttended: true });
  onTestFinished(async () => {
    await agent.close("other");
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });
  return { agent, project };
}

const command = (name: string, line: string) => ({ type: "command", name, command: line });
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
  const screen = screenOf(
    <HookEventProvider store={store}>
      <HooksView agent={agent} size={WIDE} close={() => (closed += 1)} />
    </HookEventProvider>,
  );
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

it("knows what hooks did before there was a screen, and what they added", async () => {
  const answer = { hookEventName: "SessionStart", additionalContext: "it is Monday" };
  const line = `printf '%s' '${JSON.stringify({ systemMessage: "hello", hookSpecificOutput: answer })}'`;
  const { agent } = await agentWith({ SessionStart: [{ hooks: [command("notes", line)] }] });
  expect(storeFor(agent).getSnapshot().hookExecutionHistory).toMatchObject([
    { hookEvent: "SessionStart", hook: "notes", decision: "context, message" },
  ]);
});

it("looks through many hooks on a small screen", async () => {
  const many = Array.from({ length: 9 }, (_, index) => command(`hook-${index + 1}`, "exit 0"));
  const { agent } = await agentWith({ Stop: [{ hooks: many }] });
  const screen = screenOf(
    <HookEventProvider store={storeFor(agent)}>
      <HooksView agent={agent} size={{ columns: 44, rows: 20 }} close={() => {}} />
    </HookEventProvider>,
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
  const screen = screenOf(
    <HookEventProvider store={store}>
      <HistoryView size={{ columns: 44, rows: 20 }} close={() => {}} />
    </HookEventProvider>,
  );
  expect(screen.text()).toMatch(/30 runs of hooks.*hook-18\b.*hook-30\b/s);
  expect(screen.text()).not.toMatch(/hook-17\b/);
  await screen.press(UP);
  expect(screen.text()).toMatch(/hook-17\b/);
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

async function appWith(hooks: object) {
  const { agent, project } = await agentWith(hooks);
  const screen = screenOf(
    <HookEventProvider store={storeFor(agent)}>
      <App agent={agent} />
    </HookEventProvider>,
  );
  return { agent, project, screen };
}

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

it("shows what is added to a message that has scrolled away", async () => {
  const { agent, screen } = await appWith({});
  agent.warn("the first of them");
  await screen.shows("⚠ the first of them");
  agent.warn("the second of them");
  await screen.shows(/⚠ the first of them.*⚠ the second of them/s);
});

it("takes a prompt away that a hook blocks, and says why", async () => {
  const hooks = { UserPromptSubmit: [{ hooks: [command("secrets", "echo 'no keys here' >&2; exit 2")] }] };
  const { screen } = await appWith(hooks);
  await screen.press("my key is hunter2\r");
  await screen.shows("✗ secrets: no keys here");
  await screen.shows("ask for something");
  expect(screen.text()).not.toContain("hunter2");
});

it("opens and closes tool blocks", async () => {
  const { screen } = await appWith({});
  await screen.press("run seq 1 9\r");
  await screen.shows("1 Yes, once");
  await screen.press("y");
  await screen.shows("… 6 more lines (Ctrl-O opens)");
  expect(screen.text()).not.toMatch(/^ {2}9$/m);
  await screen.press(CTRL_O);
  await screen.shows(/^ {2}9$/m);
});

it("says what Ctrl-C would do before it ends the session", async () => {
  const { screen } = await appWith({});
  await screen.press(CTRL_C);
  await screen.shows("Ctrl-C once more ends the session");
  await screen.press("a");
  expect(screen.text()).not.toContain("once more");
  await screen.press(CTRL_C, CTRL_C);
  await screen.shows("once more");
  await screen.press(CTRL_C);
  await expect.poll(screen.text).toBe("");
});

it("tells that a rule could not be stored", async () => {
  const { project, screen } = await appWith({});
  await screen.press("run echo hi\r");
  await screen.shows("3 Always");
  mkdirSync(join(project, ".belay", "settings.local.json"), { recursive: true });
  await screen.press("3");
  await screen.shows(/● Bash echo hi.*⚠ Allowed this once: the rule could not be stored/s);
});

it("keeps what was said on the screen when the user leaves a question", async () => {
  const { screen } = await appWith({});
  await screen.press("run echo hi\r");
  await screen.shows("1 Yes, once");
  await screen.press(CTRL_D);
  await expect.poll(screen.text).not.toContain("Yes, once");
  expect(screen.text()).toMatch(/› run echo hi.*\? Bash echo hi/s);
});

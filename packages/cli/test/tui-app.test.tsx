import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { appWith, CTRL_C, command, ENTER, ESCAPE, LEFT, PASTE_BEGINS, PASTE_ENDS } from "./screens.tsx";

const ASKS = "❯ 1 Yes, once";
const WAITS = command("waits", "while ! test -e go; do sleep 0.05; done");

it("shows what is added to a message that has scrolled away", async () => {
  const { agent, screen } = await appWith({});
  agent.warn("the first of them");
  await screen.shows("⚠ the first of them");
  agent.warn("the second of them");
  await screen.shows(/⚠ the first of them.*⚠ the second of them/s);
});

it("gives answers to the agent through the store", async () => {
  const { agent, answers, screen } = await appWith({});
  for (const [prompt, keys, shown] of [
    ["run echo one", ["n", ENTER], /The user did not allow this\.$/m],
    ["run echo two", ["n", "later", ENTER], /The user did not allow this: later$/m],
    ["run echo three", ["1"], /● Bash echo three/],
    ["run echo four", ["3"], /● Bash echo four/],
    ["run echo five", ["2"], /● Bash echo five/],
  ] as const) {
    await screen.press(prompt, ENTER);
    await screen.shows(ASKS);
    await screen.press(...keys);
    await screen.shows(shown);
    await expect.poll(() => agent.state.isBusy).toBe(false);
  }
  expect(answers).toEqual([
    { kind: "deny" },
    { kind: "deny", reason: "later" },
    { kind: "once" },
    { kind: "always" },
    { kind: "session" },
  ]);
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

it.each([ESCAPE, CTRL_C])("ends a hook that has outlived the turn by %j, as it says", async (key) => {
  const { screen } = await appWith({ Notification: [{ hooks: [command("sleepy", "sleep 20")] }] });
  await screen.press("run echo hi\r");
  await screen.shows(ASKS);
  await screen.press("y");
  await screen.shows(/I ran `echo hi`.*hook sleepy \(Notification\), .* \(Esc aborts\)/s);
  await screen.press(key);
  await expect.poll(screen.text).not.toContain("Esc aborts");
});

it("keeps what is typed while the agent works, opens panels meanwhile, and says which key aborts", async () => {
  const { agent, project, screen } = await appWith({ UserPromptSubmit: [{ hooks: [WAITS] }] });
  await screen.press("hello\r");
  await screen.shows(/hook waits \(UserPromptSubmit\), \d\.\d s \(Esc aborts\)/);
  await screen.press("/help\r");
  await screen.shows(/hook waits .* \(Ctrl-C aborts\).*Esc close/s);
  await screen.press(ESCAPE);
  await screen.shows(/hook waits .* \(Esc aborts\)/);
  await screen.press("/help\r");
  await screen.shows("Esc close");
  await screen.press(CTRL_C, ESCAPE);
  await screen.shows("⚠ Aborted.");
  await expect.poll(() => agent.state.isBusy).toBe(false);
  await screen.press("hello\r");
  await screen.shows("hook waits");
  await screen.press("next\r");
  await screen.shows("The agent is at work: this can be sent when it is done");
  writeFileSync(join(project, "go"), "");
  await screen.shows(/^(?!.*The agent is at work).*› next/s);
});

it.each([
  { read: "abcd\u007f\u007f\u0001x", seen: /^› xab/m },
  { read: `${CTRL_C}${CTRL_C}${CTRL_C}`, seen: /^$/ },
  { read: `/help\r${ESCAPE}/hlp\r`, seen: /there is no command \/hlp/ },
  { read: `/hooks\r${ESCAPE} typed`, seen: /^› {2}typed/m },
  { read: `/help\r${ESCAPE}${ESCAPE}found`, seen: /^› found/m },
  { read: `ab${ESCAPE}${LEFT}c`, seen: /^› acb/m },
  { read: `${ESCAPE}find it`, seen: /^› find it/m },
  { read: `ab${ESCAPE}\rc`, seen: /^› ab\n {2}c/m },
  { read: "ab", next: `${ESCAPE}b`, seen: /^› ab\n/m },
])("takes keys one by one that came in one read: $read $next", async ({ read, next = "", seen }) => {
  const { screen } = await appWith({});
  await screen.press(read, next);
  await screen.shows(seen);
});

it("hands no key behind an Escape to the question that the Escape ended", async () => {
  const { agent, project, screen } = await appWith({});
  await screen.press("run touch done, run touch done\r");
  await screen.shows(ASKS);
  await screen.press(`${ESCAPE}1`);
  await screen.shows("⚠ Aborted.");
  await expect.poll(() => agent.state.isBusy).toBe(false);
  expect(existsSync(join(project, "done"))).toBe(false);
});

it("keeps controls in a paste as they are", async () => {
  const { screen } = await appWith({});
  await screen.press(PASTE_BEGINS, `a${CTRL_C}${CTRL_C}${CTRL_C}b`, PASTE_ENDS);
  await screen.shows("› a\\u0003\\u0003\\u0003b");
});

it("goes on in the prompt with a paste that a question comes into, and answers nothing by it", async () => {
  const { agent, project, screen } = await appWith({ PreToolUse: [{ hooks: [WAITS] }] });
  await screen.press("run true", ENTER);
  await screen.shows("hook waits");
  await screen.press(PASTE_BEGINS, "one");
  writeFileSync(join(project, "go"), "");
  await screen.shows(ASKS);
  await screen.press(ENTER, "2", PASTE_ENDS);
  await screen.press("n");
  await screen.shows("Why not?");
  await screen.press(ENTER);
  await screen.shows(/› one\n {2}2/);
  await screen.press(" three", ENTER);
  const prompts = () => agent.state.messages.filter(({ source }) => source === "prompt");
  await expect.poll(() => prompts().at(-1)?.blocks[0]).toMatchObject({ content: "one\n2 three" });
});

it("does not type the key that answers a question, nor the one that closes a panel", async () => {
  const { agent, screen } = await appWith({});
  await screen.press("run echo done-it\r");
  await screen.shows(ASKS);
  await screen.press("1");
  await screen.shows("● Bash echo done-it");
  await expect.poll(() => agent.state.isBusy).toBe(false);
  await screen.press("/help\r");
  await screen.shows("belay chat");
  await screen.press("q");
  await screen.shows("›   ask for something, or /help");
});

it("tells that a rule could not be stored", async () => {
  const { project, screen } = await appWith({});
  await screen.press("run echo hi\r");
  await screen.shows("3 Always");
  mkdirSync(join(project, ".belay", "settings.local.json"), { recursive: true });
  await screen.press("3");
  await screen.shows(/● Bash echo hi.*⚠ Allowed this once: the rule could not be stored/s);
});

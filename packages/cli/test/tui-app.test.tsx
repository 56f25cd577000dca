import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { appWith, CTRL_C, CTRL_D, CTRL_O, command, ESCAPE, LEFT } from "./screens.tsx";

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

it.each([ESCAPE, CTRL_C])("ends a hook that has outlived the turn by %j, as it says", async (key) => {
  const { screen } = await appWith({ Notification: [{ hooks: [command("sleepy", "sleep 20")] }] });
  await screen.press("run echo hi\r");
  await screen.shows("1 Yes, once");
  await screen.press("y");
  await screen.shows(/I ran `echo hi`.*hook sleepy \(Notification\), .* \(Esc aborts\)/s);
  await screen.press(key);
  await expect.poll(screen.text).not.toContain("Esc aborts");
});

it("does not say that the agent is at work when it is done", async () => {
  const { screen } = await appWith({ UserPromptSubmit: [{ hooks: [command("slow", "sleep 2")] }] });
  await screen.press("hello\r");
  await screen.shows("hook slow");
  await screen.press("next\r");
  await screen.shows("The agent is at work");
  await screen.shows(/^(?!.*The agent is at work).*› next/s);
});

it("says which key aborts while a panel is open: Esc closes that", async () => {
  const { screen } = await appWith({ UserPromptSubmit: [{ hooks: [command("slow", "sleep 30")] }] });
  await screen.press("hello\r");
  await screen.shows(/hook slow .* \(Esc aborts\)/);
  await screen.press("/help\r");
  await screen.shows(/hook slow .* \(Ctrl-C aborts\).*Esc close/s);
  await screen.press(ESCAPE);
  await screen.shows(/hook slow .* \(Esc aborts\)/);
  await screen.press("/help\r");
  await screen.shows("Esc close");
  await screen.press(CTRL_C, ESCAPE);
  await screen.shows("⚠ Aborted.");
});

it("keeps what was said on the screen when the user leaves a question", async () => {
  const { screen } = await appWith({});
  await screen.press("run echo hi\r");
  await screen.shows("1 Yes, once");
  await screen.press(CTRL_D);
  await expect.poll(screen.text).not.toContain("Yes, once");
  expect(screen.text()).toMatch(/› run echo hi.*\? Bash echo hi/s);
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
  await screen.shows("1 Yes, once");
  await screen.press(`${ESCAPE}1`);
  await screen.shows("⚠ Aborted.");
  await expect.poll(() => agent.state.isBusy).toBe(false);
  expect(existsSync(join(project, "done"))).toBe(false);
});

it("keeps controls in a paste as they are", async () => {
  const { screen } = await appWith({});
  await screen.press("\u001b[200~", `a${CTRL_C}${CTRL_C}${CTRL_C}b`, "\u001b[201~");
  await screen.shows("› a\\u0003\\u0003\\u0003b");
});

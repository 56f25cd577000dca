import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "@belay/agent";
import { expect, it } from "vitest";
import { PermissionDialog } from "../src/tui/permission.tsx";
import { type TrustAnswer, TrustQuestion } from "../src/tui/trust.tsx";
import { appWith, command, DOWN, ENTER, ESCAPE, screenOf, WIDE } from "./screens.tsx";

const [BEGINS, ENDS] = [`${ESCAPE}[200~`, `${ESCAPE}[201~`];

const PASTES: (string | undefined)[][] = [
  ...["y", "1", "2", "n", "\r", "y\r"].map((text) => [`${BEGINS}${text}${ENDS}`]),
  [BEGINS, "y", ENDS],
  [BEGINS, ENTER, "1", ENDS],
  [BEGINS, DOWN, "2", `${ESCAPE}[201`, "~"],
  [`${BEGINS}some`, "y", ENDS],
];
/** With Ctrl, a letter is a command and no answer. */
const CHORDS = ["\u0019", "\u000e", `${ESCAPE}\r`].map((key) => [key]);
const NO_ANSWERS: (string | undefined)[][] = [...PASTES, ...CHORDS];

it("a paste or a chord answers no question of the agent, a key after it does", async () => {
  const given: (Answer | "abort")[] = [];
  const screen = screenOf(
    <PermissionDialog
      question={{ id: "1", toolName: "Bash", toolInput: { command: "true" }, reason: "why", timestamp: 0 }}
      waiting={0}
      rules={[]}
      size={WIDE}
      isQuiet
      answer={(answer) => given.push(answer)}
      abort={() => given.push("abort")}
    />,
  );
  for (const keys of NO_ANSWERS) {
    await screen.press(...keys);
    await screen.shows("❯ 1 Yes, once");
    expect({ keys, given }).toEqual({ keys, given: [] });
  }
  await screen.press("y");
  expect(given).toEqual([{ kind: "once" }]);
});

it("nor the one about trust", async () => {
  const given: TrustAnswer[] = [];
  const screen = screenOf(<TrustQuestion title="Trust 1 hook?" answer={(answer) => given.push(answer)} />);
  await screen.shows("1 No");
  for (const keys of NO_ANSWERS) {
    await screen.press(...keys);
    await screen.shows("❯ 1 No, go on without");
    expect({ keys, given }).toEqual({ keys, given: [] });
  }
  await screen.press("y");
  expect(given).toEqual(["yes"]);
});

const WAITS = {
  PreToolUse: [{ hooks: [command("waits", "while ! test -e go; do sleep 0.05; done")] }],
};

it("a paste that a question comes into goes on in the prompt, and answers nothing", async () => {
  const { agent, project, screen } = await appWith(WAITS);
  await screen.press("run true", ENTER);
  await screen.shows("hook waits");
  await screen.press(BEGINS, "one");
  writeFileSync(join(project, "go"), "");
  await screen.shows("❯ 1 Yes, once");
  await screen.press(ENTER, "2", ENDS);
  await screen.press("n");
  await screen.shows("Why not?");
  await screen.press(ENTER);
  await screen.shows(/› one\n {2}2/);
  await screen.press(" three", ENTER);
  const prompts = () => agent.state.messages.filter(({ source }) => source === "prompt");
  await expect.poll(() => prompts().at(-1)?.blocks[0]).toMatchObject({ content: "one\n2 three" });
});

it("an empty line that is pasted into the reason does not end it", async () => {
  const { screen, agent } = await appWith({});
  await screen.press("run true", ENTER);
  await screen.shows("❯ 1 Yes, once");
  await screen.press("n", BEGINS, ENTER, "not", ENDS, " now", ENTER);
  const calls = () =>
    agent.state.messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === "tool"));
  await expect.poll(calls).toMatchObject([{ result: "The user did not allow this: not now" }]);
});

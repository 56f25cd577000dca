import type { Answer } from "@belay/agent";
import { expect, it, vi } from "vitest";
import { PermissionDialog } from "../src/tui/permission.tsx";
import { type TrustAnswer, TrustQuestion } from "../src/tui/trust.tsx";
import { DOWN, ENTER, ESCAPE, screenOf, WIDE } from "./screens.tsx";

// Ink draws only the last frame where it sees a CI; it looks when it is loaded.
vi.hoisted(() => {
  for (const name of ["CI", "CONTINUOUS_INTEGRATION"]) delete process.env[name];
});

const [BEGINS, ENDS] = [`${ESCAPE}[200~`, `${ESCAPE}[201~`];

const PASTES: (string | undefined)[][] = [
  ...["y", "1", "2", "n", "\r", "y\r"].map((text) => [`${BEGINS}${text}${ENDS}`]),
  [BEGINS, "y", ENDS],
  [BEGINS, ENTER, "1", ENDS],
  [BEGINS, DOWN, "2", `${ESCAPE}[201`, "~"],
  [`${BEGINS}some`, "y", ENDS],
];
/** With Ctrl or Alt, a letter is a command and no answer. */
const CHORDS = ["\u0019", "\u000e", `${ESCAPE}y`, `${ESCAPE}1`].map((key) => [key]);
const NO_ANSWERS: (string | undefined)[][] = [...PASTES, ...CHORDS];

it.each(NO_ANSWERS)(
  "a paste or a chord answers no question of the agent, a key after it does: %j %j %j %j",
  async (...keys) => {
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
    await screen.press(...keys.filter((key) => key !== undefined));
    await screen.shows("❯ 1 Yes, once");
    expect(given).toEqual([]);
    await screen.press("y");
    expect(given).toEqual([{ kind: "once" }]);
  },
);

it.each(NO_ANSWERS)("nor the one about trust: %j %j %j %j", async (...keys) => {
  const given: TrustAnswer[] = [];
  const screen = screenOf(<TrustQuestion title="Trust 1 hook?" answer={(answer) => given.push(answer)} />);
  await screen.press(...keys.filter((key) => key !== undefined));
  await screen.shows("❯ 1 No, go on without");
  expect(given).toEqual([]);
  await screen.press("y");
  expect(given).toEqual(["yes"]);
});

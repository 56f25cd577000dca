import { expect, it } from "vitest";
import { codes, scratch } from "./scratch.ts";

/** Some interpreters exit with 2, which denies, some with 1, a shell perhaps with 127: that the script is missing is said of each. */
const ROWS: [command: string, decisions: string[]][] = [
  [`"${process.execPath}" missing.js`, ["none"]],
  ["sh ./missing.sh", ["deny", "none"]],
  ["python3 missing.py", ["deny", "none"]],
  [". ./missing.sh && exit 0", ["deny", "none"]],
];

it.each(ROWS)("%s", async (command, decisions) => {
  const engine = await scratch().engineFor("PreToolUse", [{ type: "command", command }]);
  const outcome = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
  expect(decisions).toContain(outcome.decision.kind);
  expect(["run-script-not-found", "run-not-started"]).toContain(codes(outcome)[0]);
  const told = outcome.messages.filter(({ to }) => to === "user").map(({ block }) => block.content);
  expect(told.join("\n")).toMatch(/missing\.|not found/);
});

it.each([
  ["sh", ":\nno-such-program --now", "no-such-program"],
  ["bash", ":\nno-such-program --now", "no-such-program"],
  ["bash", ": > plain\necho first >&2\n./plain", "./plain"],
  ["sh", "exec no-such-program --now", "no-such-program"],
  ["bash", "exec no-such-program --now", "no-such-program"],
  ["sh", "eval no-such-program --now", "no-such-program"],
  // As zsh says it, which few machines have.
  ["sh", "echo './notify.sh:2: command not found: no-such-program' >&2\nexit 127", "no-such-program"],
])("a program that a script of %s calls last is named: %j", async (shell, text, program) => {
  const room = scratch();
  room.write("project/notify.sh", `#!/usr/bin/env ${shell}\n${text}\n`, 0o755);
  const engine = await room.engineFor("PreToolUse", [{ type: "command", command: "./notify.sh" }]);
  const { diagnostics } = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
  expect(diagnostics).toMatchObject([
    {
      code: "run-program-not-started",
      message: expect.stringContaining(`could not start "${program}": exit 12`),
    },
  ]);
});

it.each(["./guard.sh", "sh guard.sh"])(
  "a file that a script does not find is another matter: %s",
  async (command) => {
    const room = scratch();
    room.write(
      "project/guard.sh",
      '#!/bin/sh\nread -r allowed < allowed.txt\n[ "$allowed" = yes ] || exit 2\n',
      0o755,
    );
    const engine = await room.engineFor("PreToolUse", [{ type: "command", command }]);
    const outcome = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
    expect([outcome.decision.kind, codes(outcome)]).toEqual(["deny", []]);
  },
);

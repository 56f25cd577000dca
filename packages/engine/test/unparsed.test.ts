import { describe, expect, it } from "vitest";
import { unparsedBy } from "../src/runners/unparsed.ts";

/** What shells say, and of whose script; what real ones say is tested with `belay test`. */
describe("a shell could not read the hook", () => {
  const DASH = '/p/g.sh: 3: Syntax error: ")" unexpected\n';
  const BASH = "./g.sh: line 3: syntax error near unexpected token `)'\n./g.sh: line 3: `echo )'\n";
  const EOF = "g.sh: line 1: unexpected EOF while looking for matching `\"'\n";
  const COMMAND = "/bin/sh: 1: Syntax error: Unterminated quoted string\n";
  const AS_SH = "/bin/sh: -c: line 1: syntax error near unexpected token `)'\n";
  const ran = (stderr: string, facts: object = {}) => ({
    ...{ exitCode: 2, stdout: "", stderr, executionTime: 1, timedOut: false, truncated: false },
    ...facts,
  });

  it.each([
    ['"$BELAY_PROJECT_DIR"/g.sh', undefined, DASH, { script: "/p/g.sh", problem: '")" unexpected' }],
    [
      "cd /p && ./g.sh;",
      undefined,
      BASH,
      { script: "./g.sh", problem: expect.stringMatching("^syntax error") },
    ],
    ["bash", ["hooks/g.sh"], EOF, { script: "g.sh", problem: expect.stringMatching("^unexpected EOF") }],
    ["echo 'x", undefined, COMMAND, { problem: "Unterminated quoted string" }],
    ["echo )", undefined, AS_SH, { problem: expect.stringMatching("^syntax error near") }],
  ])("%s %j: %s", (command, args, stderr, said) => {
    expect(unparsedBy(ran(stderr), command, args)).toEqual(said);
  });

  it.each([
    ["another script, which the hook looks at", "./lint.sh", BASH, {}],
    ["a script that a guard has read", "bash -n g.sh", BASH, {}],
    ["a command that the hook looks at", "./g.sh", "sh: 1: Syntax error: oops", {}],
    ["one that a program looks at", "./g.sh --strict", COMMAND, {}],
    ["one that the command itself looks at", '/bin/sh -c "$x" || exit 2', COMMAND, {}],
    ["an eval of the hook", "./g.sh", "g.sh: 1: eval: Syntax error: oops", {}],
    ["words of the hook", "./g.sh", "Syntax error: mind your words", {}],
    ["a longer story", "./g.sh", `this is wrong:\n${DASH}`, {}],
    ["a long one", "./g.sh", DASH + "x".repeat(5000), {}],
    ["another exit code", "./g.sh", DASH, { exitCode: 1 }],
    ["an answer", "./g.sh", DASH, { stdout: "{}" }],
  ])("is not told of %s", (_, command, stderr, facts) => {
    expect(unparsedBy(ran(stderr, facts), command, undefined)).toBeUndefined();
  });
});

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { BIN, scratch } from "./cli.ts";

/** Each list holds the one before it ten times: few lines of text, and by the last 10 to the power of `last + 1` values. */
function lists(last: number, first = "[lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]"): string {
  const rest = Array.from({ length: last }, (_, index) => {
    const before = Array.from({ length: 10 }, () => `*x${index}`).join(", ");
    return `x${index + 1}: &x${index + 1} [${before}]`;
  });
  return [`x0: &x0 ${first}`, ...rest].map((line) => `      ${line}\n`).join("");
}

const within = (payload: string, more = "") => `hook: "true"
cases:
  - name: a
    event: PreToolUse
    payload:
${payload}    expect: { decision: none }
${more}`;

const inDefaults = (payload: string) => `hook: "true"
defaults:
    event: PreToolUse
    payload:
${payload}cases: [{ name: a, expect: { decision: none } }]
`;

/** Whoever reads what has no end does not hear a signal. */
async function tested(text: string, args: readonly string[] = []) {
  const { file, project, home } = scratch();
  file("a.hooks.yaml", text);
  const running = promisify(execFile)(process.execPath, [BIN, "test", ...args], {
    cwd: project,
    env: { ...process.env, HOME: home, NO_COLOR: "1", COLUMNS: "200" },
    timeout: 20_000,
    killSignal: "SIGKILL",
  });
  return running.then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }: { code: number | null; stderr: string }) => ({ code, said: stderr }),
  );
}

const SAID = "what its aliases stand for adds up to more than 16777216 characters; repeat less of it";

describe("a case file whose aliases stand for more than anybody can hold is refused at its line", () => {
  const ROWS: [what: string, text: string, line: number, args?: readonly string[]][] = [
    ["a payload", within(lists(9)), 12],
    ["the payload of all cases", inDefaults(lists(9)), 11],
    ["--update", within(lists(9)), 12, ["--update"]],
    ["--coverage", within(lists(9)), 12, ["--coverage"]],
    ["a long text", within(lists(4, "x".repeat(2000))), 10],
    ["a field that is none", within(lists(3), lists(9).replaceAll("  ", "").replaceAll("x", "y")), 17],
  ];
  it.each(ROWS)("%s", async (_, text, line, args) => {
    const { code, said } = await tested(text, args);
    expect({ code, said }).toEqual({
      code: 1,
      said: expect.stringContaining(`a.hooks.yaml:${line}: ${SAID}\n`),
    });
  });

  it("and one whose aliases stand for much is run", async () => {
    expect(await tested(within(lists(4)))).toEqual({ code: 0, said: expect.stringContaining("1 passed") });
  });
});

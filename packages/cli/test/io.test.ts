import { describe, expect, it } from "vitest";
import { processIo } from "../src/io.ts";
import { scratch } from "./cli.ts";

/** What comes of a text on both streams. */
function written(text: string, env: NodeJS.ProcessEnv, isTTY = false): string[] {
  const parts: string[][] = [[], []];
  const streams = parts.map((said) => ({
    isTTY,
    columns: 30,
    write: (part: string) => void said.push(part),
  }));
  const [stdout, stderr] = streams as [(typeof streams)[0], (typeof streams)[0]];
  const io = processIo({ stdout, stderr, env });
  io.out(text);
  io.err(text);
  return parts.map((said) => said.join(""));
}

it("what is said on a terminal is broken between words, and elsewhere a line stays a line", () => {
  const text = "belay: no path of 4 case files has that in it; look elsewhere\n";
  expect(written(text, {})[1]).toBe(text);
  expect(written(text, {}, true)[1]).toBe("belay: no path of 4 case files\nhas that in it; look elsewhere\n");
});

it.each([
  { isTTY: true, COLUMNS: undefined, columns: 70, room: 70 },
  { isTTY: false, COLUMNS: "50", columns: 50, room: 50 },
  { isTTY: false, COLUMNS: undefined, columns: 80, room: Number.POSITIVE_INFINITY },
])("a line has the room that a terminal or COLUMNS gives it: %j", ({ isTTY, COLUMNS, columns, room }) => {
  const stream = { isTTY, columns: isTTY ? 70 : 0, write: () => {} };
  const io = processIo({ stdout: stream, stderr: stream, env: { COLUMNS } });
  expect([io.columns, io.room]).toEqual([columns, room]);
});

it("a line has the room of a terminal as it is by then", () => {
  const stream = { isTTY: true, columns: 60, write: () => {} };
  const io = processIo({ stdout: stream, stderr: stream, env: {} });
  stream.columns = 100;
  expect([io.columns, io.room]).toEqual([100, 100]);
});

describe("in a step of GitHub Actions", () => {
  const ROWS: [text: string, safe: string][] = [
    ["::error::no\n", "\\u003a:error::no\n"],
    ["a\n\n \t ::stop-commands::x\n", "a\n\n \t \\u003a:stop-commands::x\n"],
    ["a ##[error]b\n", "a ##\\u005berror]b\n"],
    ["core::fmt is not one\n", "core::fmt is not one\n"],
  ];
  it.each(ROWS)("%j is no command to its runner", (text, safe) => {
    expect(written(text, { GITHUB_ACTIONS: "true" })).toEqual([safe, safe]);
    expect(written(text, {})).toEqual([text, text]);
  });

  it("JSON says the same", () => {
    const value = ["##[error]", "::error::"];
    const [line = ""] = written(`${JSON.stringify(value)}\n`, { GITHUB_ACTIONS: "true" });
    expect([line.includes("##["), JSON.parse(line)]).toEqual([false, value]);
  });
});

it("what a hook prints is no command to GitHub's runner, wherever belay test breaks the line; a failed case is one", async () => {
  const room = scratch();
  const words = Array.from({ length: 12 }, (_, index) => `${"x".repeat(index)} ::error::pwned`).join(" ");
  room.file(
    "a.hooks.yaml",
    `hook: "echo '${words}' >&2; exit 2"\ncases: [{ name: a, event: Stop, expect: { decision: none } }]\n`,
  );
  const lines = async (...args: string[]) => {
    const env = { GITHUB_ACTIONS: "true", COLUMNS: "30", NO_COLOR: "1" };
    const { stdout, stderr } = await room.belay(["test", ...args], { env });
    return `${stdout}\n${stderr}`.split("\n");
  };
  const text = await lines();
  expect(text.filter((line) => /^\s*::/.test(line))).toEqual([]);
  expect(text.filter((line) => line.trim().startsWith("\\u003a:error"))).not.toEqual([]);
  const commands = (await lines("--reporter", "github")).filter((line) => line.startsWith("::"));
  expect(commands).toEqual([expect.stringMatching(/^::error file=a\.hooks\.yaml,line=2/)]);
});

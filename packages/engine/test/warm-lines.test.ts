import { describe, expect, it } from "vitest";
import { growthOf, LINEAR } from "../../core/test/growth.ts";
import { callLine, type Line, readLine } from "../src/warm/envelope.ts";
import { lineReader } from "../src/warm/line-reader.ts";

/** The lines of a warm hook, as data: what each says, and what is wrong with it. */

const NO_JSON = "it printed a line that is no JSON";
const UNKNOWN = (name: string) =>
  `its line has a field "${name}", which is none of an answer's; what the hook says goes into "output"`;

describe("one line", () => {
  const rows: [line: string, read: Line][] = [
    ['{"id":"1"}', { id: "1", said: {} }],
    ['  { "id" : "1" , "output" : null , "exitCode" : null , "stderr" : null }\r', { id: "1", said: {} }],
    ['{"id":"1","output":{"a": [1, "}"]}}', { id: "1", said: { stdout: '{"a": [1, "}"]}' } }],
    ['{"output":{},"id":"1"}', { id: "1", said: { stdout: "{}" } }],
    ['{"id":"1","output":"plain, \\"quoted\\"\\n"}', { id: "1", said: { stdout: 'plain, "quoted"\n' } }],
    ['{"id":"1","exitCode":2,"stderr":"no"}', { id: "1", said: { exitCode: 2, stderr: "no" } }],
    ['{"id":"\\u0031"}', { id: "1", said: {} }],
    // Kept as it is written: what stands twice in an answer is for the answer's own rules.
    ['{"id":"1","output":{"a":1,"a":2}}', { id: "1", said: { stdout: '{"a":1,"a":2}' } }],
    ["hello", { said: { stdout: "hello" }, problem: NO_JSON }],
    ["", { said: { stdout: "" }, problem: NO_JSON }],
    ['{"id":"1"', { said: { stdout: '{"id":"1"' }, problem: NO_JSON }],
    ['{"id":"1"} {}', { said: { stdout: '{"id":"1"} {}' }, problem: NO_JSON }],
    ["[1]", { said: { stdout: "[1]" }, problem: "it printed a line that is no JSON object" }],
    ["7", { said: { stdout: "7" }, problem: "it printed a line that is no JSON object" }],
    ["{}", { said: { stdout: "{}" }, problem: 'its line has no "id"' }],
    ['{"id":null}', { said: { stdout: '{"id":null}' }, problem: 'its line has no "id"' }],
    ['{"id":1}', { said: { stdout: '{"id":1}' }, problem: '"id" in its line is not a string' }],
    [
      '{"id":"1","output":[]}',
      {
        id: "1",
        said: { stdout: '{"id":"1","output":[]}' },
        problem: '"output" in its line is not an object or a string',
      },
    ],
    [
      '{"id":"1","output":{"decision":"block"},"exitCode":"2","stderr":"x"}',
      {
        id: "1",
        said: { stdout: '{"decision":"block"}', stderr: "x" },
        problem: '"exitCode" in its line is not an integer from 0 to 255',
      },
    ],
    ...["-1", "256", "1.5", "1e2", "true"].map((code): [string, Line] => [
      `{"id":"1","exitCode":${code}}`,
      {
        id: "1",
        said: { stdout: `{"id":"1","exitCode":${code}}` },
        problem: '"exitCode" in its line is not an integer from 0 to 255',
      },
    ]),
    [
      '{"id":"1","exitCode":2,"stderr":{}}',
      {
        id: "1",
        said: { exitCode: 2, stdout: '{"id":"1","exitCode":2,"stderr":{}}' },
        problem: '"stderr" in its line is not a string',
      },
    ],
    [
      '{"id":"1","decision":"block"}',
      { id: "1", said: { stdout: '{"id":"1","decision":"block"}' }, problem: UNKNOWN("decision") },
    ],
    ['{"id":"1","id":"2","output":{}}', { said: { stdout: "{}" }, problem: '"id" stands twice in its line' }],
  ];
  it.each(rows)("%s", (line, read) => {
    expect(readLine(line, false)).toEqual(read);
  });
});

describe("a line that was cut", () => {
  const problem = "its line was cut";
  const rows: [line: string, read: Line][] = [
    ['{"id":"1","output":{"reason":"lo', { id: "1", said: { stdout: '{"reason":"lo' }, problem }],
    ['{"id":"1","output":"lo', { id: "1", said: { stdout: "lo" }, problem }],
    ['{"id":"1","output":"lo\\u00', { id: "1", said: { stdout: "lo" }, problem }],
    ['{"id":"1","output":"lo\\\\', { id: "1", said: { stdout: "lo\\" }, problem }],
    ['{"id":"1","output":"lo\\', { id: "1", said: { stdout: "lo" }, problem }],
    ['{"id":"1","exitCode":2,"output":"lo', { id: "1", said: { exitCode: 2, stdout: "lo" }, problem }],
    ["xxxx", { said: { stdout: "xxxx" }, problem }],
  ];
  it.each(rows)("%s", (line, read) => {
    expect(readLine(line, true)).toEqual(read);
  });
});

it("a call is one line, whatever is in it", () => {
  const payload = { prompt: "two\nlines\r\u2028three\u2029\u0085 and \\u2028 \v\f €" };
  const line = callLine("7", JSON.stringify(payload));
  expect(line.trimEnd()).not.toMatch(/[\n\r\v\f\u0085\u2028\u2029]/);
  expect(line.endsWith("\n")).toBe(true);
  expect(JSON.parse(line)).toEqual({ id: "7", input: payload });
});

describe("lines out of bytes", () => {
  const read = (limit: number, chunks: readonly string[]) => {
    const lines: string[] = [];
    const reader = lineReader(limit, (line, cut) => void lines.push(`${cut ? "cut " : ""}${line}`));
    for (const chunk of chunks) reader.add(Buffer.from(chunk));
    return [...lines, `rest ${reader.rest()}`];
  };
  const rows: [limit: number, chunks: string[], lines: string[]][] = [
    [8, [], ["rest "]],
    [8, ["a\nb\n"], ["a", "b", "rest "]],
    [8, ["a", "b", "\n", "c"], ["ab", "rest c"]],
    [4, ["abcd\n"], ["abcd", "rest "]],
    [4, ["abcde\nf\n"], ["cut abcd", "f", "rest "]],
    [4, ["abc", "defgh", "ijk", "l\nf\n"], ["cut abcd", "f", "rest "]],
    [4, ["\n\n"], ["rest "]],
    [4, [" \t\r\n", " ", "\n", " a b \n\n"], ["a b ", "rest "]],
    [4, ["ab", "\n", "\n", " "], ["ab", "rest "]],
    [4, ["abcde", " ", "\n", "f"], ["cut abcd", "rest f"]],
    [0, ["a\n\n"], ["cut ", "rest "]],
  ];
  it.each(rows)("%i %j", (limit, chunks, lines) => {
    expect(read(limit, chunks)).toEqual(lines);
  });

  it("a long line in single bytes takes a time that grows with the line, and no faster", () => {
    const byte = Buffer.from("x");
    const inBytes = (text: string) => {
      let got = 0;
      const reader = lineReader(text.length, (line) => {
        got = line.length;
      });
      for (let count = 0; count < text.length; count += 1) reader.add(byte);
      reader.add(Buffer.from("\n"));
      expect(got).toBe(text.length);
    };
    expect(growthOf("x".repeat(2 ** 17), inBytes)).toBeLessThan(LINEAR);
  });
});

import { DEFAULT_CAP, parse, type Run, ruleFor } from "@belay/core";
import { describe, expect, it } from "vitest";

/** A text of exactly the cap: a beginning, and one piece again and again. */
function full(piece: string, beginning = "", end = ""): string {
  const room = DEFAULT_CAP - beginning.length - end.length;
  return beginning + piece.repeat(Math.ceil(room / piece.length)).slice(0, room) + end;
}

function nested(open: string, close: string, beginning = "", end = ""): string {
  const levels = Math.floor((DEFAULT_CAP - beginning.length - end.length - 1) / (open.length + close.length));
  return `${beginning}${open.repeat(levels)}1${close.repeat(levels)}${end}`;
}

function members(member: (index: number) => string): string {
  let text = "{";
  for (let index = 0; text.length < DEFAULT_CAP - 110; index += 1)
    text += `${index > 0 ? "," : ""}${member(index)}`;
  return `${text}}`;
}

const WORST: [title: string, stdout: string][] = [
  ["opening braces", full("{")],
  ["empty objects", full("{}")],
  ["keys of objects that never end", full('{"a":')],
  ["braces and quotes", full('{"')],
  ["quotes", full('"')],
  ["backslashes", full("\\")],
  ["a string that never ends", full("a", '{"a":"')],
  ["a string of quotes", full('\\"', '{"')],
  ["a string of backslashes", full("\\\\", '{"')],
  ["a string of braces and quotes", full('{\\"', '{"a":"')],
  ["strings broken by a newline", full('{"a\n')],
  ["strings that are no values", full('{"a":"{')],
  ["unicode escapes", full("\\u0041", '{"a":"')],
  ["space behind a key", full(" ", '{"a"')],
  ["space behind braces", full("{    ")],
  ["arrays that never end", full("[", '{"a":')],
  ["nested arrays", nested("[", "]", '{"a":', "}")],
  ["nested objects", nested('{"a":', "}")],
  ["a nested event name", nested("[", "]", '{"hookSpecificOutput":{"hookEventName":', "}}")],
  ["a nested decision", nested('{"a":', "}", '{"decision":', "}")],
  [
    "a nested input",
    nested('{"a":', "}", '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":', "}}"),
  ],
  ["a number", full("1", '{"a":')],
  ["half a number", full("e", '{"a":-')],
  ["half numbers", full('{"a":-')],
  ["half words", full('{"a":tru')],
  ["unknown fields", members((index) => `"${index.toString(36)}":1`)],
  ["long unknown fields", members((index) => `"${"k".repeat(index % 90)}${index}":1`)],
  ["one field many times", members(() => '"decision":"block"')],
  ["a very long wrong value", full("x", '{"decision":"', '"}')],
  ["a very long name", full("x", '{"', '":1}')],
  ["small answers", full('{"decision":"block","reason":"r"}')],
  ["small wrong answers", full('{"decision":1}')],
  ["small messages", full('{"systemMessage":"m"}')],
  ["small stops", full('{"continue":false}')],
  ["small misplaced answers", full('{"permissionDecision":1}\n')],
  ["an unclosed object before small answers", full('{"decision":"block","reason":"r"},', '{"x":[')],
  ["lone surrogates", full('{"\ud800":')],
];

const ENDINGS: [title: string, ending: Partial<Run>][] = [
  ["whole", { exitCode: 0 }],
  ["cut", { exitCode: 0, truncated: true, cut: ["stdout"] }],
  ["timed out", { timedOut: true, failure: { kind: "timeout", detail: "after 60 s" } }],
];

function milliseconds(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

describe.each(WORST)("100 KB of %s", (_, stdout) => {
  it.each(ENDINGS)("is read in bounded time and with few words: %s", (_, ending) => {
    const run: Run = { stdout, stderr: "", executionTime: 1, timedOut: false, truncated: false, ...ending };
    for (const dialect of ["wave", "session-hooks"] as const) {
      const read = () =>
        parse({ name: "guard", onFailure: "block", mode: "enforce" }, run, ruleFor("PreToolUse", dialect));
      const best = Math.min(milliseconds(read), milliseconds(read), milliseconds(read));
      expect(best).toBeLessThan(500);
      expect(read().diagnostics.length).toBeLessThan(60);
    }
  });
});

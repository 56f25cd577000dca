import { type EventName, outcomeOf, type Run } from "@belay/core";
import { tellingLine, whyNoAnswer } from "@belay/core/compare";
import { describe, expect, it } from "vitest";

/** What one run comes to, and why it is no answer. */
function why(facts: Partial<Run>, { event = "PreToolUse" as EventName, block = false } = {}) {
  const run = { stdout: "", stderr: "", executionTime: 1, timedOut: false, truncated: false, ...facts };
  const onFailure = block ? "block" : "continue";
  const hook = {
    name: "sh guard.sh",
    onFailure,
    mode: "enforce",
    source: "s.json:1",
    dialect: "wave",
    run,
  } as const;
  const { runs } = outcomeOf({ event, dialect: "wave", hooks: [hook], context: {}, extra: [] });
  return runs.map((report) => whyNoAnswer(report, event))[0];
}

const DENY = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}';
const TRACE = 'File "g.py", line 1\nSyntaxError: invalid syntax\n';
const NOT_FOUND = "python3: can't open file '/p/gone.py': [Errno 2] No such file or directory\n";
const SYNTAX = "guard.sh: 3: Syntax error: end of file unexpected\n";

const ROWS: readonly [what: string, facts: Partial<Run>, why: string | undefined][] = [
  ["silence", { exitCode: 0 }, undefined],
  ["a refusal", { exitCode: 2, stderr: "no" }, undefined],
  ["a refusal without words", { exitCode: 2 }, undefined],
  ["an answer and exit 1", { exitCode: 1, stdout: DENY }, undefined],
  ["a hook that is no process", { stdout: DENY }, undefined],
  ["an exception", { exitCode: 1, stderr: TRACE }, `exited with 1: ${TRACE.trim()}`],
  ["exit 3 without a word", { exitCode: 3 }, "exited with 3"],
  ["a script that is not there", { exitCode: 2, stderr: NOT_FOUND }, `exited with 2: ${NOT_FOUND.trim()}`],
  ["what may be a shell's", { exitCode: 2, stderr: SYNTAX }, `exited with 2: ${SYNTAX.trim()}`],
  ["an answer and a script that is not there", { exitCode: 2, stdout: DENY, stderr: NOT_FOUND }, undefined],
  ["exit 1 and {}, which is no answer", { exitCode: 1, stdout: "{}" }, "exited with 1"],
  ["exit 1 and text", { exitCode: 1, stdout: "hello" }, "exited with 1"],
  ["a fault", { exitCode: 127, stderr: "no such" }, "the hook could not start: exit 127: no such"],
  [
    "a fault that is no exit",
    { timedOut: true, failure: { kind: "timeout", detail: "after 1 s" } },
    "the hook timed out: after 1 s",
  ],
];

describe("a hook gave no answer of its own", () => {
  it.each(ROWS)("%s", (_, facts, said) => {
    expect(why(facts)).toBe(said);
    expect(why(facts, { block: true })).toBe(said);
  });

  it("also where nothing can be refused", () => {
    expect(why({ exitCode: 1 }, { event: "SessionEnd" })).toBe("exited with 1");
  });
});

const SYNTAX_ERROR = '  File "/p/g.py", line 1\n    def f(\n         ^\nSyntaxError: never closed\n';
const HEAD = "Traceback (most recent call last):";

it.each([
  ["boom\nmore", "boom"],
  [`${HEAD}\n  line 3\nKeyError: tool\n`, "KeyError: tool"],
  [
    `exited with 1: ${HEAD}\n  line 3\nKeyError: tool\n${HEAD}\n  line 9\nOSError: no`,
    "exited with 1: OSError: no",
  ],
  [SYNTAX_ERROR, "SyntaxError: never closed"],
  [`exited with 1: ${SYNTAX_ERROR.trim()}`, "exited with 1: SyntaxError: never closed"],
  [`${HEAD}\n  line 1, in <module>\n${SYNTAX_ERROR}`, "SyntaxError: never closed"],
  ['  File "/p/g.py", line 1', '  File "/p/g.py", line 1'],
])("of %j the line that says most", (text, line) => expect(tellingLine(text)).toBe(line));

import { type EventName, outcomeOf, parse, type Run, ruleFor } from "@belay/core";
import { summaryLine, whyNoAnswer } from "@belay/core/compare";
import { describe, expect, it } from "vitest";
import { runOf } from "./arbitraries.ts";

const runWith = (facts: Partial<Run>) => runOf(facts, facts.stdout ?? "", facts.stderr ?? "");

/** What one run comes to, and why it is no answer. */
function why(facts: Partial<Run>, { event = "PreToolUse" as EventName, block = false } = {}) {
  const onFailure = block ? "block" : "continue";
  const hook = {
    name: "sh guard.sh",
    onFailure,
    mode: "enforce",
    source: "s.json:1",
    dialect: "wave",
    run: runWith(facts),
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
])("of %j the line that says most", (text, line) => expect(summaryLine(text)).toBe(line));

const HOOK = { name: "guard", onFailure: "continue", mode: "enforce" } as const;
const CODES = ["run-script-not-found", "run-script-unreadable", "run-script-syntax"];

function read(facts: Partial<Run>) {
  return parse(HOOK, runWith(facts), ruleFor("PreToolUse", "wave"));
}

const NODE = (name: string, stack: string) =>
  `node:internal/modules/cjs/loader:1\n  throw err;\n  ^\n\nError: Cannot find module '${name}'\n    at x (node:1:2) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: ${stack}\n}\n\nNode.js v20\n`;

/** What each of them prints when it does not find what it was to run. */
const UNOPENED: [exitCode: number, stderr: string, script: string][] = [
  [2, "/usr/bin/python3: can't open file '/p/g.py': [Errno 2] No such file or directory\n", '"/p/g.py"'],
  [
    2,
    "C:\\Program Files\\python.exe: can't open file 'C:\\\\p\\\\g.py': [Errno 2] No such file",
    '"C:\\\\\\\\p\\\\\\\\g.py"',
  ],
  [2, "sh: 0: cannot open g.sh: No such file\n", '"g.sh"'],
  [2, "/bin/sh: 0: Can't open g.sh\n", '"g.sh"'],
  [2, "sh: 0: cannot open a: b.sh: No such device or address\n", '"a: b.sh"'],
  [2, "/bin/sh: 1: cannot open g.sh: No such file\n", '"g.sh"'], // sh < g.sh
  [2, "dash: 1: cannot open g.sh: No such file\n", '"g.sh"'],
  [2, "/bin/sh: 1: .: cannot open /p/g.sh: No such file\n", '"/p/g.sh"'],
  [2, "looking\n./my g.sh: 3: .: lib.sh: not found\n", '"lib.sh"'],
  [2, 'Can\'t open perl script "g.pl": No such file or directory\n', '"g.pl"'],
  [1, NODE("/p/g.js", "[]"), '"/p/g.js"'],
];

/** And when it may not read it. */
const UNREADABLE: [exitCode: number, stderr: string, script: string][] = [
  [2, "/usr/bin/python3: can't open file '/p/g.py': [Errno 13] Permission denied\n", '"/p/g.py"'],
  [2, "sh: 0: cannot open g.sh: Permission denied\n", '"g.sh"'],
  [2, "/bin/sh: 1: cannot open g.sh: Permission denied\n", '"g.sh"'],
  [13, 'Can\'t open perl script "g.pl": Permission denied\n', '"g.pl"'],
];

/** What a hook says itself, or what is amiss inside of it. */
const OWN: [exitCode: number, stderr: string, stdout?: string][] = [
  [2, "no"],
  [2, "I can't open file 'x': [Errno 2] for you"],
  [2, "the hook says: can't open perl script"],
  [1, NODE("lodash", "[ '/p/g.js' ]")],
  [2, NODE("/p/g.js", "[]")],
  [0, "/usr/bin/python3: can't open file '/p/g.py': [Errno 2] No such file or directory"],
  [2, "sh: 0: cannot open g.sh: No such file", "{}"],
  [1, "sh: 0: cannot open g.sh: Permission denied"],
  [2, "g.sh: 3: cannot open log: Permission denied\nand so no"],
  // A redirection in a script that dash reads, and that goes on.
  [2, "./g.sh: 2: cannot open /dev/tty: No such device or address\n"],
  [2, "/p/g.sh: 2: cannot open allowed.txt: No such file\n"],
  [2, "g.sh: 2: cannot open log: Permission denied\n"],
  [2, "/bin/sh: 1: cannot open /dev/tty: No such device or address\n"],
];

describe("an interpreter that does not find its script", () => {
  it.each(UNOPENED)("exit %i: %s", (exitCode, stderr, script) => {
    const { kind, diagnostics, fault } = read({ exitCode, stderr });
    expect([kind, fault]).toEqual([exitCode === 2 ? "deny" : "abstain", undefined]);
    expect(diagnostics).toMatchObject([{ code: "run-script-not-found", hook: "guard", severity: "warning" }]);
    expect(diagnostics[0]?.message).toBe(
      `exit ${exitCode} is not the hook's own: its interpreter did not find ${script}`,
    );
  });

  it.each(UNREADABLE)("or may not read it; exit %i: %s", (exitCode, stderr, script) => {
    const { kind, diagnostics } = read({ exitCode, stderr });
    expect(kind).toBe(exitCode === 2 ? "deny" : "abstain");
    expect(diagnostics.map(({ code, message, fix }) => [code, message, fix])).toEqual([
      [
        "run-script-unreadable",
        `exit ${exitCode} is not the hook's own: its interpreter may not read ${script}`,
        `Give yourself read access: chmod u+r ${script}`,
      ],
    ]);
  });

  it.each(OWN)("is not what exit %i with %s means", (exitCode, stderr, stdout = "") => {
    const found = read({ exitCode, stderr, stdout }).diagnostics.filter(({ code }) => CODES.includes(code));
    expect(found).toEqual([]);
  });

  it("a name without end is short", () => {
    const stderr = `python3: can't open file '${"x".repeat(90_000)}': [Errno 2] No such file`;
    for (const { message } of read({ exitCode: 2, stderr }).diagnostics)
      expect(message.length).toBeLessThan(200);
  });
});

describe("an exit 2 that may be of a shell that cannot read the hook", () => {
  const ROWS: [stderr: string, said: string | undefined][] = [
    ['started\ng.sh: 3: Syntax error: ")" unexpected\n', 'g.sh: 3: Syntax error: ")" unexpected'],
    [
      "g.sh: line 3: syntax error near unexpected token `then'\ng.sh: line 3: `if then'\n",
      "g.sh: line 3: syntax error near unexpected token `then'",
    ],
    [
      "bash: -c: line 1: unexpected EOF while looking for matching `\"'\n",
      "bash: -c: line 1: unexpected EOF while looking for matching `\"'",
    ],
    ["g.sh: 3: Syntax error: x\nbut this is what I refuse\n", undefined],
    ["no\n", undefined],
  ];
  it.each(ROWS)("%j", (stderr, said) => {
    const { kind, reason, diagnostics } = read({ exitCode: 2, stderr });
    expect([kind, reason]).toEqual(["deny", stderr.trim()]);
    const found = diagnostics
      .filter(({ code }) => code === "run-script-syntax")
      .map(({ message }) => message);
    expect(found).toEqual(
      said === undefined ? [] : [expect.stringContaining(JSON.stringify(said).slice(1, -1))],
    );
  });
});

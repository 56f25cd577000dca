import { type EventName, parse, type Run, ruleFor } from "@belay/core";
import { describe, expect, it } from "vitest";
import { WORST_OUTPUTS } from "../../../bench/worst-outputs.mjs";
import { runOf } from "./arbitraries.ts";
import { parsesDuring, READING } from "./growth.ts";

const POLICY = { name: "guard", onFailure: "continue", mode: "enforce" } as const;

function read(stdout: string, event: EventName = "PreToolUse") {
  return parse(POLICY, runOf({ exitCode: 0 }, stdout, ""), ruleFor(event, "wave"));
}

const DEEP = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;

describe("values without an end to their depth are described, not printed", () => {
  const rows = [
    [`{"hookSpecificOutput":${DEEP}}`, "got an array"],
    [`{"hookSpecificOutput":{"hookEventName":${DEEP}}}`, "hookEventName is an array"],
    [`see: {"hookSpecificOutput":${DEEP}}`, "got an array"],
  ] as const;
  for (const [stdout, words] of rows) {
    it(stdout.slice(0, 45), () => {
      const { kind, diagnostics } = read(stdout);
      expect(kind).toBe("abstain");
      expect(diagnostics.map(({ message }) => message).join("\n")).toContain(words);
    });
  }
});

describe("values without an end to their length are cut, and said to be what they are", () => {
  const specific = (event: EventName, fields: object) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...fields } });
  const long = "x".repeat(60_000);
  const rows: [what: string, event: EventName, stdout: string, message: string][] = [
    [
      "an object",
      "Stop",
      specific("Stop", { updatedInput: { a: 1 } }),
      "`updatedInput`: an object was ignored: Stop cannot give that answer",
    ],
    [
      "a text",
      "Stop",
      specific("Stop", { updatedPrompt: "deploy" }),
      '`updatedPrompt`: "deploy" was ignored: Stop cannot give that answer',
    ],
    [
      "a long text",
      "Stop",
      specific("Stop", { additionalContext: long }),
      `\`additionalContext\`: "${"x".repeat(59)}…" was ignored: Stop cannot give that answer`,
    ],
    [
      "a character of two halves at the cut",
      "Stop",
      JSON.stringify({ decision: `${"x".repeat(58)}😀😀` }),
      `\`decision\` is not valid: expected ("block" | "approve"), got "${"x".repeat(58)}…"; only what restricts was read`,
    ],
  ];
  it.each(rows)("%s", (_what, event, stdout, message) => {
    expect(read(stdout, event).diagnostics.map((found) => found.message)).toEqual([message]);
  });
});

describe("thousands of problems are counted, a few of each kind are listed", () => {
  const unknown = Array.from({ length: 5000 }, (_, index) => `"k${index}":1`).join(",");
  const rows: [name: string, stdout: string, listed: Record<string, number>, rest: number][] = [
    ["unknown fields", `{${unknown}}`, { "output-unknown-field": 10 }, 4990],
    ["invalid answers", '{"decision":1}\n'.repeat(5000), { "output-mixed": 1, "output-invalid": 10 }, 4990],
    [
      "unknown fields of invalid answers",
      '{"decision":1,"x":1}\n'.repeat(2000),
      { "output-mixed": 1, "output-invalid": 10, "output-unknown-field": 10 },
      3980,
    ],
    ["ten of a kind", '{"decision":1}\n'.repeat(10), { "output-mixed": 1, "output-invalid": 10 }, 0],
  ];
  for (const [name, stdout, listed, rest] of rows) {
    it(name, () => {
      const { diagnostics } = read(stdout);
      const counts: Record<string, number> = {};
      for (const { code } of diagnostics) counts[code] = (counts[code] ?? 0) + 1;
      expect(counts).toEqual(rest === 0 ? listed : { ...listed, "output-more-problems": 1 });
      const words = `${rest} more problems of the listed kinds are in this output`;
      expect(diagnostics.some(({ message }) => message === words)).toBe(rest > 0);
    });
  }
});

describe("what is not listed still counts", () => {
  const noise = '{"decision":1,"x":1}\n'.repeat(50);
  const deny = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}';
  const rows = [
    ["a deny behind many problems", "PreToolUse", `${noise}${deny}`, "deny"],
    ["a block whose reason is unsound", "Stop", `${noise}{"decision":"block","reason":7}`, "block"],
    ["a stop whose reason is unsound", "Stop", `${noise}{"continue":false,"stopReason":7}`, "stop"],
    ["a block without the reason it needs", "Stop", `${noise}{"decision":"block"}`, "abstain"],
  ] as const;
  for (const [name, event, stdout, kind] of rows) {
    it(name, () => {
      const verdict = read(stdout, event);
      expect(verdict.kind).toBe(kind);
      expect(verdict.fault).toContain("`decision` is not valid");
    });
  }
});

const ENDINGS: [title: string, ending: Partial<Run>][] = [
  ["whole", { exitCode: 0 }],
  ["cut", { exitCode: 0, truncated: true, cut: ["stdout"] }],
  ["timed out", { timedOut: true, failure: { kind: "timeout", detail: "after 60 s" } }],
];

describe.each(Object.entries(WORST_OUTPUTS))("100 KB of %s", (_, stdout) => {
  it.each(ENDINGS)("is read in bounded time and with few words: %s", (_, ending) => {
    const run = runOf(ending, stdout, "");
    for (const dialect of ["wave", "session-hooks"] as const) {
      const verdict = () => parse({ ...POLICY, onFailure: "block" }, run, ruleFor("PreToolUse", dialect));
      expect(parsesDuring(verdict)).toBeLessThan(READING);
      expect(verdict().diagnostics.length).toBeLessThan(60);
    }
  });
});

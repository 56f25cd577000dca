import { compileMatcher, DIAGNOSTICS, loadPatternEngine } from "@belay/core";
import { isPattern } from "@belay/core/internal";
import { describe, expect, it } from "vitest";
import { growthOf, LINEAR } from "./growth.ts";

const patterns = await loadPatternEngine();

interface Row {
  readonly source: string;
  readonly kind: "all" | "names" | "pattern" | "unsafe-pattern";
  readonly yes?: readonly string[];
  readonly no?: readonly string[];
}

const ROWS: readonly Row[] = [
  { source: "", kind: "all", yes: ["Bash", "", "anything at all"] },
  { source: "*", kind: "all", yes: ["Bash", ""] },
  { source: "Bash", kind: "names", yes: ["Bash"], no: ["bash", "BashOutput", "Ba", "", " Bash"] },
  { source: "Write|Edit", kind: "names", yes: ["Write", "Edit"], no: ["MultiEdit", "Write|Edit", "write"] },
  { source: "Write, Edit", kind: "names", yes: ["Write", "Edit"], no: [" Edit", "Write,"] },
  { source: " Write | Edit ,Read ", kind: "names", yes: ["Write", "Edit", "Read"], no: ["", " "] },
  {
    source: "mcp__memory__create-entities",
    kind: "names",
    yes: ["mcp__memory__create-entities"],
    no: ["mcp__memory"],
  },
  { source: "my agent", kind: "names", yes: ["my agent"], no: ["my", "agent"] },
  { source: "Edit.*", kind: "pattern", yes: ["Edit", "MultiEdit", "NotebookEdit"], no: ["edit", "Write"] },
  { source: "^Edit$", kind: "pattern", yes: ["Edit"], no: ["MultiEdit", "Edits"] },
  { source: "^(Edit|Write)$", kind: "pattern", yes: ["Edit", "Write"], no: ["MultiEdit"] },
  {
    source: "mcp__.*__write",
    kind: "pattern",
    yes: ["mcp__fs__write", "x mcp__fs__write_file"],
    no: ["mcp__write"],
  },
  { source: "[Bb]ash", kind: "pattern", yes: ["Bash", "bash", "rebash"], no: ["BASH"] },
  { source: "^(?!Read)", kind: "unsafe-pattern", yes: ["Write", "Bash"], no: ["Read", "ReadFile"] },
  { source: "(?<=mcp__)fs", kind: "unsafe-pattern", yes: ["mcp__fs"], no: ["fs"] },
  { source: "(a)\\1", kind: "unsafe-pattern", yes: ["aa"], no: ["a"] },
];

describe("compileMatcher", () => {
  it.each(ROWS)("reads $source as $kind", ({ source, kind, yes = [], no = [] }) => {
    const matcher = compileMatcher(source, patterns);
    expect(matcher).toMatchObject({ source, kind });
    expect(yes.filter((value) => !matcher.test(value))).toEqual([]);
    expect(no.filter((value) => matcher.test(value))).toEqual([]);
    expect(isPattern(source)).toBe(kind === "pattern" || kind === "unsafe-pattern");
  });

  it.each(["|,", " ", "[a", "(", "*a", "a(?", "(?i)bash", "\\", "a**"])(
    "refuses %j, which is no pattern",
    (source) => {
      expect(() => compileMatcher(source, patterns)).toThrow(SyntaxError);
    },
  );

  it.each([patterns, undefined])(
    "without a time limit a long name counts as a match of what only RegExp can run",
    (engine) => {
      const matcher = compileMatcher("(?=x)x$", engine);
      const tested = [`${"-".repeat(63)}x`, `x${"-".repeat(63)}`, `x${"-".repeat(64)}`, "x"].map((name) => [
        matcher.test(name),
        matcher.gaveUp,
      ]);
      expect(tested).toEqual([
        [true, false],
        [false, false],
        [true, true],
        [true, false],
      ]);
    },
  );

  it("with one the name is tested whole", () => {
    const tested: string[] = [];
    const bounded = () => ({ test: (name: string) => tested.push(name) > 0 });
    const name = "x".repeat(10_000);
    compileMatcher("(?=x)x$", { ...patterns, bounded }).test(name);
    expect(tested).toEqual([name]);
  });

  it("is told how all but some names are written", () => {
    const written = DIAGNOSTICS["config-matcher-fallback"].fix.match(/\^\S*\$\)/g) ?? [];
    const names = ["Bash", "Edit", "Read", "BashOutput", "MultiEdit"];
    const caught = written.map((source) => names.filter(compileMatcher(source, patterns).test));
    expect(caught).toEqual([["Read", "BashOutput", "MultiEdit"]]);
  });

  const CATASTROPHIC = [
    "(a+)+$",
    "(a|a)*$",
    "(a|aa)+$",
    "(.*a){12}$",
    "(\\w+\\s?)*$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
  ];

  it.each(CATASTROPHIC)("runs %s in a time that grows with the name, and no faster", (source) => {
    const matcher = compileMatcher(source, patterns);
    expect(matcher.kind).toBe("pattern");
    expect(growthOf("a".repeat(20_000), (name) => matcher.test(`${name}!`))).toBeLessThan(LINEAR);
  });
});

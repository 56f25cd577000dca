import {
  compileMatcher,
  DIAGNOSTICS,
  EVENT_NAMES,
  explain,
  loadPatternEngine,
  match,
  readConfig,
} from "@belay/core";
import { isPattern } from "@belay/core/internal";
import { describe, expect, it } from "vitest";
import { growthOf, LINEAR } from "./growth.ts";

const patterns = await loadPatternEngine();

const run = (name: string, more: object = {}) => ({ type: "command", command: "true", name, ...more });
const group = (matcher: string | undefined, ...hooks: object[]) => ({
  ...(matcher !== undefined && { matcher }),
  hooks,
});

function hooksOf(events: object) {
  return readConfig({ file: "s.json", layer: "user", text: JSON.stringify({ hooks: events }) }, patterns)
    .hooks;
}

const HOOKS = hooksOf({
  PreToolUse: [
    group(undefined, run("always")),
    group("Bash", run("bash"), run("off", { enabled: false })),
    group("bash", run("lower")),
    group("Edit.*", run("edits")),
    group("Bash", run("bash")),
  ],
  Stop: [group("ignored", run("stops"))],
  SubagentStop: [group("Explore", run("explores"))],
});

const PLACES: [
  event: "PreToolUse" | "Stop" | "SubagentStop",
  payload: Record<string, unknown>,
  fires: string[],
][] = [
  ["PreToolUse", { tool_name: "Bash" }, ["always", "bash"]],
  ["PreToolUse", { tool_name: "MultiEdit" }, ["always", "edits"]],
  ["PreToolUse", { tool_name: "Read" }, ["always"]],
  ["PreToolUse", {}, ["always"]],
  ["PreToolUse", { tool_name: 7 }, ["always"]],
  ["PreToolUse", { tool_name: "" }, ["always"]],
  ["Stop", {}, ["stops"]],
  ["Stop", { tool_name: "Bash" }, ["stops"]],
  ["SubagentStop", { agent_type: "Explore" }, ["explores"]],
  ["SubagentStop", { agent_type: "Plan" }, []],
];

describe("match", () => {
  it.each(PLACES)("%s %j fires %j", (event, payload, fires) => {
    expect(match(HOOKS, event, payload).map(({ name }) => name)).toEqual(fires);
  });

  it.each(EVENT_NAMES)("agrees with explain on %s", (event) => {
    const payload = { tool_name: "Bash", agent_type: "Explore" };
    const explained = explain(HOOKS, event, payload).filter(({ fires }) => fires);
    expect(explained.map(({ hook }) => hook)).toEqual(match(HOOKS, event, payload));
  });

  it("runs a handler once that is configured in several places, and two that differ in any field twice", () => {
    const twice = hooksOf({
      PreToolUse: [
        group("", { type: "command", command: "a", timeout: 5 }),
        group("Bash", { timeout: 5, command: "a", type: "command" }),
        group("Bash", { type: "command", command: "a", timeout: 6 }),
      ],
    });
    expect(match(twice, "PreToolUse", { tool_name: "Bash" }).map(({ timeoutMs }) => timeoutMs)).toEqual([
      5000, 6000,
    ]);
  });
});

describe("explain", () => {
  it("says of every hook why it fires or does not", () => {
    const said = explain(HOOKS, "PreToolUse", { tool_name: "Bash" });
    expect(said.map(({ hook, because, explanation }) => [hook.name, because, explanation])).toEqual([
      ["always", "fires", "no matcher: every time"],
      ["bash", "fires", '"Bash" matches tool_name "Bash"'],
      ["off", "disabled", "enabled is false"],
      ["lower", "matcher", 'tool_name "Bash" is none of "bash" (names are case-sensitive)'],
      ["edits", "matcher", 'tool_name "Bash" is not matched by the pattern "Edit.*"'],
      ["bash", "duplicate", "the same handler is configured earlier and runs once"],
      ["stops", "other-event", "it waits for Stop"],
      ["explores", "other-event", "it waits for SubagentStop"],
    ]);
  });

  it.each([
    ["PreToolUse", undefined, "no matcher: every time"],
    ["PreToolUse", "", "no matcher: every time"],
    ["PreToolUse", "*", '"*": every time'],
    ["UserPromptSubmit", "*", '"*": every time'],
  ] as const)("says what %s has that fires every time: %j", (event, matcher, said) => {
    const [one] = explain(hooksOf({ [event]: [group(matcher, run("one"))] }), event, { tool_name: "Bash" });
    expect(one?.explanation).toBe(said);
  });

  it("says when the payload lacks what the matcher tests", () => {
    const [, bash] = explain(HOOKS, "PreToolUse", {});
    expect(bash?.explanation).toBe('the payload has no tool_name, so "Bash" cannot match');
  });
});

interface MatcherRow {
  readonly source: string;
  readonly kind: "all" | "names" | "pattern" | "unsafe-pattern";
  readonly yes?: readonly string[];
  readonly no?: readonly string[];
}

const ROWS: readonly MatcherRow[] = [
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

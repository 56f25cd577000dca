import { type ConfigFile, loadPatternEngine, readConfig } from "@belay/core";
import { lacksPatterns, placeOf } from "@belay/core/internal";
import { describe, expect, it } from "vitest";
import { around, BAD, COMMAND, hook } from "./bad-entries.ts";

const patterns = await loadPatternEngine();

function read(text: string, more: Partial<ConfigFile> = {}) {
  return readConfig({ file: "s.json", layer: "user", text, ...more }, patterns);
}

describe("a bad entry", () => {
  it.each(BAD)("is said with its place and takes nothing with it: %s", (_, entry, code, said) => {
    const { hooks, problems, broken } = read(around(entry));
    expect(broken).toBe(false);
    expect(hooks.map(({ name }) => name)).toEqual(["before", "after"]);
    expect(problems.filter(({ severity }) => severity === "error")).toMatchObject([
      { code, path: "s.json:2" },
    ]);
    expect(problems[0]?.message).toContain(said);
  });

  const SCHEMA = "`belay schema --config` prints what is accepted.";
  const ADVICE: [text: string, fix: string][] = [
    [
      `{"hooks":{"SessionStart":${hook(COMMAND)}}}`,
      'Write a list of groups: "SessionStart": [{"hooks": [ … ]}].',
    ],
    ['{"hooks":{"Stop":"./guard.sh"}}', 'Write a list of groups: "Stop": [{"hooks": [ … ]}].'],
    [
      `{"hooks":{"Stop":[{"hooks":{${COMMAND}}}]}}`,
      'Write a list: "hooks": [{"type": "command", "command": "…"}].',
    ],
    [around("7"), 'Write a group: {"hooks": [ … ]}, with an optional "matcher" beside "hooks".'],
    [around('{"hooks":["./guard.sh"]}'), 'Write {"type": "command", "command": "./guard.sh"}.'],
    [around('{"hooks":[7]}'), SCHEMA],
    ['{"hooks":[]}', 'Write a list per event: "hooks": {"Event": [ … ]}. `belay schema` names the events.'],
    [
      around(hook(`${COMMAND},"timeout":0`)),
      "Write seconds, or leave it out for the default: a hook always has a limit.",
    ],
    [
      around(hook(`${COMMAND},"timeout":0.0001`)),
      "Write seconds, or leave it out for the default: a hook always has a limit.",
    ],
    [around(hook(`${COMMAND},"timeout":"30"`)), "Write 30, without quotes."],
    [around(hook(`${COMMAND},"timeout":"5s"`)), SCHEMA],
    [
      around(hook(`${COMMAND},"timeout":90000`)),
      "`timeout` is in seconds: write 90 if it was meant in milliseconds.",
    ],
    [
      around('{"hooks":[{"type":"prompt","prompt":"?","timeout":-1}]}'),
      "Write seconds, or leave it out for the default: a hook always has a limit.",
    ],
    [around(hook('"command":"true"')), 'Add "type": "command".'],
    [around(`{"matcher":["Edit","Write"],"hooks":[{${COMMAND}}]}`), 'Write "Edit|Write".'],
  ];
  it.each(ADVICE)("has words to write instead: %s", (text, fix) => {
    expect(read(text).problems.map((problem) => problem.fix)).toEqual([fix]);
  });

  it("takes no other of its group with it, and all problems are said at once", () => {
    const text = `{"hooks":{"PreToolUse":[{"hooks":[
      {"type":"command"},
      {${COMMAND}},
      {${COMMAND},"timeout":"x","mode":1},
      7]}],
      "PreTooUse": [],
      "Stop": {} }}`;
    const { hooks, problems } = read(text);
    expect(hooks.map(({ source }) => placeOf(source))).toEqual(["s.json:3"]);
    expect(problems.map(({ code, path }) => [code, path])).toEqual([
      ["config-bad-entry", "s.json:2"],
      ["config-bad-entry", "s.json:4"],
      ["config-bad-entry", "s.json:4"],
      ["config-bad-entry", "s.json:5"],
      ["config-unknown-event", "s.json:6"],
      ["config-bad-entry", "s.json:7"],
    ]);
  });
});

const WARNED: [title: string, text: string, code: string, said: string, hooks: number][] = [
  [
    "an unknown field of a hook",
    around(hook(`${COMMAND},"timout":5`)),
    "config-misspelt-field",
    "did you mean timeout?",
    3,
  ],
  [
    "a command beside the hooks of a group",
    around(`{${COMMAND},"hooks":[{${COMMAND}}]}`),
    "config-flat-entry",
    "hooks.PreToolUse[1].command is a hook where a group is expected; it is off",
    3,
  ],
  [
    "an unknown field of a group",
    around(`{"macher":"Bash","hooks":[{${COMMAND}}]}`),
    "config-misspelt-field",
    "did you mean matcher?",
    3,
  ],
  [
    "a pattern that needs RegExp",
    around(`{"matcher":"^(?!Read)","hooks":[{${COMMAND}}]}`),
    "config-matcher-fallback",
    "lookaround",
    3,
  ],
  ["an unknown event", '{"hooks":{"PreTooUse":[]}}', "config-unknown-event", "did you mean PreToolUse?", 0],
  ["an event of the prototype", '{"hooks":{"toString":[]}}', "config-unknown-event", '"toString"', 0],
  [
    "an unknown field near none of ours",
    around(hook(`${COMMAND},"priority":1`)),
    "config-unknown-field",
    "has no effect",
    3,
  ],
  [
    "a field that says the opposite of ours",
    around(hook(`${COMMAND},"disabled":true`)),
    "config-misspelt-field",
    "did you mean enabled?",
    3,
  ],
  [
    "a field of others that changes when a hook runs",
    around(hook(`${COMMAND},"if":"Bash(git *)"`)),
    "config-ignored-field",
    "`if` is not read here: the hook runs whenever its matcher fits",
    3,
  ],
  [
    "an event of Claude Code",
    '{"hooks":{"SubagentStart":[]}}',
    "config-foreign-event",
    "SubagentStart is an event of Claude Code that Belay does not run",
    0,
  ],
  ["an unknown dialect", '{"dialect":"klingon","hooks":{}}', "config-bad-entry", 'got "klingon"', 0],
  [
    "hooks that are a list",
    '{"hooks":[]}',
    "config-bad-entry",
    "expected an object with a list per event, got []",
    0,
  ],
];

describe("a file", () => {
  it.each(WARNED)("is told about %s", (_, text, code, said, count) => {
    const { hooks, problems, broken } = read(text);
    expect({ broken, count: hooks.length }).toEqual({ broken: false, count });
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    expect(problems[0]?.message).toContain(said);
  });

  it("may hold comments, trailing commas and a byte order mark", () => {
    const text = `\uFEFF{ // settings\n "hooks": { /* the\n guard */ "Stop": [ { "hooks": [ {${COMMAND},}, ], }, ], }, }`;
    const { hooks, problems } = read(text);
    expect(problems).toEqual([]);
    expect(hooks.map(({ source }) => placeOf(source))).toEqual(["s.json:3"]);
  });

  it("is left alone where it belongs to the agent", () => {
    expect(read('{"permissions":{"deny":[]},"model":"x","env":{}}')).toMatchObject({
      problems: [],
      hooks: [],
    });
  });

  it.each([
    ["nothing", "", "value expected on line 1, column 1", 1],
    ["a list", "[]", "it is not a JSON object", 1],
    ["a word", "hooks", "invalid symbol on line 1, column 1: hooks", 1],
    ["null", "null", "it is not a JSON object", 1],
    ["an unclosed object", '{\n"hooks": {', 'close brace expected on line 2, column 11: "hooks": {', 2],
    ["a missing comma", '{\n"a": 1\n"b": 2}', 'comma expected on line 3, column 1: "b": 2}', 3],
    [
      "a slip in a long line",
      `{"a": "${"x".repeat(100)}" "b": "${"y".repeat(100)}"}`,
      `comma expected on line 1, column 110: ${"x".repeat(28)}" "b": "${"y".repeat(23)}…`,
      1,
    ],
    [
      "a slip beside an escape",
      '{"a": "\u001b[2J" b',
      'invalid character on line 1, column 7: {"a": "\u001b[2J" b',
      1,
    ],
    ["endless lists", "[".repeat(100_000), "it is nested too deeply", 1],
    ["endless objects", '{"hooks":'.repeat(20_000), "it is nested too deeply", 1],
  ])("is broken as a whole: %s", (_, text, detail, line) => {
    const { hooks, problems, broken } = read(text);
    expect({ hooks, broken }).toEqual({ hooks: [], broken: true });
    expect(problems).toMatchObject([
      { code: "config-unreadable", severity: "error", path: `s.json:${line}` },
    ]);
    expect(problems[0]?.message).toBe(`s.json cannot be read: ${detail}`);
  });

  it("asks for the pattern engine only when one of its hooks needs it", () => {
    const lacking = (matcher: string) => {
      const text = around(`{"matcher":"${matcher}","hooks":[{${COMMAND}}]}`);
      return lacksPatterns(readConfig({ file: "s.json", layer: "user", text }), undefined);
    };
    expect([lacking("Write|Edit"), lacking("*"), lacking("Edit.*"), lacking("(a+)+")]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it("names its dialect, unless it is read as another", () => {
    const text = `{"dialect":"pact","hooks":{"Stop":[{"hooks":[{${COMMAND}}]}]}}`;
    expect([read(text), read(text, { dialect: "wave" }), read("{}")].map(({ dialect }) => dialect)).toEqual([
      "pact",
      "wave",
      "wave",
    ]);
    expect(read(text, { dialect: "wave" }).hooks[0]?.dialect).toBe("wave");
  });
});

describe("a hook", () => {
  it("has every field filled in", () => {
    const text = `{"hooks":{"PreToolUse":[{"matcher":"Bash","sequential":true,"hooks":[
      {"type":"command","command":"./guard.sh  --all\\n and more and more and more and more"},
      {"type":"json","json":{"systemMessage":"hi"}},
      {"type":"http","url":"HTTP://127.0.0.1/","timeout":0.5,"onFailure":"block"},
      {"type":"module","module":"./g.ts","mode":"observe","enabled":false,"name":"mine"}]}]}}`;
    const { hooks } = read(text, { layer: "plugin", pluginRoot: "/plugin" });
    const plain = hooks.map(({ identity: _, matcher, ...rest }) => ({ ...rest, matcher: matcher.source }));
    const shared = {
      files: [],
      event: "PreToolUse",
      dialect: "wave",
      matcher: "Bash",
      sequential: true,
      group: "s.json#hooks.PreToolUse[0]",
    };
    const source = (index: number) => ({
      file: "s.json",
      layer: "plugin",
      line: index + 2,
      path: `hooks.PreToolUse[0].hooks[${index}]`,
      pluginRoot: "/plugin",
    });
    const defaults = {
      ignored: [],
      timeoutMs: 60_000,
      onFailure: "continue",
      mode: "enforce",
      enabled: true,
    };
    const command = "./guard.sh  --all\n and more and more and more and more";
    expect(plain).toEqual([
      {
        ...shared,
        ...defaults,
        source: source(0),
        name: "PreToolUse[0.0] guard.sh --all and more and more and mo…",
        handler: { type: "command", command },
      },
      {
        ...shared,
        ...defaults,
        source: source(1),
        name: "PreToolUse[0.1] json",
        handler: { type: "json", json: { systemMessage: "hi" }, exitcode: 0 },
      },
      {
        ...shared,
        ...defaults,
        timeoutMs: 500,
        onFailure: "block",
        source: source(2),
        name: "PreToolUse[0.2] HTTP://127.0.0.1/",
        handler: { type: "http", url: "HTTP://127.0.0.1/", headers: {}, allowedEnvVars: [] },
      },
      {
        ...shared,
        ...defaults,
        mode: "observe",
        enabled: false,
        source: source(3),
        name: "mine",
        handler: { type: "module", module: "./g.ts" },
      },
    ]);
  });
});

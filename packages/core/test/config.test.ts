import { type ConfigFile, loadPatternEngine, readConfig } from "@belay/core";
import { lacksPatterns, placeOf } from "@belay/core/internal";
import { describe, expect, it } from "vitest";

const patterns = await loadPatternEngine();

function read(text: string, more: Partial<ConfigFile> = {}) {
  return readConfig({ file: "s.json", layer: "user", text, ...more }, patterns);
}

/** A file of three lines: a good hook, the entry under test, a good hook. */
function around(entry: string): string {
  const good = (name: string) => `{"hooks":[{"type":"command","command":"true","name":"${name}"}]}`;
  return `{"hooks":{"PreToolUse":[${good("before")},\n${entry},\n${good("after")}]}}`;
}
const hook = (fields: string) => `{"hooks":[{${fields}}]}`;
const COMMAND = '"type":"command","command":"true"';
const HTTP = '"type":"http","url":"http://127.0.0.1/"';

/** A bad group, and what is said of it behind its path. */
type BadRow = [entry: string, said: string, code?: string];
const BAD_GROUPS: BadRow[] = [
  ["7", ": expected a group: { matcher, hooks }, got 7"],
  ["null", ": expected a group: { matcher, hooks }, got null"],
  [`{${COMMAND}}`, " is a hook where a group is expected", "config-flat-entry"],
  [`{"matcher":"Bash",${COMMAND},"hooks":[]}`, " is a hook where a group is expected", "config-flat-entry"],
  ['{"matcher":"Bash"}', ".hooks: expected a list of hooks, got nothing"],
  ['{"hooks":{}}', ".hooks: expected a list of hooks, got {}"],
  [`{"matcher":["Bash"],"hooks":[{${COMMAND}}]}`, '.matcher: expected string, got ["Bash"]'],
  [
    `{"matcher":"[a","hooks":[{${COMMAND}}]}`,
    '.matcher: "[a" is no regular expression',
    "config-bad-matcher",
  ],
  [`{"sequential":"yes","hooks":[{${COMMAND}}]}`, '.sequential: expected boolean, got "yes"'],
  ['{"hooks":["./guard.sh"]}', '.hooks[0]: expected a hook: { type, … }, got "./guard.sh"'],
  [
    hook('"type":"agent","prompt":"?"'),
    '.hooks[0]: hooks of type "agent" cannot be run here',
    "config-unsupported-type",
  ],
];

/** The fields of a bad hook, and what is said of them behind its path. */
const BAD_HOOKS: [fields: string, said: string][] = [
  ['"command":"true"', 'type: expected "command" | "json" | "http" | "module" | "prompt", got nothing'],
  ['"type":"comand","command":"true"', "type: expected"],
  ['"type":"command"', "command: expected string, got nothing"],
  ['"type":"command","command":""', "command: expected a string that is not blank"],
  ['"type":"command","command":" \\t"', "command: expected a string that is not blank"],
  [`${COMMAND},"args":"x"`, 'args: expected Array, got "x"'],
  [`${COMMAND},"args":["x",7]`, "args[1]: expected string, got 7"],
  [`${COMMAND},"warm":1`, 'warm: expected (boolean | "parallel"), got 1'],
  [`${COMMAND},"timeout":"5s"`, 'timeout: expected number, got "5s"'],
  [`${COMMAND},"timeout":0`, "timeout: expected seconds, at least 0.001, got 0"],
  [`${COMMAND},"timeout":-1`, "timeout: expected seconds, at least 0.001, got -1"],
  [`${COMMAND},"onFailure":"deny"`, 'onFailure: expected ("continue" | "block"), got "deny"'],
  [`${COMMAND},"mode":"dry"`, 'mode: expected ("enforce" | "observe"), got "dry"'],
  [`${COMMAND},"enabled":"no"`, 'enabled: expected boolean, got "no"'],
  [`${COMMAND},"name":""`, "name: expected a string that is not blank"],
  ['"type":"json"', "json: expected an object, got nothing"],
  ['"type":"json","json":"{}"', 'json: expected an object, got "{}"'],
  ['"type":"json","json":{},"exitcode":256', "exitcode: expected 0 to 255, got 256"],
  ['"type":"json","json":{},"exitcode":1.5', "exitcode: expected an integer, got 1.5"],
  ['"type":"http","url":"file:///etc/passwd"', "url: expected an http or https URL"],
  [`${HTTP},"headers":{"A":1}`, "headers.A: expected string, got 1"],
  [`${HTTP},"allowedEnvVars":"TOKEN"`, "allowedEnvVars: expected Array"],
  ['"type":"module"', "module: expected string, got nothing"],
  ['"type":"prompt"', "prompt: expected string, got nothing"],
  ['"type":"prompt","prompt":""', "prompt: expected a string that is not blank"],
];
const BAD = [
  ...BAD_GROUPS,
  ...BAD_HOOKS.map(([fields, said]): BadRow => [hook(fields), `.hooks[0].${said}`]),
];

describe("a bad entry", () => {
  it.each(BAD)(
    "is said with its place and takes nothing with it: %s",
    (entry, said, code = "config-bad-entry") => {
      const { hooks, problems, broken } = read(around(entry));
      expect(broken).toBe(false);
      expect(hooks.map(({ name }) => name)).toEqual(["before", "after"]);
      expect(problems.filter(({ severity }) => severity === "error")).toMatchObject([
        { code, path: "s.json:2", message: expect.stringContaining(`hooks.PreToolUse[1]${said}`) },
      ]);
      expect(problems[0]?.message).toContain(said);
    },
  );

  const LIMIT = "Write seconds, or leave it out for the default: a hook always has a limit.";
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
    [around(hook(`${COMMAND},"timeout":0`)), LIMIT],
    [around(hook(`${COMMAND},"timeout":0.0001`)), LIMIT],
    [around(hook(`${COMMAND},"timeout":"30"`)), "Write 30, without quotes."],
    [around(hook(`${COMMAND},"timeout":"5s"`)), SCHEMA],
    [
      around(hook(`${COMMAND},"timeout":90000`)),
      "`timeout` is in seconds: write 90 if it was meant in milliseconds.",
    ],
    [around('{"hooks":[{"type":"prompt","prompt":"?","timeout":-1}]}'), LIMIT],
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

/** Each is one problem; around() has two more hooks. */
const WARNED: [text: string, code: string, said: string, hooks: number][] = [
  [around(hook(`${COMMAND},"timout":5`)), "misspelt-field", "did you mean timeout?", 3],
  [around(`{${COMMAND},"hooks":[{${COMMAND}}]}`), "flat-entry", "[1].command is a hook where a group is", 3],
  [around(`{"macher":"Bash","hooks":[{${COMMAND}}]}`), "misspelt-field", "did you mean matcher?", 3],
  [around(`{"matcher":"^(?!Read)","hooks":[{${COMMAND}}]}`), "matcher-fallback", "lookaround", 3],
  [around(hook(`${COMMAND},"priority":1`)), "unknown-field", "has no effect", 3],
  [around(hook(`${COMMAND},"disabled":true`)), "misspelt-field", "did you mean enabled?", 3],
  [around(hook(`${COMMAND},"if":"Bash(git *)"`)), "ignored-field", "`if` is not read here: the hook runs", 3],
  ['{"hooks":{"PreTooUse":[]}}', "unknown-event", "did you mean PreToolUse?", 0],
  ['{"hooks":{"toString":[]}}', "unknown-event", '"toString"', 0],
  ['{"hooks":{"SubagentStart":[]}}', "foreign-event", "an event of Claude Code that Belay does not run", 0],
  ['{"dialect":"klingon","hooks":{}}', "bad-entry", 'got "klingon"', 0],
  ['{"hooks":[]}', "bad-entry", "expected an object with a list per event, got []", 0],
];

describe("a file", () => {
  it.each(WARNED)("is told about what it holds: %s", (text, code, said, count) => {
    const { hooks, problems, broken } = read(text);
    expect({ broken, count: hooks.length }).toEqual({ broken: false, count });
    expect(problems.map((problem) => problem.code)).toEqual([`config-${code}`]);
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

describe("a guess", () => {
  const fixes = (settings: object) => read(JSON.stringify(settings)).problems.map(({ fix }) => fix);
  const entry = (fields: object) => ({
    hooks: { Stop: [{ hooks: [{ type: "command", command: "true", ...fields }] }] },
  });

  it.each([
    [entry({ mode: "observ" }), 'Did you mean "observe"?'],
    [entry({ onFailure: "blok" }), 'Did you mean "block"?'],
    [entry({ type: "comand" }), 'Did you mean "command"?'],
    [{ dialect: "claudecode" }, 'Did you mean "claude-code"?'],
    [{ dialect: "klingon" }, "`belay schema --config` prints what is accepted."],
    [{ hooks: { PreTooluse: [] } }, "Use PreToolUse."],
    [{ hooks: { Klingon: [] } }, "Use one of `belay schema`."],
  ])("of %j is the word that is near, if one is", (settings, fix) => {
    expect(fixes(settings)).toEqual([fix]);
  });
});

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
    hook('"type":"workflow","prompt":"?"'),
    '.hooks[0]: hooks of type "workflow" cannot be run here',
    "config-unsupported-type",
  ],
];

/** The fields of a bad hook, and what is said of them behind its path. */
const BAD_HOOKS: [fields: string, said: string][] = [
  ['"command":"true"', 'type: expected "command" | "json" | "http" | "module" | "prompt", got nothing'],
  ['"type":"comand","command":"true"', "type: expected"],
  ['"type":"command"', "command: expected string, got nothing"],
  ['"type":"command","command":""', "command: expected a string that is not blank"],
  [`${COMMAND},"args":["x",7]`, "args[1]: expected string, got 7"],
  [`${COMMAND},"warm":1`, 'warm: expected (boolean | "parallel"), got 1'],
  [`${COMMAND},"timeout":"5s"`, 'timeout: expected number, got "5s"'],
  [`${COMMAND},"timeout":0`, "timeout: expected seconds, at least 0.001, got 0"],
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
    [
      `{"hooks":{"Stop":[{"hooks":{${COMMAND}}}]}}`,
      'Write a list: "hooks": [{"type": "command", "command": "…"}].',
    ],
    [around("7"), 'Write a group: {"hooks": [ … ]}, with an optional "matcher" beside "hooks".'],
    [around('{"hooks":["./guard.sh"]}'), 'Write {"type": "command", "command": "./guard.sh"}.'],
    [around('{"hooks":[7]}'), SCHEMA],
    ['{"hooks":[]}', 'Write a list per event: "hooks": {"Event": [ … ]}. `belay schema` names the events.'],
    [around(hook(`${COMMAND},"timeout":0`)), LIMIT],
    [around(hook(`${COMMAND},"timeout":"30"`)), "Write 30, without quotes."],
    [around(hook(`${COMMAND},"timeout":"5s"`)), SCHEMA],
    [
      around(hook(`${COMMAND},"timeout":90000`)),
      "`timeout` is in seconds: write 90 if it was meant in milliseconds.",
    ],
    [around(hook('"command":"true"')), 'Add "type": "command".'],
    [around(`{"matcher":["Edit","Write"],"hooks":[{${COMMAND}}]}`), 'Write "Edit|Write".'],
    [around(hook(`${COMMAND},"mode":"observ"`)), 'Did you mean "observe"?'],
    [around(hook('"type":"comand","command":"true"')), 'Did you mean "command"?'],
    ['{"dialect":"claudecode"}', 'Did you mean "claude-code"?'],
    ['{"dialect":"klingon"}', SCHEMA],
    ['{"hooks":{"PreTooluse":[]}}', "Use PreToolUse."],
    ['{"hooks":{"Klingon":[]}}', "Use one of `belay schema`."],
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
  [around(hook(`${COMMAND},"if":"Bash(git"`)), "bad-if", "its hook runs on every call", 3],
  [around(hook(`${COMMAND},"cwd":"src"`)), "ignored-field", "`cwd` is not read here: the hook runs", 3],
  ['{"hooks":{"toString":[]}}', "unknown-event", '"toString"', 0],
  ['{"dialect":"klingon","hooks":{}}', "bad-entry", 'got "klingon"', 0],
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
    const command = "./guard.sh  --all\n and more and more and more and more";
    const rows = [
      {
        name: "PreToolUse[0.0] guard.sh --all and more and more and mo…",
        handler: { type: "command", command },
      },
      {
        name: "PreToolUse[0.1] json",
        handler: { type: "json", json: { systemMessage: "hi" }, exitcode: 0 },
      },
      {
        timeoutMs: 500,
        onFailure: "block",
        name: "PreToolUse[0.2] HTTP://127.0.0.1/",
        handler: { type: "http", url: "HTTP://127.0.0.1/", headers: {}, allowedEnvVars: [] },
      },
      { mode: "observe", enabled: false, name: "mine", handler: { type: "module", module: "./g.ts" } },
    ];
    expect(plain).toEqual(
      rows.map((row, index) => ({
        event: "PreToolUse",
        dialect: "wave",
        matcher: "Bash",
        sequential: true,
        group: "s.json#hooks.PreToolUse[0]",
        files: [],
        ignored: [],
        timeoutMs: 60_000,
        onFailure: "continue",
        mode: "enforce",
        simulated: false,
        enabled: true,
        once: false,
        source: {
          file: "s.json",
          layer: "plugin",
          line: index + 2,
          path: `hooks.PreToolUse[0].hooks[${index}]`,
          pluginRoot: "/plugin",
        },
        ...row,
      })),
    );
  });

  it.each([
    ["./hooks/guard.sh --strict", "guard.sh --strict"],
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', "guard.sh"],
    ['python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/slow.py', "python3 slow.py"],
    ["'./my guard.sh' --now", "my guard.sh --now"],
    ['sh "$HOME/my hooks/guard.sh"', "sh guard.sh"],
    ["grep -q 'rm -rf /' && exit 2", "grep -q 'rm -rf /' && exit 2"],
    ["curl -d @- http://127.0.0.1/x.json", "curl -d @- http://127.0.0.1/x.json"],
  ])("without a name is called by what it runs, without folders: %s", (command, name) => {
    const { hooks } = read(JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } }));
    expect(hooks[0]?.name).toBe(`Stop[0.0] ${name}`);
  });
});

/* What stands by another name than its own, or in another place. */

const HOOKS = "config-misspelt-hooks";
const FIELD = "config-misspelt-field";
const OUTSIDE = "config-event-outside";

const GROUPS = '[{"hooks":[{"type":"command","command":"exit 2"}]}]';

/** What stands at the top of a file by another name than its own, or in another place. */
const MISPLACED: [what: string, text: string, code: string, said: string][] = [
  ["hooks", '{"hook":{"Stop":[]}}', HOOKS, "unknown field `hook`; its hooks are off (did you mean hooks?)"],
  ["hooks of misspelt events, in a list", '{"hook":[{"stop":[]}]}', HOOKS, "did you mean hooks?"],
  [
    "hooks by a name of their own",
    `{"agentHooks":{"Stop":${GROUPS}}}`,
    HOOKS,
    "`agentHooks`; its hooks are off",
  ],
  [
    "hooks put aside by name",
    `{"hooks":{},"hooksOld":{"Stop":${GROUPS}}}`,
    FIELD,
    "`hooksOld` has no effect",
  ],
  ["in capitals", `{"HOOKS_OFF":{"Stop":${GROUPS}}}`, FIELD, "`HOOKS_OFF` has no effect"],
  ["a name that only holds such a word", `{"folderHooks":{"Stop":${GROUPS}}}`, HOOKS, "`folderHooks`; its"],
  [
    "hooks one level too deep",
    `{"settings":{"hooks":{"Stop":${GROUPS}}}}`,
    HOOKS,
    "unknown field `settings.hooks`; its hooks are off",
  ],
  ["an event with its path", `{"hooks.Stop":${GROUPS}}`, OUTSIDE, "hooks.Stop stands at the top of the file"],
  ["hooks that were put aside", '{"_hooks":{"Stop":[]}}', FIELD, "did you mean hooks?"],
  ["no hooks at all", '{"hooks":{},"books":{"a":1}}', FIELD, "did you mean hooks?"],
  ["a dialect", '{"dialekt":"pact","hooks":{}}', FIELD, "did you mean dialect?"],
  ["an event", '{"PreToolUse":[]}', OUTSIDE, "PreToolUse stands at the top of the file"],
  ["a misspelt event", '{"preToolUse":[{"hooks":[]}]}', OUTSIDE, "preToolUse stands at the top of the file"],
  ["an event beside hooks", '{"hooks":{},"Stop":[]}', OUTSIDE, 'expected inside "hooks"'],
];

it.each(MISPLACED)("%s", (_, text, code, said) => {
  const { hooks, problems, broken } = read(text);
  expect({ hooks, broken }).toEqual({ hooks: [], broken: false });
  expect(problems).toMatchObject([{ code, path: "s.json:1" }]);
  expect(problems[0]?.message).toContain(said);
});

it("the advice loses no hooks, whether or not hooks stand beside them", () => {
  for (const more of ["", '"hooks":{},'])
    expect(read(`{${more}"Hooks":{"Stop":[]}}`).problems.map(({ fix }) => fix)).toEqual([
      "Move what it holds into `hooks` at the top of the file.",
    ]);
});

const OWN = {
  hooksConfig: { enabled: true, Stop: true },
  enabledPlugins: { Stop: [], "a@b": true },
  mcpServers: { Stop: { command: "npx" } },
  env: { hooks: "Stop" },
  agents: { reviewer: { hooks: { Stop: [{ hooks: [] }] } } },
  "//": { Stop: [{ hooks: [] }] },
  subagents: ["a", { name: "b" }],
  sessions: ["a"],
  notifications: [{ name: "b" }],
};
it.each(Object.entries(OWN))("what is the agent's own is left to it: %s", (name, own) => {
  const text = JSON.stringify({ [name]: own, hooks: {} });
  expect(read(text).problems).toEqual([]);
});

const MISSPELT: [what: string, group: object, guess: string][] = [
  [
    "the hooks of a group",
    { hoks: [{ type: "command", command: "true" }] },
    "`hooks.Stop[0].hoks` has no effect (did you mean hooks?)",
  ],
  [
    "the type of a hook",
    { hooks: [{ tpye: "command", command: "true" }] },
    "`hooks.Stop[0].hooks[0].tpye` has no effect (did you mean type?)",
  ],
];
it.each(MISSPELT)("%s, misspelt, is said beside what is missing", (_, group, guess) => {
  const text = JSON.stringify({ hooks: { Stop: [group] } });
  const { hooks, problems } = read(text);
  expect(hooks).toEqual([]);
  expect(problems.map(({ code, message }) => [code, message])).toEqual([
    ["config-bad-entry", expect.stringContaining("got nothing")],
    ["config-misspelt-field", expect.stringContaining(guess)],
  ]);
});

/* Many problems in one file. */

const readHooks = (hooks: object) => read(JSON.stringify({ hooks }));

it("of thousands of problems the first are told, and how many more there are", () => {
  const events = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`e${index}`, []]));
  const { problems } = readHooks(events);
  expect(problems).toHaveLength(1001);
  expect(problems.at(-1)).toMatchObject({
    code: "config-more-errors",
    severity: "error",
    about: "hooks",
    message: "this file has 4000 more errors",
  });
});

it("what nobody is told any more is off all the same", () => {
  const bad = Array.from({ length: 1500 }, () => ({ type: "command", command: 7 }));
  const entry = { type: "command", command: "true", timeout: "soon" };
  expect(
    readHooks({ Stop: [{ hooks: [...bad, entry] }, { matcher: 7, hooks: [{ type: "json", json: {} }] }] })
      .hooks,
  ).toEqual([]);
});

it("thousands of warnings hide no error, and are none", () => {
  const many = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`field${index}`, 1]));
  const sound = { type: "command", command: "true", ...many };
  const { hooks, problems } = readHooks({ Stop: [{ hooks: [sound, { type: "command", command: 7 }] }] });
  expect(hooks).toHaveLength(1);
  expect(problems).toHaveLength(1002);
  expect(problems.slice(-2)).toMatchObject([
    { code: "config-bad-entry", severity: "error" },
    { code: "config-more-warnings", severity: "warning" },
  ]);
});

const INSIDE = [{ type: "command" }, { type: "command", command: "true", timout: 5 }];

it.each([
  ["a matcher that is no pattern", { PreToolUse: [{ matcher: "Bash(", hooks: INSIDE }] }, "bad-matcher"],
  ["a matcher that is no text", { PreToolUse: [{ matcher: ["Bash"], hooks: INSIDE }] }, "bad-entry"],
  ["another unsound field", { PreToolUse: [{ sequential: 1, hooks: INSIDE }] }, "bad-entry"],
  ["a misspelt event", { PreTooluse: [{ hooks: INSIDE }] }, "unknown-event"],
  ["an event near none", { OnceInABlueMoon: [{ hooks: INSIDE }] }, "unknown-event"],
])("%s hides no problem behind it, and what it holds is off", (_, events, code) => {
  const { hooks, problems } = readHooks(events);
  expect(problems.map((problem) => problem.code)).toEqual([
    `config-${code}`,
    "config-bad-entry",
    "config-misspelt-field",
  ]);
  expect(hooks).toEqual([]);
});

it.each([
  [{ $comment: "off for now" }, []],
  [{ $comment: ["off", "for now"] }, []],
  [{ PreTooluse: {} }, ["config-bad-entry"]],
  [{ PreTooluse: [{ matcher: "(", hooks: 7 }] }, ["config-bad-entry", "config-bad-matcher"]],
])("under an event that there is not only what may be hooks is read as such: %j", (events, codes) => {
  const { problems } = readHooks(events);
  expect(problems.map(({ code }) => code)).toEqual(["config-unknown-event", ...codes]);
});

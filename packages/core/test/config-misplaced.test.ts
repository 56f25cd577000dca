import { readConfig } from "@belay/core";
import { expect, it } from "vitest";

const HOOKS = "config-misspelt-hooks";
const FIELD = "config-misspelt-field";
const OUTSIDE = "config-event-outside";

const GROUPS = '[{"hooks":[{"type":"command","command":"exit 2"}]}]';

/** What stands at the top of a file by another name than its own, or in another place. */
const ROWS: [what: string, text: string, code: string, said: string][] = [
  ["hooks", '{"hook":{"Stop":[]}}', HOOKS, "unknown field `hook`; its hooks are off (did you mean hooks?)"],
  ["hooks of misspelt events, in a list", '{"hook":[{"stop":[]}]}', HOOKS, "did you mean hooks?"],
  ["hooks beside hooks", '{"hooks":{},"Hooks":{"Stop":[]}}', HOOKS, "did you mean hooks?"],
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
  ["switched off", `{"disabledHooks":{"Stop":${GROUPS}}}`, FIELD, "`disabledHooks` has no effect"],
  ["in capitals", `{"HOOKS_OFF":{"Stop":${GROUPS}}}`, FIELD, "`HOOKS_OFF` has no effect"],
  ["a name that only holds such a word", `{"folderHooks":{"Stop":${GROUPS}}}`, HOOKS, "`folderHooks`; its"],
  ["a copy", `{"hooks":{},"hooks_backup":{"Stop":${GROUPS}}}`, FIELD, "`hooks_backup` has no effect"],
  [
    "hooks one level too deep",
    `{"settings":{"hooks":{"Stop":${GROUPS}}}}`,
    HOOKS,
    "`settings.hooks`; its hooks",
  ],
  ["an event with its path", `{"hooks.Stop":${GROUPS}}`, OUTSIDE, "hooks.Stop stands at the top of the file"],
  ["hooks that were put aside", '{"_hooks":{"Stop":[]}}', FIELD, "did you mean hooks?"],
  ["no hooks at all", '{"hooks":{},"books":{"a":1}}', FIELD, "did you mean hooks?"],
  ["a dialect", '{"dialekt":"pact","hooks":{}}', FIELD, "did you mean dialect?"],
  ["an event", '{"PreToolUse":[]}', OUTSIDE, "PreToolUse stands at the top of the file"],
  ["a misspelt event", '{"preToolUse":[{"hooks":[]}]}', OUTSIDE, "preToolUse stands at the top of the file"],
  ["an event beside hooks", '{"hooks":{},"Stop":[]}', OUTSIDE, 'expected inside "hooks"'],
];

it.each(ROWS)("%s", (_, text, code, said) => {
  const { hooks, problems, broken } = readConfig({ file: "s.json", layer: "user", text });
  expect({ hooks, broken }).toEqual({ hooks: [], broken: false });
  expect(problems).toMatchObject([{ code, path: "s.json:1" }]);
  expect(problems[0]?.message).toContain(said);
});

const MOVE = "Move what it holds into `hooks` at the top of the file.";
it.each([
  ["alone", '{"hook":{"Stop":[]}}', "Rename it to `hooks`."],
  ["beside hooks, which would be lost", '{"hooks":{},"Hooks":{"Stop":[]}}', MOVE],
  ["one level too deep", `{"settings":{"hooks":{"Stop":${GROUPS}}}}`, MOVE],
  ["put aside beside hooks", `{"hooks":{},"disabledHooks":{"Stop":${GROUPS}}}`, MOVE],
])("the advice loses no hooks: %s", (_, text, fix) => {
  const { problems } = readConfig({ file: "s.json", layer: "user", text });
  expect(problems.map((problem) => problem.fix)).toEqual([fix]);
});

it("a right name in a wrong place is no misspelling", () => {
  const text = `{"settings":{"hooks":{"Stop":${GROUPS}}}}`;
  const { problems } = readConfig({ file: "s.json", layer: "user", text });
  expect(problems.map(({ message }) => message)).toEqual([
    "unknown field `settings.hooks`; its hooks are off",
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
  SubagentStart: [{ hooks: [] }],
};
it.each(Object.entries(OWN))("what is the agent's own is left to it: %s", (name, own) => {
  const text = JSON.stringify({ [name]: own, hooks: {} });
  expect(readConfig({ file: "s.json", layer: "user", text }).problems).toEqual([]);
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
  const { hooks, problems } = readConfig({ file: "s.json", layer: "user", text });
  expect(hooks).toEqual([]);
  expect(problems.map(({ code, message }) => [code, message])).toEqual([
    ["config-bad-entry", expect.stringContaining("got nothing")],
    ["config-misspelt-field", expect.stringContaining(guess)],
  ]);
});

/** A file of three lines: a good hook, the entry under test, a good hook. */
export function around(entry: string): string {
  const good = (name: string) => `{"hooks":[{"type":"command","command":"true","name":"${name}"}]}`;
  return `{"hooks":{"PreToolUse":[${good("before")},\n${entry},\n${good("after")}]}}`;
}

export const hook = (fields: string) => `{"hooks":[{${fields}}]}`;
export const COMMAND = '"type":"command","command":"true"';

/** Each bad entry: what is said of it; it stands on line 2. */
export const BAD: [title: string, entry: string, code: string, said: string][] = [
  [
    "a number as a group",
    "7",
    "config-bad-entry",
    "hooks.PreToolUse[1]: expected a group: { matcher, hooks }, got 7",
  ],
  [
    "null as a group",
    "null",
    "config-bad-entry",
    "hooks.PreToolUse[1]: expected a group: { matcher, hooks }, got null",
  ],
  [
    "a flat entry",
    `{${COMMAND}}`,
    "config-flat-entry",
    "hooks.PreToolUse[1] is a hook where a group is expected",
  ],
  [
    "a flat entry beside an empty list",
    `{"matcher":"Bash",${COMMAND},"hooks":[]}`,
    "config-flat-entry",
    "hooks.PreToolUse[1] is a hook where a group is expected",
  ],
  [
    "no hooks",
    '{"matcher":"Bash"}',
    "config-bad-entry",
    "hooks.PreToolUse[1].hooks: expected a list of hooks, got nothing",
  ],
  [
    "hooks as an object",
    '{"hooks":{}}',
    "config-bad-entry",
    "hooks.PreToolUse[1].hooks: expected a list of hooks, got {}",
  ],
  [
    "a list as matcher",
    `{"matcher":["Bash"],"hooks":[{${COMMAND}}]}`,
    "config-bad-entry",
    'hooks.PreToolUse[1].matcher: expected string, got ["Bash"]',
  ],
  [
    "a matcher that is no pattern",
    `{"matcher":"[a","hooks":[{${COMMAND}}]}`,
    "config-bad-matcher",
    'hooks.PreToolUse[1].matcher: "[a" is no regular expression',
  ],
  [
    "args as a word",
    hook(`${COMMAND},"args":"x"`),
    "config-bad-entry",
    'hooks.PreToolUse[1].hooks[0].args: expected Array, got "x"',
  ],
  [
    "a number among the args",
    hook(`${COMMAND},"args":["x",7]`),
    "config-bad-entry",
    "hooks.PreToolUse[1].hooks[0].args[1]: expected string, got 7",
  ],
  [
    "warm as a number",
    hook(`${COMMAND},"warm":1`),
    "config-bad-entry",
    'hooks.PreToolUse[1].hooks[0].warm: expected (boolean | "parallel"), got 1',
  ],
  [
    "sequential as a word",
    `{"sequential":"yes","hooks":[{${COMMAND}}]}`,
    "config-bad-entry",
    'hooks.PreToolUse[1].sequential: expected boolean, got "yes"',
  ],
  [
    "a string as a hook",
    '{"hooks":["./guard.sh"]}',
    "config-bad-entry",
    'hooks.PreToolUse[1].hooks[0]: expected a hook: { type, … }, got "./guard.sh"',
  ],
  [
    "no type",
    hook('"command":"true"'),
    "config-bad-entry",
    'hooks.PreToolUse[1].hooks[0].type: expected "command" | "json" | "http" | "module" | "prompt", got nothing',
  ],
  ["a misspelt type", hook('"type":"comand","command":"true"'), "config-bad-entry", 'got "comand"'],
  [
    "a type of other agents",
    hook('"type":"agent","prompt":"?"'),
    "config-unsupported-type",
    'hooks of type "agent" cannot be run here',
  ],
  [
    "no command",
    hook('"type":"command"'),
    "config-bad-entry",
    "hooks.PreToolUse[1].hooks[0].command: expected",
  ],
  [
    "an empty command",
    hook('"type":"command","command":""'),
    "config-bad-entry",
    "expected a string that is not blank",
  ],
  ["a blank command", hook('"type":"command","command":" \\t"'), "config-bad-entry", "that is not blank"],
  [
    "a timeout as text",
    hook(`${COMMAND},"timeout":"5s"`),
    "config-bad-entry",
    'hooks.PreToolUse[1].hooks[0].timeout: expected number, got "5s"',
  ],
  [
    "a timeout of nothing",
    hook(`${COMMAND},"timeout":0`),
    "config-bad-entry",
    "timeout: expected seconds, at least 0.001, got 0",
  ],
  [
    "a negative timeout",
    hook(`${COMMAND},"timeout":-1`),
    "config-bad-entry",
    "timeout: expected seconds, at least 0.001, got -1",
  ],
  [
    "a timeout shorter than the least",
    hook(`${COMMAND},"timeout":0.0001`),
    "config-bad-entry",
    "timeout: expected seconds, at least 0.001, got 0.0001",
  ],
  [
    "a wrong onFailure",
    hook(`${COMMAND},"onFailure":"deny"`),
    "config-bad-entry",
    'onFailure: expected ("continue" | "block"), got "deny"',
  ],
  [
    "a wrong mode",
    hook(`${COMMAND},"mode":"dry"`),
    "config-bad-entry",
    'mode: expected ("enforce" | "observe"), got "dry"',
  ],
  [
    "enabled as a word",
    hook(`${COMMAND},"enabled":"no"`),
    "config-bad-entry",
    'enabled: expected boolean, got "no"',
  ],
  [
    "an empty name",
    hook(`${COMMAND},"name":""`),
    "config-bad-entry",
    "name: expected a string that is not blank",
  ],
  ["json without json", hook('"type":"json"'), "config-bad-entry", "json: expected"],
  ["json as text", hook('"type":"json","json":"{}"'), "config-bad-entry", 'json: expected Object, got "{}"'],
  [
    "an exit code too high",
    hook('"type":"json","json":{},"exitcode":256'),
    "config-bad-entry",
    "exitcode: expected 0 to 255, got 256",
  ],
  [
    "half an exit code",
    hook('"type":"json","json":{},"exitcode":1.5'),
    "config-bad-entry",
    "exitcode: expected an integer, got 1.5",
  ],
  [
    "a URL of a file",
    hook('"type":"http","url":"file:///etc/passwd"'),
    "config-bad-entry",
    "url: expected an http or https URL",
  ],
  [
    "a header that is no text",
    hook('"type":"http","url":"http://127.0.0.1/","headers":{"A":1}'),
    "config-bad-entry",
    "headers.A: expected string, got 1",
  ],
  [
    "env vars as text",
    hook('"type":"http","url":"http://127.0.0.1/","allowedEnvVars":"TOKEN"'),
    "config-bad-entry",
    "allowedEnvVars: expected Array",
  ],
  ["no module", hook('"type":"module"'), "config-bad-entry", "module: expected"],
  ["no question", hook('"type":"prompt"'), "config-bad-entry", "prompt: expected"],
  [
    "an empty question",
    hook('"type":"prompt","prompt":""'),
    "config-bad-entry",
    "prompt: expected a string that is not blank",
  ],
];

import { describe, expect, test } from "vitest";
import { scratch } from "./cli.ts";

/** An event that is none, and near none, and a hook that cannot start. */
const MISSPELT = JSON.stringify({
  hooks: { Whenever: [], Stop: [{ hooks: [{ type: "command", command: "./none.sh" }] }] },
});

/** Next steps are typed as they are printed, so what is printed must work as it stands. */
describe("started through npm, the next steps begin with npx", () => {
  const rows: [what: string, env: NodeJS.ProcessEnv, expected: string][] = [
    ["by itself", {}, "belay"],
    ["by npx", { npm_command: "exec" }, "npx belay"],
    ["by a script of npm", { npm_lifecycle_event: "start" }, "npx belay"],
  ];
  const NEXT: Readonly<Record<string, string>> = {
    "--help": "init",
    check: "init",
    "why Stop": "init",
    "run Stop": "init",
    init: "run PreToolUse --tool Bash",
    "demo --fast": "init  ",
    "run Stop --cwd untrusted": "trust --cwd",
    "why Stop --cwd untrusted": "trust --cwd",
    "check --cwd untrusted": "trust --cwd",
    "run Stop --input missing.json --config broken.json": "check --config broken.json",
    "check --config misspelt.json": "schema` ?",
    "run Stop --config misspelt.json": "check`, with the same --config",
  };
  const said = async (line: string, env: NodeJS.ProcessEnv) => {
    const { belay, file } = scratch();
    file("broken.json", "{");
    file("misspelt.json", MISSPELT);
    file("untrusted/.git/x", "");
    const hooks = { Stop: [{ hooks: [{ type: "command", command: "true" }] }] };
    file("untrusted/.belay/settings.json", JSON.stringify({ hooks }));
    const { stdout, stderr } = await belay(line.split(" "), { env });
    return stdout + stderr + stdout.replaceAll(/[\s│]+/g, " ");
  };
  test.each(rows)("%s", async (_, env, belayHere) => {
    expect(await said("why Stop", env)).toMatch(new RegExp(`(?<!npx )${belayHere} init`));
  });
  test.each(Object.entries(NEXT))("belay %s", async (line, next) => {
    expect(await said(line, { npm_command: "exec" })).toMatch(new RegExp(`npx belay ${next}`));
  });
});

describe("a next step keeps the flags that make it true", () => {
  const UUID = "0b8f1d6e-0000-4000-8000-000000000001";
  const hooks = JSON.stringify({
    hooks: {
      PreToolUse: [
        { matcher: "Bash", hooks: [{ type: "command", command: "true", name: "bash" }] },
        { matcher: "Edit", hooks: [{ type: "command", command: "true", name: "edit" }] },
      ],
    },
  });
  const files = [
    "it's.json",
    "a b/.claude/settings.json",
    `a b/.belay/hooks/hooks.${UUID}.json`,
    "a b/.git/x",
  ];

  /** What was typed, what it must print, and what that prints when it is typed in turn. */
  const OF_CLAUDE = "--dialect claude-code --cwd";
  const BROKEN = `--cwd broken --session ${UUID} --dialect wave`;
  const rows: [typed: string, next: string, then: string][] = [
    [
      `run PreToolUse --config "it's.json" --tool Bash --tool-input '{"command":"a b"}' --set 'x=[1]' --dialect pact`,
      `why PreToolUse --tool Bash --tool-input '{"command":"a b"}' --set 'x=[1]' --config 'it'\\''s.json' --dialect pact`,
      "1 would fire",
    ],
    ["run PreToolUse --cwd 'a b' --dialect claude-code", `trust ${OF_CLAUDE} 'ROOT/a b'`, "runs  true"],
    [
      `run PreToolUse --cwd 'a b' --session ${UUID}`,
      `trust --session ${UUID} --cwd 'ROOT/a b'`,
      "runs  true",
    ],
    ["why PreToolUse --cwd 'a b' --dialect claude-code --tool Edit", `trust ${OF_CLAUDE} 'a b'`, "true"],
    ["check --cwd 'a b' --dialect claude-code", `trust ${OF_CLAUDE} 'ROOT/a b'`, "true"],
    ["check --cwd 'a b'", `trust --session ${UUID} --cwd 'ROOT/a b'`, "true"],
    ["trust --cwd 'a b' --dialect claude-code", `trust ${OF_CLAUDE} 'a b' --yes`, "Trusted 2"],
    [`run Stop ${BROKEN}`, "check --dialect wave --cwd broken", "1 error"],
    [`trust ${BROKEN}`, "check --dialect wave --cwd broken", "1 error"],
  ];
  test.each(rows)("belay %s", async (typed, expected, then) => {
    const { shell, file, project } = scratch();
    for (const name of files) file(name, hooks);
    file("broken/.wave/settings.json", "{");
    file("broken/.git/x", "");
    const next = `belay ${expected.replace("ROOT", project)}`;
    expect((await shell(`belay ${typed}`)).replaceAll(/(?:\\\n|[\s│])+/g, " ")).toContain(next);
    expect(await shell(next)).toContain(then);
  });
});

describe("no hooks here, but elsewhere", () => {
  const hooks = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] } });
  const SESSION = "0b8f1d6e-0000-4000-8000-000000000001";
  const CLAUDE_SESSION = `.claude/hooks/hooks.${SESSION}.json`;
  const OWN_SESSION = `.belay/hooks/hooks.${SESSION}.json`;
  const FOUND = `found hooks of session ${SESSION}; try: belay`;
  const FLAG = `--session ${SESSION}`;
  const CLAUDE = ".claude/settings.json";
  const rows: [file: string, typed: string, next: string][] = [
    [CLAUDE, "check", "found .claude/settings.json; try: belay check --dialect claude-code"],
    [CLAUDE, "run Stop --set x=1", "try: belay run Stop --set x=1 --dialect claude-code"],
    [".claude/settings.local.json", "why Stop", "try: belay why Stop --dialect claude-code"],
    [CLAUDE, "trust", "found .claude/settings.json; try: belay trust --dialect claude-code"],
    [".wave/settings.json", "check", "found .wave/settings.json; try: belay check --dialect wave"],
    ["hooks/hooks.json", "run Stop", "found hooks/hooks.json; try: belay run Stop --dialect pact"],
    [".belay/settings.json", "check --dialect wave", "found .belay/settings.json; try: belay check"],
    [CLAUDE_SESSION, "run Stop --dialect session-hooks", `${FOUND} run Stop --dialect session-hooks ${FLAG}`],
    [CLAUDE_SESSION, "why Stop --dialect session-hooks", `${FOUND} why Stop --dialect session-hooks ${FLAG}`],
    [CLAUDE_SESSION, "run Stop", `${FOUND} run Stop --dialect session-hooks ${FLAG}`],
    [CLAUDE_SESSION, "check", `${FOUND} check --dialect session-hooks`],
    [OWN_SESSION, "run Stop", `${FOUND} run Stop ${FLAG}`],
    [OWN_SESSION, "trust --session 0b8f1d6e-0000-4000-8000-000000000002", `${FOUND} trust ${FLAG}`],
  ];
  test.each(rows)("%s: belay %s", async (name, typed, next) => {
    const { shell, file } = scratch();
    file(name, hooks);
    file(".git/x", "");
    expect((await shell(`belay ${typed}`)).replaceAll(/[\s│]+/g, " ")).toContain(next);
    expect(await shell(next.replace(/^.*try: /, ""))).not.toMatch(/no hooks|No hooks/);
  });

  const own: [files: string[], typed: string, next: string][] = [
    [[".claude"], "check", "found HOME/.claude/settings.json; try: belay check --dialect claude-code"],
    [[".claude"], "run Stop", "found HOME/.claude/settings.json; try: belay run Stop --dialect claude-code"],
    [[".claude"], "why Stop --cwd ~", "try: belay why Stop --dialect claude-code --cwd HOME"],
    [[".belay"], "check --dialect claude-code", "found HOME/.belay/settings.json; try: belay check"],
    [[".wave", ".claude"], "check", "found HOME/.wave/settings.json; try: belay check --dialect wave"],
    // The project's own come first, and the user's need no trust.
    [[".claude", "../project/hooks"], "check", "found hooks/hooks.json; try: belay check --dialect pact"],
    [[".claude"], "trust", "next: belay init"],
  ];
  test.each(own)("in the user's %j: belay %s", async (folders, typed, expected) => {
    const { shell, file, home } = scratch();
    for (const folder of folders) {
      file(`../home/${folder}/settings.json`, hooks);
      file(`../home/${folder}/hooks.json`, hooks);
    }
    const next = expected.replace("HOME", home);
    expect((await shell(`belay ${typed}`)).replaceAll(/[\s│]+/g, " ")).toContain(next);
    expect(await shell(next.replace(/^.*(?:try|next): /, ""))).not.toMatch(/no hooks|No hooks/);
  });

  const NAMED: [name: string, more: object, args: string[], isSaid: boolean][] = [
    [".claude/settings.json", {}, [], true],
    [".claude/settings.json", {}, ["--dialect", "wave"], false],
    [".claude/settings.json", { dialect: "claude-code" }, [], false],
    [".claude/settings.json", { dialect: "pact" }, [], false],
    [".wave/settings.json", {}, [], false],
    ["hooks.json", {}, [], false],
  ];
  test.each(NAMED)("--config %s, which says %j, %j", async (name, more, args, isSaid) => {
    const { belay, file } = scratch();
    file(name, JSON.stringify({ ...(JSON.parse(hooks) as object), ...more }));
    const said = `belay: warning: ${name} stands in a folder of Claude Code, and is read as wave; add --dialect claude-code to read it as there\n`;
    for (const command of isSaid ? ["run Stop", "why Stop", "check"] : ["why Stop"]) {
      const { code, stderr } = await belay([...command.split(" "), "--json", "--config", name, ...args]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: isSaid ? said : "" });
    }
  });

  const nothing: [typed: string, said: string][] = [
    ["check", "next: belay init"],
    ["check --dialect claude-code", "settings.json, .claude/settings.json, .claude/settings.local.json"],
    ["run Stop --dialect pact", "looked for hooks/hooks.json"],
    ["why Stop --dialect session-hooks", "looked for the session's file: name it by --session ID"],
    ["trust --dialect wave", ".wave/settings.json"],
    ["run Stop --config empty.json", "next: belay schema --config"],
  ];
  test.each(["check", "run Stop", "why Stop", "trust"])("in the home folder: belay %s", async (typed) => {
    const { shell, home } = scratch();
    const said = await shell(`cd '${home}' && belay ${typed}`);
    expect(said.replaceAll(/\s+/g, " ")).toContain(
      "your own hooks, for every project, are in ~/.belay/settings.json; for a project: belay init --cwd DIR",
    );
  });

  test("what could repaint the screen is shown", async () => {
    const { shell, config } = scratch();
    config({ PreToolUse: [{ matcher: "Read", hooks: [{ type: "command", command: "true" }] }] });
    const said = await shell(
      "belay run PreToolUse --config hooks.json --tool \"$(printf 'Pre\\033[2J\\342\\200\\256x')\"",
    );
    expect(said).toContain("belay why PreToolUse --tool 'Pre\\u001b[2J\\u202ex'");
    expect(said).not.toMatch(/[\u001b\u202e]/);
  });

  test.each(nothing)("nowhere: belay %s", async (typed, said) => {
    const { shell, file } = scratch();
    file("empty.json", '{ "hooks": {} }');
    expect(await shell(`belay ${typed}`)).toContain(said);
  });
});

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check, run, SCRIPT } from "./checking.ts";
import { scratch } from "./cli.ts";

describe("the config", () => {
  /** Which mistakes there are is tested in core: these rows are about lines, severities and the exit code. */
  const rows: [what: string, config: string, code: number, problems: string[]][] = [
    ["a sound one", `{ "hooks": { "Stop": [${JSON.stringify(run("true"))}] } }`, 0, []],
    ["an error", '{ "hooks": {\n"PreTolUse": [] } }', 1, ["2 error config-unknown-event"]],
    [
      "a warning",
      '{ "hooks": { "PreToolUse": [\n{ "matcher": "Bash", "hooks": [] }] } }',
      0,
      ["2 warning config-empty-group"],
    ],
    [
      "a note",
      '{ "hooks": { "Stop": [{ "hooks": [\n{ "type": "prompt", "prompt": "done?" }] }] } }',
      0,
      ["2 info prompt-needs-model"],
    ],
    [
      "a pattern that needs RegExp",
      `{ "hooks": { "PreToolUse": [{\n"matcher": "(?!Bash).*",\n${JSON.stringify(run("true")).slice(1)}] } }`,
      0,
      ["2 warning config-matcher-fallback"],
    ],
    ["broken JSON", '{ "hooks":\n{', 1, ["2 error config-unreadable"]],
    ["no hooks", "{}", 0, ["undefined warning config-no-hooks"]],
    [
      "notes of people and of other agents, and tools that they have",
      `{ "_comment": "", "hooks": { "PreToolUse": [{ "description": "", "id": "a",
        "matcher": "PowerShell|EnterPlanMode|LSP|TaskOutput", "hooks": [{ "type": "command", "command": "true",
        "_comment": "", "description": "", "id": "b", "statusMessage": "", "async": false, "once": false }] }] } }`,
      0,
      [],
    ],
  ];
  test.each(rows)("%s", async (_what, config, code, problems) => {
    const place = scratch();
    const result = await check(place, "--config", place.file("hooks.json", config));
    expect(result.code).toBe(code);
    expect(result.problems.map(({ line, severity, code: found }) => `${line} ${severity} ${found}`)).toEqual(
      problems,
    );
  });

  test("many problems at once, in the order of the file, each with its place", async () => {
    const place = scratch();
    const file = place.file(
      "hooks.json",
      `{ "hooks": {
  "PreToolUse": [
    { "matcher": "Edit.*", "hooks": [
      { "type": "command", "command": "./gone.sh", "timeout": 5000 },
      { "type": "comand" } ] } ],
  "SessionEnd": [ { "hooks": [ { "type": "command", "command": "true", "onFailure": "block" } ] } ] } }`,
    );
    const { problems, summary } = await check(place, "--config", file);
    expect(problems.map(({ line, code }) => `${line} ${code}`)).toEqual([
      "4 config-matcher-catches-more",
      "4 config-timeout-unit",
      "4 script-missing",
      "5 config-bad-entry",
      "6 config-no-effect",
    ]);
    expect(problems.every((problem) => problem.file === file)).toBe(true);
    expect(summary).toEqual({ files: [file], hooks: 2, errors: 2, warnings: 3, infos: 0 });
  });

  const unreadable: [config: string | undefined, message: RegExp, fix: string][] = [
    ["broken.json", /line 1/, "Correct it there, or remove the file."],
    [
      "list.json",
      /not a JSON object/,
      'Write an object: {"hooks": { … }}. `belay schema --config` says what it holds.',
    ],
    [".", /\/project cannot be read: it is a folder$/, "Name a file in it."],
    ["nowhere.json", /\/nowhere\.json cannot be read: there is no such file$/, "Correct the path."],
    ["list.json/hooks.json", /a file where a folder/, "Correct the path."],
    [undefined, /a file where a folder/, "Move it away."],
  ];
  test.each(unreadable)("%s: the fix is not this very command", async (config, message, fix) => {
    const place = scratch();
    place.file("broken.json", "{");
    place.file("list.json", "[]");
    place.file(".belay", "");
    const { code, problems } = await check(place, ...(config === undefined ? [] : ["--config", config]));
    expect([code, problems.map((problem) => [problem.message, problem.fix])]).toEqual([
      1,
      [[expect.stringMatching(message), fix]],
    ]);
  });
});

test("what a project's settings would allow is said to need trust; another system's rules are left alone", async () => {
  const place = scratch();
  const rules = { permissions: { allow: ["Bash(ls)", "Read"], deny: ["Write"] } };
  place.file(".belay/settings.json", JSON.stringify(rules));
  place.file(
    ".claude/settings.json",
    JSON.stringify({ permissions: { deny: ["mcp__x(", 7], defaultMode: "dontAsk" } }),
  );
  const { code, problems } = await check(place);
  expect([code, problems]).toEqual([
    0,
    [
      {
        code: "permission-untrusted",
        severity: "info",
        message:
          "2 permissions in this file are not trusted yet and do not count (allow Bash(ls) and 1 more)",
        fix: "Look at them and trust them: belay trust",
        path: `${join(place.project, ".belay/settings.json")}:1`,
        file: join(place.project, ".belay/settings.json"),
        line: 1,
      },
    ],
  ]);
  const other = await check(place, "--dialect", "claude-code");
  expect(other.problems.map((problem) => problem.code)).toEqual(["config-no-hooks"]);
  await place.belay(["trust", "--yes"]);
  expect((await check(place)).problems.map((problem) => problem.code)).toEqual(["config-no-hooks"]);
});

describe("the layers", () => {
  test("without any config it says so and names the next command", async () => {
    const place = scratch();
    expect(await place.belay(["check"])).toEqual({
      code: 0,
      stdout: "There is no config here, and so no hooks; next: belay init\n",
      stderr: "",
    });
    expect(await check(place)).toMatchObject({ code: 0, problems: [{ code: "config-no-hooks" }] });
  });

  test("user, project, local and session files are read, and untrusted hooks are a note", async () => {
    const place = scratch();
    const uuid = "0b8f1d6e-0000-4000-8000-000000000001";
    const settings = (command: string) => JSON.stringify({ hooks: { Stop: [run(command)] } });
    place.file("../home/.belay/settings.json", settings("./user.sh"));
    place.file(".belay/settings.json", settings("./project.sh"));
    place.file(".belay/settings.local.json", settings("./local.sh"));
    place.file(`.belay/hooks/hooks.${uuid}.json`, settings("./session.sh"));
    place.file(".belay/hooks/hooks.mine.json", settings("./never.sh"));
    const { problems, summary } = await check(place);
    expect(
      problems.map(({ code, message, fix }) => `${code}: ${code === "config-untrusted" ? fix : message}`),
    ).toEqual([
      "script-missing: user.sh does not exist",
      "script-missing: project.sh does not exist",
      "config-untrusted: Look at it and trust it: belay trust",
      "script-missing: local.sh does not exist",
      "config-untrusted: Look at it and trust it: belay trust",
      "script-missing: session.sh does not exist",
      `config-untrusted: Look at it and trust it: belay trust --session ${uuid}`,
      "config-session-name: hooks.mine.json is never read: the name of a session file is hooks.<uuid>.json",
    ]);
    expect(summary).toMatchObject({ hooks: 4, errors: 4, warnings: 1, infos: 3 });
  });

  test("a plugin", async () => {
    const place = scratch();
    place.file("plug/run.sh", SCRIPT, 0o644);
    place.file(
      "plug/hooks/hooks.json",
      JSON.stringify({ hooks: { Stop: [run("${CLAUDE_PLUGIN_ROOT}/run.sh")] } }),
    );
    const { problems } = await check(place, "--plugin", "plug");
    expect(problems.map(({ code, fix }) => [code, fix])).toEqual([
      ["script-not-executable", "chmod +x plug/run.sh"],
    ]);
  });
});

describe("for people", () => {
  test("place, severity, code, message, fix, and a summary", async () => {
    const place = scratch();
    place.config({ PreToolUse: [{ matcher: "bash", ...run("./gone.sh") }] });
    const { code, stdout } = await place.belay(["check", "--config", "hooks.json"]);
    expect(code).toBe(1);
    expect(stdout).toBe(`hooks.json:1  warning  config-matcher-matches-nothing
  "bash" matches no tool_name that is known for PreToolUse (did you mean Bash?)
  → Write "Bash"; names are case-sensitive.

hooks.json:1  error  script-missing
  gone.sh does not exist
  → Create it or correct the path; commands run in the event's working folder.

1 error, 1 warning; 1 hook in 1 file checked.
`);
    const env = { FORCE_COLOR: "1", NO_COLOR: "" };
    expect((await place.belay(["check", "--config", "hooks.json"], { env })).stdout).toContain(
      "\u001b[31merror\u001b[39m",
    );
  });

  test.each<[what: string, hooks: object, code: number, stdout: string]>([
    ["no problems", { Stop: [run("true")] }, 0, "No problems. 1 hook in 1 file checked.\n"],
    [
      "every note that is counted",
      {},
      1,
      `warning  config-no-hooks
  no hooks were found
  → next: belay schema --config says what a config holds

1 warning; 0 hooks in 1 file checked.
`,
    ],
  ])("%s, and what --strict makes of it", async (_what, hooks, strict, stdout) => {
    const place = scratch();
    const args = ["check", "--config", place.config(hooks)];
    expect(await place.belay(args)).toEqual({ code: 0, stderr: "", stdout });
    expect((await place.belay([...args, "--strict"])).code).toBe(strict);
  });

  test("text of a config cannot repaint the terminal", async () => {
    const place = scratch();
    const evil = "\u001b[2J\u001b]0;owned\u0007\u202egone.sh";
    place.config({ Stop: [run(`./${evil}`)], [evil]: [] });
    const { stdout } = await place.belay(["check", "--config", "hooks.json"], { env: { NO_COLOR: "1" } });
    expect(stdout).toContain("does not exist");
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
  });
});

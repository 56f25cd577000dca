import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Scratch, scratch } from "./cli.ts";

interface Report {
  problems: { code: string; severity: string; message: string; fix: string; file?: string; line?: number }[];
  summary: { files: string[]; hooks: number; errors: number; warnings: number; infos: number };
}

async function check({ belay }: Scratch, ...args: string[]) {
  const { code, stdout, stderr } = await belay(["check", "--json", ...args]);
  expect(stderr).toBe("");
  return { code, ...(JSON.parse(stdout) as Report) };
}

const run = (command: string, more: object = {}) => ({ hooks: [{ type: "command", command, ...more }] });
const SCRIPT = "#!/bin/sh\nexit 0\n";

const EVENTS_OUTSIDE = ["2 error config-event-outside", "2 error config-event-outside"];

describe("the config", () => {
  const rows: [what: string, config: string, code: number, problems: string[]][] = [
    [
      "a sound one",
      '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }] } }',
      0,
      [],
    ],
    [
      "a flat entry",
      '{ "hooks": { "Stop": [\n{ "type": "command", "command": "true" }] } }',
      1,
      ["2 error config-flat-entry"],
    ],
    ["an unknown event", '{ "hooks": {\n"PreTolUse": [] } }', 1, ["2 error config-unknown-event"]],
    [
      "a misspelt field, and what is missing for it",
      '{ "hooks": { "Stop": [{ "hooks": [\n{ "type": "command", "comand": "true" }] }] } }',
      1,
      ["2 error config-bad-entry", "2 warning config-misspelt-field"],
    ],
    [
      "an event of Claude Code",
      '{ "hooks": {\n"PermissionDenied": [] } }',
      0,
      ["2 info config-foreign-event"],
    ],
    ["events without hooks around them", '{\n"PreToolUse": [], "Stop": [] }', 1, EVENTS_OUTSIDE],
    [
      "a group without hooks",
      '{ "hooks": { "PreToolUse": [\n{ "matcher": "Bash", "hooks": [] }] } }',
      0,
      ["2 warning config-empty-group"],
    ],
    ["a misspelt top", '{ "hook": {} }', 0, ["1 warning config-misspelt-field"]],
    [
      "a pattern that is none",
      '{ "hooks": { "PreToolUse": [{\n"matcher": "(", "hooks": [] }] } }',
      1,
      ["2 error config-bad-matcher"],
    ],
    [
      "a pattern that needs RegExp",
      '{ "hooks": { "PreToolUse": [{\n"matcher": "(?!Bash).*",\n"hooks": [{ "type": "command", "command": "true" }] }] } }',
      0,
      ["2 warning config-matcher-fallback"],
    ],
    ["broken JSON", '{ "hooks":\n{', 1, ["2 error config-unreadable"]],
    [
      "permissions",
      '{ "permissions": {\n"deny": ["Bash(rm *", "Bsh"],\n"allow": ["Bash(a && b)", "Read"],\n"defaultMode": "yolo", "alow": [] } }',
      1,
      [
        "2 error permission-bad-rule",
        "2 warning permission-unknown-tool",
        "3 warning permission-several-commands",
        "4 warning config-misspelt-field",
        "4 error config-bad-entry",
      ],
    ],
    ["no object", "[]", 1, ["1 error config-unreadable"]],
    ["no hooks", "{}", 0, ["undefined info config-no-hooks"]],
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

  const unreadable: [what: string, args: string[], fixes: string[]][] = [
    ["broken JSON", ["--config", "broken.json"], ["Correct it there, or remove the file."]],
    [
      "a list",
      ["--config", "list.json"],
      ['Write an object: {"hooks": { … }}. `belay schema --config` says what it holds.'],
    ],
    ["a folder", ["--config", "."], ["Name a file in it."]],
    ["no file", ["--config", "nowhere.json"], ["Correct the path."]],
    ["a path through a file", ["--config", "list.json/hooks.json"], ["Correct the path."]],
    ["a file in the way of the layers", [], ["Move it away."]],
  ];
  test.each(unreadable)("%s: the fix is not this very command", async (_what, args, fixes) => {
    const place = scratch();
    place.file("broken.json", "{");
    place.file("list.json", "[]");
    place.file(".belay", "");
    const { code, problems } = await check(place, ...args);
    expect([code, problems.map(({ fix }) => fix)]).toEqual([1, fixes]);
  });

  test("a file that is not there, and a folder", async () => {
    const place = scratch();
    const missing = await check(place, "--config", "nowhere.json");
    expect([missing.code, missing.problems.map(({ message }) => message)]).toEqual([
      1,
      [`${join(place.project, "nowhere.json")} cannot be read: there is no such file`],
    ]);
    const folder = await check(place, "--config", ".");
    expect(folder.problems.map(({ message }) => message)).toEqual([
      `${place.project} cannot be read: it is a folder`,
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

describe("scripts", () => {
  const rows: [
    what: string,
    files: Record<string, [text: string, mode: number]>,
    command: string,
    codes: string[],
  ][] = [
    ["a good one", { "g.sh": [SCRIPT, 0o755] }, "./g.sh", []],
    ["in quotes behind a variable", { "g.sh": [SCRIPT, 0o755] }, '"$BELAY_PROJECT_DIR"/g.sh', []],
    ["missing", {}, "./g.sh", ["script-missing"]],
    ["missing behind a variable", {}, '"$CLAUDE_PROJECT_DIR"/g.sh', ["script-missing"]],
    ["missing, for an interpreter", {}, "python3 hooks/g.py --fast", ["script-missing"]],
    ["missing, but tested for", {}, "[ -x ./g.sh ] && ./g.sh", []],
    ["missing here, but the command moves", {}, "cd elsewhere && ./g.sh", []],
    [
      "missing where the command moves to",
      { "sub/x.sh": [SCRIPT, 0o755] },
      "cd sub && ./g.sh",
      ["script-missing"],
    ],
    ["there where the command moves to", { "sub/g.sh": [SCRIPT, 0o755] }, "cd sub && ./g.sh", []],
    ["missing, and another file is tested for", {}, "[ -f x ] || ./g.sh", ["script-missing"]],
    ["missing, and run only where another file is", {}, "[ -f x ] && ./g.sh", []],
    ["missing, and not run if it is", {}, "[ ! -x ./g.sh ] || ./g.sh", []],
    ["missing, behind timeout", {}, "timeout -k 1 5 ./g.sh", ["script-missing"]],
    ["missing, behind nice", {}, "nice -n 10 ./g.sh", ["script-missing"]],
    ["missing, behind npx", {}, "npx tsx ./g.ts", ["script-missing"]],
    ["missing, one word inside sh -c", {}, "bash -c ./g.sh", ["script-missing"]],
    ["only mentioned", {}, "echo run ./g.sh later.sh", []],
    ["inside sh -c", {}, 'sh -c "./g.sh --now"', ["script-missing"]],
    ["not executable", { "g.sh": [SCRIPT, 0o644] }, "./g.sh", ["script-not-executable"]],
    ["not executable, for an interpreter", { "g.sh": [SCRIPT, 0o644] }, "sh g.sh", []],
    ["no shebang", { "g.sh": ["exit 0\n", 0o755] }, "./g.sh", ["script-no-shebang"]],
    ["Windows line ends", { "g.sh": ["#!/bin/sh\r\nexit 0\r\n", 0o755] }, "./g.sh", ["script-bad-shebang"]],
    [
      "an interpreter that is not there",
      { "g.sh": ["#!/no/such/sh\n", 0o755] },
      "./g.sh",
      ["script-bad-shebang"],
    ],
    [
      "an interpreter that is not on PATH",
      { "g.sh": ["#!/usr/bin/env no-such-sh\n", 0o755] },
      "./g.sh",
      ["script-bad-shebang"],
    ],
    ["a bare name", { "g.sh": [SCRIPT, 0o755] }, "g.sh", ["script-not-on-path"]],
    ["a program that is not installed", {}, "no-such-program --x", ["script-not-on-path"]],
    ["a builtin", {}, "exit 2", []],
    ["a program behind others", {}, "A=1 env -i sh -c true", []],
    ["a condition", {}, "if grep -q x; then exit 2; fi", []],
    ["a value first", {}, 'input=$(cat); echo "$input"', []],
    [
      "no event name",
      { "g.py": ["print({'hookSpecificOutput': {'permissionDecision': 'deny'}})", 0o644] },
      "python3 g.py",
      ["script-no-event-name"],
    ],
    ["exit 1", { "g.sh": ["#!/bin/sh\nexit 1\n", 0o755] }, "./g.sh", ["script-exit-1"]],
    ["a binary", { g: ["\u007fELF\0\0 hookSpecificOutput", 0o755] }, "./g", []],
  ];
  test.each(rows)("%s", async (_what, files, command, codes) => {
    const place = scratch();
    for (const [name, [text, mode]] of Object.entries(files)) place.file(name, text, mode);
    const { problems } = await check(place, "--config", place.config({ PreToolUse: [run(command)] }));
    expect(problems.map(({ code }) => code)).toEqual(codes);
  });

  const SH = { "g.sh": [SCRIPT, 0o755] } as const;
  const argued: [what: string, command: string, args: string[], codes: string[]][] = [
    ["a good one", "sh", ["g.sh"], []],
    ["behind a folder in braces", "${BELAY_PROJECT_DIR}/g.sh", [], []],
    ["behind a folder without braces", "$BELAY_PROJECT_DIR/g.sh", [], ["script-literal-word"]],
    ["below a home that no shell fills in", "sh", ["~/g.sh"], ["script-literal-word", "script-missing"]],
    ["code for a shell", "sh", ["-c", "echo $HOME; ./g.sh"], []],
    ["missing", "sh", ["none.sh"], ["script-missing"]],
    ["missing for a shell", "sh", ["-c", "./none.sh --now"], ["script-missing"]],
    ["a whole command line where a program belongs", "sh g.sh", [], ["script-not-on-path"]],
    ["a builtin", "umask", ["7"], ["script-not-on-path"]],
    ["exit 1", "sh", ["-c", "exit 1"], ["script-exit-1"]],
  ];
  test.each(argued)("with args: %s", async (_what, command, args, codes) => {
    const place = scratch();
    for (const [name, [text, mode]] of Object.entries(SH)) place.file(name, text, mode);
    const config = place.config({ PreToolUse: [run(command, { args })] });
    const { problems } = await check(place, "--config", config);
    expect(problems.map(({ code }) => code)).toEqual(codes);
  });

  const SPACED: [command: string, fixes: string[]][] = [
    ["$CLAUDE_PROJECT_DIR/g.sh", ['Write "$CLAUDE_PROJECT_DIR"/g.sh']],
    ["sh ${BELAY_PROJECT_DIR}/g.sh --now", ['Write "${BELAY_PROJECT_DIR}"/g.sh']],
    ['"$CLAUDE_PROJECT_DIR"/g.sh', []],
    ['"$CLAUDE_PROJECT_DIR/g.sh"', []],
    ['D=$CLAUDE_PROJECT_DIR; "$D/g.sh"', []],
  ];
  test.each(SPACED)("in a project whose path has a space: %s", async (command, fixes) => {
    const { project, file, config, belay } = scratch();
    file("q q/.git/HEAD", "");
    file("q q/g.sh", SCRIPT, 0o755);
    const args = ["--config", config({ Stop: [run(command)] }), "--cwd", join(project, "q q")];
    const { stdout, code } = await belay(["check", "--json", ...args]);
    const { problems } = JSON.parse(stdout) as Report;
    expect(problems.map(({ fix }) => fix)).toEqual(fixes);
    expect(code).toBe(fixes.length === 0 ? 0 : 1);
  });

  test("a folder", async () => {
    const place = scratch();
    mkdirSync(join(place.project, "g.sh"));
    const { problems } = await check(place, "--config", place.config({ Stop: [run("sh ./g.sh")] }));
    expect(problems.map(({ message }) => message)).toEqual(["g.sh is a folder, not a file"]);
  });

  test("one that may not be read", async () => {
    const place = scratch();
    chmodSync(place.file("g.sh", SCRIPT), 0o000);
    const { problems } = await check(place, "--config", place.config({ Stop: [run("sh ./g.sh")] }));
    // root may read everything
    const expected = process.getuid?.() === 0 ? [] : ["script-unreadable"];
    expect(problems.map(({ code }) => code)).toEqual(expected);
  });

  test("an answer its event cannot give, at its line in the script", async () => {
    const place = scratch();
    const script = place.file("post.py", "import json\nprint(json.dumps({'permissionDecision': 'deny'}))\n");
    const { problems } = await check(
      place,
      "--config",
      place.config({ PostToolUse: [run("python3 post.py")] }),
    );
    expect(problems).toMatchObject([
      {
        code: "script-cannot-answer",
        file: script,
        line: 2,
        message: "post.py writes `permissionDecision`, which PostToolUse cannot answer",
      },
    ]);
  });

  test("one problem per script, however many hooks run it; none for hooks that are off", async () => {
    const place = scratch();
    place.file("g.sh", SCRIPT, 0o644);
    const groups = [run("./g.sh"), run("./g.sh", { name: "again" }), run("./off.sh", { enabled: false })];
    const { problems } = await check(place, "--config", place.config({ Stop: groups }));
    expect(problems.map(({ message }) => message)).toEqual(["g.sh is not executable"]);
  });
});

describe("a script named from the working folder, which the agent changes", () => {
  const rows: [file: string, command: string, fixes: string[], args?: string[]][] = [
    [".belay/settings.json", "./hooks/g.sh", ['"$BELAY_PROJECT_DIR"/hooks/g.sh']],
    [".belay/settings.local.json", "sh hooks/g.sh --fast", ['"$BELAY_PROJECT_DIR"/hooks/g.sh']],
    [".claude/settings.json", "hooks/g.sh", ['"$CLAUDE_PROJECT_DIR"/hooks/g.sh']],
    [".wave/settings.json", "hooks/g.sh", ['"$WAVE_PROJECT_DIR"/hooks/g.sh']],
    [".belay/settings.json", '"$BELAY_PROJECT_DIR"/hooks/g.sh', []],
    [".belay/settings.json", 'cd "$BELAY_PROJECT_DIR" && ./hooks/g.sh', []],
    [".belay/settings.json", "echo hooks/g.sh", []],
    ["../home/.belay/settings.json", "./hooks/g.sh", []],
    ["hooks.json", "./hooks/g.sh", []],
    [".claude/settings.json", "sh", ["${CLAUDE_PROJECT_DIR}/hooks/g.sh"], ["hooks/g.sh"]],
  ];
  test.each(rows)("%s: %s", async (name, command, fixes, args) => {
    const place = scratch();
    place.file("hooks/g.sh", SCRIPT, 0o755);
    place.file(name, JSON.stringify({ hooks: { Stop: [run(command, { args })] } }));
    const dialect = { c: "claude-code", w: "wave" }[name[1] ?? ""];
    const flags = dialect ? ["--dialect", dialect] : name === "hooks.json" ? ["--config", name] : [];
    const { problems, code } = await check(place, ...flags);
    const found = problems.filter((problem) => problem.code === "script-relative");
    expect(code).toBe(0);
    expect(found.map(({ severity, fix }) => [severity, fix])).toEqual(
      fixes.map((fix) => ["warning", `Write ${fix}`]),
    );
  });
});

describe("modules and http", () => {
  const rows: [what: string, file: string, text: string, detail: string[]][] = [
    ["a good module", "m.ts", "export default (input: object): object => ({});", []],
    ["a named export", "m.mjs", "export const hook = () => {};", []],
    ["a syntax error", "m.ts", "export default (: number) => {", ["m.ts does not load: "]],
    [
      "no export",
      "m.js",
      "const hook = 1;",
      ["m.js does not load: it exports no function (export default …)"],
    ],
    [
      "another kind of file",
      "m.txt",
      "x",
      ["m.txt does not load: its name does not end in one of .js .mjs .cjs .ts .mts .cts"],
    ],
  ];
  test.each(rows)("%s", async (_what, file, text, detail) => {
    const place = scratch();
    place.file(file, text);
    const config = place.config({ Stop: [{ hooks: [{ type: "module", module: `./${file}` }] }] });
    const { problems } = await check(place, "--config", config);
    expect(problems.map(({ message }) => message)).toEqual(
      detail.map((start) => expect.stringContaining(start)),
    );
  });

  const HOOK = "export default () => ({ x });";
  const imports: [what: string, file: string, text: string, missing: string[]][] = [
    ["a package", "m.mjs", `import x from "lodash";\n${HOOK}`, ['"lodash"']],
    [
      "a part of one, behind a comment",
      "m.ts",
      `// a\n/* b */ import { x } from "@a/b/c";\n${HOOK}`,
      ['"@a/b/c"'],
    ],
    ["a file", "m.js", `import { x } from "./gone.js"\nimport "./there.js";${HOOK}`, ['"./gone.js"']],
    ["an export from one", "m.mjs", `export { x } from 'gone';\nconst x = 1;${HOOK}`, ['"gone"']],
    [
      "one behind data",
      "m.mjs",
      `import x from "./there.json" with { type: "json" };\nimport "gone";\n${HOOK}`,
      ['"gone"'],
    ],
    ["only a type", "m.ts", `import type { X } from "lodash";\nconst x = 1 as X;${HOOK}`, []],
    [
      "what is there",
      "m.ts",
      `import "node:fs"; import "path"; import "have/x"; import { x } from "./there";\n${HOOK}`,
      [],
    ],
    ["what Belay brings", "m.ts", `import { defineHook as x } from "@belay/engine";\n${HOOK}`, []],
    ["text that looks so", "m.mjs", `const x = \`\nimport "lodash";\n\`; // import "lodash"\n${HOOK}`, []],
    ["one that may fail", "m.mjs", `const x = await import("lodash").catch(() => 1);\n${HOOK}`, []],
    [
      "other ways to name one",
      "m.mjs",
      `import x from "#x"; import y from "data:text/javascript,"; ${HOOK}`,
      [],
    ],
  ];
  test.each(imports)("an import of %s", async (_what, file, text, missing) => {
    const place = scratch();
    place.file(file, text);
    place.file("there.js", "export const x = 1;");
    place.file("there.ts", "export const x = 1;");
    place.file("there.json", "{}");
    place.file("node_modules/have/package.json", "{}");
    const config = place.config({ Stop: [{ hooks: [{ type: "module", module: `./${file}` }] }] });
    const { problems } = await check(place, "--config", config);
    expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual(
      missing.map(
        (name) =>
          `module-does-not-load: ${file} does not load: it imports ${name}, which is not found from there`,
      ),
    );
  });

  test("a module that is not there", async () => {
    const place = scratch();
    const config = place.config({ Stop: [{ hooks: [{ type: "module", module: "./gone.ts" }] }] });
    const { code, problems } = await check(place, "--config", config);
    expect([code, problems.map(({ code: found, fix }) => [found, fix])]).toEqual([
      1,
      [
        [
          "script-missing",
          "Create it or correct the path; a module is looked for beside its config file, then in the project.",
        ],
      ],
    ]);
  });

  test("a script that is not there, once for every hook that names it", async () => {
    const place = scratch();
    const config = place.file(
      "hooks.json",
      `{ "hooks": { "Stop": [\n${JSON.stringify(run("./gone.sh"))},\n${JSON.stringify(run("./gone.sh -x"))}] } }`,
    );
    const { problems } = await check(place, "--config", config);
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ["script-missing", 2],
      ["script-missing", 3],
    ]);
  });

  test("a module is read, not executed", async () => {
    const place = scratch();
    place.file(
      "m.js",
      "import { writeFileSync } from 'node:fs'; writeFileSync('ran', ''); export default () => {};",
    );
    const config = place.config({ Stop: [{ hooks: [{ type: "module", module: "./m.js" }] }] });
    const ran = join(place.project, "ran");
    expect((await check(place, "--config", config)).problems).toEqual([]);
    expect(existsSync(ran)).toBe(false);
    await place.belay(["run", "Stop", "--config", config]);
    expect(existsSync(ran)).toBe(true);
  });

  test("a URL that a project's hook may not call", async () => {
    const place = scratch();
    const http = (url: string) => ({ hooks: [{ type: "http", url }] });
    place.file(
      ".belay/settings.json",
      JSON.stringify({ hooks: { Stop: [http("https://example.com/x"), http("http://127.0.0.1:9/x")] } }),
    );
    const { problems } = await check(place);
    expect(problems.map(({ code }) => code)).toEqual(["http-not-allowed", "config-untrusted"]);
  });
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
      "config-untrusted: Look at them and trust them: belay trust",
      "script-missing: local.sh does not exist",
      "config-untrusted: Look at them and trust them: belay trust",
      "script-missing: session.sh does not exist",
      `config-untrusted: Look at them and trust them: belay trust --session ${uuid}`,
      "config-session-name: hooks.mine.json is never read: the name of a session file is hooks.<uuid>.json",
    ]);
    expect(summary).toMatchObject({ hooks: 4, errors: 4, warnings: 1, infos: 3 });
  });

  test("a dialect's own files", async () => {
    const place = scratch();
    place.file(".claude/settings.json", JSON.stringify({ hooks: { Stop: [run("./gone.sh")] } }));
    expect((await check(place)).problems.map(({ code }) => code)).toEqual(["config-no-hooks"]);
    const { problems } = await check(place, "--dialect", "claude-code");
    expect(problems.map(({ code }) => code)).toEqual(["script-missing", "config-untrusted"]);
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
  });

  test("no problems", async () => {
    const place = scratch();
    place.config({ Stop: [run("true")] });
    expect(await place.belay(["check", "--config", "hooks.json"])).toMatchObject({
      code: 0,
      stdout: "No problems. 1 hook in 1 file checked.\n",
    });
  });

  test("every note that is counted is printed", async () => {
    const place = scratch();
    place.file("e.json", '{ "hooks": {} }');
    expect(await place.belay(["check", "--config", "e.json"])).toEqual({
      code: 0,
      stderr: "",
      stdout: `info  config-no-hooks
  no hooks were found
  → next: belay schema --config says what a config holds

1 note; 0 hooks in 1 file checked.
`,
    });
  });

  test("every line fits a narrow terminal", async () => {
    const place = scratch();
    place.config({ Stop: [{ matcher: "Bash", ...run("./gone.sh", { timeout: 5000 }) }], Nope: [] });
    const { stdout } = await place.belay(["check", "--config", "hooks.json"], { env: { COLUMNS: "50" } });
    expect(stdout.split("\n").filter((line) => line.length > 50)).toEqual([]);
    expect(stdout).toContain("2 errors, 2 warnings");
  });

  test("text of a config cannot repaint the terminal", async () => {
    const place = scratch();
    const evil = "\u001b[2J\u001b]0;owned\u0007\u202egone.sh";
    place.config({ Stop: [run(`./${evil}`)], [evil]: [] });
    const { stdout } = await place.belay(["check", "--config", "hooks.json"], { env: { NO_COLOR: "1" } });
    expect(stdout).toContain("does not exist");
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
  });

  test("colours only where they are wanted", async () => {
    const place = scratch();
    place.config({ Stop: [run("./gone.sh")] });
    const args = ["check", "--config", "hooks.json"];
    const { stdout: plain } = await place.belay(args, { env: { FORCE_COLOR: undefined } });
    const { stdout: coloured } = await place.belay(args, { env: { FORCE_COLOR: "1", NO_COLOR: "" } });
    expect(plain).not.toContain("\u001b[");
    expect(coloured).toContain("\u001b[31merror\u001b[39m");
  });
});

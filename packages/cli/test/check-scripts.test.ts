import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check, problemsOf, run, SCRIPT } from "./checking.ts";
import { type Scratch, scratch } from "./cli.ts";

/** Whether the shell of this system has no commands of bash. */
const isDash = spawnSync("/bin/sh", ["-c", "[[ a = a ]]"]).status !== 0;

async function codesOf(place: Scratch, command: string, more: object = {}): Promise<string[]> {
  const shell = /\[\[|=\(/.test(command) ? { shell: "bash" } : {};
  const problems = await problemsOf(place, { PreToolUse: [run(command, { ...shell, ...more })] });
  return problems.map(({ code }) => code);
}

/** Scripts that are there: g.sh, a.sh, sub/g.sh, hooks/g.js, hooks/__main__.py. */
function withScripts(): Scratch {
  const place = scratch();
  for (const name of ["g.sh", "a.sh", "sub/g.sh", "g (1).sh", "$HOME/g.sh"]) place.file(name, SCRIPT, 0o755);
  for (const name of ["hooks/g.js", "hooks/__main__.py", "g.py"]) place.file(name, "");
  return place;
}

describe("a command whose script is missing", () => {
  const MISSING = [
    "./no.sh",
    '"$CLAUDE_PROJECT_DIR"/no.sh',
    "~/no-such-folder/no.sh",
    '"./no (1).sh"',
    // For an interpreter, behind options and without an ending.
    "python3 hooks/no.py --fast",
    "bash .belay/hooks/guard",
    "sh guard",
    "bash -eu hooks/guard",
    "python3 -u hooks/guard --fast",
    "node --import tsx hooks/no.ts",
    "bash -eo pipefail hooks/no.sh",
    "python3 -X utf8 hooks/no.py",
    "npx tsx ./no.ts",
    // Behind a program that runs it.
    "timeout -k 1 5 ./no.sh",
    "nice -n 10 ./no.sh",
    "xargs -n 1 -I {} ./no.sh {}",
    "env -u X ./no.sh",
    "/usr/bin/env python3 hooks/no.py",
    "/usr/bin/env ./no.sh",
    "hooks/time",
    // In a shell within.
    'sh -c "./no.sh --now"',
    "bash -c ./no.sh",
    "sh -c '~/no-such-folder/no.sh'",
    "sh -c '$HOME/no-such-folder/no.sh'",
    "(./no.sh) 2>&1",
    "out=$(cat | ./no.sh)",
    'echo "so: $(./no.sh --now)"',
    // Beside other commands, and after a move.
    "true 2>&1 & ./no.sh",
    "./no.sh || ./no.sh || true",
    '[ -n "$CI" ] && ./no.sh',
    "cd sub && ./no.sh",
    "(cd . && ./no.sh)",
  ];
  test.each(MISSING)("%s", async (command) => {
    expect(await codesOf(withScripts(), command)).toEqual(["script-missing"]);
  });

  const LITERAL = [
    "'$HOME/no.sh'",
    "sh \\$HOME/no.sh",
    'sh "~/no.sh"',
    "'~/no.sh' --now",
    "'~'/no.sh",
    '~"/no.sh"',
  ];
  test.each(LITERAL)("because no shell fills in what is quoted: %s", async (command) => {
    expect(await codesOf(withScripts(), command)).toEqual(["script-literal-word", "script-missing"]);
  });
});

describe("a command with nothing to complain of", () => {
  const SOUND = [
    "./g.sh",
    '"$BELAY_PROJECT_DIR"/g.sh',
    '"${CLAUDE_PROJECT_DIR:-${PWD}}/g.sh"',
    '"./g (1).sh"',
    "sh '$HOME/g.sh'",
    "cd sub && ./g.sh",
    "python3 hooks",
    "node hooks/g",
    "python3 -W ignore g.py",
    // Too long to be read, or made to take long.
    "./no.sh;".repeat(130_000),
    `./no.sh \${PWD} ${"{".repeat(300_000)}`,
    // Known only to the shell that runs it.
    "~no-such-user/no.sh",
    '"$OTHER"/no.sh; ${OTHER}/no.sh; sh "$1/no.sh"',
    '"$(pwd)"/no.sh; $(pwd)/no.sh; sh "$(dirname "$0")"/no.sh',
    "cd elsewhere && ./no.sh",
    // Looked for first, or only one of several.
    "[ -x ./no.sh ] && ./no.sh",
    "if [[ -n $X && -x ./no.sh ]]; then ./no.sh; fi",
    "[ ! -f x ] || ./no.sh",
    "./a.sh || ./no.sh || true",
    "command -v no-such-program >/dev/null || exit 0",
    // Not run.
    "find . -name '*.py' | xargs grep -l '[.]sh'",
    "bad=('rm (-rf|-fr)' './no.sh' \"no.py\"); echo \"${bad[@]}\"",
    "cat <no.sh",
    "f=$(cat | sed -n .tool_input.x) && cd `pwd .x`",
    "echo 'Do this; ./no.sh first'; echo \"or; ./no.sh \\`./no.sh\\`\"",
    "true # don't; ./no.sh",
    "echo run ./no.sh later.sh",
    ". ./.env; true",
    // Programs and code.
    "((i++)); true",
    "echo true | bash -s now; echo 1 | python3 - now; sh /dev/stdin",
    "npx -y guard; uv run guard; bun guard; deno task guard",
    "perl -ne print; ruby -e exit; php -r exit; bash -lc true; python3 -m guard",
    "exit 2",
    "A=1 env -i sh -c true",
    "if grep -q x; then exit 2; fi",
    'input=$(cat); echo "$input"',
  ];
  test.each(SOUND.map((command) => [command.slice(0, 60), command]))("%s", async (_shown, command) => {
    expect(await codesOf(withScripts(), command)).toEqual([]);
  });
});

describe("a script that cannot be run as it is", () => {
  const rows: [text: string, mode: number, command: string, codes: string[]][] = [
    [SCRIPT, 0o644, "./g.sh", ["script-not-executable"]],
    [SCRIPT, 0o644, "sudo -u nobody ./g.sh", ["script-not-executable"]],
    [SCRIPT, 0o644, "sh g.sh", []],
    ["exit 0\n", 0o755, "./g.sh", ["script-no-shebang"]],
    ["#!/bin/sh\r\nexit 0\r\n", 0o755, "./g.sh", ["script-bad-shebang"]],
    ["#!/no/such/sh\n", 0o755, "./g.sh", ["script-bad-shebang"]],
    ["#!/usr/bin/env no-such-sh\n", 0o755, "./g.sh", ["script-bad-shebang"]],
    ["#!/usr/bin/env sh -e\n", 0o755, "./g.sh", process.platform === "linux" ? ["script-bad-shebang"] : []],
    ["#!/usr/bin/env -S sh -e\n", 0o755, "./g.sh", []],
    [SCRIPT, 0o755, "g.sh", ["script-not-on-path"]],
    ["", 0o644, "no-such-program --x", ["script-not-on-path"]],
    ["", 0o644, "source ./.env; true", isDash ? ["script-not-on-path"] : []],
    [
      "print({'hookSpecificOutput': {'permissionDecision': 'deny'}})",
      0o644,
      "python3 g.sh",
      ["script-no-event-name"],
    ],
    ["#!/bin/sh\nexit 1\n", 0o755, "./g.sh", ["script-exit-1"]],
    ["\u007fELF\0\0 hookSpecificOutput", 0o755, "./g.sh", []],
  ];
  test.each(rows)("%j, mode %i: %s", async (text, mode, command, codes) => {
    const place = scratch();
    place.file("g.sh", text, mode);
    expect(await codesOf(place, command)).toEqual(codes);
  });

  test.each([
    ["./loop.sh", "script-unreadable", /^loop\.sh cannot be read: ELOOP/],
    ["./bare.sh", "script-bad-shebang", /^the first line of bare\.sh names nothing: /],
    ["./bom.sh", "script-bad-shebang", /names \/bin\/sh: a byte order mark \(BOM\) stands before #!/],
    ["sh ./folder.sh", "script-not-a-file", /^folder\.sh is a folder, not a file$/],
  ])("%s is told as what it is", async (command, code, message) => {
    const place = scratch();
    symlinkSync("loop.sh", join(place.project, "loop.sh"));
    mkdirSync(join(place.project, "folder.sh"));
    place.file("bare.sh", "#! \n", 0o755);
    place.file("bom.sh", "\uFEFF#!/bin/sh\nexit 0\n", 0o755);
    const problems = await problemsOf(place, { PreToolUse: [run(command)] });
    expect(problems).toMatchObject([{ code, message: expect.stringMatching(message) }]);
  });

  test("one that may not be read", async () => {
    const place = scratch();
    chmodSync(place.file("g.sh", SCRIPT), 0o000);
    // root may read everything
    const expected = process.getuid?.() === 0 ? [] : ["script-unreadable"];
    expect(await codesOf(place, "sh ./g.sh")).toEqual(expected);
  });

  test("an answer its event cannot give, at its line in the script", async () => {
    const place = scratch();
    const script = place.file("post.py", "import json\nprint(json.dumps({'permissionDecision': 'deny'}))\n");
    const config = place.config({ PostToolUse: [run("python3 post.py")] });
    expect((await check(place, "--config", config)).problems).toMatchObject([
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
    const problems = await problemsOf(place, { Stop: groups });
    expect(problems.map(({ message }) => message)).toEqual(["g.sh is not executable"]);
  });
});

test.each<[command: string, args: string[], codes: string[]]>([
  ["sh", ["g.sh"], []],
  ["${BELAY_PROJECT_DIR}/g.sh", [], []],
  ["$BELAY_PROJECT_DIR/g.sh", [], ["script-literal-word"]],
  ["sh", ["~/g.sh"], ["script-literal-word", "script-missing"]],
  ["sh", ["-c", "echo $HOME; ./g.sh"], []],
  ["sh", ["none.sh"], ["script-missing"]],
  ["sh", ["-c", "./none.sh --now"], ["script-missing"]],
  ["sh g.sh", [], ["script-not-on-path"]],
  ["umask", ["7"], ["script-not-on-path"]],
  ["sh", ["-c", "exit 1"], ["script-exit-1"]],
])("with args: %s %j", async (command, args, codes) => {
  expect(await codesOf(withScripts(), command, { args })).toEqual(codes);
});

test.each<[command: string, shell: "sh" | "bash", says: string | undefined]>([
  ["touch ran; if true; then exit 2", "sh", "cannot"],
  ["[[ $X == a* ]] || exit 0", "sh", isDash ? "knows no [[" : undefined],
  ["a=(1 2); touch ran", "sh", isDash ? "cannot" : undefined],
  ["a=(1 2); [[ $X == a* ]] || exit 0", "bash", undefined],
  ["shopt -s extglob\ncase $X in !(a)) exit 2 ;; esac", "bash", undefined],
  ["touch ran; [[ a == a", "bash", "cannot"],
  ["echo '[[ a' \"[[ b\"; bash -c '[[ a == a ]]'", "sh", undefined],
])("read by the shell that will run it, and not run: %s, %s", async (command, shell, says) => {
  const place = scratch();
  const problems = await problemsOf(place, { PreToolUse: [run(command, shell === "sh" ? {} : { shell })] });
  const messages = problems.map(({ message }) => message);
  expect(messages).toEqual(says ? [expect.stringContaining(`/${shell}`)] : []);
  expect(messages.join()).toContain(says ?? "");
  expect(existsSync(join(place.project, "ran"))).toBe(false);
});

describe("a folder's variable outside quotes", () => {
  const quote = (word: string) => [`Write, with JSON's backslashes: ${word}`];
  const rows: [command: string, fixes: string[]][] = [
    ["$CLAUDE_PROJECT_DIR/g.sh", quote('\\"$CLAUDE_PROJECT_DIR\\"/g.sh')],
    ["sh ${BELAY_PROJECT_DIR}/g.sh --now", quote('\\"${BELAY_PROJECT_DIR}\\"/g.sh')],
    ['"$CLAUDE_PROJECT_DIR"/g.sh', []],
    ['"$CLAUDE_PROJECT_DIR/g.sh"', []],
    ['D=$CLAUDE_PROJECT_DIR; "$D/g.sh"', []],
    ['[[ -f $CLAUDE_PROJECT_DIR/g.sh ]] && "$CLAUDE_PROJECT_DIR"/g.sh', []],
  ];
  test.each(rows)(
    "is an error where this path has a space, and a warning elsewhere: %s",
    async (command, fixes) => {
      const place = scratch();
      for (const folder of ["q q", "plain"]) {
        place.file(`${folder}/.git/HEAD`, "");
        place.file(`${folder}/g.sh`, SCRIPT, 0o755);
        const hooks = { Stop: [run(command, { shell: "bash" })] };
        const problems = await problemsOf(place, hooks, join(place.project, folder));
        const severity = folder === "plain" ? "warning" : "error";
        expect(problems.map((problem) => [problem.severity, problem.fix])).toEqual(
          fixes.map((fix) => [severity, fix]),
        );
      }
    },
  );
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
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
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
      fixes.map((fix) => [
        "warning",
        `Write${fix.includes('"') ? ", with JSON's backslashes:" : ""} ${inJson(fix)}`,
      ]),
    );
  });

  test("in a file that was named, where it is not found from here", async () => {
    const place = scratch();
    place.file("hooks/g.sh", SCRIPT, 0o755);
    place.file("src/x", "");
    const codes = async (cwd: string) => {
      const problems = await problemsOf(place, { Stop: [run("sh hooks/g.sh")] }, join(place.project, cwd));
      return problems.map(({ code }) => code);
    };
    expect([await codes("."), await codes("src")]).toEqual([[], ["script-relative"]]);
  });
});

const ofModule = (module: string) => ({ Stop: [{ hooks: [{ type: "module", module }] }] });
const HOOK = "export default () => ({ x });";
const notFound = (name: string) => `it imports ${JSON.stringify(name)}, which is not found from there`;

test.each<[what: string, file: string, text: string, why?: string]>([
  ["a good one", "m.ts", "export default (input: object): object => ({});"],
  ["a named export", "m.mjs", "export const hook = () => {};"],
  ["a syntax error", "m.ts", "export default (: number) => {", ""],
  ["no export", "m.js", "const hook = 1;", "it exports no function (export default …)"],
  ["another file", "m.txt", "x", "its name does not end in one of .js .mjs .cjs .ts .mts .cts"],
  ["a package", "m.mjs", `import x from "lodash";\n${HOOK}`, notFound("lodash")],
  ["its part", "m.ts", `// a\n/* b */ import { x } from "@a/b/c";\n${HOOK}`, notFound("@a/b/c")],
  ["a file", "m.js", `import { x } from "./no.js"\nimport "./there.js";${HOOK}`, notFound("./no.js")],
  ["an export from one", "m.mjs", `export { x } from 'gone';\nconst x = 1;${HOOK}`, notFound("gone")],
  [
    "an import behind data",
    "m.mjs",
    `import x from "./there.json" with { type: "json" };\nimport "gone";\n${HOOK}`,
    notFound("gone"),
  ],
  ["only a type", "m.ts", `import type { X } from "lodash";\nconst x = 1 as X;${HOOK}`],
  [
    "what is there",
    "m.ts",
    `import "node:fs"; import "path"; import "have"; import { x } from "./there"; import "./typed.js";\n${HOOK}`,
  ],
  ["a package for import alone", "m.ts", `import x from "modern"; import y from "modern/x";\n${HOOK}`],
  ["what Belay brings", "m.ts", `import { defineHook as x } from "@belay/engine";\n${HOOK}`],
  ["text that looks so", "m.mjs", `const x = \`\nimport "lodash";\n\`; // import "lodash"\n${HOOK}`],
  ["one that may fail", "m.mjs", `const x = await import("lodash").catch(() => 1);\n${HOOK}`],
  ["other names", "m.mjs", `import x from "#x"; import y from "data:text/javascript,"; ${HOOK}`],
])("a module with %s", async (_what, file, text, why) => {
  const place = scratch();
  place.file(file, text);
  for (const name of ["there.js", "typed.ts"]) place.file(name, "export const x = 1;");
  place.file("there.json", "{}");
  place.file("node_modules/have/index.js", "");
  const exports = { ".": { import: "./x.js" }, "./x": { import: "./x.js" } };
  place.file("node_modules/modern/package.json", JSON.stringify({ exports }));
  const problems = await problemsOf(place, ofModule(`./${file}`));
  const told = ["module-does-not-load", expect.stringContaining(`${file} does not load: ${why}`)];
  expect(problems.map(({ code, message }) => [code, message])).toEqual(why === undefined ? [] : [told]);
});

test("a module that is not there", async () => {
  const problems = await problemsOf(scratch(), ofModule("./gone.ts"));
  expect(problems.map(({ code, fix }) => [code, fix])).toEqual([
    [
      "script-missing",
      "Create it or correct the path; a module is looked for beside its config file, then in the project.",
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
  const config = place.config(ofModule("./m.js"));
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

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check, type Report, run, SCRIPT } from "./checking.ts";
import { scratch } from "./cli.ts";

/** Whether the shell of this system has no commands of bash. */
const isDash = spawnSync("/bin/sh", ["-c", "[[ a = a ]]"]).status !== 0;

describe("scripts", () => {
  const rows: [
    what: string,
    files: Record<string, [text: string, mode: number]>,
    command: string,
    codes: string[],
  ][] = [
    ["a good one", { "g.sh": [SCRIPT, 0o755] }, "./g.sh", []],
    ["in quotes behind a variable", { "g.sh": [SCRIPT, 0o755] }, '"$BELAY_PROJECT_DIR"/g.sh', []],
    [
      "behind one in place of another",
      { "g.sh": [SCRIPT, 0o755] },
      '"${CLAUDE_PROJECT_DIR:-${PWD}}/g.sh"',
      [],
    ],
    ["missing", {}, "./g.sh", ["script-missing"]],
    ["in a command too long to be read", {}, "./g.sh;".repeat(130_000), []],
    ["in one of brackets that nobody closes", {}, `./g.sh \${PWD} ${"{".repeat(300_000)}`, []],
    ["missing behind a variable", {}, '"$CLAUDE_PROJECT_DIR"/g.sh', ["script-missing"]],
    ["missing, for an interpreter", {}, "python3 hooks/g.py --fast", ["script-missing"]],
    ["a variable in single quotes", {}, "'$HOME/g.sh'", ["script-literal-word", "script-missing"]],
    ["a variable behind a backslash", {}, "sh \\$HOME/g.sh", ["script-literal-word", "script-missing"]],
    ["a home in double quotes", {}, 'sh "~/g.sh"', ["script-literal-word", "script-missing"]],
    ["a home in single quotes", {}, "'~/g.sh' --now", ["script-literal-word", "script-missing"]],
    ["a home, quoted by itself", {}, "'~'/g.sh", ["script-literal-word", "script-missing"]],
    ["a home whose slash is quoted", {}, '~"/g.sh"', ["script-literal-word", "script-missing"]],
    ["a file of that very name", { "$HOME/g.sh": [SCRIPT, 0o755] }, "sh '$HOME/g.sh'", []],
    ["a home that a shell fills in", {}, "~/no-such-folder/g.sh", ["script-missing"]],
    ["a home for the shell within", {}, "sh -c '~/no-such-folder/g.sh'", ["script-missing"]],
    ["a variable for the shell within", {}, "sh -c '$HOME/no-such-folder/g.sh'", ["script-missing"]],
    ["another's home", {}, "~no-such-user/g.sh", []],
    ["brackets in quotes", {}, '"./g (1).sh"', ["script-missing"]],
    ["brackets in quotes, there", { "g (1).sh": [SCRIPT, 0o755] }, '"./g (1).sh"', []],
    ["a pattern of names", {}, "find . -name '*.py' | xargs grep -l '[.]sh'", []],
    ["a variable that only the shell knows", {}, '"$OTHER"/g.sh; ${OTHER}/g.sh; sh "$1/g.sh"', []],
    ["missing, but tested for", {}, "[ -x ./g.sh ] && ./g.sh", []],
    ["missing here, but the command moves", {}, "cd elsewhere && ./g.sh", []],
    [
      "missing where the command moves to",
      { "sub/x.sh": [SCRIPT, 0o755] },
      "cd sub && ./g.sh",
      ["script-missing"],
    ],
    ["there where the command moves to", { "sub/g.sh": [SCRIPT, 0o755] }, "cd sub && ./g.sh", []],
    ["missing, tested for among others", {}, "if [[ -n $X && -x ./g.sh ]]; then ./g.sh; fi", []],
    ["missing, and another file is tested for", {}, "[ ! -f x ] || ./g.sh", []],
    ["missing, behind one that is there", { "a.sh": [SCRIPT, 0o755] }, "./a.sh || ./g.sh || true", []],
    ["missing, and so is the other", {}, "./g.sh || ./g.sh || true", ["script-missing"]],
    ["a list of patterns", {}, "bad=('rm (-rf|-fr)' './g.sh' \"g.py\"); echo \"${bad[@]}\"", []],
    ["missing, where a text is tested", {}, '[ -n "$CI" ] && ./g.sh', ["script-missing"]],
    ["missing, behind timeout", {}, "timeout -k 1 5 ./g.sh", ["script-missing"]],
    ["missing, behind nice", {}, "nice -n 10 ./g.sh", ["script-missing"]],
    ["missing, behind xargs", {}, "xargs -n 1 -I {} ./g.sh {}", ["script-missing"]],
    ["missing, behind the value of an option of env", {}, "env -u X ./g.sh", ["script-missing"]],
    ["another user's", { "g.sh": [SCRIPT, 0o644] }, "sudo -u nobody ./g.sh", ["script-not-executable"]],
    ["missing, on a shell's stdin", {}, "sh <g.sh; bash -s < ./g.sh", ["script-missing"]],
    ["missing, on the stdin of a program", {}, "cat <g.sh", []],
    ["missing, beside another", {}, "true 2>&1 & ./g.sh", ["script-missing"]],
    ["missing, in a substitution", {}, "out=$(cat | ./g.sh)", ["script-missing"]],
    ["missing, in a quoted substitution", {}, 'echo "so: $(./g.sh --now)"', ["script-missing"]],
    ["a field of the input", {}, "f=$(cat | sed -n .tool_input.x) && cd `pwd .x`", []],
    ["a substituted folder", {}, '"$(pwd)"/g.sh; $(pwd)/g.sh; sh "$(dirname "$0")"/g.sh', []],
    ["words in quotes", {}, "echo 'Do this; ./g.sh first'; echo \"or; ./g.sh \\`./g.sh\\`\"", []],
    ["a comment", {}, "true # don't; ./g.sh", []],
    ["a program that is looked for", {}, "command -v no-such-program >/dev/null || exit 0", []],
    ["missing, behind npx", {}, "npx tsx ./g.ts", ["script-missing"]],
    ["missing, one word inside sh -c", {}, "bash -c ./g.sh", ["script-missing"]],
    ["missing, behind a whole path to env", {}, "/usr/bin/env python3 hooks/g.py", ["script-missing"]],
    ["missing, run by env", {}, "/usr/bin/env ./g.sh", ["script-missing"]],
    ["missing, without an ending", {}, "bash .belay/hooks/guard", ["script-missing"]],
    ["missing, without a folder", {}, "sh guard", ["script-missing"]],
    ["missing, behind options", {}, "bash -eu hooks/guard", ["script-missing"]],
    ["missing, for Python", {}, "python3 -u hooks/guard --fast", ["script-missing"]],
    ["missing, in a shell of its own", {}, "(./g.sh) 2>&1", ["script-missing"]],
    ["missing, where a shell of its own moves to", {}, "(cd . && ./g.sh)", ["script-missing"]],
    ["missing, behind the value of an option", {}, "node --import tsx hooks/g.ts", ["script-missing"]],
    ["missing, behind a shell's option", {}, "bash -eo pipefail hooks/g.sh", ["script-missing"]],
    ["missing, behind an option of Python", {}, "python3 -X utf8 hooks/g.py", ["script-missing"]],
    ["a sum in brackets", {}, "((i++)); true", []],
    ["missing, where a program's name is a word of the shell", {}, "hooks/time", ["script-missing"]],
    ["a folder that Python runs", { "hooks/__main__.py": ["", 0o644] }, "python3 hooks", []],
    ["an ending that Node finds", { "hooks/g.js": ["", 0o644] }, "node hooks/g", []],
    ["a value of an option", { "g.py": ["", 0o644] }, "python3 -W ignore g.py", []],
    ["a script on stdin", {}, "echo true | bash -s now; echo 1 | python3 - now; sh /dev/stdin", []],
    ["a package", {}, "npx -y guard; uv run guard; bun guard; deno task guard", []],
    ["a file of variables, if there is one", {}, ". ./.env; true", []],
    ["code", {}, "perl -ne print; ruby -e exit; php -r exit; bash -lc true; python3 -m guard", []],
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
    [
      "an interpreter with an option, which env takes for a part of its name",
      { "g.sh": ["#!/usr/bin/env sh -e\n", 0o755] },
      "./g.sh",
      process.platform === "linux" ? ["script-bad-shebang"] : [],
    ],
    ["an option that env splits off", { "g.sh": ["#!/usr/bin/env -S sh -e\n", 0o755] }, "./g.sh", []],
    ["a bare name", { "g.sh": [SCRIPT, 0o755] }, "g.sh", ["script-not-on-path"]],
    ["a program that is not installed", {}, "no-such-program --x", ["script-not-on-path"]],
    ["a builtin", {}, "exit 2", []],
    ["a builtin of bash", {}, "source ./.env; true", isDash ? ["script-not-on-path"] : []],
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
    const shell = /\[\[|=\(/.test(command) ? { shell: "bash" } : {};
    const { problems } = await check(place, "--config", place.config({ PreToolUse: [run(command, shell)] }));
    expect(problems.map(({ code }) => code)).toEqual(codes);
  });

  test.each([
    ["a link to itself", "./loop.sh", "script-unreadable", /^loop\.sh cannot be read: ELOOP/],
    [
      "a first line that names nobody",
      "./bare.sh",
      "script-bad-shebang",
      /^the first line of bare\.sh names nothing: /,
    ],
    [
      "a byte order mark before #!",
      "./bom.sh",
      "script-bad-shebang",
      /^the first line of bom\.sh names \/bin\/sh: a byte order mark \(BOM\) stands before #!/,
    ],
  ])("%s is told as what it is", async (_what, command, code, message) => {
    const place = scratch();
    symlinkSync("loop.sh", join(place.project, "loop.sh"));
    place.file("bare.sh", "#! \n", 0o755);
    place.file("bom.sh", "\uFEFF#!/bin/sh\nexit 0\n", 0o755);
    const { problems } = await check(place, "--config", place.config({ PreToolUse: [run(command)] }));
    expect(problems).toMatchObject([{ code, message: expect.stringMatching(message) }]);
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

  const read: [command: string, shell: "sh" | "bash", says: string | undefined][] = [
    ["touch ran; if true; then exit 2", "sh", "cannot"],
    ["[[ $X == a* ]] || exit 0", "sh", isDash ? "knows no [[" : undefined],
    ["a=(1 2); touch ran", "sh", isDash ? "cannot" : undefined],
    ["a=(1 2); [[ $X == a* ]] || exit 0", "bash", undefined],
    ["shopt -s extglob\ncase $X in !(a)) exit 2 ;; esac", "bash", undefined],
    ["touch ran; [[ a == a", "bash", "cannot"],
    ["echo '[[ a' \"[[ b\"; bash -c '[[ a == a ]]'", "sh", undefined],
  ];
  test.each(read)("read by the shell that will run it, and not run: %s, %s", async (command, shell, says) => {
    const place = scratch();
    const config = place.config({ PreToolUse: [run(command, shell === "sh" ? {} : { shell })] });
    const { problems, code } = await check(place, "--config", config);
    const messages = problems.map(({ message }) => message);
    expect(messages).toEqual(says ? [expect.stringContaining(`/${shell}`)] : []);
    expect(messages.join()).toContain(says ?? "");
    expect([code, existsSync(join(place.project, "ran"))]).toEqual([says ? 1 : 0, false]);
  });

  const SPACED: [command: string, fixes: string[]][] = [
    ["$CLAUDE_PROJECT_DIR/g.sh", ['Write, with JSON\'s backslashes: \\"$CLAUDE_PROJECT_DIR\\"/g.sh']],
    [
      "sh ${BELAY_PROJECT_DIR}/g.sh --now",
      ['Write, with JSON\'s backslashes: \\"${BELAY_PROJECT_DIR}\\"/g.sh'],
    ],
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

  test.each<[command: string, script: string, codes: string[]]>([
    ["sh $CLAUDE_PROJECT_DIR/g.sh", "", ["script-may-split"]],
    ['[[ -f $CLAUDE_PROJECT_DIR/g.sh ]] && "$CLAUDE_PROJECT_DIR"/g.sh', "", []],
    ["sh g.sh", 'cd "$CLAUDE_PROJECT_DIR"\ndir=$CLAUDE_PROJECT_DIR', []],
    ["sh g.sh", "cd $CLAUDE_PROJECT_DIR && ls", ["script-may-split"]],
    ["sh g.sh", "\n${BELAY_PROJECT_DIR}/x --now", ["script-may-split"]],
  ])("a folder that another project's path would split: %s, %j", async (command, script, codes) => {
    const place = scratch();
    place.file("g.sh", `${SCRIPT}${script}\n`, 0o755);
    const config = place.config({ Stop: [run(command, { shell: "bash" })] });
    const { problems, code } = await check(place, "--config", config);
    expect([problems.map((problem) => problem.code), code]).toEqual([codes, 0]);
    expect((await check(place, "--config", config, "--strict")).code).toBe(codes.length);
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
    place.file("hooks.json", JSON.stringify({ hooks: { Stop: [run("sh hooks/g.sh")] } }));
    const codes = async (cwd: string) =>
      (await check(place, "--config", "hooks.json", "--cwd", cwd)).problems.map(({ code }) => code);
    expect([await codes("."), await codes("src")]).toEqual([[], ["script-relative"]]);
  });
});

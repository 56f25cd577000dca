import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratch, settings } from "./scratch.ts";
import { PROJECT, ran } from "./trust-project.ts";

/** A trusted hook of a project that has a link `a` to `sub/deep`, fired before and after the one script is edited. */
async function asksAfterEdit(script: string, command: string): Promise<boolean> {
  const room = scratch();
  execFileSync("git", ["init", "-q"], { cwd: room.project });
  room.write("project/sub/deep/x", "");
  symlinkSync("sub/deep", join(room.project, "a"));
  mkdirSync(join(room.project, "hooks"));
  room.write(`project/${script}`, "true", 0o755);
  room.write("project/.belay/settings.json", settings("Stop", { type: "command", command, name: "guard" }));
  await room.trustAll();
  const fire = async () => (await room.engine()).fire("Stop");
  expect((await fire()).runs).toMatchObject([{ hook: "guard", exitCode: 0 }]);
  room.write(`project/${script}`, "echo changed", 0o755);
  return (await fire()).runs.length === 0;
}

describe("a script that a command names, however it is written, is asked for again when it is edited", () => {
  const rows: [what: string, script: string, command: string][] = [
    ["a variable whose end is cut", "hooks/g.sh", '"${CLAUDE_PROJECT_DIR%/}"/hooks/g.sh'],
    ["a variable in place of another", "hooks/g.sh", '"${CLAUDE_PROJECT_DIR:-${PWD}}/hooks/g.sh"'],
    ["a folder behind it", "hooks/g.sh", 'sh "${BELAY_PROJECT_DIR:=${HOME}/proj}/hooks/g.sh"'],
    ["several in place of each other", "hooks/g.sh", '"${WAVE_PROJECT_DIR-${X-${PWD}}}/hooks/g.sh"'],
    ["a quoted one in place of another", "hooks/g.sh", '${CLAUDE_PLUGIN_ROOT:-"${PWD}"}/hooks/g.sh'],
    ["one of several words", "hooks/g.sh", "echo ${X:-a ${Y} hooks/g.sh} | sh -c 'read a b; sh $b'"],
    ["a quoted command in its place", "hooks/g.sh", '"${CLAUDE_PROJECT_DIR:-"$(pwd)"}/hooks/g.sh"'],
    ["a quoted word of complaint", "hooks/g.sh", '"${CLAUDE_PROJECT_DIR:?"is not set, go"}"/hooks/g.sh'],
    ["one that is there", "hooks/g.sh", '"${CLAUDE_PROJECT_DIR:+${CLAUDE_PROJECT_DIR}/}hooks/g.sh"'],
    ["one that is not there", "hooks/g.sh", '"${CLAUDE_PLUGIN_ROOT:-${CLAUDE_PROJECT_DIR}}/hooks/g.sh"'],
    ["a folder that is gone to", "hooks/g.sh", 'cd "${CLAUDE_PROJECT_DIR:-${PWD}}/hooks" && ./g.sh'],
    ["in a shell of its own", "hooks/g.sh", `sh -c 'exec "\${CLAUDE_PROJECT_DIR:-\${PWD}}"/hooks/g.sh'`],
    ["a folder of such a name", "hooks/${PWD:-${HOME}}.sh", "cat 'hooks/${PWD:-${HOME}}'.sh | sh"],
    [
      "in quotes in a shell of its own",
      "hooks/g.sh",
      'sh -c "f() { \\"\\${PWD:?\\"is not set\\"}\\"/hooks/g.sh; }; f"',
    ],
    [
      "in a command that another is given",
      "hooks/g.sh",
      'printf %s "\\"\\${PWD:?\\"is not set\\"}\\"/hooks/g.sh" | sh',
    ],
    ["one that a comment begins", "hooks/g.sh", '# as in ${PWD:-\n"${PWD:?"is not set"}"/hooks/g.sh\n# }'],
    ["a bracket in what it says", "hooks/g.sh", '"${PWD:?"set {it}, or write }"}"/hooks/g.sh'],
    ["an apostrophe in a comment", "hooks/g.sh", "# it's the guard\ncat 'hooks'/g.sh | sh"],
    ["an apostrophe in a document", "hooks/g.sh", "cat >&2 <<E\ndon't\nE\n'hooks'/g.sh"],
    ["both, in a shell of its own", "hooks/g.sh", `sh -c "# it's the guard\n'hooks'/g.sh"`],
    ["a variable whose start is cut", "hooks/g.sh", '"${BELAY_PROJECT_DIR#x}"/hooks/g.sh'],
    ["a variable that is edited", "hooks/g.sh", `bash -c '"\${PWD//x/x}"/hooks/g.sh'`],
    ["a space that is none to a shell", "hooks/g\u00a0x.sh", "sh hooks/g\u00a0x.sh"],
    ["a vertical tab", "hooks/g\vx.sh", "./hooks/g\vx.sh"],
    ["a carriage return", "hooks/g.sh\r", "sh hooks/g.sh\r"],
    ["a way back out of a link", "sub/g.sh", "sh a/../g.sh"],
    ["a way back from where it went through a link", "sub/g.sh", "cd -P a && sh ../g.sh"],
    ["a way back out of a link, gone", "sub/g.sh", "cd -P a/.. && sh ./g.sh"],
    ["behind an arrow", "hooks/g.sh", `perl -e 'my %h = (file => "./hooks/g.sh"); exec "sh", $h{file}'`],
    ["behind an arrow of JavaScript", "hooks/g.js", `node -e 'require((() => "./hooks/g.js")())'`],
    ["a word tee that is no program", "hooks/g.sh", `sh -c '"$@"' tee ./hooks/g.sh`],
    ["what no shell fills in", "hooks/$HOME.sh", "cat 'hooks/$HOME.sh' | sh"],
    ["a home that no shell fills in", "~/g.sh", "cat '~/g.sh' | sh"],
    [
      "in a list of JavaScript",
      "hooks/g.sh",
      `node -e "require('child_process').spawnSync('sh',['hooks/g.sh'])"`,
    ],
    [
      "an argument of JavaScript",
      "hooks/g.sh",
      `node -e "require('child_process').execSync('hooks/g.sh', {stdio: 'ignore'})"`,
    ],
    ["in a list of Python", "hooks/g.sh", `python3 -c "import subprocess as s; s.run(['sh','hooks/g.sh'])"`],
    ["in words of Perl", "hooks/g.sh", "perl -e 'system qw{sh hooks/g.sh}'"],
    ["what is imported", "hooks/g.mjs", `node --input-type=module -e "import'./hooks/g.mjs'"`],
    ["a space, in quotes within quotes", "my hooks/g.sh", 'echo "$(sh "./my hooks/g.sh")"'],
    ["a folder with a space, gone to within quotes", "my hooks/g.sh", 'echo "$(cd "my hooks" && ./g.sh)"'],
    ["a folder with a space, in place of a variable", "my hooks/g.sh", '"${MY_ROOT:-"my hooks"}/g.sh"'],
    [
      "behind a bracket that is text",
      "hooks/g.sh",
      `echo '\${' > /dev/null; "\${PWD:?"not set"}/hooks/g.sh"`,
    ],
    [
      "behind a variable that is not there",
      "hooks/g.sh",
      '"${CLAUDE_PLUGIN_ROOT:+$CLAUDE_PLUGIN_ROOT/}hooks/g.sh"',
    ],
    ["an alias of git", "hooks/g.sh", "git -c alias.g='!hooks/g.sh' g"],
    ["a folder that is an argument", "hooks/g.sh", `sh -c '"$0"/g.sh' hooks`],
    [
      "behind a quoted bracket",
      "hooks/g.sh",
      `echo "<b>"; node -e 'require("child_process").spawnSync("sh",["hooks/g.sh"])'`,
    ],
    ["behind a variable of its own", "hooks/g.sh", 'DIR="$PWD/hooks"; sh "$DIR/g.sh"'],
    ["a name that is told before its folder", "hooks/g.sh", "for h in g.sh; do sh hooks/$h; done"],
    ["the same, in quotes", "hooks/g.sh", 'for h in g.sh; do sh ./hooks/"$h"; done'],
    ["a folder behind a command", "hooks/g.sh", 'cd "$(git rev-parse --show-toplevel)/hooks" && ./g.sh'],
    ["behind a bare command", "hooks/g.sh", "cd $(git rev-parse --show-toplevel)/hooks && ./g.sh"],
    [
      "a folder behind a variable of its own",
      "hooks/g.sh",
      "ROOT=$(git rev-parse --show-toplevel); cd $ROOT/hooks && ./g.sh",
    ],
    ["a bare name behind a value", "guard", '"$(git rev-parse --show-toplevel)"/guard'],
    ["behind a command that goes there", "hooks/g.sh", "sh $(cd hooks; pwd)/g.sh"],
    ["a bare command that is run for its words", "hooks/g.sh", "echo $(sh hooks/g.sh)"],
    [
      "behind a variable of JavaScript",
      "hooks/g.js",
      `node -e "require(process.env.CLAUDE_PROJECT_DIR + '/hooks/g.js')"`,
    ],
    [
      "joined by JavaScript",
      "hooks/g.js",
      `node -e "require(require('path').join(process.env.CLAUDE_PROJECT_DIR, 'hooks', 'g.js'))"`,
    ],
    [
      "behind a variable of Python",
      "hooks/g.sh",
      `python3 -c "import os; os.system('sh '+os.environ['CLAUDE_PROJECT_DIR']+'/hooks/g.sh')"`,
    ],
    ["printed to a shell", "hooks/g.sh", "printf 'hooks/g.sh\\n' | sh"],
    ["the hook's own folder, in another spelling", "hooks/g.sh", "sh //proc/./self/cwd/hooks/g.sh"],
  ];
  it.each(rows)("%s", async (_what, script, command) => {
    expect(await asksAfterEdit(script, command)).toBe(true);
  });
});

describe("an ending is left out of a script, not of any word", () => {
  it.each(["package.json", "index.js"])("%s", async (script) => {
    const command = 'node "$CLAUDE_PROJECT_DIR"/lint.js package index || true';
    expect(await asksAfterEdit(script, command)).toBe(false);
  });
});

describe("a folder", () => {
  const looked = [
    "node lint.js src || true",
    "bun run lint ./src || true",
    "deno fmt --check . || true",
    "npx --no-install eslint --env node src || true",
    "npx() { true; }; npx eslint --env=node .",
    "npx() { true; }; npx eslint --fix --ext ts --ext tsx src",
    "vitest() { true; }; vitest run --environment=node src",
    "jest() { true; }; jest --testEnvironment node src",
    "esbuild() { true; }; esbuild --platform=node --outdir=dist src",
    "tsc() { true; }; tsc --moduleResolution node -p .",
    "node tools/node/lint.js src || true",
    'node "$CLAUDE_PROJECT_DIR"/lint.js src || true',
  ];
  it.each(looked)("that is looked through holds none of its scripts: %s", async (command) => {
    expect(await asksAfterEdit(command.includes("src") ? "src/index.js" : "index.js", command)).toBe(false);
  });

  const loaded = [
    'node "$(git rev-parse --show-toplevel)/hooks"',
    'npx() { shift; node "$@"; }; npx tsx@latest ./hooks',
    "node 2> /dev/null ./hooks",
    `node -e "require('./hooks')"`,
    `node -e "require('module').createRequire(process.cwd() + '/')('./hooks')"`,
    "node --env-file .env ./hooks || true",
    "node --title guard ./hooks",
    "env --chdir=. node ./hooks",
    'run() { shift; "$@"; }; run --env=test node ./hooks',
    `sh -c 'node "$0"' ./hooks`,
    'NODE=node; "$NODE" ./hooks',
    'env -i PATH="$PATH" node ./hooks',
  ];
  it.each(loaded)("that is loaded holds one: %s", async (command) => {
    expect(await asksAfterEdit("hooks/index.js", command)).toBe(true);
  });
});

const STANDING = [
  "cd $BELAY_PROJECT_DIR && node .belay/a.js .",
  `node -e "require('fs').appendFileSync('calls.log', 'x')"`,
  `node -e "require('fs').createWriteStream('calls.log').end('x')"`,
  `node -e "import('fs/promises').then((fs) => fs.appendFile('calls.log', 'x'))"`,
  `node -e "require('fs'); 'a.b'.split('.')"`,
  'cd "$BELAY_PROJECT_DIR" && node --import ./.belay/a.js .belay/a.js',
  'cd "$BELAY_PROJECT_DIR" && node --require ./.belay/a.js .belay/a.js',
  'cd "$BELAY_PROJECT_DIR" && echo "important" | node .belay/a.js',
  'bun() { true; }; bun run --cwd "$BELAY_PROJECT_DIR" .belay/a.js',
  'bun() { true; }; bun run --cwd="$BELAY_PROJECT_DIR" .belay/a.js',
];
it.each(STANDING)(
  "a package.json where a command only stands is none of a hook's scripts: %s",
  async (command) => {
    const room = scratch();
    room.write("project/package.json", "{}");
    room.write("project/.belay/a.js", "");
    room.write(PROJECT, settings("Stop", { type: "command", command }));
    await room.trustAll();
    room.write("project/package.json", '{"version":"2.0.0"}');
    expect(await ran(room)).toBe(true);
  },
);

it("a package of Python behind a value is one of its scripts", async () => {
  const command = 'python3 "$(git rev-parse --show-toplevel)/hooks/pkg" || true';
  expect(await asksAfterEdit("hooks/pkg/__main__.py", command)).toBe(true);
});

const UNPAIRED = [
  "node -e 'console.error(`a: ${[1].map((f) => `- ${f}`).join()}`)'; ./g.sh",
  'echo "${c//\\`/}" | ./g.sh',
  "X=${Y:-$(( $(date +%s) - 5 ))}; ./g.sh",
  'X=${Y:-$(cat "${Z:-g.sh}")} ./g.sh',
];
it.each(UNPAIRED)("what cannot be paired is read once, and the rest as ever: %s", async (command) => {
  expect(await asksAfterEdit("g.sh", command)).toBe(true);
});

describe("a script of the repository above the project is one, too", () => {
  const rows = [
    'cd "$(git rev-parse --show-toplevel)" && sh .claude/hooks/g.sh',
    'sh "$(git rev-parse --show-toplevel)/.claude/hooks/g.sh"',
    'ROOT=$(git rev-parse --show-toplevel); sh "$ROOT"/.claude/hooks/g.sh',
    'sh "$(dirname "$(dirname "$CLAUDE_PROJECT_DIR")")/.claude/hooks/g.sh"',
    'sh "${CLAUDE_PROJECT_DIR%/packages/a}/.claude/hooks/g.sh"',
    'cd "${CLAUDE_PROJECT_DIR%/*/*}" && sh .claude/hooks/g.sh',
    `python3 -c "import pathlib, subprocess; subprocess.run(['sh', str(pathlib.Path.cwd().parent.parent / '.claude/hooks/g.sh')])"`,
  ];
  it.each(rows)("%s", async (command) => {
    const room = scratch();
    execFileSync("git", ["init", "-q"], { cwd: room.project });
    const cwd = join(room.project, "packages/a");
    room.write("project/.claude/hooks/g.sh", "true", 0o755);
    const hook = { type: "command", command, name: "guard" };
    room.write("project/packages/a/.belay/settings.json", settings("Stop", hook));
    await room.trustAll({ cwd });
    const engine = await room.engine({ cwd });
    expect((await engine.fire("Stop")).runs).toMatchObject([{ hook: "guard", exitCode: 0 }]);
    room.write("project/.claude/hooks/g.sh", "echo changed", 0o755);
    expect((await engine.fire("Stop")).runs).toEqual([]);
  });
});

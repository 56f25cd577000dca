import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  caseFolder,
  LOCAL_TO_A_REPOSITORY,
  makeFolder,
  makeRemovable,
  putAway,
  removeRoot,
} from "../src/testing/run/case-folders.ts";
import { run, runEach } from "./case-files.ts";
import { BIN, type Scratch, scratch } from "./cli.ts";
import { recorded } from "./recorded.ts";
import { belayWithoutRights } from "./without-rights.ts";

function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "belay-test-folders-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("belay test: which cases, and where", () => {
  const list = (...rows: string[]) =>
    `hook: "true"\ndefaults: { event: Stop }\ncases:\n${rows.map((row) => `  - ${row}\n`).join("")}`;
  const PASS = "expect: { decision: none }";

  it("filters by path and by name, and skips with a reason", async () => {
    const files = {
      "a.hooks.yaml": list(
        `{ name: first, ${PASS} }`,
        `{ name: Second one, ${PASS} }`,
        `{ name: second two, skip: not yet, ${PASS} }`,
      ),
      "sub/b.hooks.json":
        '{ "hook": "true", "cases": [{ "name": "second", "event": "Stop", "expect": { "decision": "none" } }] }',
      "node_modules/c.hooks.yaml": "broken: [",
    };
    const { project, ...all } = await run(files, ["-v"]);
    expect(all).toMatchObject({ code: 0, stderr: "" });
    expect(all.stdout).toContain("– second two  not yet");
    expect(all.stdout).toContain("3 passed, 1 skipped");
    const FILTERS: [args: string[], said: string][] = [
      [["-t", "second"], "2 passed, 1 skipped"],
      [["-t", "/^second$/"], "1 passed"],
      [["sub"], "sub/b.hooks.json"],
      [["b.hooks"], "1 passed"],
    ];
    for (const [args, said] of FILTERS)
      expect((await project.belay(["test", "-v", ...args])).stdout).toContain(said);
  });

  it("gives each case a folder and a home of its own, and keeps them when asked", async () => {
    const cases = `hook: "ls -A . \\"$HOME\\" >&2; touch here \\"$HOME/there\\"; exit 2"
cases: [{ name: a, event: Stop, expect: { reason: "X" } }, { name: b, event: Stop, expect: { reason: "X" } }]
`;
    const { stdout } = await run({ "a.hooks.yaml": cases }, ["-p", "1", "--keep"]);
    expect(stdout).not.toMatch(/^ +\+ t?here/m);
    const folders = [...stdout.matchAll(/kept: (.+)/g)].map(([, folder = ""]) => folder);
    expect(folders).toHaveLength(2);
    for (const left of folders.flatMap((folder) => [`${folder}/project/here`, `${folder}/home/there`]))
      expect([left, existsSync(left)]).toEqual([left, true]);
  });

  it("a program is stood in for by a file that begins with #!, also where the folder has it already", async () => {
    const files = {
      "a.hooks.yaml": `hook: test ! -x plain && notify-send "it is $(cat plain)"
defaults:
  event: Stop
  env: { PATH: "{cwd}/bin:/usr/bin:/bin" }
  files: { bin/notify-send: "#!/bin/sh\\necho \\"$1\\" >&2; exit 2", plain: "cold" }
cases:
  - { name: in an empty folder, expect: { reason: it is cold } }
  - { name: in a copy, folder: base, expect: { reason: it is cold } }
`,
    };
    const { code, stdout } = await run(files, [], ({ file }) => file("base/bin/notify-send", "nothing"));
    expect([code, stdout]).toEqual([0, expect.stringContaining("2 passed")]);
  });

  const INSTEAD: readonly [what: string, own: string, put: (precious: string) => string][] = [
    ["a link in place of its project", "$PWD", (precious) => `ln -s ${precious}/project`],
    ["a link in place of the folder above it", '$(dirname "$PWD")', (precious) => `ln -s ${precious}`],
    [
      "a link there to a folder with a project of that name",
      '$(dirname "$PWD")',
      (precious) => `mv ${precious}/project ${precious}/$name; ln -s ${precious}`,
    ],
    ["a file in place of its project", "$PWD", () => "touch"],
    ["a file in place of the folder above it", '$(dirname "$PWD")', () => "touch"],
    [
      "a link to an empty folder in place of its home",
      "$HOME",
      (precious) => `mkdir ${precious}/empty; ln -s ${precious}/empty`,
    ],
    ["nothing in place of it all", '$(dirname "$(dirname "$PWD")")', () => "true"],
  ];
  it("the next case has a folder of its own, whatever a hook put in place of that of the one before", async () => {
    const precious = temporary();
    const cases = ["a", "b"].map((name) => ({ name, event: "Stop", expect: { decision: "none" } }));
    const files = INSTEAD.map(([what, own, put], index) => {
      const folder = join(precious, String(index));
      mkdirSync(join(folder, "project"), { recursive: true });
      writeFileSync(join(folder, "project/file"), "");
      const hook = `[ -h "$HOME" ] && exit 2
ls | grep . && exit 2
name=$(basename "$PWD"); own="${own}"; cd /; rm -r "$own"; ${put(folder)} "$own"`;
      return [`${index} ${what}.hooks.json`, JSON.stringify({ hook, cases })] as const;
    });
    const { code, stdout } = await run(Object.fromEntries(files), ["-p", "1"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${2 * INSTEAD.length} passed`)]);
    for (const [index] of INSTEAD.entries()) {
      const left = readdirSync(join(precious, String(index)), { recursive: true, encoding: "utf8" });
      expect(left.map((file) => basename(file))).toContain("file");
    }
  });

  it("nothing is made, moved or removed behind a link that a hook put in place of the root", async () => {
    const top = temporary();
    const [root, elsewhere] = [join(top, "root"), join(top, "elsewhere")];
    const folders = (index: number) => ({
      cwd: join(caseFolder(root, index), "project"),
      home: join(root, "home"),
    });
    makeFolder(root, folders(0).cwd);
    mkdirSync(folders(0).home);
    await putAway(folders(0), true);
    expect(readdirSync(caseFolder(root, 0))).toEqual(["home", "project"]);
    renameSync(root, elsewhere);
    mkdirSync(join(elsewhere, "home"));
    symlinkSync(elsewhere, root);
    expect(() => makeFolder(root, folders(1).cwd)).toThrow("a hook put a link there");
    await putAway(folders(0), false);
    expect(readdirSync(elsewhere)).toEqual(["case-1", "home"]);
    expect(await removeRoot(root)).toBe(undefined);
    expect(readdirSync(elsewhere)).toEqual(["case-1", "home"]);
  });

  it("what a case leaves writing in its folder and its home costs no case its result", async () => {
    const flags = temporary();
    const writers = ["1", "2", "3", "4"];
    const write = `i=0; until [ -e ${flags}/end ] || [ $i -gt 99999 ]; do
mkdir -p "$HOME/d/$0/$i" d/$0-$i && touch d/$0-$i/f; i=$((i+1)); done`;
    const hook = `[ -e ${flags}/begun ] && { ls -d "$HOME" >&2; exit 2; }
touch ${flags}/begun
for n in ${writers.join(" ")}; do setsid sh -c '${write}; touch ${flags}/ended-'$n $n > ${flags}/out 2>&1 & done
until [ -e "$HOME/d/1/9" ] && [ -e "$HOME/d/4/9" ]; do sleep 0.01; done`;
    const later = Array.from({ length: 20 }, (_, index) => ({
      name: `later ${index}`,
      event: "Stop",
      expect: { reason: "{home}" },
    }));
    const cases = [{ name: "a", event: "Stop", expect: { decision: "none" } }, ...later];
    const { code, stdout } = await run({ "a.hooks.json": JSON.stringify({ hook, cases }) }, ["-p", "1"]);
    writeFileSync(join(flags, "end"), "");
    await vi.waitUntil(() => writers.every((n) => existsSync(join(flags, `ended-${n}`))), 20_000);
    expect([code, stdout]).toEqual([0, expect.stringContaining("21 passed")]);
  });

  it("what a case leaves running writes into no other case's folder", async () => {
    const flags = temporary();
    // The first leaves a process of a group of its own, which writes when the second asks for it.
    const until = (flag: string) => `until [ -e ${flags}/${flag} ]; do sleep 0.01; done`;
    const hook = `if [ -e ${flags}/begun ]; then touch ${flags}/go; ${until("done")}; ls >&2; exit 2; fi
touch ${flags}/begun
setsid sh -c '${until("go")}; touch late; touch "$PWD/later"; touch ${flags}/done' > ${flags}/out 2>&1 &`;
    const cases = [
      { name: "a", event: "Stop", expect: { decision: "none" } },
      { name: "b", event: "Stop", expect: { decision: "block", reason: "/^(?!.*late)/" } },
    ];
    const { code, stdout } = await run({ "a.hooks.json": JSON.stringify({ hook, cases }) }, ["-p", "1"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("2 passed")]);
  });

  it("fires a recorded event, in the folder of the case", async () => {
    const record = {
      event: "PreToolUse",
      cwd: "/gone/before",
      payload: { cwd: "/gone/before", tool_name: "Bash", tool_input: { command: "cat /gone/before/a.txt" } },
    };
    const text = `hook: "cat >&2; exit 2"
cases:
  - { name: file, record: one.json, expect: { reason: '/"command":"cat {cwd}\\/a.txt"/' } }
  - { name: none, record: no-such-id, expect: { decision: deny } }
`.replace("{cwd}\\/", "\\{cwd\\}\\/");
    const { code, stdout } = await run({ "a.hooks.yaml": text, "one.json": JSON.stringify(record) });
    expect(stdout).toContain("record no-such-id is neither a file nor in the journal of this project");
    expect(stdout).toContain("1 failed, 1 passed");
    expect(code).toBe(2);
  });

  it("finds a record of the journal by its id", async () => {
    const room = await recorded();
    const [, denied] = room.records();
    const { id } = denied;
    // A writer that was killed left half a line before it.
    writeFileSync(room.journal, `{"version":1,"id":"${readFileSync(room.journal, "utf8")}`);
    const tested = async (record: string) => {
      const one = { name: "a", record, expect: { decision: "deny" } };
      room.file("a.hooks.yaml", JSON.stringify({ config: "old.json", cases: [one] }));
      const { code, stdout } = await room.belay(["test"], { env: { COLUMNS: "1000" } });
      return [code, stdout];
    };
    for (const beginning of [id, id.slice(0, 8), id.slice(0, 20)])
      expect(await tested(beginning)).toEqual([0, expect.stringContaining("1 passed")]);
    expect(await tested(id.slice(0, 7))).toEqual([
      2,
      expect.stringMatching(
        /is neither a file nor in the journal of this project; .*: belay tail -n 1 --json/,
      ),
    ]);
    room.write([denied, { ...denied, id: `${id.slice(0, 30)}ffffff` }]);
    expect(await tested(id)).toEqual([0, expect.stringContaining("1 passed")]);
    expect(await tested(id.slice(0, 8))).toEqual([
      2,
      expect.stringContaining(
        `record ${id.slice(0, 8)} begins 2 ids of the journal; name more of it: belay tail --json prints them`,
      ),
    ]);
  });

  it("tells every case of a config's problems", async () => {
    const hooks = [
      { type: "command", command: "true", timeout: -1 },
      { type: "command", command: "true" },
    ];
    const one = (name: string) => `  - { name: ${name}, event: Stop, expect: { diagnostics: [] } }\n`;
    const yaml = `config: bad.json\ncases:\n${one("a")}${one("b")}`;
    const { stdout } = await run({ "a.hooks.yaml": yaml }, ["-p", "1"], ({ config }) =>
      config({ Stop: [{ hooks }] }, "bad.json"),
    );
    expect(stdout.match(/\+ config-[\w-]+/g)?.length).toBe(2);
  });
});

/** A repository with a worktree, whose pre-commit hook runs `belay test` there. */
function worktree(cases: object) {
  const { home } = scratch();
  const [main, tree, tmp] = [join(home, "main"), join(home, "tree"), join(home, "tmp")];
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: tmp, NO_COLOR: "1", COLUMNS: "200" };
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", [...who, ...args], { cwd, env, encoding: "utf8" });
  for (const folder of [main, tmp]) mkdirSync(folder);
  git(main, "init", "--quiet");
  git(main, "commit", "--quiet", "--allow-empty", "-m", "first");
  git(main, "worktree", "add", "--quiet", tree);
  const hook = join(main, ".git/hooks/pre-commit");
  writeFileSync(hook, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" test -p 1 >"$HOME/said" 2>&1\n`);
  chmodSync(hook, 0o755);
  writeFileSync(join(tree, "a.hooks.json"), JSON.stringify(cases));
  git(tree, "add", "a.hooks.json");
  return { main, tree, git, tmp, said: () => readFileSync(join(home, "said"), "utf8") };
}

it("belay test in a pre-commit hook touches nothing of the repository that is committed to", () => {
  const hook =
    "echo one > from-the-hook && git add from-the-hook && git rev-parse --absolute-git-dir >&2; exit 2";
  const { main, tree, git, said } = worktree({
    hook,
    cases: [
      { name: "a", event: "Stop", git: true, expect: { reason: "{cwd}/.git" } },
      { name: "b", event: "Stop", git: true, env: { MORE: "1" }, expect: { reason: "{cwd}/.git" } },
    ],
  });
  const before = readFileSync(join(main, ".git/config"), "utf8");
  git(tree, "commit", "--quiet", "-m", "second");
  expect(said()).toContain("2 passed");
  expect(git(tree, "show", "--name-only", "--format=")).toBe("a.hooks.json\n");
  expect(readFileSync(join(main, ".git/config"), "utf8")).toBe(before);
  expect(git(tree, "status", "--porcelain")).toBe("");
});

it("a case without a repository finds none above its folder either", () => {
  const { main, git, tmp } = worktree({});
  const inside = join(main, "tmp");
  mkdirSync(inside);
  writeFileSync(
    join(main, "a.hooks.json"),
    JSON.stringify({
      hook: "git rev-parse --show-toplevel >&2; exit 2",
      cases: [
        { name: "none", event: "Stop", expect: { reason: "/not a git repository/" } },
        { name: "own", event: "Stop", git: true, expect: { reason: "{cwd}" } },
      ],
    }),
  );
  const env = { ...process.env, HOME: tmp, TMPDIR: inside, NO_COLOR: "1" };
  const said = execFileSync(process.execPath, [BIN, "test"], { cwd: main, env, encoding: "utf8" });
  expect(said).toContain("2 passed");
  expect(git(main, "status", "--porcelain")).toBe("?? a.hooks.json\n");
});

it("knows every variable that git says is a repository's own", () => {
  const known = execFileSync("git", ["rev-parse", "--local-env-vars"], { encoding: "utf8" });
  const names = known.trim().split("\n");
  expect(names.filter((name) => !LOCAL_TO_A_REPOSITORY.includes(name))).toEqual([]);
});

const KEPT = "as it was\n";

/** A folder with a file, and links to it and elsewhere; the case file stands beside it. */
function linked({ file, project }: Scratch): void {
  file("shared/file", KEPT);
  file("source/real/file", KEPT);
  file("source/node_modules/tool", KEPT);
  mkdirSync(join(project, "shared/folder"));
  const link = (name: string, to: string) => symlinkSync(to, join(project, "source", name));
  link("relative", "real/file");
  link("absolute", join(project, "source/real/file"));
  link("folder", "real");
  link("out", "../shared/file");
  link("out-folder", "../shared/folder");
  link("installed", "node_modules/tool");
  link("nowhere", "../shared/new");
  link("itself", "itself");
  symlinkSync("source", join(project, "link-to-source"));
}

/** A case that passes in a copy of the folder, or fails for a file that it may not write. */
const PASSES: readonly [what: string, hook: string, more: object][] = [
  ...["relative", "absolute", "folder/file"].map((name): [string, string, object] => [
    `a hook writes into the copy by the link ${name}`,
    `echo new > ${name}`,
    { expect: { files: { "real/file": "new\n" } } },
  ]),
  ["what is outside can be read by a link as before", "true", { expect: { files: { out: KEPT } } }],
  ["so can what is not copied", "true", { expect: { files: { installed: KEPT } } }],
  [
    "a folder that is itself a link is copied",
    "true",
    { folder: "link-to-source", expect: { files: { relative: KEPT } } },
  ],
  [
    "files: are written by a link inside the case's folder",
    "true",
    { files: { "folder/file": "new\n" }, expect: { files: { "real/file": "new\n" } } },
  ],
];
const REFUSED: readonly [name: string, link: string][] = [
  ["out", "out"],
  ["out-folder/new", "out-folder"],
  ["out-folder/deep/new", "out-folder"],
  ["nowhere", "nowhere"],
  ["itself", "itself"],
];

it("nothing that a case was given a copy of is written by a link", async () => {
  const text = (hook: string, more: object) =>
    JSON.stringify({
      hook,
      cases: [{ name: "a", event: "Stop", folder: "source", expect: { decision: "none" }, ...more }],
    });
  const passing = PASSES.map(([, hook, more]) => text(hook, more));
  const refused = REFUSED.map(([name]) => text("true", { files: { [name]: "new\n" } }));
  const { code, stderr, blocks, project } = await runEach([...passing, ...refused], [], linked);
  expect([code, stderr]).toEqual([2, ""]);
  for (const [index, [what]] of PASSES.entries())
    expect([what, blocks[index]]).toEqual([what, expect.stringMatching(/^✓/)]);
  for (const [index, [name, link]] of REFUSED.entries())
    expect(blocks[PASSES.length + index]).toContain(
      `files: ${name}: ${link} is a link that leads to nothing in the working folder`,
    );
  const shared = join(project.project, "shared");
  for (const file of [join(project.project, "source/real/file"), join(shared, "file")])
    expect(readFileSync(file, "utf8")).toBe(KEPT);
  expect([existsSync(join(shared, "new")), lstatSync(join(shared, "folder")).nlink]).toEqual([false, 2]);
});

it("rights are given in no folder that a link leads to", () => {
  const { home } = scratch();
  const elsewhere = join(home, "elsewhere");
  mkdirSync(elsewhere, { mode: 0o500 });
  symlinkSync(elsewhere, join(home, "link"));
  makeRemovable(join(home, "link"));
  expect(lstatSync(elsewhere).mode & 0o777).toBe(0o500);
});

const THREE = ["a", "b", "c"].map((name) => ({ name, event: "Stop", expect: { decision: "none" } }));

// As Go leaves its module cache.
it("a tree that a hook made read-only, in its home or its folder, costs no later case its home, and goes", async () => {
  const { file, project, home } = scratch();
  const hook = `ls -A "$HOME" . | grep cache && exit 2
mkdir -p "$HOME/cache/a" cache/a; touch "$HOME/cache/a/file" cache/a/file; chmod -R a-w "$HOME" cache`;
  file("a.hooks.json", JSON.stringify({ hook, cases: THREE }));
  const said = await belayWithoutRights(project, home, ["test", "-p", "1"]);
  expect(said).toMatch(/3 passed[^\n]*\n$/);
});

/** Refuses what its session was seen with before; it keeps that beside itself, as a hook does that has no home. */
const SEEN = `#!/bin/sh
id=$(sed 's/.*"session_id":"\\([^"]*\\)".*/\\1/')
seen="$(dirname "$0")/seen-$id"
[ -e "$seen" ] && { echo "$id again" >&2; exit 2; }
touch "$seen"
`;
const NONE = "{ decision: none, agent: [] }";
const CASES = `hook: ./seen.sh
defaults: { event: Stop }
cases:
  - { name: a, expect: ${NONE} }
  - { name: b, expect: ${NONE} }
`;

it("no two cases have the same session, in no file and in no run", async () => {
  const files = { "a.hooks.yaml": CASES, "b.hooks.yaml": CASES };
  const { code, stdout, project } = await run(files, [], ({ file }) => file("seen.sh", SEEN, 0o755));
  expect([code, stdout]).toEqual([0, expect.stringContaining("4 passed")]);
  const again = await project.belay(["test"]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("4 passed")]);
});

it("a case may name its session, and is told of it by name", async () => {
  const mine = `hook: "sed 's/.*\\"session_id\\":\\"\\\\([^\\"]*\\\\).*/\\\\1/' >&2; exit 2"
defaults: { event: Stop }
cases:
  - { name: a, expect: { reason: "/^case-1-[0-9a-f]{8}$/" } }
  - { name: b, payload: { session_id: mine }, expect: { reason: mine } }
`;
  const { code, stdout } = await run({ "a.hooks.yaml": mine });
  expect([code, stdout]).toEqual([0, expect.stringContaining("2 passed")]);
});

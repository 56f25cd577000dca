import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { caseFolder, makeFolder, putAway, removeRoot } from "../src/testing/run/case-folders.ts";
import { about, run } from "./case-files.ts";

describe("belay test: which cases, and where", () => {
  const MANY = `hook: "true"
defaults: { event: Stop, expect: {} }
cases:
`.replace(", expect: {}", "");
  const list = (...rows: string[]) => MANY + rows.map((row) => `  - ${row}\n`).join("");
  const PASS = "expect: { decision: none }";

  it("filters by path and by name, and skips with a reason", async () => {
    const files = {
      "a.hooks.yaml": list(
        `{ name: first, ${PASS} }`,
        `{ name: Second one, ${PASS} }`,
        `{ name: second two, skip: not yet, ${PASS} }`,
      ),
      "sub/b.hooks.json": JSON.stringify({
        hook: "true",
        cases: [{ name: "second", event: "Stop", expect: { decision: "none" } }],
      }),
      "node_modules/c.hooks.yaml": "broken: [",
    };
    const all = await run(files, ["-v"]);
    expect(all).toMatchObject({ code: 0, stderr: "" });
    expect(all.stdout).toContain("– second two  not yet");
    expect(all.stdout).toContain("3 passed, 1 skipped");
    expect((await run(files, ["-t", "second"])).stdout).toContain("2 passed, 1 skipped");
    expect((await run(files, ["-t", "/^second$/"])).stdout).toContain("1 passed");
    expect((await run(files, ["sub"])).stdout).toContain("sub/b.hooks.json");
    expect((await run(files, ["b.hooks"])).stdout).toContain("1 passed");
  });

  it("gives each case a folder and a home of its own, and keeps them when asked", async () => {
    const cases = `hook: "ls -A . \\"$HOME\\" >&2; touch here \\"$HOME/there\\"; exit 2"
cases: [{ name: a, event: Stop, expect: { reason: "X" } }, { name: b, event: Stop, expect: { reason: "X" } }]
`;
    const once = await run({ "a.hooks.yaml": cases }, ["-p", "1"]);
    expect(once.stdout).not.toMatch(/^ +\+ t?here/m);
    const kept = await run({ "a.hooks.yaml": cases }, ["--keep"]);
    const folders = [...kept.stdout.matchAll(/kept: (.+)/g)].map(([, folder = ""]) => folder);
    expect(
      folders.map((folder) => [
        existsSync(join(folder, "project/here")),
        existsSync(join(folder, "home/there")),
      ]),
    ).toEqual([
      [true, true],
      [true, true],
    ]);
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
    const precious = mkdtempSync(join(tmpdir(), "belay-precious-"));
    onTestFinished(() => rmSync(precious, { recursive: true, force: true }));
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
    const top = realpathSync(mkdtempSync(join(tmpdir(), "belay-folders-")));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
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

  it("what a case leaves writing in its home costs no later case its result", async () => {
    const flags = mkdtempSync(join(tmpdir(), "belay-flags-"));
    onTestFinished(() => rmSync(flags, { recursive: true, force: true }));
    const writers = ["1", "2"];
    const write = `i=0; until [ -e ${flags}/end ] || [ $i -gt 99999 ]; do mkdir -p "$HOME/d/$0/$i"; i=$((i+1)); done`;
    const hook = `[ -e ${flags}/begun ] && { ls -d "$HOME" >&2; exit 2; }
touch ${flags}/begun
for n in ${writers.join(" ")}; do setsid sh -c '${write}; touch ${flags}/ended-'$n $n > ${flags}/out 2>&1 & done
until [ -e "$HOME/d/1/9" ] && [ -e "$HOME/d/2/9" ]; do sleep 0.01; done`;
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
    const flags = mkdtempSync(join(tmpdir(), "belay-flags-"));
    onTestFinished(() => rmSync(flags, { recursive: true, force: true }));
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

  it("what writes while the folders are removed costs no case its result", async () => {
    const flags = mkdtempSync(join(tmpdir(), "belay-flags-"));
    onTestFinished(() => rmSync(flags, { recursive: true, force: true }));
    const writers = ["1", "2", "3", "4", "5", "6"];
    const write = `i=0; until [ -e ${flags}/end ] || [ $i -gt 9999 ]; do mkdir -p d/$0-$i && touch d/$0-$i/f; i=$((i+1)); done`;
    const hook = `for n in ${writers.join(" ")}; do
setsid sh -c '${write}; touch ${flags}/ended-'$n $n > ${flags}/out 2>&1 & done; sleep 0.1`;
    const cases = [{ name: "a", event: "Stop", expect: { decision: "none" } }];
    const { code, stdout } = await run({ "a.hooks.json": JSON.stringify({ hook, cases }) });
    writeFileSync(join(flags, "end"), "");
    await vi.waitUntil(() => writers.every((n) => existsSync(join(flags, `ended-${n}`))), 10_000);
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 passed")]);
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
    const { project } = await run({ "a.hooks.yaml": about("ls", "{ decision: none }") });
    const fired = await project.belay([
      "run",
      "PreToolUse",
      "--tool",
      "Bash",
      "--tool-input",
      '{"command":"rm -rf x"}',
      "--config",
      "hooks.json",
      "--json",
    ]);
    expect(fired.code).toBe(2);
    const journal = await project.shell('cat "$HOME"/.belay/journal/*/*.jsonl');
    const { id } = JSON.parse(journal) as { id: string };
    // A writer that was killed left half a line before it.
    await project.shell(
      `cd "$HOME"/.belay/journal/*; f=$(echo *); { printf '{"version":1,"id":"'; cat $f; } > new; mv new $f`,
    );
    const tested = (record: string) => {
      const one = { name: "a", record, expect: { decision: "deny" } };
      project.file("a.hooks.yaml", JSON.stringify({ config: "hooks.json", cases: [one] }));
      return project.belay(["test"], { env: { COLUMNS: "1000" } });
    };
    for (const beginning of [id, id.slice(0, 8), id.slice(0, 20)])
      expect(await tested(beginning)).toMatchObject({ code: 0, stderr: "" });
    const short = await tested(id.slice(0, 7));
    expect([short.code, short.stdout]).toEqual([
      2,
      expect.stringMatching(
        /is neither a file nor in the journal of this project; .*: belay tail -n 1 --json/,
      ),
    ]);
    await project.shell(
      `cd "$HOME"/.belay/journal/*; f=$(echo *); tail -n 1 $f | sed s/${id}/${id.slice(0, 30)}ffffff/ >> $f`,
    );
    expect((await tested(id)).code).toBe(0);
    expect((await tested(id.slice(0, 8))).stdout).toContain(
      `record ${id.slice(0, 8)} begins 2 ids of the journal; name more of it: belay tail --json prints them`,
    );
  });

  it("tells every case of a config's problems", async () => {
    const { project } = await run({ "a.hooks.yaml": list(`{ name: a, ${PASS} }`) });
    project.file(
      "bad.json",
      JSON.stringify({
        hooks: {
          Stop: [
            {
              hooks: [
                { type: "command", command: "true", timeout: -1 },
                { type: "command", command: "true" },
              ],
            },
          ],
        },
      }),
    );
    const one = (name: string) => `{ name: ${name}, event: Stop, expect: { diagnostics: [] } }`;
    project.file("a.hooks.yaml", `config: bad.json\ncases:\n  - ${one("a")}\n  - ${one("b")}\n`);
    const { stdout } = await project.belay(["test", "-p", "1"]);
    expect(stdout.match(/\+ config-[\w-]+/g)?.length).toBe(2);
  });
});

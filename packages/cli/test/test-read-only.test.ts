import { execFile } from "node:child_process";
import { chmodSync, chownSync, cpSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { makeRemovable } from "../src/testing/make-removable.ts";
import { BIN, scratch } from "./cli.ts";

const NOBODY = 65_534;

/** Runs a copy of `belay`, as somebody whom rights bind: the folder of the checkout may be closed to others. */
async function belayWithoutRights(project: string, home: string, args: readonly string[]): Promise<string> {
  const copy = join(home, "belay");
  for (const part of ["bin", "dist"])
    cpSync(join(dirname(BIN), "..", part), join(copy, part), { recursive: true });
  const TMPDIR = join(home, "tmp");
  mkdirSync(TMPDIR);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chmodSync(dirname(home), 0o755);
    chownSync(TMPDIR, NOBODY, NOBODY);
  }
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [join(copy, "bin/belay.js"), ...args],
    {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: home, NO_COLOR: "1", COLUMNS: "200", TMPDIR },
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    },
  );
  return stdout + stderr + readdirSync(TMPDIR).join();
}

it("rights are given in no folder that a link leads to", () => {
  const { home } = scratch();
  const elsewhere = join(home, "elsewhere");
  mkdirSync(elsewhere, { mode: 0o500 });
  symlinkSync(elsewhere, join(home, "link"));
  makeRemovable(join(home, "link"));
  expect(lstatSync(elsewhere).mode & 0o777).toBe(0o500);
});

const CASES = ["a", "b", "c"].map((name) => ({ name, event: "Stop", expect: { decision: "none" } }));

// As Go leaves its module cache.
it("a tree that a hook made read-only, in its home or its folder, costs no later case its home, and goes", async () => {
  const { file, project, home } = scratch();
  const hook = `ls -A "$HOME" . | grep cache && exit 2
mkdir -p "$HOME/cache/a" cache/a; touch "$HOME/cache/a/file" cache/a/file; chmod -R a-w "$HOME" cache`;
  file("a.hooks.json", JSON.stringify({ hook, cases: CASES }));
  const said = await belayWithoutRights(project, home, ["test", "-p", "1"]);
  expect(said).toMatch(/3 passed[^\n]*\n$/);
});

const DEEP: readonly [what: string, rights: string][] = [
  ["read-only", 'chmod -R a-w "$HOME"'],
  ["deep", "true"],
];
it.each(DEEP)(
  "a %s tree of 2500 folders, whose paths no system takes, does not either",
  async (_, rights) => {
    const { file, project, home } = scratch();
    const hook = `ls -A "$HOME" | grep . && exit 2
[ -z "$DEEP" ] && exit
cd "$HOME"; for i in 1 2 3 4 5; do mkdir -p ${"d/".repeat(500)}; cd -P ${"d/".repeat(500)}; done; ${rights}`;
    const [first, ...rest] = CASES;
    file("a.hooks.json", JSON.stringify({ hook, cases: [{ ...first, env: { DEEP: "yes" } }, ...rest] }));
    const said = await belayWithoutRights(project, home, ["test", "-p", "1"]);
    expect(said).toMatch(/3 passed[^\n]*\n$/);
  },
);

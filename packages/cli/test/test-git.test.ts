import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LOCAL_TO_A_REPOSITORY } from "../src/testing/run/case-folders.ts";
import { BIN, scratch } from "./cli.ts";

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
  expect(
    known
      .trim()
      .split("\n")
      .filter((name) => !LOCAL_TO_A_REPOSITORY.includes(name)),
  ).toEqual([]);
});

import { lstatSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRemovable } from "../src/testing/run/case-folders.ts";
import { scratch } from "./cli.ts";
import { belayWithoutRights } from "./without-rights.ts";

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

import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { TestCase } from "../src/testing/read/case-file.ts";
import { caseFolders } from "../src/testing/run/case-folders.ts";

function folder(): string {
  const path = realpathSync.native(mkdtempSync(join(tmpdir(), "belay-folders-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function two() {
  const root = folder();
  const home = join(root, "home-1");
  const file = {} as TestCase["file"];
  const tests = [0, 1].map((index) => ({ file, index }) as TestCase);
  const folders = caseFolders(root, tests);
  return { folders, first: folders.lend(0, home), second: () => folders.lend(1, home) };
}

// What a hook does comes before or after the next folder is made, as the machine's load has it.
it.each(["before", "after"])(
  "a link %s the next folder is made leads no case to where it leads",
  async (when) => {
    const precious = folder();
    const { folders, first, second } = two();
    const own = dirname(first.cwd);
    if (when === "after") folders.tidy();
    rmSync(own, { recursive: true });
    symlinkSync(precious, own);
    if (when === "after") mkdirSync(join(precious, "case-2"));
    else folders.tidy();
    const before = readdirSync(precious);
    await first[Symbol.asyncDispose]();
    const { cwd } = second();
    expect([realpathSync.native(cwd), readdirSync(cwd)]).toEqual([cwd, []]);
    expect(readdirSync(precious)).toEqual(before);
    expect(before).toEqual(when === "after" ? ["case-2"] : []);
  },
);

it("a link to itself costs no case its result", async () => {
  const { first, second } = two();
  const own = dirname(first.cwd);
  rmSync(own, { recursive: true });
  symlinkSync(own, own);
  await first[Symbol.asyncDispose]();
  expect(existsSync(second().cwd)).toBe(true);
});

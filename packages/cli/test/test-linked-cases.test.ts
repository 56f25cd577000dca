import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "./case-files.ts";
import type { Scratch } from "./cli.ts";

const CASES = `hook: ./answer.sh\ncases: [{ name: one, event: Stop, expect: { decision: block } }]\n`;
const ANSWER = "#!/bin/sh\nexit 2\n";

/** Cases that several hooks share stand once, outside what is searched. */
const shared = (to: Scratch) => {
  to.file("shared/cases.yaml", CASES);
  to.file("shared/deep/er/a.hooks.yaml", CASES);
  to.file("hooks/answer.sh", ANSWER, 0o755);
  to.file("hooks/own.hooks.yaml", CASES);
};

describe("belay test", () => {
  it("runs a case file that is a link, with the hook beside the link", async () => {
    const { code, stdout, stderr } = await run({}, ["hooks", "-v"], (to) => {
      shared(to);
      symlinkSync("../shared/cases.yaml", join(to.project, "hooks/linked.hooks.yaml"));
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("✓ hooks/linked.hooks.yaml  1 case");
    expect(stdout).toContain("2 passed");
  });

  it("says that one leads nowhere, and runs nothing; an editor's lock is none", async () => {
    const { code, stderr } = await run({}, ["hooks"], (to) => {
      shared(to);
      symlinkSync("gone.yaml", join(to.project, "hooks/linked.hooks.yaml"));
      symlinkSync("me@host.1", join(to.project, "hooks/.#own.hooks.yaml"));
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^hooks\/linked\.hooks\.yaml:1: .*\nbelay: 1 problem in the case files/);
  });

  it("follows no link to a folder, and says so where that leaves cases out", async () => {
    const { code, stdout, stderr } = await run({}, ["hooks"], (to) => {
      shared(to);
      const link = (name: string, target: string) => symlinkSync(target, join(to.project, "hooks", name));
      link("elsewhere", "../shared");
      link("around", "."); // its cases are found without it
      mkdirSync(join(to.project, "empty"));
      link("nothing", "../empty");
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 passed")]);
    expect(stderr).toBe(
      "belay: hooks/elsewhere is a link to a folder with case files, and was not looked into; next: belay test hooks/elsewhere\n",
    );
  });
});

import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "./case-files.ts";
import { scratch } from "./cli.ts";
import { belayWithoutRights } from "./without-rights.ts";

const CASE = "{ name: a, event: Stop, expect: { decision: none } }";
/** More than the disk of these tests takes. */
const LONG = `hook: exit 2\n# ${"long ".repeat(1000)}\ncases: [${CASE}]\n# the end\n`;
const UPDATED = LONG.replace("none", "block");

describe("belay test --update leaves a case file whole", () => {
  it("where the disk takes no more, and says so", async () => {
    const { file, project, shell } = scratch();
    const path = file("a.hooks.yaml", LONG);
    const said = await shell("ulimit -f 2; belay test -u");
    expect(readFileSync(path, "utf8")).toBe(LONG);
    expect(said).toMatch(/^a\.hooks\.yaml:3: a was not updated: EFBIG: .*; the file is as it was$/m);
    expect(readdirSync(project)).toEqual([".git", "a.hooks.yaml"]);
  });

  it("where its folder takes no other file, and says so", async () => {
    const { file, project, home } = scratch();
    const path = file("a.hooks.yaml", LONG);
    chmodSync(path, 0o666);
    chmodSync(project, 0o555);
    const said = await belayWithoutRights(project, home, ["test", "-u"]);
    chmodSync(project, 0o755);
    expect(readFileSync(path, "utf8")).toBe(LONG);
    expect(said).toMatch(/^a\.hooks\.yaml:3: a was not updated: EACCES: .*; the file is as it was$/m);
  });

  it("with its mode, and a link to it as a link", async () => {
    const { code, project } = await run({ "shared/cases.yaml": LONG }, ["-u"], (to) => {
      chmodSync(join(to.project, "shared/cases.yaml"), 0o640);
      symlinkSync("shared/cases.yaml", join(to.project, "a.hooks.yaml"));
    });
    const target = join(project.project, "shared/cases.yaml");
    expect([code, readFileSync(target, "utf8")]).toEqual([0, UPDATED]);
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(lstatSync(join(project.project, "a.hooks.yaml")).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(project.project, "shared"))).toEqual(["cases.yaml"]);
  });
});

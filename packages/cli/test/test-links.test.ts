import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "./case-files.ts";
import type { Scratch } from "./cli.ts";

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

const oneCase = (hook: string, more: object) =>
  JSON.stringify({
    hook,
    cases: [{ name: "a", event: "Stop", folder: "source", expect: { decision: "none" }, ...more }],
  });

it.each(["relative", "absolute", "folder/file"])(
  "in a copied folder a hook writes into the copy by the link %s, not into what was copied",
  async (name) => {
    const expected = { files: { "real/file": "new\n" } };
    const cases = oneCase(`echo new > ${name}`, { expect: expected });
    const { code, stdout, project } = await run({ "a.hooks.json": cases }, [], linked);
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 passed")]);
    expect(readFileSync(join(project.project, "source/real/file"), "utf8")).toBe(KEPT);
  },
);

it.each(["out", "installed"])("what is not copied can be read by the link %s as before", async (name) => {
  const cases = oneCase("true", { expect: { files: { [name]: KEPT } } });
  expect(await run({ "a.hooks.json": cases }, [], linked)).toMatchObject({ code: 0, stderr: "" });
});

it("a folder that is itself a link is copied", async () => {
  const cases = oneCase("true", { folder: "link-to-source", expect: { files: { relative: KEPT } } });
  expect(await run({ "a.hooks.json": cases }, [], linked)).toMatchObject({ code: 0, stderr: "" });
});

it.each([
  ["out", "out"],
  ["out-folder/new", "out-folder"],
  ["out-folder/deep/new", "out-folder"],
  ["nowhere", "nowhere"],
  ["itself", "itself"],
])("files: %s is not written by a link out of the case's folder", async (name, link) => {
  const { code, stdout, project } = await run(
    { "a.hooks.json": oneCase("true", { files: { [name]: "new\n" } }) },
    [],
    linked,
  );
  expect([code, stdout]).toEqual([
    2,
    expect.stringContaining(`files: ${name}: ${link} is a link that leads to nothing in the working folder`),
  ]);
  const shared = join(project.project, "shared");
  expect(readFileSync(join(shared, "file"), "utf8")).toBe(KEPT);
  expect([existsSync(join(shared, "new")), lstatSync(join(shared, "folder")).nlink]).toEqual([false, 2]);
});

it("files: are written by a link inside the case's folder", async () => {
  const files = { "folder/file": "new\n" };
  const cases = oneCase("true", { files, expect: { files: { "real/file": "new\n" } } });
  const { code, project } = await run({ "a.hooks.json": cases }, [], linked);
  expect([code, readFileSync(join(project.project, "source/real/file"), "utf8")]).toEqual([0, KEPT]);
});

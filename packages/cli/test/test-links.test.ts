import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runEach } from "./case-files.ts";
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

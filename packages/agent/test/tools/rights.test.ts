import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { type Input, scratch } from "./scratch.ts";

/** Files and folders that may not be read or written. */

const rows: [tool: string, input: Input, success: boolean, content: string][] = [
  ["Read", { file_path: "secret.txt" }, false, "cannot read secret.txt: permission denied"],
  ["Read", { file_path: "closed/a.txt" }, false, "cannot read closed/a.txt: permission denied"],
  ["Write", { file_path: "fixed.txt", content: "new" }, false, "cannot write fixed.txt: permission denied"],
  [
    "Write",
    { file_path: "kept/new.txt", content: "new" },
    false,
    "cannot write kept/new.txt: permission denied",
  ],
  [
    "Edit",
    { file_path: "fixed.txt", old_string: "o", new_string: "n" },
    false,
    "cannot edit fixed.txt: permission denied",
  ],
  ["Glob", { pattern: "**/s*.txt" }, true, "secret.txt\n[1 folder could not be read]"],
  ["Grep", { pattern: "old" }, true, "fixed.txt\n[could not be read: 2 files, folders included]"],
];

it("are said to be so, and nothing changes", async () => {
  const { write, cwd } = scratch();
  for (const folder of [dirname(cwd), cwd]) chmodSync(folder, 0o777);
  chmodSync(write("secret.txt", "old"), 0o000);
  chmodSync(write("fixed.txt", "old"), 0o444);
  write("closed/a.txt", "old");
  mkdirSync(join(cwd, "kept"));
  for (const [folder, mode] of [
    ["closed", 0o000],
    ["kept", 0o555],
  ] as const)
    chmodSync(join(cwd, folder), mode);
  const host = fileURLToPath(new URL("../hosts/without-rights.mjs", import.meta.url));
  const calls = JSON.stringify(rows.map(([tool, input]) => [tool, input]));
  const { stdout } = await promisify(execFile)(process.execPath, [host, cwd, calls]);
  for (const folder of ["closed", "kept"]) chmodSync(join(cwd, folder), 0o755);

  const said = JSON.parse(stdout).map(({ content, success }: { content: string; success: boolean }) => [
    success,
    content,
  ]);
  expect(said).toEqual(rows.map(([, , success, content]) => [success, content]));
  expect(readFileSync(join(cwd, "fixed.txt"), "utf8")).toBe("old");
});

import { execFile } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { caseEnvironment } from "./case-environment.ts";
import type { TestCase } from "./case-file.ts";
import { copyFolder, isWithin } from "./copy-folder.ts";
import { fillIn, type Places } from "./strings.ts";

/** Puts the files that a case needs into its folder. */
export async function putFiles(test: TestCase, places: Places): Promise<void> {
  const { cwd } = places;
  if (test.folder !== undefined) await copyFolder(test.folder, cwd);
  for (const [name, content] of Object.entries(test.files)) writeInside(cwd, name, fillIn(content, places));
  if (test.git) await promisify(execFile)("git", ["init", "--quiet"], { cwd, env: caseEnvironment(places) });
}

function writeInside(cwd: string, name: string, content: string): void {
  const file = resolve(cwd, name);
  if (!file.startsWith(cwd + sep)) throw new Error(`files: ${name} is not inside the working folder`);
  const link = wayOut(cwd, relative(cwd, file).split(sep));
  if (link !== undefined)
    throw new Error(
      `files: ${name}: ${link} is a link that leads to nothing in the working folder; write to a path without it`,
    );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  // Said apart: one that the folder had already keeps its mode.
  if (content.startsWith("#!")) chmodSync(file, 0o755);
}

/** The first part of a path that is a link to elsewhere, or to nothing: to write there would make a file elsewhere. */
function wayOut(cwd: string, parts: readonly string[]): string | undefined {
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join(sep));
  return prefixes.find((path) => {
    const found = lstatSync(join(cwd, path), { throwIfNoEntry: false });
    return found?.isSymbolicLink() && !leadsInside(cwd, join(cwd, path));
  });
}

function leadsInside(cwd: string, link: string): boolean {
  try {
    return isWithin(relative(cwd, realpathSync.native(link)));
  } catch {
    return false;
  }
}

import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { caseEnvironment } from "./case-environment.ts";
import type { TestCase } from "./case-file.ts";
import { fillIn, type Places } from "./strings.ts";

/** Puts the files that a case needs into its folder. */
export async function putFiles(test: TestCase, places: Places): Promise<void> {
  const { cwd } = places;
  if (test.folder !== undefined) await cp(test.folder, cwd, { recursive: true, filter: isCopied });
  for (const [name, content] of Object.entries(test.files)) writeInside(cwd, name, fillIn(content, places));
  if (test.git) await promisify(execFile)("git", ["init", "--quiet"], { cwd, env: caseEnvironment(places) });
}

/** Nobody's hooks need what is installed or committed, and it may be large. */
function isCopied(path: string): boolean {
  return !/[\\/](?:node_modules|\.git)$/.test(path);
}

function writeInside(cwd: string, name: string, content: string): void {
  const file = resolve(cwd, name);
  if (!file.startsWith(cwd + sep)) throw new Error(`files: ${name} is not inside the working folder`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

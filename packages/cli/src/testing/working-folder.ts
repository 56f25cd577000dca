import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { promisify } from "node:util";
import type { TestCase } from "./case-file.ts";
import type { Lane } from "./lane.ts";
import { fillIn, type Places } from "./strings.ts";

interface WorkingFolder extends AsyncDisposable {
  readonly places: Places;
  /** Where it stays, if it does. */
  readonly kept: string | undefined;
}

/** A folder of its own for a case, with the files that it needs; gone when the case is over, unless it is kept. */
export async function workingFolder(
  test: TestCase,
  lane: Lane,
  path: string,
  keep: boolean,
): Promise<WorkingFolder> {
  const cwd = join(path, "project");
  const home = keep ? join(path, "home") : lane.home;
  mkdirSync(cwd, { recursive: true });
  if (keep) mkdirSync(home);
  else emptyHome(home);
  const places = { cwd, home };
  if (test.folder !== undefined) await cp(test.folder, cwd, { recursive: true, filter: isCopied });
  for (const [name, content] of Object.entries(test.files)) writeInside(cwd, name, fillIn(content, places));
  if (test.git)
    await promisify(execFile)("git", ["init", "--quiet"], { cwd, env: { ...process.env, HOME: home } });
  return {
    places,
    kept: keep ? path : undefined,
    [Symbol.asyncDispose]: async () => {
      if (!keep) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Nobody's hooks need what is installed or committed, and it may be large. */
function isCopied(path: string): boolean {
  return !/[\\/](?:node_modules|\.git)$/.test(path);
}

/** What an earlier case left in the home that this one is given. */
function emptyHome(home: string): void {
  for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true, force: true });
}

function writeInside(cwd: string, name: string, content: string): void {
  const file = resolve(cwd, name);
  if (!file.startsWith(cwd + sep)) throw new Error(`files: ${name} is not inside the working folder`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

import { execFile } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { statOf } from "@belay/engine/internal";
import type { TestCase } from "../read/case-file.ts";
import { caseEnvironment } from "./case-engine.ts";
import { type CaseFolders, fillIn } from "./case-folders.ts";

/** Puts the files that a case needs into its folder. */
export async function putFiles(test: TestCase, folders: CaseFolders): Promise<void> {
  const { cwd } = folders;
  if (test.folder !== undefined) await copyFolder(test.folder, cwd);
  for (const [name, content] of Object.entries(test.files)) writeInside(cwd, name, fillIn(content, folders));
  if (test.git) await promisify(execFile)("git", ["init", "--quiet"], { cwd, env: caseEnvironment(folders) });
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
  // A file that was there keeps its mode when it is written.
  if (content.startsWith("#!")) chmodSync(file, 0o755);
}

/** The first link on a path that leads out of the folder, or to nothing: a write would make a file elsewhere. */
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

/**
 * Copies what is in a folder. A link to something in the folder leads to its copy, so that a hook that writes by the link
 * does not change the original. A link to anything else leads where it did.
 */
async function copyFolder(from: string, to: string): Promise<void> {
  const top = realpathSync.native(from);
  const filter = (path: string, copy: string): boolean => {
    if (!isCopied(path.slice(top.length))) return false;
    if (!lstatSync(path).isSymbolicLink()) return true;
    const target = targetOf(path);
    const inside = relative(top, target);
    const isOurs = isWithin(inside) && isCopied(sep + inside);
    const leadsTo = isOurs ? relative(dirname(copy), join(to, inside)) || "." : target;
    symlinkSync(leadsTo, copy, statOf(path)?.isDirectory() ? "dir" : "file");
    return false;
  };
  await cp(top, to, { recursive: true, filter });
}

/** Nobody's hooks need what is installed or committed, and it may be large. */
function isCopied(pathInside: string): boolean {
  return !/[\\/](?:node_modules|\.git)(?:[\\/]|$)/.test(pathInside);
}

/** The path that a link leads to, with the links above it resolved. What is there may be a link again, or nothing. */
function targetOf(link: string): string {
  const target = resolve(dirname(link), readlinkSync(link));
  try {
    return join(realpathSync.native(dirname(target)), basename(target));
  } catch {
    return target;
  }
}

/** Whether a path that `relative` gave leads to the folder itself or into it. */
export function isWithin(path: string): boolean {
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

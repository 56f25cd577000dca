import { lstatSync, readlinkSync, realpathSync, symlinkSync } from "node:fs";
import { cp } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { statOf } from "@belay/engine/tools";

/**
 * Copies what is in a folder. A link to something in it leads to the copy of that, so that nobody who writes by it writes to
 * the original; one to what is not copied leads where it did.
 */
export async function copyFolder(from: string, to: string): Promise<void> {
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

/** Where a link leads, by the one name that its folder really has; it may be a link again, or nothing. */
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

import { readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { alike } from "@belay/core/internal";

/** Where a call's paths start. */
export interface Base {
  readonly cwd: string;
  readonly home: string;
}

const MAX_LINKS = 40;
const SEPARATORS = sep === "\\" ? /[\\/]/ : /\//;

/**
 * Every file that a path may mean: as it is written, and where its links lead, `..` taken by its letters or by the folders
 * it goes through. A rule that loosens must hold for all of them, a rule that restricts for one. undefined stands for
 * a path whose links do not end.
 */
export function meaningsOf(path: string, { cwd, home }: Base): (string | undefined)[] {
  const written = /^~(?=$|[\\/])/.test(path) ? [path, join(home, path.slice(1))] : [path];
  const meanings = written.flatMap((one) => {
    const full = resolve(cwd, one);
    return [full, follow(full), follow(isAbsolute(one) ? one : `${cwd}${sep}${one}`)];
  });
  return [...new Set(meanings)];
}

/** A path without links and dots, walked as a file system walks it; what is not there yet is taken as it stands. */
export function follow(path: string): string | undefined {
  let at = parse(resolve(path)).root;
  const parts = path.slice(parse(path).root.length).split(SEPARATORS);
  for (let links = 0; parts.length > 0; ) {
    const part = parts.shift();
    if (part === undefined || part === "" || part === ".") continue;
    if (part === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, part);
    const target = linkOf(next);
    if (target === undefined) {
      at = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return undefined;
    if (isAbsolute(target)) at = parse(target).root;
    parts.unshift(...target.slice(parse(target).root.length).split(SEPARATORS));
  }
  return at;
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Whether any file that these paths may mean is outside of the working folder. */
export function reachesOutside(paths: readonly string[], base: Base): boolean {
  const folders = [base.cwd, follow(base.cwd)];
  const isInside = (path: string | undefined) =>
    path !== undefined && folders.some((folder) => folder !== undefined && below(folder, path) !== undefined);
  return paths.some((path) => !meaningsOf(path, base).every(isInside));
}

/** Folders whose files say what an agent may do, or run by themselves: an edit there is never a mere edit. */
const GUARDED = [".belay", ".wave", ".claude", ".git"];

/** Whether any file that these paths may mean lies in a folder of settings, or is or lies in one of those given. */
export function reachesSettings(
  paths: readonly string[],
  guarded: () => readonly string[],
  base: Base,
): boolean {
  const meanings = paths.flatMap((path) => meaningsOf(path, base));
  if (meanings.includes(undefined)) return true;
  const reached = meanings.flatMap((meaning) => (meaning === undefined ? [] : alike(meaning)));
  if (reached.some((one) => one.split(SEPARATORS).some((part) => GUARDED.includes(part)))) return true;
  const kept = guarded().flatMap((path) => meaningsOf(path, base).map((meaning) => alike(meaning ?? path)));
  return reached.some((one) => kept.some((path) => below(path, one) !== undefined));
}

/** The path from a folder, with `/`; undefined outside of it. */
export function below(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  return sep === "\\" ? way.replaceAll("\\", "/") : way;
}

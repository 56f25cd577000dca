import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { plural } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { statOf } from "@belay/engine/internal";
import { BELAY } from "../../next-command.ts";
import { type CaseFile, type CaseProblem, readCaseFile } from "./case-file.ts";

export const CASE_FILE = /.\.hooks\.(?:ya?ml|json)$/;
const ENDING = /\.hooks\.\w+$/;
const NEVER_IN = new Set(["node_modules", ".git"]);

/**
 * The case files that a command line means: files, folders to look in, and else words that a path has in it. Every word
 * narrows the choice; without any, all files below the folder. Links to folders are not followed: they may lead around, or
 * to all of a disk. Of one that leaves case files out, `passedBy` is told.
 */
export function findCaseFiles(
  given: readonly string[],
  cwd: string,
  passedBy: (link: string) => void = () => {},
): string[] {
  const paths = given.filter((word) => statOf(resolve(cwd, word)) !== undefined);
  const words = given.filter((word) => !paths.includes(word));
  const roots = paths.length > 0 ? paths : ["."];
  const links: string[] = [];
  const found = [...new Set(roots.flatMap((root) => filesAt(resolve(cwd, root), root, links)))];
  for (const link of links) if (holdsOthers(link, found)) passedBy(link);
  const wanted = found.filter((file) => words.every((word) => isNamedBy(relative(cwd, file), word)));
  if (wanted.length > 0) return wanted;
  const next = `cases stand in files named *.hooks.yaml, *.hooks.yml or *.hooks.json; ${BELAY} test --help says more`;
  if (found.length > 0)
    throw new UsageError(
      `no path of ${plural(found.length, "case file")} has ${words.map((word) => JSON.stringify(word)).join(" and ")} in it, and no such file is there`,
      next,
    );
  throw new UsageError(`there is no case file in ${roots.join(", ")}`, next);
}

/** All case files end alike: what is only in the ending means none of them, unless it is an ending by its dot. */
function isNamedBy(path: string, word: string): boolean {
  const at = path.indexOf(word);
  return at >= 0 && (at < path.search(ENDING) || word.startsWith("."));
}

function filesAt(path: string, given: string, links: string[]): string[] {
  if (!statOf(path)?.isDirectory()) {
    if (CASE_FILE.test(path)) return [path];
    throw new UsageError(
      `${given} is no case file`,
      "one is named *.hooks.yaml, *.hooks.yml or *.hooks.json",
    );
  }
  return below(path, links).sort();
}

/** Links to folders are put to the others. */
function below(folder: string, links: string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (isPassedOver(entry.name)) return [];
    if (entry.isDirectory()) return below(path, links);
    if (entry.isSymbolicLink() && statOf(path)?.isDirectory()) {
      links.push(path);
      return [];
    }
    const isFile = entry.isFile() || (entry.isSymbolicLink() && !entry.name.startsWith(EDITORS_LOCK));
    return isFile && CASE_FILE.test(entry.name) ? [path] : [];
  });
}

/** Emacs marks a file that is being edited by a link that leads nowhere. */
const EDITORS_LOCK = ".#";

/** So many folders behind a link are looked through. */
const MAX_BEHIND = 100;

function holdsOthers(link: string, found: readonly string[]): boolean {
  const known = new Set(found.map((file) => realpathSync(dirname(file))));
  return search([realpathSync(link)], MAX_BEHIND).files.some((file) => !known.has(dirname(file)));
}

/** Folders in which case files are looked for, and those that are there. */
export interface Searched {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** Where a command line looks for case files: in no folder, where it names files alone. */
export function searchedBy(given: readonly string[], cwd: string): Searched {
  const paths = given.map((word) => resolve(cwd, word)).filter((path) => statOf(path) !== undefined);
  return search(paths.length > 0 ? paths : [cwd]);
}

/** A folder that is gone, or may not be read, holds nothing. */
export function search(paths: readonly string[], most = Number.POSITIVE_INFINITY): Searched {
  const folders: string[] = [];
  const files: string[] = [];
  const queue = paths.filter((path) => statOf(path)?.isDirectory());
  for (const folder of queue) {
    if (folders.length >= most) break;
    folders.push(folder);
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !isPassedOver(entry.name)) queue.push(path);
      else if (isCaseFile(entry.name)) files.push(path);
    }
  }
  return { folders, files };
}

export function isCaseFile(name: string): boolean {
  return CASE_FILE.test(name);
}

/** Folders that hold no cases of ours. */
export function isPassedOver(name: string): boolean {
  return NEVER_IN.has(name);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** All files, or every problem of every one of them: nothing runs while a case may have been lost. */
export async function readCaseFiles(
  files: readonly string[],
  tell: (problems: readonly CaseProblem[]) => void,
): Promise<CaseFile[]> {
  const read = await Promise.all(files.map(readCaseFile));
  const problems = read.flatMap((one) => one.problems);
  tell(problems);
  if (problems.length > 0)
    throw new UsageError(
      `${plural(problems.length, "problem")} in the case files, and nothing was run`,
      `${BELAY} schema --cases says what a file holds`,
    );
  return read.flatMap((one) => one.read ?? []);
}

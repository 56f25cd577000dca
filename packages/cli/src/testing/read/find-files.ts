import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { messageOf, plural } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { statOf } from "@belay/engine/internal";
import { BELAY } from "../../args/flags.ts";
import { type CaseFile, type CaseProblem, readCaseFile } from "./case-file.ts";

export const CASE_FILE = /.\.hooks\.(?:ya?ml|json)$/;
const ENDING = /\.hooks\.\w+$/;
const NEVER_IN = new Set(["node_modules", ".git"]);

/**
 * The case files that a command line means: files, folders to look in, and else words that a path has in it. Every word
 * narrows the choice; without any, all files below the folder. Links to folders are not followed: they may lead around, or
 * to all of a disk. `passedBy` is told of a link that leaves case files out.
 */
export function findCaseFiles(
  given: readonly string[],
  cwd: string,
  passedBy?: (link: string) => void,
): string[] {
  const paths = given.filter((word) => statOf(resolve(cwd, word)) !== undefined);
  const words = given.filter((word) => !paths.includes(word));
  const roots = paths.length > 0 ? paths : ["."];
  for (const root of roots) refuseOther(resolve(cwd, root), root);
  const { files: found, links } = search(roots.map((root) => resolve(cwd, root)));
  if (passedBy) for (const link of links) if (holdsOthers(link, found)) passedBy(link);
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

/** The same for whoever waits for files: none, where those that are meant are not there. */
export function caseFilesNow(given: readonly string[], cwd: string): readonly string[] {
  try {
    return findCaseFiles(given, cwd);
  } catch {
    return [];
  }
}

/** All case files end alike: what is only in the ending means none of them, unless it is an ending by its dot. */
function isNamedBy(path: string, word: string): boolean {
  const at = path.indexOf(word);
  return at >= 0 && (at < path.search(ENDING) || word.startsWith("."));
}

function refuseOther(path: string, given: string): void {
  if (statOf(path)?.isDirectory() || CASE_FILE.test(path)) return;
  throw new UsageError(`${given} is no case file`, "one is named *.hooks.yaml, *.hooks.yml or *.hooks.json");
}

/** Emacs marks a file that is being edited by a link that leads nowhere. */
const EDITORS_LOCK = ".#";

const MAX_BEHIND = 100;

function holdsOthers(link: string, found: readonly string[]): boolean {
  const known = new Set(found.map((file) => realpathSync(dirname(file))));
  try {
    return search([realpathSync(link)], MAX_BEHIND).files.some((file) => !known.has(dirname(file)));
  } catch {
    return false;
  }
}

function search(paths: readonly string[], most = Number.POSITIVE_INFINITY) {
  const files = new Set<string>();
  const links: string[] = [];
  for (const path of paths) {
    const queue = statOf(path)?.isDirectory() ? [path] : [];
    const own = queue.length > 0 ? [] : [path];
    for (const [index, folder] of queue.entries()) {
      if (index >= most) break;
      for (const entry of entriesOf(folder)) {
        const inside = join(folder, entry.name);
        if (NEVER_IN.has(entry.name)) continue;
        if (entry.isDirectory()) queue.push(inside);
        else if (entry.isSymbolicLink() && statOf(inside)?.isDirectory()) links.push(inside);
        else if (isCaseFile(entry)) own.push(inside);
      }
    }
    for (const file of own.sort()) files.add(file);
  }
  return { files: [...files], links };
}

function isCaseFile(entry: Dirent): boolean {
  const isFile = entry.isFile() || (entry.isSymbolicLink() && !entry.name.startsWith(EDITORS_LOCK));
  return isFile && CASE_FILE.test(entry.name);
}

/** Throws for a folder that may not be read: a case in it would be lost. One that went this moment holds nothing. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new UsageError(`${folder} cannot be read: ${messageOf(error)}`, "name the folders to look in");
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

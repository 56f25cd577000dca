import { alike } from "../text.ts";
import { fits, type Letter, STAR } from "./command-pattern.ts";

/*
 * Patterns of paths in an `if`, read as Claude Code 2.1.325 reads them: like a line of a .gitignore, and as the letters stand,
 * without a look at the disk. Case and the spelling of accents count for nothing. Time grows with pattern and path, and no faster.
 */

/** Where the paths of a call begin. */
export interface PathBase {
  readonly cwd: string;
  /** Absent: a pattern from `~/` fits below any folder. */
  readonly home?: string | undefined;
}

/** Why a pattern of paths cannot be tested, if it cannot. */
export function whyNoPathPattern(pattern: string): string | undefined {
  if (pattern.startsWith("!")) return "a pattern cannot say not";
  return /(?<!\\)\{[^}]*,/.test(pattern) ? "braces are letters in it: write one hook for each" : undefined;
}

/** Whether a path, or a folder that it lies in, fits a pattern. */
export function fitsPath(pattern: string, path: string, { cwd, home }: PathBase): boolean {
  const from = segmentsOf(cwd, "");
  const at = segmentsOf(path, cwd);
  const within = (folder: readonly string[]) =>
    folder.every((name, index) => name === at[index]) ? at.slice(folder.length) : undefined;
  const inside = within(from);
  const holds = (one: string, way: readonly string[] | undefined) =>
    way !== undefined && fitsWay(wordsOf(one), way);
  if (pattern.startsWith("//")) return holds(pattern.slice(2), at);
  if (pattern === "~" || pattern.startsWith("~/")) {
    const rest = pattern.slice(2) || "**";
    return home === undefined ? holds(`**/${rest}`, at) : holds(rest, within(segmentsOf(home, "")));
  }
  // From the project's folder, as Claude Code has it; or from the root, as in permission rules.
  if (pattern.startsWith("/")) return holds(pattern.slice(1), inside) || holds(pattern.slice(1), at);
  const bare = pattern.replace(/^(?:\.\/)+/, "");
  const isAnywhere = !bare.replace(/\/$/, "").includes("/");
  return isAnywhere ? holds(`**/${bare}`, inside ?? at) : holds(bare, inside);
}

/** The names of a full path; `.` and `..` are taken by their letters. */
function segmentsOf(path: string, cwd: string): readonly string[] {
  const isWindows = /^[A-Za-z]:[\\/]|^\\\\/.test(path) || /^[A-Za-z]:[\\/]|^\\\\/.test(cwd);
  const slashed = isWindows ? path.replaceAll("\\", "/") : path;
  const isFull = slashed.startsWith("/") || /^[A-Za-z]:\//.test(slashed);
  const names: string[] = isFull || cwd === "" ? [] : [...segmentsOf(cwd, "")];
  for (const name of alike(slashed).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names;
}

/** What a pattern says of each name: letters, or any number of names. */
type Word = "**" | readonly Letter[];

interface Words {
  readonly words: readonly Word[];
  /** The last name is that of a folder, and a path must go on below it. */
  readonly isFolder: boolean;
}

function wordsOf(pattern: string): Words {
  const names = pattern.split("/").filter((name) => name !== "" && name !== ".");
  const isOpen = names.length > 1 && names.at(-1) === "**";
  const isFolder = isOpen || pattern.endsWith("/");
  return {
    words: (isOpen ? names.slice(0, -1) : names).map((name) =>
      name === "**" ? "**" : lettersOf(alike(name)),
    ),
    isFolder,
  };
}

/** Whether the words fit the beginning of a way: what lies in a folder that fits, fits too. */
function fitsWay({ words, isFolder }: Words, way: readonly string[]): boolean {
  // reached[j]: what was seen of the pattern fits the first j names.
  let reached = way.map(() => false);
  reached.unshift(true);
  for (const word of words) {
    let isAny = false;
    reached = reached.map((isReached, j) => {
      isAny ||= isReached;
      if (word === "**") return isAny;
      return j > 0 && reached[j - 1] === true && fits(word, way[j - 1] ?? "");
    });
  }
  return (isFolder ? reached.slice(0, -1) : reached.slice(1)).includes(true);
}

/** The letters of one name: `*` stands for any, `?` for one, `[a-z]` and `[!a-z]` for one of several. */
function lettersOf(name: string): readonly Letter[] {
  return [...name.matchAll(/\\([\s\S])|\[([!^]?)(\]?[^\]]+)\]|([\s\S])/g)].map(
    ([, escaped, not, set, plain = ""]): Letter => {
      if (escaped !== undefined) return escaped;
      if (set !== undefined) return oneOfSet(set, not !== "");
      if (plain === "?") return () => true;
      return plain === "*" ? STAR : plain;
    },
  );
}

function oneOfSet(set: string, isNot: boolean): Letter {
  const ranges = [...set.matchAll(/(.)-(.)|(.)/gs)].map(([, from, to, one = ""]) => [from ?? one, to ?? one]);
  return (letter) => isNot !== ranges.some(([from = "", to = ""]) => letter >= from && letter <= to);
}

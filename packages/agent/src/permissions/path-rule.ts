import { type Dirent, readdirSync } from "node:fs";
import { dirname, isAbsolute, join, parse, posix } from "node:path";
import { alike } from "@belay/core/internal";
import { timedPatterns } from "@belay/engine/internal";
import picomatch from "picomatch";
import { type Base, below, follow, meaningsOf } from "./paths.ts";

/** A pattern of paths: a folder, under each of its names, and a glob from there. */
interface PathPattern {
  readonly folders: readonly string[];
  readonly glob: string;
}

/** Whether a rule that loosens holds for a path: for every file that it may mean. */
export function allowsPath(patterns: readonly string[], path: string, base: Base): boolean {
  const read = patterns.map((pattern) => readPattern(pattern, base));
  return meaningsOf(path, base).every(
    (meaning) => meaning !== undefined && read.some((pattern) => isMatch(pattern, meaning, false)),
  );
}

/**
 * Whether a rule that restricts holds for a path: for one file that it may mean, or for a folder around it. perhaps: the
 * path is a folder, and what the rule is about lies in it.
 */
export function restrictsPath(pattern: string, path: string, base: Base): "yes" | "perhaps" | "no" {
  const read = readPattern(pattern, base);
  const meanings = meaningsOf(path, base);
  if (meanings.some((meaning) => meaning !== undefined && isMatch(read, meaning, true))) return "yes";
  const fixed = picomatch.scan(read.glob).base;
  const isAround = meanings.some(
    (meaning) =>
      meaning !== undefined &&
      read.folders.some((folder) => below(alike(meaning), alike(join(folder, fixed))) !== undefined),
  );
  return isAround || meanings.includes(undefined) ? "perhaps" : "no";
}

/** From the working folder; `~/` from home; `/` and `//` from the root. */
function readPattern(pattern: string, { cwd, home }: Base): PathPattern {
  const under = (folder: string, rest: string): PathPattern => {
    const [, up = "", way = ""] = /^((?:\.\.\/)*)(.*)$/s.exec(asFolder(posix.normalize(rest))) ?? [];
    const climbed = up.split("/").slice(1).reduce(dirname, folder);
    const names = [...new Set([climbed, follow(climbed) ?? climbed])];
    return { folders: names, glob: way === "." || way === "./" ? "" : way };
  };
  const slashed = process.platform === "win32" ? pattern.replaceAll("\\", "/") : pattern;
  if (slashed === "~" || slashed.startsWith("~/")) return under(home, slashed.slice(2) || ".");
  if (slashed.startsWith("/"))
    return { folders: [parse(cwd).root], glob: posix.normalize(slashed.replace(/^\/+/, "")) };
  if (isAbsolute(slashed)) {
    const { root } = parse(slashed);
    return { folders: [root], glob: posix.normalize(slashed.slice(root.length)) };
  }
  return under(cwd, slashed);
}

/** `..` is a folder, with or without a slash behind it. */
function asFolder(way: string): string {
  return /(?:^|\/)\.\.$/.test(way) ? `${way}/` : way;
}

function isMatch({ folders, glob }: PathPattern, path: string, isStrict: boolean): boolean {
  const whole = glob === "" || glob.endsWith("/") ? `${glob}**` : glob;
  const globs = isStrict ? [whole, `${whole.replace(/\/?\*\*$/, "")}/**`] : [whole];
  return folders.some((folder) => {
    const way = below(folder, path);
    if (way === undefined) return false;
    if (way === "") return whole === "**";
    return globs.some((one) => globMatches(one, way, isStrict));
  });
}

/** Restrictions look neither at case nor at how an accent is written: on some file systems they make no difference. */
function globMatches(glob: string, path: string, isStrict: boolean): boolean {
  const bare = glob.replace(/^\//, "");
  if (!isStrict) return testGlob(bare, path, false);
  return ["NFC", "NFD"].some((form) => testGlob(bare.normalize(form), path.normalize(form), true));
}

/** A pattern that takes too long restricts, and does not loosen. */
function testGlob(glob: string, path: string, isStrict: boolean): boolean {
  const tester = testerOf(glob, isStrict);
  timed?.renew();
  return tester.test(path) && (isStrict || tester.gaveUp !== true);
}

const MAX_KNOWN = 256;
const known = new Map<string, ReturnType<typeof testerOf>>();
let timed: ReturnType<typeof timedPatterns> | undefined;

/** A search holds one pattern against many paths. Patterns that could be made to take for ever have a time limit. */
function testerOf(glob: string, nocase: boolean): { test(path: string): boolean; gaveUp?: boolean } {
  const key = `${nocase} ${glob}`;
  const found = known.get(key);
  if (found) return found;
  const regex = picomatch.makeRe(glob, { dot: true, nocase, noextglob: true, nonegate: true });
  const isShort = (glob.match(/\*+|[{([+]/g) ?? []).length <= 2;
  timed ??= timedPatterns();
  const tester = isShort ? { test: (path: string) => regex.test(path) } : timed.bounded(regex);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, tester);
  return tester;
}

/** Searches leave them out, unless they begin in one. */
const LEFT_OUT = [".git", "node_modules"];
const SEARCH_LIMIT_MS = 150;

/**
 * Whether a rule that restricts holds for a search of a file or folder. perhaps: the search would come by something that
 * the rule is about, or the folder is too large to tell.
 */
export function restrictsSearch(pattern: string, path: string, base: Base): "yes" | "perhaps" | "no" {
  if (restrictsPath(pattern, path, base) === "yes") return "yes";
  const read = readPattern(pattern, base);
  const until = Date.now() + SEARCH_LIMIT_MS;
  return meaningsOf(path, base).some((folder) => folder === undefined || comesBy(read, folder, until))
    ? "perhaps"
    : "no";
}

function comesBy(pattern: PathPattern, folder: string, until: number): boolean {
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of entriesOf(next)) {
      if (Date.now() > until) return true;
      if (LEFT_OUT.includes(entry.name)) continue;
      const path = join(next, entry.name);
      if (isMatch(pattern, path, true)) return true;
      if (entry.isDirectory()) open.push(path);
    }
  }
  return false;
}

/** None for a file, and for what is not there: nothing can be found in it. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

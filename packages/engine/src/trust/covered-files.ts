import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Hook } from "@belay/core";
import { messageOf } from "@belay/core/internal";
import { type ShellWord, shellWords } from "@belay/core/shell";
import picomatch from "picomatch";
import { type Folders, knownVariables, resolveModule, withFolders } from "../environment.ts";
import { type FileStat, isBelow, readStart, statOf } from "../files/read.ts";

/*
 * The one rule of trust: trust covers the entry as it is written, the scripts that it names, and the code in the hooks
 * folder that such a script stands in. The entry field "files" adds to this, or takes away. Nothing else is looked at.
 */

/** The files that the trust in one hook covers. */
export interface CoveredFiles {
  /** Absolute paths, sorted. */
  readonly files: readonly string[];
  /** Scripts that the entry names and that do not exist. */
  readonly missing: readonly string[];
  /** Why the hook cannot be trusted as it is: its files are too many, or cannot be listed. */
  readonly tooMuch?: string;
}

/** Bounds on what is looked up and read at every event. */
const MAX_PATHS = 10_000;
const MAX_FILES = 500;
const MAX_MEGABYTES = 5;
/** Names in one folder, data included. */
const MAX_ENTRIES = 10_000;
const SKIPPED = new Set(["__pycache__", "node_modules", ".git", ".venv"]);

/** The size of each file that was found in a folder. */
type FoundFiles = ReadonlyMap<string, number>;

/** The code in each folder, read once for all hooks that are looked at together. */
export type FolderMemo = Map<string, FoundFiles>;

/** Every file that decides what a hook does. `more` are folders besides the project that count as its own. Never throws. */
export function coveredFiles(
  hook: Hook,
  folders: Folders,
  more: readonly string[] = [],
  memo: FolderMemo = new Map(),
): CoveredFiles {
  const plugin = hook.source.pluginRoot;
  const roots = [folders.project, ...(plugin === undefined ? [] : [plugin]), ...more].flatMap(withRealPath);
  const files = new Set<string>();
  const missing = new Set<string>();
  const hooksFolders = new Set<string>();
  let tooMuch: string | undefined;

  function addNamed(path: string, within: readonly string[]): void {
    for (const place of withRealPath(path)) {
      const root = within.find((folder) => isBelow(folder, place));
      if (root === undefined) continue;
      const stat = statOf(place);
      if (isCode(place, stat)) files.add(place);
      if (!stat && hasCodeEnding(place)) missing.add(place);
      const folder = hooksFolderOf(place, root);
      if (folder !== undefined) hooksFolders.add(folder);
    }
  }

  try {
    const { cwd, project } = folders;
    const words = wordsOf(hook, { ...folders, plugin });
    const bases = basesOf(words, project, roots);
    if (words.length * bases.size > MAX_PATHS)
      throw new Error(`its command leads to more than ${MAX_PATHS} paths: move it into a script`);
    for (const base of bases) for (const path of pathsFrom(base, words)) addNamed(path, roots);
    for (const path of words.filter((word) => isAbsolute(word))) addNamed(path, roots);
    // In the event's working folder only existing code counts: the trust in a hook would else differ from folder to folder.
    if (!bases.has(cwd))
      for (const path of pathsFrom(cwd, words))
        if (isCode(path, statOf(path))) addNamed(path, [...roots, cwd]);
    const { added, isTakenAway } = patternsOf(hook, plugin ?? folders.project);
    const inFolders = [...hooksFolders].map((folder) => {
      const found = memo.get(folder) ?? filesIn(folder, isCode);
      memo.set(folder, found);
      return { folder, found };
    });
    for (const { folder, found } of [...inFolders, ...added]) {
      const unnamed = [...found].filter(([file]) => !files.has(file) && !isTakenAway(file));
      const bytes = unnamed.reduce((sum, [, size]) => sum + size, 0);
      if (unnamed.length > MAX_FILES || bytes > MAX_MEGABYTES * 1024 * 1024) tooMuch ??= tooLarge(folder);
      for (const [file] of unnamed) files.add(file);
    }
    for (const file of files) if (isTakenAway(file)) files.delete(file);
  } catch (error) {
    tooMuch = messageOf(error);
  }
  return { files: [...files].sort(), missing: [...missing], ...(tooMuch !== undefined && { tooMuch }) };
}

function tooLarge(folder: string): string {
  return `${folder} holds more than ${MAX_FILES} files or ${MAX_MEGABYTES} MB to be trusted: narrow it by "files": ["!…"] in the entry`;
}

/** A path as it reads, and the path that the system takes it to: the system resolves links before `..`. */
function withRealPath(path: string): string[] {
  const read = resolve(path);
  try {
    return [...new Set([read, realpathSync.native(path)])];
  } catch {
    return [read];
  }
}

/** The words of an entry that may be paths. */
function wordsOf({ handler, source }: Hook, folders: Folders): string[] {
  // Every type is named here: a type that is forgotten does not compile, for its files would not be covered.
  switch (handler.type) {
    case "module":
      return [resolveModule(handler.module, source, folders.project)];
    case "json":
    case "http":
    case "prompt":
    case "mcp_tool":
    case "agent":
      return [];
    case "command": {
      const { command, args } = handler;
      // Shells differ in what $'…' is: the words of both readings count.
      const readings = command.includes("$'") ? [false, true] : [false];
      const words = args
        ? [command, ...args].map((word) => withFolders(word, folders))
        : readings.flatMap((ansi) => shellWords(command, ansi)).map((word) => knownText(word, folders));
      // A word may also be an option or a variable with a value: --config=x.js, NAME=x.sh.
      const parts = words.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]);
      return [...new Set(parts.map((part) => part.replace(/^file:\/\//, "")))].filter((part) => part !== "");
    }
  }
}

/** Where words are looked up: in the project's folder, and in every folder of the project that a word names. */
function basesOf(words: readonly string[], project: string, roots: readonly string[]): Set<string> {
  const isOwnFolder = (path: string) =>
    roots.some((root) => isBelow(root, path)) && statOf(path)?.isDirectory() === true;
  return new Set([project, ...words.map((word) => resolve(project, word)).filter(isOwnFolder)]);
}

/** Not joined: the system resolves the links of a path before its `..`. */
function pathsFrom(base: string, words: readonly string[]): string[] {
  return words.filter((word) => !isAbsolute(word)).map((word) => `${base}${sep}${word}`);
}

/**
 * What a word says before the shell runs: up to the first part that is not known. Unknown parts at its beginning, such as
 * $(git rev-parse --show-toplevel), are left out: the rest is looked up as if it were relative.
 */
function knownText(word: ShellWord, folders: Folders): string {
  const values = knownVariables(folders);
  const pieces = word.pieces.map((piece): string | undefined => {
    if (typeof piece === "string") return piece;
    const { variable = "", inner } = piece;
    return values[variable] ?? (inner && knownText(inner, folders));
  });
  const start = pieces.findIndex((piece) => piece !== undefined && piece !== "");
  if (start === -1) return "";
  const end = pieces.indexOf(undefined, start);
  const text = pieces.slice(start, end === -1 ? undefined : end).join("");
  return pieces.slice(0, start).includes(undefined) ? text.replace(/^\/+/, "") : text;
}

/** The nearest folder called "hooks" that a path leads into, or is itself; below the root. */
function hooksFolderOf(path: string, root: string): string | undefined {
  for (let folder = path; isBelow(root, folder); folder = dirname(folder))
    if (basename(folder) === "hooks" && statOf(folder)?.isDirectory()) return folder;
  return undefined;
}

/** What the patterns of the entry field "files" add and take away, from the project's folder or the plugin's root on. */
function patternsOf({ files: patterns }: Hook, root: string) {
  const matcherOf = (pattern: string) => {
    const isMatch = picomatch(pattern.replace(/^\.\//, ""), { dot: true });
    return (file: string) => isMatch(relative(root, file).split(sep).join("/"));
  };
  const isNegative = (pattern: string) => pattern.startsWith("!");
  const away = patterns.filter(isNegative).map((pattern) => matcherOf(pattern.slice(1)));
  const added = patterns
    .filter((pattern) => !isNegative(pattern))
    .map((pattern) => {
      const folder = resolve(root, picomatch.scan(pattern).base);
      return { folder, found: filesIn(folder, matcherOf(pattern)) };
    });
  return { added, isTakenAway: (file: string) => away.some((matches) => matches(file)) };
}

/** The files below a folder that are wanted, links followed. Throws where a folder cannot be listed, or holds too much. */
function filesIn(folder: string, wants: (file: string, stat: FileStat) => boolean): FoundFiles {
  const files = new Map<string, number>();
  const seen = new Set<string>();
  let entries = 0;
  const visit = (path: string): void => {
    const stat = statOf(path);
    if (stat?.isFile() && wants(path, stat)) files.set(path, stat.size);
    if (!stat?.isDirectory()) return;
    const real = realpathSync.native(path);
    if (seen.has(real)) return;
    seen.add(real);
    const names = readdirSync(path).filter((name) => !SKIPPED.has(name));
    entries += names.length;
    if (entries > MAX_ENTRIES) throw new Error(tooLarge(folder));
    for (const name of names) visit(join(path, name));
  };
  visit(folder);
  return files;
}

/** Endings of files that hold code, programs and libraries included. Data has none of them. */
const CODE_ENDINGS = new Set(
  [
    ".sh .bash .zsh .ksh .fish .nu .ps1 .psm1 .bat .cmd .mk",
    ".py .pyw .pyz .rb .pl .pm .php .phar .lua .awk .sed .jq .tcl .r .raku .el .scm .clj .ex .exs .hs .groovy .kt .kts",
    ".scala .dart .swift .go .rs .c .java .class .cs",
    ".js .mjs .cjs .jsx .ts .mts .cts .tsx .coffee .vue",
    ".so .pyd .dll .dylib .node .wasm .jar .exe",
  ].flatMap((line) => line.split(" ")),
);

/**
 * True for a known ending, for a program without any ending, and for a first line `#!` where the file has no ending or is a
 * program. Other data files are not opened.
 */
function isCode(file: string, stat: FileStat | undefined): boolean {
  if (!stat?.isFile()) return false;
  if (hasCodeEnding(file)) return true;
  const hasNoEnding = extname(file) === "";
  const isProgram = (stat.mode & 0o111) !== 0;
  if (hasNoEnding && isProgram) return true;
  return (hasNoEnding || isProgram) && startsWithShebang(file);
}

function hasCodeEnding(file: string): boolean {
  return CODE_ENDINGS.has(extname(file).toLowerCase());
}

function startsWithShebang(file: string): boolean {
  try {
    return /^\uFEFF?#!/.test(readStart(file, 5));
  } catch {
    return false;
  }
}

import { closeSync, openSync, readdirSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Hook } from "@belay/core";
import { messageOf } from "@belay/core/internal";
import { type ShellWord, shellWords } from "@belay/core/shell";
import picomatch from "picomatch";
import { resolveModule } from "../check/script-words.ts";
import { type Folders, knownVariables, withFolders } from "../environment.ts";
import { type FileStat, isBelow, statOf } from "../files/read.ts";

/*
 * The one rule of trust: trust covers the entry as it is written, the scripts that it names, and the code in the hooks
 * folder that such a script stands in. The entry field "files" adds to this, or takes away. Nothing else is looked at.
 */

/** The files that the trust in one hook covers. */
export interface CoveredFiles {
  /** Absolute paths, sorted. */
  readonly files: readonly string[];
  /** Scripts that the entry names and that are not there. */
  readonly missing: readonly string[];
  /** Why these are not all, so that the hook cannot be trusted as it is. */
  readonly tooMuch?: string;
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

/** True for a known ending. Without one: true for a program, and for a first line `#!`; a data file is not opened. */
function isCode(file: string, stat: FileStat): boolean {
  if (!stat.isFile()) return false;
  if (hasCodeEnding(file)) return true;
  const hasNoEnding = extname(file) === "";
  const isProgram = (stat.mode & 0o111) !== 0 && !file.endsWith("~");
  return (hasNoEnding && isProgram) || ((hasNoEnding || isProgram) && startsWithShebang(file));
}

function hasCodeEnding(file: string): boolean {
  return CODE_ENDINGS.has(extname(file).toLowerCase());
}

function startsWithShebang(file: string): boolean {
  try {
    const handle = openSync(file, "r");
    try {
      const start = Buffer.alloc(5);
      return /^(?:\xef\xbb\xbf)?#!/.test(start.toString("latin1", 0, readSync(handle, start, 0, 5, 0)));
    } finally {
      closeSync(handle);
    }
  } catch {
    return false;
  }
}

/** A command with more words is not read: each word is looked up at every event. */
const MAX_WORDS = 1000;
/** Folders that a command may name for its other words to be looked up in. */
const MAX_BASES = 20;
/** Bounds on what a folder adds to the trust: all of it is read at every event. */
const MAX_FILES = 500;
const MAX_MEGABYTES = 5;
/** Names that are looked at in one folder, data included. */
const MAX_ENTRIES = 10_000;
const SKIPPED = new Set(["__pycache__", "node_modules", ".git", ".venv"]);

/** What was found in a folder once, for all hooks that are looked at together. */
export type FolderMemo = Map<string, ReturnType<typeof codeIn>>;

/**
 * Every file that decides what a hook does, by the rule above. `more` are folders besides the project that count as its own.
 */
export function coveredFiles(
  hook: Hook,
  folders: Folders,
  more: readonly string[] = [],
  memo: FolderMemo = new Map(),
): CoveredFiles {
  const plugin = hook.source.pluginRoot;
  const roots = [folders.project, ...(plugin === undefined ? [] : [plugin]), ...more].flatMap(withRealPath);
  const named = namedPaths(hook, { ...folders, plugin }, roots);
  if (typeof named === "string") return { files: [], missing: [], tooMuch: named };
  const scripts = new Set<string>();
  const missing = new Set<string>();
  const hooksFolders = new Set<string>();
  for (const { path, cwd } of named)
    for (const place of withRealPath(path)) {
      const stat = statOf(place);
      const isScript = stat !== undefined && isCode(place, stat);
      // What a word means in the event's working folder counts only if it is there: else the trust would differ by folder.
      const root = [...roots, ...(cwd === undefined ? [] : [cwd])].find((folder) => isBelow(folder, place));
      if (root === undefined || (cwd !== undefined && !isScript)) continue;
      const folder = hooksFolderOf(place, root);
      if (folder !== undefined) hooksFolders.add(folder);
      if (isScript) scripts.add(place);
      else if (stat === undefined && hasCodeEnding(place)) missing.add(place);
    }
  const found = new Set(scripts);
  let tooMuch: string | undefined;
  try {
    const { adds, isTakenAway } = patternsOf(hook, plugin ?? folders.project);
    for (const folder of hooksFolders) {
      const code = memo.get(folder) ?? codeIn(folder);
      memo.set(folder, code);
      tooMuch ??= addAll(found, code, isTakenAway, folder);
    }
    for (const { folder, matches } of adds)
      tooMuch ??= addAll(
        found,
        filesIn(folder, (file) => matches(file)),
        isTakenAway,
        folder,
      );
    for (const file of found) if (isTakenAway(file)) found.delete(file);
  } catch (error) {
    tooMuch = `its files cannot be looked for: ${messageOf(error)}`;
  }
  return { files: [...found].sort(), missing: [...missing], ...(tooMuch !== undefined && { tooMuch }) };
}

/** A path as it reads, and the path that the system takes it to: links are resolved before `..` is. */
function withRealPath(path: string): string[] {
  const read = resolve(path);
  try {
    const real = realpathSync.native(path);
    return real === read ? [read] : [read, real];
  } catch {
    return [read];
  }
}

interface NamedPath {
  readonly path: string;
  /** The event's working folder, where the path was resolved in it and it is not the project's. */
  readonly cwd?: string;
}

/** Every path that an entry names, existing or not; in words why that cannot be said. */
function namedPaths(
  { handler, source }: Hook,
  folders: Folders,
  roots: readonly string[],
): NamedPath[] | string {
  // Every type is named here: a type that is forgotten does not compile, for its files would not be covered.
  switch (handler.type) {
    case "module":
      return [{ path: resolveModule(handler.module, source, folders.project) }];
    case "json":
    case "http":
    case "prompt":
      return [];
    case "command": {
      const { command, args } = handler;
      const words = args
        ? [command, ...args].map((word) => withFolders(word, folders))
        : wordsOf(command).map((word) => knownText(word, folders));
      if (words.length > MAX_WORDS)
        return `its command has more than ${MAX_WORDS} words: move it into a script`;
      return pathsOf([...new Set(words.flatMap(partsOf))], folders, roots);
    }
  }
}

/** The words by either reading, where shells differ. */
function wordsOf(command: string): ShellWord[] {
  return [...shellWords(command), ...(command.includes("$'") ? shellWords(command, true) : [])];
}

/** A word itself, and the value behind its first `=`: --config=x.js, NAME=x.sh. A file's URL is its path. */
function partsOf(word: string): string[] {
  return [word, word.slice(word.indexOf("=") + 1)]
    .map((text) => text.replace(/^file:\/\//, ""))
    .filter(Boolean);
}

/** Each word from the project's folder, from the event's, and from each folder of the project that another word names. */
function pathsOf(
  words: readonly string[],
  { cwd, project }: Folders,
  roots: readonly string[],
): NamedPath[] | string {
  const isFolder = (path: string) =>
    roots.some((root) => isBelow(root, path)) && statOf(path)?.isDirectory() === true;
  const bases = [...new Set(words.map((word) => resolve(project, word)))].filter(isFolder);
  if (bases.length > MAX_BASES)
    return `its command names more than ${MAX_BASES} folders: move it into a script`;
  return words.flatMap((word): NamedPath[] => {
    if (isAbsolute(word)) return [{ path: word }];
    const there = cwd === project ? [] : [{ path: `${cwd}${sep}${word}`, cwd }];
    const within = [project, ...bases].map((base) => ({ path: `${base}${sep}${word}` }));
    return [...within, ...there];
  });
}

/**
 * What a word says before the shell runs: up to the first part that is not known. Unknown parts at its beginning, such as
 * $(git rev-parse --show-toplevel), are left out: the rest is looked up as if it were relative.
 */
function knownText(word: ShellWord, folders: Folders): string {
  const values = knownVariables(folders);
  const textOf = (piece: ShellWord["pieces"][number]): string | undefined => {
    if (typeof piece === "string") return piece;
    const { variable, inner } = piece;
    return (variable === undefined ? undefined : values[variable]) ?? (inner && knownText(inner, folders));
  };
  const pieces = word.pieces.map(textOf);
  const start = pieces.findIndex((piece) => piece !== undefined && piece !== "");
  if (start === -1) return "";
  const end = pieces.indexOf(undefined, start);
  const text = pieces.slice(start, end === -1 ? undefined : end).join("");
  return pieces.slice(0, start).includes(undefined) ? text.replace(/^\/+/, "") : text;
}

/** The nearest folder called "hooks" that a path is in, or is itself; below the root. */
function hooksFolderOf(path: string, root: string): string | undefined {
  for (let folder = path; isBelow(root, folder); folder = dirname(folder))
    if (basename(folder) === "hooks" && statOf(folder)?.isDirectory()) return folder;
  return undefined;
}

/** The patterns of the entry field "files", from the project's folder or the plugin's root on. */
function patternsOf({ files: patterns }: Hook, root: string) {
  const matcherOf = (pattern: string) => {
    const isMatch = picomatch(pattern.replace(/^\.\//, ""), { dot: true });
    return (file: string) => isMatch(relative(root, file).split(sep).join("/"));
  };
  const away = patterns
    .filter((pattern) => pattern.startsWith("!"))
    .map((pattern) => matcherOf(pattern.slice(1)));
  const adds = patterns
    .filter((pattern) => !pattern.startsWith("!"))
    .map((pattern) => ({ folder: resolve(root, picomatch.scan(pattern).base), matches: matcherOf(pattern) }));
  return { adds, isTakenAway: (file: string) => away.some((matches) => matches(file)) };
}

interface FolderFiles {
  /** With the size of each. */
  readonly files: ReadonlyMap<string, number>;
  readonly isWhole: boolean;
}

/** Adds what was found in a folder. Returns why that is too much to be trusted, if so. */
function addAll(
  found: Set<string>,
  { files, isWhole }: FolderFiles,
  isTakenAway: (file: string) => boolean,
  folder: string,
): string | undefined {
  let count = 0;
  let bytes = 0;
  for (const [file, size] of files) {
    if (found.has(file) || isTakenAway(file)) continue;
    count += 1;
    bytes += size;
    if (count > MAX_FILES || bytes > MAX_MEGABYTES * 1024 * 1024) break;
    found.add(file);
  }
  if (isWhole && count <= MAX_FILES && bytes <= MAX_MEGABYTES * 1024 * 1024) return undefined;
  return `${folder} holds more than ${MAX_FILES} files or ${MAX_MEGABYTES} MB to be trusted: narrow it by "files": ["!…"] in the entry`;
}

function codeIn(folder: string): FolderFiles {
  return filesIn(folder, isCode);
}

/** The files below a folder that are wanted, links followed. Throws where one cannot be listed. */
function filesIn(folder: string, wants: (file: string, stat: FileStat) => boolean): FolderFiles {
  const files = new Map<string, number>();
  const seen = new Set<string>();
  let entries = 0;
  const visit = (path: string): void => {
    const stat = statOf(path);
    if (stat === undefined || entries > MAX_ENTRIES) return;
    if (!stat.isDirectory()) {
      if (stat.isFile() && wants(path, stat)) files.set(path, stat.size);
      return;
    }
    const real = realpathSync.native(path);
    if (seen.has(real)) return;
    seen.add(real);
    const names = readdirSync(path).filter((name) => !SKIPPED.has(name));
    entries += names.length;
    if (entries <= MAX_ENTRIES) for (const name of names) visit(join(path, name));
  };
  visit(folder);
  return { files, isWhole: entries <= MAX_ENTRIES };
}

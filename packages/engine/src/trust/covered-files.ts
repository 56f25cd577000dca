import { accessSync, closeSync, constants, openSync, readdirSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type Hook, type ShellWord, shellWords } from "@belay/core";
import picomatch from "picomatch";
import { resolveModule } from "../config/scripts.ts";
import { type Folders, folderVariables, withFolders } from "../environment.ts";
import { type FileStat, statOf } from "../file-content.ts";
import { isBelow } from "../shown-path.ts";

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
    ".sh .bash .zsh .ksh .fish .nu .ps1 .psm1 .bat .cmd",
    ".py .pyw .rb .pl .pm .php .lua .awk .sed .jq .tcl .r .raku .el .scm .clj .exs .groovy .kts .swift .go .rs .java .cs",
    ".js .mjs .cjs .jsx .ts .mts .cts .tsx .coffee .vue",
    ".so .pyd .dll .dylib .node .wasm .jar .exe",
  ].flatMap((line) => line.split(" ")),
);

/** True for a known ending, a first line `#!`, or a program without an ending. */
function isCode(file: string, stat: FileStat): boolean {
  if (!stat.isFile()) return false;
  return hasCodeEnding(file) || startsWithShebang(file) || (extname(file) === "" && isExecutable(file));
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

function isExecutable(file: string): boolean {
  if (process.platform === "win32") return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A command with more words is not read: each word is looked up at every event. */
const MAX_WORDS = 1000;
/** Bounds on what a folder adds to the trust: all of it is read at every event. */
const MAX_FILES = 500;
const MAX_MEGABYTES = 5;
/** Names that are looked at in one folder, data included. */
const MAX_ENTRIES = 10_000;
const SKIPPED = new Set(["__pycache__", "node_modules", ".git"]);

/** Every file that decides what a hook does, by the rule above. `more` are folders besides the project that count as its own. */
export function coveredFiles(hook: Hook, folders: Folders, more: readonly string[] = []): CoveredFiles {
  const plugin = hook.source.pluginRoot;
  const home = plugin ?? folders.project;
  const roots = [folders.project, ...(plugin === undefined ? [] : [plugin]), ...more].flatMap(withRealPath);
  const named = namedPaths(hook, { ...folders, plugin });
  if (named === undefined)
    return {
      files: [],
      missing: [],
      tooMuch: `its command has more than ${MAX_WORDS} words: move it into a script`,
    };
  const scripts = new Set<string>();
  const missing = new Set<string>();
  const hooksFolders = new Set<string>();
  for (const { path, base } of named) {
    // A relative path is looked up in the event's working folder, wherever that is.
    const within = base === undefined ? roots : [...roots, base];
    for (const place of withRealPath(path)) {
      const root = within.find((folder) => isBelow(folder, place));
      if (root === undefined) continue;
      const folder = hooksFolderOf(place, root);
      if (folder !== undefined) hooksFolders.add(folder);
      const stat = statOf(place);
      if (stat ? isCode(place, stat) : hasCodeEnding(place)) (stat ? scripts : missing).add(place);
    }
  }
  const { adds, isTakenAway } = patternsOf(hook, home);
  const found = new Set([...scripts].filter((file) => !isTakenAway(file)));
  const walk = (folder: string, wants: (file: string, stat: FileStat) => boolean) =>
    walkFolder(folder, (file, stat) => !scripts.has(file) && !isTakenAway(file) && wants(file, stat), found);
  let tooMuch: string | undefined;
  for (const folder of hooksFolders) tooMuch ??= walk(folder, isCode);
  for (const { folder, matches } of adds)
    tooMuch ??= walk(folder, (file, stat) => stat.isFile() && matches(file));
  const files = [...found].sort();
  return { files, missing: [...missing], ...(tooMuch !== undefined && { tooMuch }) };
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
  /** The working folder that a relative path was resolved in. */
  readonly base?: string;
}

/** Every path that an entry names, existing or not; undefined for too many. */
function namedPaths({ handler, source }: Hook, folders: Folders): NamedPath[] | undefined {
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
        : shellWords(command).map((word) => knownText(word, folders));
      if (words.length > MAX_WORDS) return undefined;
      return words.flatMap((word) => pathsOf(word, folders));
    }
  }
}

/** A word itself, and the value behind its first `=`: --config=x.js, NAME=x.sh. */
function pathsOf(word: string, { cwd, project }: Folders): NamedPath[] {
  const texts = [word, word.slice(word.indexOf("=") + 1)].filter((text) => text !== "");
  return [...new Set(texts)].flatMap((text) =>
    isAbsolute(text)
      ? [{ path: text }]
      : [{ path: `${cwd}${sep}${text}`, base: cwd }, { path: `${project}${sep}${text}` }],
  );
}

/**
 * What a word says before the shell runs: up to the first part that is not known. Unknown parts at its beginning, such as
 * $(git rev-parse --show-toplevel), are taken for the project's folder.
 */
function knownText(word: ShellWord, folders: Folders): string {
  const values: Record<string, string | undefined> = {
    ...folderVariables(folders),
    HOME: folders.home,
    PWD: folders.cwd,
  };
  const pieces = word.map((piece) =>
    typeof piece === "string" ? piece : piece.variable === undefined ? undefined : values[piece.variable],
  );
  const start = pieces.findIndex((piece) => piece !== undefined && piece !== "");
  if (start === -1) return "";
  const end = pieces.indexOf(undefined, start);
  const text = pieces.slice(start, end === -1 ? undefined : end).join("");
  const isFromProject = pieces.slice(0, start).includes(undefined);
  if (isFromProject) return `${folders.project}${sep}${text}`;
  return text.replace(/^~(?=\/|$)/, () => folders.home);
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
    .map((pattern) => {
      const { base } = picomatch.scan(pattern);
      return { folder: resolve(root, base), matches: matcherOf(pattern) };
    });
  return { adds, isTakenAway: (file: string) => away.some((matches) => matches(file)) };
}

/** Adds the files below a folder that are wanted, links followed. Returns why it did not add all of them, if so. */
function walkFolder(
  folder: string,
  wants: (file: string, stat: FileStat) => boolean,
  found: Set<string>,
): string | undefined {
  const isOver = `${folder} holds more than ${MAX_FILES} files or ${MAX_MEGABYTES} MB to be trusted: narrow it by "files": ["!…"] in the entry`;
  const seen = new Set<string>();
  let entries = 0;
  let files = 0;
  let bytes = 0;
  const visit = (path: string): boolean => {
    const stat = statOf(path);
    if (stat === undefined) return true;
    if (!stat.isDirectory()) {
      if (found.has(path) || !wants(path, stat)) return true;
      found.add(path);
      files += 1;
      bytes += stat.size;
      return files <= MAX_FILES && bytes <= MAX_MEGABYTES * 1024 * 1024;
    }
    const real = realpathSync.native(path);
    if (seen.has(real)) return true;
    seen.add(real);
    const names = readdirSync(path).filter((name) => !SKIPPED.has(name));
    entries += names.length;
    return entries <= MAX_ENTRIES && names.every((name) => visit(join(path, name)));
  };
  try {
    return visit(folder) ? undefined : isOver;
  } catch (error) {
    return `${folder} cannot be read: ${(error as Error).message}`;
  }
}

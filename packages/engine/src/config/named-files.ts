import { dirname, isAbsolute, join, resolve } from "node:path";
import { type Handler, type Hook, messageOf, whatRuns } from "@belay/core";
import { type Folders, withFolders } from "../environment.ts";
import { foldersBeforeValues, greedyWords, namesAnywhere, namesBehindValues } from "../greedy-words.ts";
import { withoutMessages } from "../messages.ts";
import { withoutWritten, writtenWords } from "../only-written.ts";
import { expand, isSystem, JS_RUNTIME, MAX_LENGTH } from "../shell-words.ts";
import { asItIs, fileMeantBy, type Language, loadedBy, type NamedFiles, withImports } from "./imports.ts";
import { NO_ROOTS, pythonPrograms } from "./python-imports.ts";
import { pythonPath } from "./python-path.ts";
import { type Guess, givenToAny, type Runtime, whatIsGiven } from "./runtimes.ts";
import { leadsBack, pathFrom, resolveModule, scriptWordsOf } from "./scripts.ts";
import { openSearch, type Search } from "./search.ts";

/**
 * The files whose content decides what a hook does, with what they import; one that a command plainly runs is among them
 * even if missing. The search says whether these are all.
 */
export function filesOf(hook: Hook, folders: Folders, search = openSearch()): string[] {
  try {
    return withImports(named(hook, folders, search), search);
  } catch (error) {
    // Of this hook alone: the others are asked as ever.
    search.giveUp(`its files cannot be looked for: ${messageOf(error)}`);
    return [];
  }
}

/** Why a hook cannot be trusted as it is: not all that it names is looked at. */
export function whyUnclear(hook: Hook, folders: Folders): string | undefined {
  const search = openSearch();
  filesOf(hook, folders, search);
  return search.unclear;
}

function named(hook: Hook, folders: Folders, search: Search): NamedFiles {
  const { handler, source } = hook;
  // Every type is named: one that is forgotten does not compile, for its files would not be part of the trust.
  switch (handler.type) {
    case "module":
      return { files: [resolveModule(handler.module, source, folders.project)], roots: NO_ROOTS };
    case "command":
      return filesOfCommand(handler, { ...folders, plugin: source.pluginRoot }, search);
    case "json":
    case "http":
    case "prompt":
      return { files: [], roots: NO_ROOTS };
  }
}

type CommandHandler = Extract<Handler, { type: "command" }>;

function filesOfCommand(handler: CommandHandler, folders: Folders, search: Search): NamedFiles {
  if (whatRuns(handler).length > MAX_LENGTH) {
    search.giveUp(`its command is longer than ${MAX_LENGTH} characters`);
    return { files: [], roots: NO_ROOTS };
  }
  const scripts = scriptWordsOf(handler, folders).flatMap(({ file, isRun }) => (isRun ? [file] : []));
  const found = namedFiles(handler, folders, search);
  return { ...found, files: [...new Set([...scripts, ...found.files])] };
}

/** Every folder that is named is a place where the next words may be found. */
const MAX_NAMED = 30;

/** Existing files that a command names, wherever in it, read greedily; tools of the system are not among them. */
function namedFiles(handler: CommandHandler, folders: Folders, search: Search): NamedFiles {
  const command = whatRuns(handler);
  const isPosix = handler.args === undefined && process.platform !== "win32";
  const text = withoutWritten(isPosix ? withoutMessages(command) : command);
  const guesses = JS_RUNTIME.test(text); // such runtimes find a script whose ending is left out
  const { files, runBy, begin, bases, look } = finder(text, folders, search);
  const words = namesIn(text, handler, folders, search);
  const texts = new Set(words.map(({ within }) => within.text));
  const given = givenToAny(text);
  const lookBehindValues = () => {
    for (const name of [...texts].flatMap(namesBehindValues)) look([name], given);
  };
  for (const name of [...texts].flatMap(foldersBeforeValues)) look([name], noFile);
  lookBehindValues(); // before the words, for one may be a folder that they stand in
  const runtimeOf = whatIsGiven();
  for (const { word, names, within } of words) {
    const runtime = runtimeOf(word, names[0] ?? word);
    look(names, runtime?.guess ?? (guesses ? guessFor(word, within.text) : asItIs), runtime);
  }
  for (const within of texts)
    for (const name of namesAnywhere(within))
      look([name, expand(name, folders)], guesses ? guessFor(name, within) : asItIs);
  lookBehindValues(); // now that all folders are known
  const read = words.map(({ word }) => word);
  const among = (names: readonly string[], places: Iterable<string>) =>
    candidatesFor(names, places).filter((candidate) => bases.has(candidate));
  const all = [...bases];
  const places = { all, path: pythonPath(text, words, all, begin, among) };
  const python = pythonPrograms(text, [text, ...read], places, search);
  return { files: [...files, ...python.files], roots: python.roots, runBy };
}

/** Of a name that is a folder's, looked up only for others to be found there. */
const noFile: Guess = () => [];

/** Code is no name, whose ending may be left out. */
const CODE = /[\n;()=,<>|]/;

/** Not an option of a runtime, which is given a name of its own (runtimes.ts), and no other word: important. */
const IMPORTS = /(?<![\w-])(?:require|import)\b|createRequire/;
/** Code may hold a bare `.` for any reason: f.split(".") */
const IMPORTS_FOLDER = /(?:\b(?:require|resolve|import|from)|\))[\s(\\]{0,8}["'`]\.\/?\\?["'`]/;

/** What a name may mean where no runtime is given it: in code that imports, whatever an import may. */
function guessFor(name: string, text: string): Guess {
  if (CODE.test(name)) return asItIs;
  if (/^\.\/?$/.test(name)) return IMPORTS_FOLDER.test(text) ? loadedBy : asItIs;
  if (IMPORTS.test(text)) return loadedBy;
  return name.includes("/") ? fileMeantBy : asItIs;
}

/** What a command finds a folder above its own by: git rev-parse, dirname, ${DIR%/*}, a Path's parent. */
const LEADS_UP = /--show-(?:toplevel|cdup)|--git-common-dir|dirname|\$\{\w+%|\.parents?\b/;

/** The folders above one, up to the next that git keeps: where there is none, no command finds one of them by git. */
function foldersAbove(folder: string, search: Search): string[] {
  const found: string[] = [];
  for (let at = folder; search.stat(join(at, ".git")) === undefined; at = dirname(at)) {
    if (at === dirname(at)) return [];
    found.push(dirname(at));
  }
  return found;
}

/** Looks names up in the folders that were named before them; once it is unclear what a hook runs, there is no use. */
function finder(text: string, folders: Folders, search: Search) {
  const own = [folders.cwd, folders.project];
  const above = LEADS_UP.test(text) ? own.flatMap((folder) => foldersAbove(folder, search)) : [];
  const begin = [...own, ...above];
  const bases = new Set(begin);
  const maxBases = bases.size + MAX_NAMED;
  const files = new Set<string>();
  const runBy = new Map<string, Language>();
  /** Names that were looked up, among as many folders. */
  const looked = new Map<Guess, Set<string>>();
  const look = (names: readonly string[], guess: Guess, runtime?: Runtime) => {
    if (search.unclear !== undefined) return;
    const before = looked.get(guess) ?? new Set();
    const key = [bases.size, runtime?.language, ...names].join("\0");
    if (before.has(key)) return;
    looked.set(guess, before.add(key));
    for (const candidate of new Set(candidatesFor(names, bases))) {
      for (const file of guess(candidate, search)) {
        if (isSystem(file, folders)) continue;
        files.add(file);
        if (runtime) runBy.set(file, runtime.language);
      }
      if (!search.stat(candidate)?.isDirectory() || bases.has(candidate)) continue;
      if (bases.size < maxBases) bases.add(candidate);
      else search.giveUp(`its command names more than ${MAX_NAMED} folders`);
    }
  };
  return { files, runBy, begin, bases, look };
}

/** The paths that names may mean from these folders. */
function candidatesFor(names: readonly string[], folders: Iterable<string>): string[] {
  return names.flatMap((name) =>
    (isAbsolute(name) ? [""] : [...folders]).flatMap((folder) => [
      resolve(folder, name),
      ...(leadsBack(name) ? [pathFrom(folder, name)] : []),
    ]),
  );
}

/** The words of a command, each with the names of files that it may be or hold: `PATH=./bin:$PATH` holds a folder. */
function namesIn(text: string, { command, args }: CommandHandler, folders: Folders, search: Search) {
  const tooMuch = () => search.giveUp("its command quotes commands in commands too often");
  const read = greedyWords(text, folders, tooMuch).map(({ word, within }) => ({
    word,
    within,
    names: [...new Set([word, ...partsOf(word)].flatMap((name) => [expand(name, folders), name]))].filter(
      (name) => name !== "",
    ),
  }));
  return [...read, ...(args ? literalWords([command, ...args], text, folders) : [])];
}

/** What a shell takes for a variable or a home, an argument may have in its name. */
function literalWords(all: readonly string[], text: string, folders: Folders) {
  const isWritten = writtenWords(text, folders)();
  return all
    .filter((word, index) => !isWritten("", " ", word, ` ${all[index + 1]} `))
    .map((word) => ({ word, within: { text: "" }, names: [withFolders(word, folders)] }));
}

/** The value of an option or a variable, and the folders of a list. A sentence or a script is no such word. */
function partsOf(word: string): string[] {
  return /\s/.test(word) && !/^[\w-]+=/.test(word) ? [] : word.split(/[=:]/);
}

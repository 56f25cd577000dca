import { isAbsolute, resolve } from "node:path";
import { type Handler, type Hook, whatRuns } from "@belay/core";
import { type Folders, withFolders } from "../environment.ts";
import { greedyWords, namesAnywhere } from "../greedy-words.ts";
import { withoutWritten } from "../only-written.ts";
import { expand, isSystem, JS_RUNTIME, MAX_LENGTH } from "../shell-words.ts";
import { asItIs, fileMeantBy, loadedBy, meantBy, withImports } from "./imports.ts";
import { pythonPrograms } from "./python-imports.ts";
import { leadsBack, pathFrom, resolveModule, scriptWordsOf } from "./scripts.ts";
import { openSearch, type Search } from "./search.ts";

/**
 * The files whose content decides what a hook does, with what they import; one that a command plainly runs is among them
 * even if missing. The search says whether these are all.
 */
export function filesOf(hook: Hook, folders: Folders, search = openSearch()): string[] {
  const { files, roots } = named(hook, folders, search);
  return withImports(files, roots, search);
}

/** Why a hook cannot be trusted as it is: not all that it names is looked at. */
export function whyUnclear(hook: Hook, folders: Folders): string | undefined {
  const search = openSearch();
  filesOf(hook, folders, search);
  return search.unclear;
}

interface Named {
  readonly files: readonly string[];
  /** Folders in which imports are looked for, besides those of the files. */
  readonly roots: readonly string[];
}

function named(hook: Hook, folders: Folders, search: Search): Named {
  const { handler, source } = hook;
  // Every type is named: one that is forgotten does not compile, for its files would not be part of the trust.
  switch (handler.type) {
    case "module":
      return { files: [resolveModule(handler.module, source, folders.project)], roots: [] };
    case "command":
      return filesOfCommand(handler, { ...folders, plugin: source.pluginRoot }, search);
    case "json":
    case "http":
    case "prompt":
      return { files: [], roots: [] };
  }
}

type CommandHandler = Extract<Handler, { type: "command" }>;

function filesOfCommand(handler: CommandHandler, folders: Folders, search: Search): Named {
  if (whatRuns(handler).length > MAX_LENGTH) {
    search.giveUp(`its command is longer than ${MAX_LENGTH} characters`);
    return { files: [], roots: [] };
  }
  const scripts = scriptWordsOf(handler, folders).flatMap(({ file, isRun }) => (isRun ? [file] : []));
  const { files, roots } = namedFiles(handler, folders, search);
  return { files: [...new Set([...scripts, ...files])], roots };
}

/** Every folder that is named is a place where the next words may be found. */
const MAX_BASES = 32;

/**
 * Whether what a runtime is to run may still follow: a word is an option, the value of one, or something that only a shell
 * knows. The value that stands in an option is a word as well.
 */
function mayPrecede(word: string, before: string): boolean {
  return /^(?:-|run$)|\$/.test(word) || before.startsWith("-") || before.endsWith(`=${word}`);
}

/** Code is no name, whose ending may be left out. */
const CODE = /[\n;()=,<>|]/;

/** Existing files that a command names, wherever in it, read greedily; tools of the system are not among them. */
function namedFiles(handler: CommandHandler, folders: Folders, search: Search): Named {
  const text = withoutWritten(whatRuns(handler));
  const guesses = JS_RUNTIME.test(text); // they find a script whose ending is left out
  const guessFor = (word: string, guess: typeof meantBy) => (guesses && !CODE.test(word) ? guess : asItIs);
  const elsewhere = /require|import/i.test(text) ? meantBy : fileMeantBy;
  const { files, bases, look } = finder(folders, search);
  let isGiven = false; // to such a runtime, as what it is to run
  let before = "";
  const words = namesIn(text, handler, folders, search);
  for (const { word, names } of words) {
    look(names, guessFor(word, isGiven ? loadedBy : elsewhere));
    isGiven = JS_RUNTIME.test(word) || (isGiven && mayPrecede(word, before));
    before = word;
  }
  for (const name of namesAnywhere(text)) look([name, expand(name, folders)], guessFor(name, elsewhere));
  const read = words.map(({ word }) => word);
  const python = pythonPrograms(text, read, [...bases]);
  for (const file of python.files) if (search.stat(file)?.isFile()) files.add(file);
  return { files: [...files], roots: python.roots };
}

/** Looks names up in the folders that were named before them; once it is unclear what a hook runs, there is no use. */
function finder(folders: Folders, search: Search) {
  const bases = new Set([folders.cwd, folders.project]);
  const files = new Set<string>();
  const look = (names: readonly string[], guess: typeof meantBy) => {
    if (search.unclear !== undefined) return;
    const candidates = names.flatMap((name) =>
      (isAbsolute(name) ? [""] : [...bases]).flatMap((base) => [
        resolve(base, name),
        ...(leadsBack(name) ? [pathFrom(base, name)] : []),
      ]),
    );
    for (const candidate of new Set(candidates)) {
      for (const file of guess(candidate, search)) if (!isSystem(file, folders)) files.add(file);
      if (!search.stat(candidate)?.isDirectory() || bases.has(candidate)) continue;
      if (bases.size < MAX_BASES) bases.add(candidate);
      else search.giveUp(`its command names more than ${MAX_BASES - 2} folders`);
    }
  };
  return { files, bases, look };
}

/** The words of a command, each with the names of files that it may be or hold: `PATH=./bin:$PATH` holds a folder. */
function namesIn(text: string, { command, args }: CommandHandler, folders: Folders, search: Search) {
  const tooMuch = () => search.giveUp("its command quotes commands in commands too often");
  const read = greedyWords(text, folders, tooMuch).map((word) => ({
    word,
    names: [...new Set([word, ...partsOf(word)].flatMap((name) => [expand(name, folders), name]))].filter(
      (name) => name !== "",
    ),
  }));
  // What a shell takes for a variable or a home, an argument may have in its name.
  const literal = args
    ? [command, ...args].map((word) => ({ word, names: [withFolders(word, folders)] }))
    : [];
  return [...read, ...literal];
}

/** The value of an option or a variable, and the folders of a list. A sentence or a script is no such word. */
function partsOf(word: string): string[] {
  return /\s/.test(word) && !/^[\w-]+=/.test(word) ? [] : word.split(/[=:]/);
}

import { isAbsolute, resolve } from "node:path";
import { type Handler, type Hook, whatRuns } from "@belay/core";
import { type Folders, withFolders } from "../environment.ts";
import { expand, greedyWords, isSystem, JS_RUNTIME, MAX_LENGTH } from "../shell-words.ts";
import { loadedBy, meantBy, withImports } from "./imports.ts";
import { pythonPrograms } from "./python-imports.ts";
import { resolveModule, scriptWordsOf } from "./scripts.ts";
import { openSearch, type Search } from "./search.ts";

/**
 * The files whose content decides what a hook does, with what they import; one that a command plainly runs is among them
 * even if missing. The search says whether these are all.
 */
export function filesOf(hook: Hook, folders: Folders, search = openSearch()): string[] {
  return withImports(named(hook, folders, search), search);
}

/** Why a hook cannot be trusted as it is: not all that it names is looked at. */
export function whyUnclear(hook: Hook, folders: Folders): string | undefined {
  const search = openSearch();
  filesOf(hook, folders, search);
  return search.unclear;
}

function named(hook: Hook, folders: Folders, search: Search): string[] {
  const { handler, source } = hook;
  // Every type is named: one that is forgotten does not compile, for its files would not be part of the trust.
  switch (handler.type) {
    case "module":
      return [resolveModule(handler.module, source.file, folders.project)];
    case "command":
      return filesOfCommand(handler, { ...folders, plugin: source.pluginRoot }, search);
    case "json":
    case "http":
    case "prompt":
      return [];
  }
}

type CommandHandler = Extract<Handler, { type: "command" }>;

function filesOfCommand(handler: CommandHandler, folders: Folders, search: Search): string[] {
  if (whatRuns(handler).length > MAX_LENGTH) {
    search.giveUp(`its command is longer than ${MAX_LENGTH} characters`);
    return [];
  }
  const scripts = scriptWordsOf(handler, folders).flatMap(({ file, isRun }) => (isRun ? [file] : []));
  return [...new Set([...scripts, ...namedFiles(handler, folders, search)])];
}

/** Every folder that is named is a place where the next words may be found. */
const MAX_BASES = 32;

/** Existing files that a command names, wherever in it, read greedily; tools of the system are not among them. */
function namedFiles(handler: CommandHandler, folders: Folders, search: Search): string[] {
  const bases = new Set([folders.cwd, folders.project]);
  const files = new Set<string>();
  const guesses = JS_RUNTIME.test(whatRuns(handler)); // they find a script whose ending is left out
  let isGiven = false; // to such a runtime, as what it is to run
  for (const { word, name } of namesIn(handler, folders, search)) {
    const wasGiven = isGiven;
    isGiven = JS_RUNTIME.test(word) || (isGiven && /^(?:-|run$)/.test(word));
    const mayGuess = guesses && !/[\n;()=,<>|]/.test(word); // code of node -e is no name
    const candidates = isAbsolute(name) ? [resolve(name)] : [...bases].map((base) => resolve(base, name));
    for (const candidate of candidates) {
      const stat = search.stat(candidate);
      const read = wasGiven ? loadedBy : meantBy;
      const meant = mayGuess ? read(candidate, search) : stat?.isFile() ? [candidate] : [];
      for (const file of meant) if (!isSystem(file, folders)) files.add(file);
      if (!stat?.isDirectory() || bases.has(candidate)) continue;
      if (bases.size < MAX_BASES) bases.add(candidate);
      else search.giveUp(`its command names more than ${MAX_BASES - 2} folders`);
    }
  }
  for (const file of pythonPrograms(whatRuns(handler), [...bases]))
    if (search.stat(file)?.isFile()) files.add(file);
  return [...files];
}

/** The words of a command, each with the name of a file that it may be. */
function namesIn(handler: CommandHandler, folders: Folders, search: Search) {
  const { command, args } = handler;
  const tooDeep = () => search.giveUp("its command quotes commands in commands too often");
  const read = greedyWords(whatRuns(handler), tooDeep)
    .map((word) => ({ word, name: expand(word, folders) }))
    .filter(({ name }) => name !== "" && !name.includes("$"));
  // What a shell takes for a variable or a home, an argument may have in its name.
  const literal = args ? [command, ...args].map((word) => ({ word, name: withFolders(word, folders) })) : [];
  return [...read, ...literal];
}

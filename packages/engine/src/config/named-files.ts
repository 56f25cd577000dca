import { isAbsolute, resolve } from "node:path";
import type { Hook } from "@belay/core";
import type { Folders } from "../environment.ts";
import { expand, greedyWords, isSystem, JS_RUNTIME, MAX_LENGTH } from "../shell-words.ts";
import { meantBy, withImports } from "./imports.ts";
import { resolveModule, scriptWords } from "./scripts.ts";
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
      return filesOfCommand(handler.command, { ...folders, plugin: source.pluginRoot }, search);
    case "json":
    case "http":
    case "prompt":
      return [];
  }
}

function filesOfCommand(command: string, folders: Folders, search: Search): string[] {
  if (command.length > MAX_LENGTH) {
    search.giveUp(`its command is longer than ${MAX_LENGTH} characters`);
    return [];
  }
  const scripts = scriptWords(command, folders).map(({ file }) => file);
  return [...new Set([...scripts, ...namedFiles(command, folders, search)])];
}

/** Every folder that is named is a place where the next words may be found. */
const MAX_BASES = 32;

/** Existing files that a command names, wherever in it, read greedily; tools of the system are not among them. */
function namedFiles(command: string, folders: Folders, search: Search): string[] {
  const bases = new Set([folders.cwd, folders.project]);
  const files = new Set<string>();
  const guesses = JS_RUNTIME.test(command); // they find a script whose ending is left out
  const tooDeep = () => search.giveUp("its command quotes commands in commands too often");
  for (const word of greedyWords(command, tooDeep)) {
    const name = expand(word, folders);
    if (name === "" || name.includes("$")) continue;
    const mayGuess = guesses && !/[\n;()=,<>|]/.test(word); // code of node -e is no name
    const candidates = isAbsolute(name) ? [resolve(name)] : [...bases].map((base) => resolve(base, name));
    for (const candidate of candidates) {
      const stat = search.stat(candidate);
      const meant = mayGuess ? meantBy(candidate, search) : stat?.isFile() ? [candidate] : [];
      for (const file of meant) if (!isSystem(file, folders)) files.add(file);
      if (!stat?.isDirectory() || bases.has(candidate)) continue;
      if (bases.size < MAX_BASES) bases.add(candidate);
      else search.giveUp(`its command names more than ${MAX_BASES - 2} folders`);
    }
  }
  return [...files];
}

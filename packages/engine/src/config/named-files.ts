import { isAbsolute, resolve } from "node:path";
import type { Hook } from "@belay/core";
import type { Folders } from "../environment.ts";
import { statOf } from "../file-content.ts";
import { expand, greedyWords, isSystem, JS_RUNTIME } from "../shell-words.ts";
import { meantBy, withImports } from "./imports.ts";
import { resolveModule, scriptWords } from "./scripts.ts";

/**
 * The files whose content decides what a hook does, with what they import; one that a command plainly runs is among them
 * even if missing.
 */
export function filesOf(hook: Hook, folders: Folders): string[] {
  return withImports(named(hook, folders));
}

function named(hook: Hook, folders: Folders): string[] {
  const { handler, source } = hook;
  // Every type is named: one that is forgotten does not compile, for its files would not be part of the trust.
  switch (handler.type) {
    case "module":
      return [resolveModule(handler.module, source.file, folders.project)];
    case "command":
      return filesOfCommand(handler.command, { ...folders, plugin: source.pluginRoot });
    case "json":
    case "http":
      return [];
  }
}

function filesOfCommand(command: string, folders: Folders): string[] {
  const scripts = scriptWords(command, folders).map(({ file }) => file);
  return [...new Set([...scripts, ...namedFiles(command, folders)])];
}

/** Every folder that is named is a place where the next words may be found. */
const MAX_BASES = 32;

/** Existing files that a command names, wherever in it, read greedily; tools of the system are not among them. */
function namedFiles(command: string, folders: Folders): string[] {
  const bases = new Set([folders.cwd, folders.project]);
  const files = new Set<string>();
  const guesses = JS_RUNTIME.test(command); // they find a script whose ending is left out
  for (const word of greedyWords(command)) {
    const name = expand(word, folders);
    if (name === "" || name.includes("$")) continue;
    const mayGuess = guesses && !/[\n;()=,<>|]/.test(word); // code of node -e is no name
    const candidates = isAbsolute(name) ? [resolve(name)] : [...bases].map((base) => resolve(base, name));
    for (const candidate of candidates) {
      const stat = statOf(candidate);
      const meant = mayGuess ? meantBy(candidate) : stat?.isFile() ? [candidate] : [];
      for (const file of meant) if (!isSystem(file, folders)) files.add(file);
      if (stat?.isDirectory() && bases.size < MAX_BASES) bases.add(candidate);
    }
  }
  return [...files];
}

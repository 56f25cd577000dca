import { isAbsolute, resolve, sep } from "node:path";
import type { Hook } from "@belay/core";
import { folderVariables } from "../environment.ts";
import { meantBy, withImports } from "./imports.ts";
import { type Folders, resolveModule, scriptWords, statOf } from "./scripts.ts";

/**
 * The files whose content decides what a hook does, with what they import; one that a command plainly runs is among them
 * even if missing.
 */
export function filesOf(hook: Hook, folders: Folders): string[] {
  return withImports(named(hook, folders));
}

function named(hook: Hook, folders: Folders): string[] {
  const { handler, source } = hook;
  if (handler.type === "module") return [resolveModule(handler.module, source.file, folders.project)];
  if (handler.type !== "command") return [];
  const plugin = source.pluginRoot;
  const places = { ...folders, ...(plugin !== undefined && { plugin }) };
  const scripts = scriptWords(handler.command, places).map(({ file }) => file);
  return [...new Set([...scripts, ...namedFiles(handler.command, places)])];
}

/*
 * The files a command may run, for trust. Read greedily: a file too many asks once too often, a file too few lets an
 * edited script run unasked. So quotes, redirections and substitutions only separate words here, a quoted text is read
 * as a command of its own as well, and every folder that is named is a place where the next words may be found.
 */

const MAX_DEPTH = 3;
const MAX_BASES = 32;
/** Programs that find a script whose ending is left out. */
const GUESSES_ENDINGS = /\b(?:node|deno|bun|tsx|ts-node)\b/;

/** Existing files that a command names, wherever in it; tools of the system are not among them. */
function namedFiles(command: string, folders: Folders): string[] {
  const bases = new Set([folders.cwd, folders.project]);
  const files = new Set<string>();
  const guesses = GUESSES_ENDINGS.test(command);
  for (const word of wordsOf(command, MAX_DEPTH)) {
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

/** Text between separators, quotes taken off and escapes undone; a word may be quoted in parts. */
function wordsOf(command: string, depth: number): string[] {
  const words: string[] = [];
  const WORD = /(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|\$\{[^}]*\}|[^\s"'\\;&|()<>`])+/g;
  for (const [raw] of command.matchAll(WORD)) {
    const bare = unquote(raw);
    words.push(bare);
    const at = bare.indexOf("=");
    if (at !== -1) words.push(bare.slice(at + 1));
    if (depth > 0 && bare !== command && /[\s;&|()<>`]/.test(bare)) words.push(...wordsOf(bare, depth - 1));
  }
  return words;
}

function unquote(word: string): string {
  return word.replace(/"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g, (_, double, single, escaped) =>
    double !== undefined ? String(double).replaceAll(/\\(["\\$`])/g, "$1") : String(single ?? escaped),
  );
}

const VARIABLE = /\$(?:\{(\w+)(?::?[-=+?][^}]*)?\}|(\w+))/g;

function expand(word: string, folders: Folders): string {
  const { cwd, home } = folders;
  const values: Record<string, string | undefined> = { ...folderVariables(folders), HOME: home, PWD: cwd };
  return word
    .replace(VARIABLE, (whole, braced?: string, bare?: string) => values[braced ?? bare ?? ""] ?? whole)
    .replace(/^~(?=\/|$)/, home);
}

function isSystem(file: string, { project, cwd }: Folders): boolean {
  if ([project, cwd].some((folder) => file.startsWith(folder + sep))) return false;
  return /^\/(usr|bin|sbin|lib|lib64|nix|System|Library|dev|proc|opt\/homebrew)\//.test(file);
}

import { sep } from "node:path";
import { type Folders, folderVariables } from "./environment.ts";

/*
 * How a command line is read without running a shell. Strictly, as a shell splits words: for advice, where a wrong guess
 * is a false alarm. Greedily, for trust: a file too many asks once too often, a file too few lets an edited script run
 * unasked.
 */

const JS = "node|deno|bun|tsx|ts-node";

/** Programs that are given a script, and run it. */
const INTERPRETERS = new RegExp(`^(?:sh|bash|dash|zsh|ksh|python[\\d.]*|ruby|perl|php|npx|uv|${JS})$`);

export function isInterpreter(program: string): boolean {
  return INTERPRETERS.test(program);
}

/** A word among others that names a runtime of JavaScript. */
export const JS_RUNTIME = new RegExp(`\\b(?:${JS})\\b`);

/** How much of a command line is looked through: an untrusted one may be made to take long. */
const MAX_LENGTH = 16_384;

const STRICT_WORD = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/g;
const GREEDY_WORD = /(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|\$\{[^}]*\}|[^\s"'\\;&|()<>`])+/g;

/** Words as a shell splits them: quotes may begin and end inside one ("$DIR"/guard.sh). */
export function strictWords(text: string): string[] {
  return (text.slice(0, MAX_LENGTH).match(STRICT_WORD) ?? []).map(unquote);
}

/** How often a quoted text is taken for a command of its own, inside another. */
const MAX_DEPTH = 3;

/**
 * Every text between separators. Quotes, redirections and substitutions only separate words here, what follows a `=` is
 * a word as well, and a quoted text is also read as a command of its own.
 */
export function greedyWords(command: string, depth = MAX_DEPTH): string[] {
  const words: string[] = [];
  for (const [raw] of command.slice(0, MAX_LENGTH).matchAll(GREEDY_WORD)) {
    const bare = unquote(raw);
    words.push(bare);
    const at = bare.indexOf("=");
    if (at !== -1) words.push(bare.slice(at + 1));
    const isCommand = bare !== command && /[\s;&|()<>`]/.test(bare);
    if (depth > 0 && isCommand) words.push(...greedyWords(bare, depth - 1));
  }
  return words;
}

/** Quotes taken off and escapes undone. */
function unquote(word: string): string {
  return word.replace(
    /"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g,
    (_, double?: string, single?: string, escaped?: string) =>
      double?.replaceAll(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? "",
  );
}

/** $NAME, ${NAME} and ${NAME:-default}. */
const VARIABLE = /\$(?:\{(\w+)(?::?[-=+?][^}]*)?\}|(\w+))/g;

/** A word with the variables filled in that are known before a command runs; the others stay. */
export function expand(word: string, folders: Folders): string {
  const { home, cwd } = folders;
  const values = new Map(Object.entries({ ...folderVariables(folders), HOME: home, PWD: cwd }));
  return word
    .replace(VARIABLE, (whole, braced?: string, bare?: string) => values.get(braced ?? bare ?? "") ?? whole)
    .replace(/^~(?=\/|$)/, () => home);
}

/** Interpreters and tools of the system are not the project's scripts; a project may still be anywhere. */
export function isSystem(file: string, { project, cwd }: Folders): boolean {
  if ([project, cwd].some((folder) => file.startsWith(folder + sep))) return false;
  return /^\/(usr|bin|sbin|lib|lib64|nix|System|Library|dev|proc|opt\/homebrew)\//.test(file);
}

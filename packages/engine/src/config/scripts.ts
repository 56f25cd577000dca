import { existsSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { folderVariables } from "../environment.ts";

/** Where the words of a command are looked up. */
export interface Folders {
  readonly project: string;
  readonly cwd: string;
  readonly home: string;
  readonly plugin?: string;
}

/** A word of a command that names a file. */
export interface ScriptWord {
  readonly word: string;
  readonly file: string;
  /** It is the program itself, so it must be executable; else it is an argument of an interpreter. */
  readonly isProgram: boolean;
  /** It is run: the program itself, or the script an interpreter is given. Else it is only mentioned. */
  readonly isRun: boolean;
  readonly exists: boolean;
}

/** Words before a program that are not the program. */
const BEFORE_PROGRAM = new Set(
  "! { ( if then elif else while until do exec command env nohup sudo time".split(" "),
);
const INTERPRETERS =
  /^(?:sh|bash|dash|zsh|ksh|python[\d.]*|node|deno|bun|tsx|ts-node|ruby|perl|php|source|\.)$/;

/** $NAME, ${NAME} and ${NAME:-default}. */
const VARIABLES = /\$(?:\{(\w+)(?::?-[^}]*)?\}|(\w+))/g;

/**
 * The files a command names, as far as a reader can tell without running a shell: words that look like a path, and
 * words that name an existing file. Commands behind `;`, `&&`, `||` and `|` begin anew.
 */
export function scriptWords(command: string, folders: Folders): ScriptWord[] {
  const found: ScriptWord[] = [];
  for (const part of command.split(/;|&&|\|\|?|\n/)) {
    const words = commandWords(part);
    const given = scriptArgument(words);
    words.forEach((word, index) => {
      const role = { isProgram: index === 0, isRun: index === 0 || index === given };
      const script = scriptOf(word, role, folders);
      if (script) found.push(script);
      else if (/\s/.test(word)) found.push(...wordsWithin(word, words[0] ?? "", folders));
    });
  }
  return found;
}

/** sh -c "…": the word is a command itself. Elsewhere it may only mention files. */
function wordsWithin(text: string, program: string, folders: Folders): ScriptWord[] {
  const isCommand = /sh$|^eval$/.test(program);
  const mentioned = { isProgram: false, isRun: false };
  return scriptWords(text, folders).map((script) => (isCommand ? script : { ...script, ...mentioned }));
}

/** The first program a command runs, as it is written. */
export function programOf(command: string): string | undefined {
  return commandWords(command.split(/;|&&|\|\|?|\n/)[0] ?? "")[0];
}

function commandWords(text: string): string[] {
  const words = splitWords(text);
  const start = words.findIndex((word) => !BEFORE_PROGRAM.has(word) && !/^(?:\w+=|-)/.test(word));
  return start === -1 ? [] : words.slice(start).filter((word) => !/^\w+=/.test(word));
}

/** Where an interpreter's script stands; nowhere when its code is in the command (sh -c, python -m, node -e). */
function scriptArgument([program = "", ...args]: readonly string[]): number {
  if (!INTERPRETERS.test(basename(program))) return -1;
  const inline = /sh$/.test(program) ? /^-\w*c$/ : /^-(?:[cmep]|-eval|-print)$/;
  const at = args.findIndex((word) => !word.startsWith("-") && word !== "run");
  return at === -1 || args.slice(0, at).some((word) => inline.test(word)) ? -1 : at + 1;
}

/** Words as a shell splits them: quotes may begin and end inside one ("$DIR"/guard.sh). */
function splitWords(text: string): string[] {
  const words = text.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g,
      (_, double?: string, single?: string, escaped?: string) =>
        double?.replaceAll(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? "",
    ),
  );
}

function scriptOf(
  word: string,
  role: { isProgram: boolean; isRun: boolean },
  folders: Folders,
): ScriptWord | undefined {
  const values: Record<string, string | undefined> = {
    ...folderVariables(folders),
    HOME: folders.home,
    PWD: folders.cwd,
  };
  const expanded = word
    .replace(VARIABLES, (whole, braced?: string, bare?: string) => values[braced ?? bare ?? ""] ?? whole)
    .replace(/^~\//, `${folders.home}/`);
  if (/[$`*<>(){}]/.test(expanded) || expanded.startsWith("-")) return undefined;
  const candidates = isAbsolute(expanded)
    ? [expanded]
    : [join(folders.cwd, expanded), join(folders.project, expanded)];
  const file = candidates.find(isFile);
  if (file !== undefined) return isSystem(file) ? undefined : { word, file, ...role, exists: true };
  const looksLikeScript =
    /\.(sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl)$/.test(expanded) || (role.isProgram && expanded.includes("/"));
  return looksLikeScript ? { word, file: candidates[0] as string, ...role, exists: false } : undefined;
}

function isFile(file: string): boolean {
  return statOf(file)?.isFile() ?? false;
}

/** undefined for what is not there and for what cannot be a path: a long argument is looked at as one, too. */
export function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Interpreters and tools of the system are not the project's scripts. */
function isSystem(file: string): boolean {
  return /^\/(usr|bin|sbin|lib|opt|nix|System|Library|dev|proc)\//.test(file);
}

/** A module hook's file: beside its config file, else in the project. */
export function resolveModule(module: string, configFile: string, projectDir: string): string {
  const beside = resolve(dirname(configFile), module);
  return existsSync(beside) ? beside : resolve(projectDir, module);
}

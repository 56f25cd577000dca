import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, resolve, sep } from "node:path";
import type { Hook } from "@belay/core";
import { type Folders, withFolders } from "../environment.ts";
import { statOf } from "../file-content.ts";
import {
  commandsIn,
  hasBlank,
  isBeforeProgram,
  isInterpreter,
  isSystem,
  pathOf,
  RUNS_ANOTHER,
  rawWords,
  THEIR_NUMBER,
  unquote,
  withKnownVariables,
} from "../shell-words.ts";

/** Files that Node runs as modules, TypeScript stripped. */
export const MODULE_ENDINGS = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];

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

const RUNNABLE_ENDINGS = [".sh", ".bash", ".zsh", ".py", ".rb", ".pl", ...MODULE_ENDINGS];

/** Options of these words with a value of its own: sudo -u nobody, env -u NAME, env -C folder. */
const VALUE_BEFORE_PROGRAM = /^(?:-[ugC]|--(?:user|group|unset|chdir))$/;

/** An option with a value of its own, of those that run the program behind them. */
const THEIR_OPTION = /^(?:-[sknIaLPdE]|--(?:signal|kill-after|adjustment))$/;

/** Interpreters that may be given another one: npx tsx x.ts, uv run python x.py. */
const LAUNCHERS = new Set("npx uv bun deno".split(" "));
/** Nobody nests them deeper; an untrusted command may, to take long. */
const MAX_LAUNCHERS = 8;

/**
 * Interpreters whose first word is a script whatever it is called, with the options that take no value. The others have
 * commands of their own, or find a script whose ending is left out.
 */
const TAKES_SCRIPT = /^(?:\w*sh( -[abefhlmnuvx]+)*|python[\d.]*( -[bBdEiIOPqsSuvx]+)*|ruby|perl|php)$/;

/** Interpreters that read a script from stdin when they are given none. */
const READS_STDIN = /^(?:\w*sh|python[\d.]*|ruby|perl|php|node)$/;

/** Options of interpreters with a value of their own: node --import tsx, bash -eo pipefail, python3 -X utf8. */
const TAKES_VALUE = /^(?:--(?:import|require|loader)|-\w*o|-[rXW])$/;

/**
 * The files a command names, as far as a reader can tell without running a shell: words that look like a path, and
 * words that name an existing file.
 */
export function scriptWords(command: string, folders: Folders): ScriptWord[] {
  return commandsIn(withKnownVariables(command, folders)).flatMap((part) => {
    const raw = commandWords(part);
    return scriptsAmong(raw.map(unquote), folders, (index) => pathOf(raw[index] ?? "", folders));
  });
}

/** The same of a command hook, whether a shell reads it or not. */
export function scriptWordsOf(
  { command, args }: Extract<Hook["handler"], { type: "command" }>,
  folders: Folders,
): ScriptWord[] {
  if (!args) return scriptWords(command, folders);
  const paths = [command, ...args].map((word) => withFolders(word, folders));
  return scriptsAmong([command, ...args], folders, (index) =>
    /[$`]/.test(paths[index] ?? "") ? undefined : paths[index],
  );
}

function scriptsAmong(
  all: readonly string[],
  folders: Folders,
  pathAt: (index: number) => string | undefined,
): ScriptWord[] {
  const words = behindRunners(all);
  const before = all.length - words.length;
  const given = scriptArgument(words);
  const code = shellCode(words);
  return words.flatMap((word, index) => {
    if (index === code) return scriptWords(word, folders);
    const role = {
      isProgram: index === 0,
      isRun: index === 0 || index === given,
      isScript: index === given && isScriptByPlace(words.slice(0, given)),
    };
    const script = scriptOf(word, pathAt(before + index), role, folders);
    const isText = hasBlank(word); // of sh -c, say; a file all the same when there is one
    if (script && (script.exists || role.isRun || !isText)) return [script];
    return isText ? wordsWithin(word, words[0] ?? "", folders) : [];
  });
}

/** sh -c "…": the word is a command itself. Elsewhere it may only mention files. */
function wordsWithin(text: string, program: string, folders: Folders): ScriptWord[] {
  const isCommand = /sh$|^eval$/.test(program);
  const mentioned = { isProgram: false, isRun: false };
  return scriptWords(text, folders).map((script) => (isCommand ? script : { ...script, ...mentioned }));
}

/** The program and what it is given, raw. */
export function commandWords(text: string): string[] {
  const raw = rawWords(text)
    .map(withoutBrackets)
    .flatMap((word) => (/^<(?![<(&])./.test(word) ? ["<", word.slice(1)] : [word]))
    .filter((word) => unquote(word) !== "");
  const words = raw.map(unquote);
  const start = words.findIndex((word, index) => {
    if (word === "command" && /^-[vV]$/.test(words[index + 1] ?? "")) return true; // it looks, and runs nothing
    if (VALUE_BEFORE_PROGRAM.test(words[index - 1] ?? "")) return false;
    return !isBeforeProgram(word);
  });
  return start === -1 ? [] : raw.slice(start).filter((word) => !/^\w+=/.test(word));
}

/** (./x.sh): the brackets of a shell of its own belong to no word. ((1 + 1)), $(…) and f() are something else. */
function withoutBrackets(word: string): string {
  const opened = word.replace(/^\((?!\()/, "");
  return opened.includes("(") ? opened : opened.replace(/\)+$/, "");
}

/** What timeout, nice and the like run. */
export function behindRunners(words: readonly string[]): readonly string[] {
  if (!RUNS_ANOTHER.has(basename(words[0] ?? ""))) return words;
  const start = words.findIndex((word, index) => {
    const isTheirs =
      word.startsWith("-") || THEIR_NUMBER.test(word) || THEIR_OPTION.test(words[index - 1] ?? "");
    return index > 0 && !isTheirs;
  });
  return start === -1 ? [] : behindRunners(words.slice(start));
}

/** Where the command line stands that a shell is given as one word (sh -c), or -1. */
export function shellCode([program = "", ...args]: readonly string[]): number {
  const flag = /sh$/.test(program) ? args.findIndex((word) => /^-\w*c$/.test(word)) : -1;
  return flag === -1 || args.slice(0, flag).some((word) => !word.startsWith("-")) ? -1 : flag + 2;
}

/** Where an interpreter's script stands; nowhere when its code is in the command (sh -c, python -m, node -e). */
export function scriptArgument([program = "", ...args]: readonly string[], depth = 0): number {
  if (!isInterpreter(basename(program)) && program !== "." && program !== "source") return -1;
  const inline = /sh$/.test(program) ? /^-\w*c$/ : /^-(?:[cmep]|-eval|-print)$/;
  const at = args.findIndex(
    (word, index) => !word.startsWith("-") && word !== "run" && !TAKES_VALUE.test(args[index - 1] ?? ""),
  );
  if (at === -1 || args.slice(0, at).some((word) => inline.test(word))) return -1;
  if (args[at] === "<") return READS_STDIN.test(basename(program)) ? at + 2 : -1;
  const isLast = depth === MAX_LAUNCHERS || !LAUNCHERS.has(basename(program));
  if (isLast || !isInterpreter(basename(args[at] ?? ""))) return at + 1;
  const behind = scriptArgument(args.slice(at), depth + 1);
  return behind === -1 ? -1 : behind + at + 1;
}

/** Whether nothing but a script can stand behind these words. */
function isScriptByPlace([program = "", ...options]: readonly string[]): boolean {
  return TAKES_SCRIPT.test([basename(program), ...options].join(" "));
}

interface Role extends Pick<ScriptWord, "isProgram" | "isRun"> {
  /** By its place, whatever it is called. */
  readonly isScript: boolean;
}

function scriptOf(
  word: string,
  path: string | undefined,
  { isScript, ...role }: Role,
  folders: Folders,
): ScriptWord | undefined {
  if (path === undefined || path.startsWith("-")) return undefined;
  if (!role.isRun && /[$`*<>(){}]/.test(path)) return undefined; // a quoted pattern or a piece of code
  const candidates = [folders.cwd, folders.project].map((base) => pathFrom(base, path));
  const file = candidates.find(isFile);
  if (file !== undefined) return isSystem(file, folders) ? undefined : { word, file, ...role, exists: true };
  const pipe = role.isRun ? candidates.find(isPipe) : undefined;
  if (pipe !== undefined)
    return isSystem(pipe, folders) ? undefined : { word, file: pipe, ...role, exists: false };
  const looksLikeScript =
    RUNNABLE_ENDINGS.includes(extname(path)) ||
    (role.isProgram && path.includes("/")) ||
    (isScript && !candidates.some(statOf)); // a folder may have a script that is run for it
  return looksLikeScript ? { word, file: candidates[0] as string, ...role, exists: false } : undefined;
}

/** Whether a path has a `..` in it. */
export function leadsBack(path: string): boolean {
  return /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path);
}

/** Where a name leads from a folder. What `..` means behind a link only the system can say. */
export function pathFrom(base: string, name: string): string {
  const path = isAbsolute(name) ? name : `${base}${sep}${name}`;
  if (!leadsBack(path)) return resolve(path);
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path); // it is not there
  }
}

/** Something to read from that is no file: a socket or a device as well. */
function isPipe(file: string): boolean {
  const stat = statOf(file);
  return stat !== undefined && !stat.isFile() && !stat.isDirectory();
}

function isFile(file: string): boolean {
  return statOf(file)?.isFile() ?? false;
}

/** A module hook's file: beside its config file, else in the project. */
export function resolveModule(module: string, source: Hook["source"], project: string): string {
  const [beside = "", inProject = beside] = modulePlaces(module, source, project);
  return existsSync(beside) ? beside : inProject;
}

/** Where a module hook's file is looked for; the folders that hooks are told about are filled in. */
export function modulePlaces(
  module: string,
  { file, pluginRoot: plugin }: Hook["source"],
  project: string,
): string[] {
  const path = withFolders(module, { project, plugin });
  return [...new Set([resolve(dirname(file), path), resolve(project, path)])];
}

import { existsSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, resolve, sep } from "node:path";
import type { Hook } from "@belay/core";
import { type ShellCommand, type ShellWord, shellCommands } from "@belay/core/shell";
import { type Folders, knownVariables, withFolders } from "../environment.ts";
import { statOf } from "../files/read.ts";

/*
 * The scripts that a command runs, as far as a reader can tell without running a shell. For advice, where a wrong guess is a
 * false alarm: what is not certain is left out.
 */

/** Files that Node runs as modules, TypeScript stripped. */
export const MODULE_ENDINGS = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];

/** Programs that are given a script, and run it. */
const INTERPRETERS =
  /^(?:sh|bash|dash|zsh|ksh|python[\d.]*|ruby|perl|php|npx|uv|node|nodejs|deno|bun|tsx|ts-node)$/;

export function isInterpreter(program: string): boolean {
  return INTERPRETERS.test(program);
}

/** A script that a command runs. */
export interface ScriptWord {
  /** As the command names it, without quotes. */
  readonly word: string;
  readonly file: string;
  /** It is the program itself, so it must be executable; else it is an argument of an interpreter. */
  readonly isProgram: boolean;
  readonly exists: boolean;
}

/** How much of a command line is looked through: an untrusted one may be made to take long. */
export const MAX_LENGTH = 16_384;

/** The scripts that a command line runs. */
export function scriptWords(command: string, folders: Folders): ScriptWord[] {
  return shellCommands(command.slice(0, MAX_LENGTH)).flatMap((words) =>
    scriptsIn(programWords(words, folders), folders),
  );
}

/** The same of a command hook, whether a shell reads it or not. */
export function scriptWordsOf(
  { command, args }: Extract<Hook["handler"], { type: "command" }>,
  folders: Folders,
): ScriptWord[] {
  if (!args) return scriptWords(command, folders);
  const words = [command, ...args].map((text) => {
    const path = withFolders(text, folders);
    return { text, path: /[$`]/.test(path) ? undefined : path };
  });
  return scriptsIn(words, folders);
}

/** A word of a command. */
export interface Word {
  /** Without quotes. */
  readonly text: string;
  /** What the shell makes of it; undefined where only the shell that runs it knows. */
  readonly path: string | undefined;
}

/** Words before a program that are not the program, and options of theirs with a value of its own. */
const BEFORE_PROGRAM = new Set(
  "! { if then elif else while until do exec command env nohup sudo time".split(" "),
);
const VALUE_BEFORE_PROGRAM = /^(?:-[ugC]|--(?:user|group|unset|chdir))$/;
const SYSTEM_FOLDER = /^(?:\/usr(?:\/local)?)?\/s?bin\/(?=[^/]+$)/;
/** Programs that run the program behind them, with their options and numbers. */
const RUNNERS = new Set("timeout nice ionice setsid stdbuf xargs".split(" "));
const RUNNERS_OPTION = /^(?:-[sknIaLPdE]|--(?:signal|kill-after|adjustment))$/;
const RUNNERS_NUMBER = /^-?\.?\d[\d.]*[smhd]?$/;

/** The program of a command and what it is given, behind assignments, env, timeout and the like; where output goes is left out. */
export function programWords(command: ShellCommand, folders: Folders): Word[] {
  const words = command
    .filter((_, index) => !isOut(command[index]) && !isOut(command[index - 1]))
    .map((word) => readWord(word, folders))
    .filter(({ text }) => text !== "");
  const texts = words.map(({ text }) => text);
  const start = texts.findIndex((text, index) => {
    if (text === "command" && /^-[vV]$/.test(texts[index + 1] ?? "")) return true; // it looks, and runs nothing
    if (VALUE_BEFORE_PROGRAM.test(texts[index - 1] ?? "")) return false;
    return !BEFORE_PROGRAM.has(text.replace(SYSTEM_FOLDER, "")) && !/^(?:\w+=|-)/.test(text);
  });
  return start === -1 ? [] : behindRunners(words.slice(start).filter(({ text }) => !/^\w+=/.test(text)));
}

function isOut(word: ShellWord | undefined): boolean {
  return word?.raw === "" && word.pieces[0] === ">";
}

function readWord({ pieces, raw }: ShellWord, folders: Folders): Word {
  const values = knownVariables(folders);
  const paths = pieces.map((piece) => (typeof piece === "string" ? piece : values[piece.variable ?? ""]));
  const text = pieces
    .map((piece, index) => {
      if (typeof piece === "string") return piece;
      return index === 0 && raw.startsWith("~") ? "~" : `$${piece.variable ?? "()"}`;
    })
    .join("");
  // Shells differ in what $'…' and $"…" are.
  const isKnown = !paths.includes(undefined) && !/\$['"]/.test(raw);
  return { text, path: isKnown ? paths.join("") : undefined };
}

function behindRunners(words: readonly Word[]): Word[] {
  if (!RUNNERS.has(basename(words[0]?.text ?? ""))) return [...words];
  const start = words.findIndex(({ text }, index) => {
    const before = words[index - 1]?.text ?? "";
    return index > 0 && !text.startsWith("-") && !RUNNERS_NUMBER.test(text) && !RUNNERS_OPTION.test(before);
  });
  return start === -1 ? [] : behindRunners(words.slice(start));
}

function scriptsIn(words: readonly Word[], folders: Folders): ScriptWord[] {
  const texts = words.map(({ text }) => text);
  const [program = ""] = texts;
  if (program === "eval") return scriptWords(texts.slice(1).join(" "), folders);
  const code = codeArgument(texts);
  if (code !== undefined) return scriptWords(texts[code] ?? "", folders);
  const given = scriptArgument(texts);
  const own = program.includes("/") ? scriptOf(words[0], { isProgram: true, isScript: true }, folders) : [];
  const isScript = TAKES_SCRIPT.test([basename(program), ...texts.slice(1, given)].join(" "));
  return [...own, ...scriptOf(words[given], { isProgram: false, isScript }, folders)];
}

/** Where the command line stands that a shell is given as one word (sh -c). */
function codeArgument([program = "", ...args]: readonly string[]): number | undefined {
  const flag = /sh$/.test(program) ? args.findIndex((word) => /^-\w*c$/.test(word)) : -1;
  return flag === -1 || args.slice(0, flag).some((word) => !word.startsWith("-")) ? undefined : flag + 2;
}

/** Interpreters that may be given another one: npx tsx x.ts, uv run python x.py. */
const LAUNCHERS = new Set("npx uv bun deno".split(" "));
/** Nobody nests them deeper; an untrusted command may, to take long. */
const MAX_LAUNCHERS = 8;
/** Options of interpreters with a value of their own: node --import tsx, bash -eo pipefail, python3 -X utf8. */
const TAKES_VALUE = /^(?:--(?:import|require|loader)|-\w*o|-[rXW])$/;
/** Interpreters that read a script from stdin when they are given none. */
const READS_STDIN = /^(?:\w*sh|python[\d.]*|ruby|perl|php|node)$/;
/**
 * Interpreters whose first word is a script whatever it is called, with the options that take no value. The others have
 * commands of their own, or find a script whose ending is left out.
 */
const TAKES_SCRIPT = /^(?:\w*sh( -[abefhlmnuvx]+)*|python[\d.]*( -[bBdEiIOPqsSuvx]+)*|ruby|perl|php)$/;

/** Where an interpreter's script stands; -1 when its code is in the command (sh -c, python -m, node -e). */
function scriptArgument([program = "", ...args]: readonly string[], depth = 0): number {
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

const RUNNABLE_ENDINGS = [".sh", ".bash", ".zsh", ".py", ".rb", ".pl", ...MODULE_ENDINGS];

/** The script that a word names, if it is one; `isScript`: nothing else can stand there. */
function scriptOf(
  word: Word | undefined,
  { isProgram, isScript }: { readonly isProgram: boolean; readonly isScript: boolean },
  folders: Folders,
): ScriptWord[] {
  const { text, path } = word ?? {};
  if (text === undefined || path === undefined || path.startsWith("-")) return [];
  const candidates = [folders.cwd, folders.project].map((base) => resolve(base, path));
  const [first = ""] = candidates;
  const file = candidates.find((candidate) => statOf(candidate)?.isFile());
  const other = candidates.find((candidate) => statOf(candidate)?.isDirectory() === false);
  const found = file ?? other;
  if (found !== undefined)
    return isSystem(found, folders)
      ? []
      : [{ word: text, file: found, isProgram, exists: file !== undefined }];
  // A folder may have a script that is run for it.
  const isMissing = RUNNABLE_ENDINGS.includes(extname(path)) || (isScript && !candidates.some(statOf));
  return isMissing ? [{ word: text, file: first, isProgram, exists: false }] : [];
}

/** Devices that hold no script. */
const DEVICE = /^\/dev\/(?:null|zero|full|tty|u?random|std(?:in|out|err)|fd\/\d+)$/;

/** Interpreters and tools of the system are not the project's scripts; a project may still be anywhere. */
function isSystem(file: string, { project, cwd }: Folders): boolean {
  if ([project, cwd].some((folder) => file.startsWith(folder + sep))) return false;
  return DEVICE.test(file) || /^\/(usr|bin|sbin|lib|lib64|nix|System|Library|opt\/homebrew)\//.test(file);
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
  return [...new Set([isAbsolute(path) ? path : resolve(dirname(file), path), resolve(project, path)])];
}

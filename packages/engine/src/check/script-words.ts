import { basename, extname, resolve, sep } from "node:path";
import type { Hook } from "@belay/core";
import { type ShellCommand, type ShellWord, shellCommands } from "@belay/core/shell";
import { type Folders, knownVariables, withFolders } from "../environment.ts";
import { statOf } from "../files/read.ts";
import { isInterpreter } from "../process/child.ts";

/*
 * The scripts that a command runs, as far as a reader can tell without running a shell. For advice, where a wrong guess is a
 * false alarm: a word that may be something else is left out.
 */

/** Files that Node runs as modules, TypeScript stripped. */
export const MODULE_ENDINGS = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];

/** A script that a command runs. */
export interface ScriptWord {
  /** As the command names it, without quotes. */
  readonly word: string;
  readonly file: string;
  /** The script is the program itself, so it must be executable; else it is an argument of an interpreter. */
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

/** The scripts that a command hook runs, whether a shell reads it or not. */
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

/** Words of the shell that stand before a program. */
const KEYWORDS = new Set("! { if then elif else while until do exec".split(" "));
const ASSIGNMENT = /^\w+=/;
const SYSTEM_FOLDER = /^(?:\/usr(?:\/local)?)?\/s?bin\/(?=[^/]+$)/;
/** Programs that run the program behind them, each with its options that take a value. */
const WRAPPERS = new Map([
  ["command", /^$/],
  ["env", /^(?:-[uC]|--unset|--chdir)$/],
  ["nice", /^(?:-n|--adjustment)$/],
  ["nohup", /^$/],
  ["sudo", /^(?:-[ugC]|--user|--group)$/],
  ["time", /^$/],
  ["timeout", /^(?:-[ks]|--kill-after|--signal)$/],
  ["xargs", /^-[nIaLPdE]$/],
]);
/** What a wrapper is given before its program: options, numbers, durations. */
const NOT_A_PROGRAM = /^(?:-.*|[\d.]+[smhd]?)$/;

/** The program of a command and what it is given, behind assignments, env, timeout and the like, without redirections. */
export function programWords(command: ShellCommand, folders: Folders): Word[] {
  let words = command
    .filter((_, index) => !isRedirection(command[index]) && !isRedirection(command[index - 1]))
    .map((word) => readWord(word, folders))
    .filter(({ text }) => text !== "");
  for (;;) {
    const [first, second] = words;
    const name = first?.text.replace(SYSTEM_FOLDER, "") ?? "";
    const takesValue = WRAPPERS.get(name);
    if (KEYWORDS.has(name) || ASSIGNMENT.test(name)) words = words.slice(1);
    // `command -v` looks for a program, and runs none.
    else if (takesValue && !(name === "command" && second?.text.startsWith("-")))
      words = words.slice(1 + programAt(words.slice(1), takesValue));
    else return words;
  }
}

function programAt(words: readonly Word[], takesValue: RegExp): number {
  const at = words.findIndex(
    ({ text }, index) => !NOT_A_PROGRAM.test(text) && !takesValue.test(words[index - 1]?.text ?? ""),
  );
  return at === -1 ? words.length : at;
}

function isRedirection(word: ShellWord | undefined): boolean {
  return word?.raw === "" && (word.pieces[0] === ">" || word.pieces[0] === "<");
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

/** Interpreters that may be given another one: npx tsx x.ts, uv run python x.py. */
const LAUNCHERS = new Set("npx uv bun deno".split(" "));
/** Options of interpreters with a value of their own: node --import tsx, bash -eo pipefail, python3 -X utf8. */
const TAKES_VALUE = /^(?:--(?:import|require|loader)|-\w*o|-[rXW])$/;
/**
 * Interpreters whose first word is a script whatever it is called, with the options that take no value. The others have
 * commands of their own, or find a script whose ending is left out.
 */
const TAKES_SCRIPT = /^(?:\w*sh( -[abefhlmnuvx]+)*|python[\d.]*( -[bBdEiIOPqsSuvx]+)*|ruby|perl|php)$/;

function scriptsIn([program, ...args]: readonly Word[], folders: Folders, isLaunched = false): ScriptWord[] {
  if (program === undefined) return [];
  const name = basename(program.text);
  const own = program.text.includes("/")
    ? scriptOf(program, { isProgram: true, isScript: true }, folders)
    : [];
  if (!isInterpreter(name) && name !== "." && name !== "source") return own;
  const at = args.findIndex(
    ({ text }, index) =>
      !text.startsWith("-") && text !== "run" && !TAKES_VALUE.test(args[index - 1]?.text ?? ""),
  );
  const given = args[at];
  if (given === undefined) return own;
  const options = args.slice(0, at).map(({ text }) => text);
  const isShell = name.endsWith("sh");
  // The code is in the command: sh -c, python -m, node -e.
  if (options.some((option) => (isShell ? /^-\w*c$/ : /^-(?:[cmep]|-eval|-print)$/).test(option)))
    return isShell ? [...own, ...scriptWords(given.text, folders)] : own;
  if (LAUNCHERS.has(name) && !isLaunched && isInterpreter(basename(given.text)))
    return [...own, ...scriptsIn(args.slice(at), folders, true)];
  const isScript = TAKES_SCRIPT.test([name, ...options].join(" "));
  return [...own, ...scriptOf(given, { isProgram: false, isScript }, folders)];
}

const RUNNABLE_ENDINGS = [".sh", ".bash", ".zsh", ".py", ".rb", ".pl", ...MODULE_ENDINGS];

/** The script that a word names, if it is one; `isScript`: nothing else can stand there. */
function scriptOf(
  { text, path }: Word,
  { isProgram, isScript }: { readonly isProgram: boolean; readonly isScript: boolean },
  folders: Folders,
): ScriptWord[] {
  if (path === undefined || path.startsWith("-")) return [];
  const candidates = [resolve(folders.cwd, path), resolve(folders.project, path)] as const;
  const found = candidates.find((candidate) => statOf(candidate)?.isDirectory() === false);
  const script = { word: text, file: found ?? candidates[0], isProgram };
  if (found !== undefined)
    return isSystem(found, folders) ? [] : [{ ...script, exists: statOf(found)?.isFile() === true }];
  // A folder may have a script that is run for it.
  const isMissing = RUNNABLE_ENDINGS.includes(extname(path)) || (isScript && !candidates.some(statOf));
  return isMissing ? [{ ...script, exists: false }] : [];
}

/** Interpreters, tools and devices of the system are not the project's scripts; a project may still be anywhere. */
function isSystem(file: string, { project, cwd }: Folders): boolean {
  if ([project, cwd].some((folder) => file.startsWith(folder + sep))) return false;
  return /^\/(dev|usr|bin|sbin|lib|lib64|nix|System|Library|opt\/homebrew)\//.test(file);
}

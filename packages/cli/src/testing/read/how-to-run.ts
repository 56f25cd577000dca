import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, relative, resolve } from "node:path";
import type { EventName, Handler } from "@belay/core";
import { messageOf, nearest, shellWord, shorten } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import {
  adviseOnProgram,
  exportsHook,
  type Folders,
  interpreterOf,
  isExecutable,
  isOnPath,
  NO_EXPORT,
  readText,
  scriptWords,
  statOf,
} from "@belay/engine/internal";
import { BELAY } from "../../args/flags.ts";

/** How one script or command is run without any settings. */
export interface Runnable {
  readonly name: string;
  readonly handler: Extract<Handler, { type: "command" | "module" }>;
  readonly script?: { readonly file: string; readonly text: string };
  /** Set if the script would not run by its name alone: what is done instead, and how to mend it. */
  readonly note?: Note;
}

interface Note {
  readonly message: string;
  readonly fix: string;
}

const INTERPRETERS: Readonly<Record<string, string>> = {
  ".sh": "sh",
  ".bash": "bash",
  ".zsh": "zsh",
  ".py": process.platform === "win32" ? "python" : "python3",
  ".js": "node",
  ".mjs": "node",
  ".cjs": "node",
  ".rb": "ruby",
  ".pl": "perl",
  ".php": "php",
};

const TYPESCRIPT = /^\.[mc]?ts$/;
const RUNS_TYPESCRIPT = Boolean((process.features as { typescript?: unknown }).typescript);
const MODULE = /^\.[mc]?[jt]s$/;

/** What is said to whoever named a script or a command, in their own terms. */
export interface Asker {
  readonly lookup: string;
  command(interpreter: string, file: string): string;
}

const ON_COMMAND_LINE: Asker = {
  lookup: "check the path",
  command: (interpreter, file) => `${BELAY} try ${shellWord(`${interpreter} ${shellWord(shownHere(file))}`)}`,
};

/** A file from `folder` on, else a command for the shell. Throws a UsageError where it can be neither. */
export function howToRun(given: string, folder: string, asker: Asker = ON_COMMAND_LINE): Runnable {
  const file = resolve(folder, given);
  const stat = statOf(file);
  if (stat?.isDirectory())
    throw new UsageError(`${given} is a folder`, "name a script in it, or a command in quotes");
  if (!stat) {
    const whole = withEnding(given, folder);
    const next = whole === undefined ? (meantFile(given, folder) ?? asker.lookup) : `did you mean ${whole}?`;
    if (whole !== undefined || isMissingScript(given))
      throw new UsageError(`there is no script ${given}`, next);
    return { name: shorten(given, 60), handler: { type: "command", command: given } };
  }
  // Reading from a pipe would wait for a writer.
  if (!stat.isFile())
    throw new UsageError(`${given} is a pipe, socket or device`, "name a script, or a command in quotes");
  return ofScript(file, shownHere(file), textOf(file, given), asker);
}

function shownHere(file: string): string {
  return relative(process.cwd(), file) || basename(file);
}

/** One word that can only be meant as a file: a path, or the name of a script that is on no PATH either. */
function isMissingScript(given: string): boolean {
  if (!/^\S*\.\w{1,4}$/.test(given)) return false;
  if (given.includes("/")) return true;
  const ending = extname(given).toLowerCase();
  return (ending in INTERPRETERS || TYPESCRIPT.test(ending)) && !isOnPath(given, process.env.PATH);
}

const ENDINGS = [...Object.keys(INTERPRETERS), ".ts", ".mts", ".cts"];

/** The script that is there by that name and an ending, where no program has the name itself. */
function withEnding(given: string, folder: string): string | undefined {
  const isProgram = !given.includes("/") && isOnPath(given, process.env.PATH);
  if (isProgram || /\s/.test(given)) return undefined;
  const ending = ENDINGS.find((one) => statOf(resolve(folder, given + one))?.isFile());
  return ending && given + ending;
}

function textOf(file: string, given: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${given} cannot be read: ${messageOf(error)}`, `next: ls -l ${shellWord(given)}`);
  }
}

/** True also for a module that defines a hook and does not export it: the engine says so, where a script would just be silent. */
function isMeantAsHook(text: string): boolean {
  return exportsHook(text) || /\bdefineHook\s*\(/.test(text);
}

function ofScript(file: string, shown: string, text: string, asker: Asker): Runnable {
  const ending = extname(file).toLowerCase();
  const common = { name: basename(file), script: { file, text } };
  if (MODULE.test(ending) && isMeantAsHook(text))
    return { ...common, handler: { type: "module", module: file } };
  const hasShebang = text.startsWith("#!");
  const isWindows = process.platform === "win32";
  const byEnding = INTERPRETERS[ending];
  // Executable, without #! and with no ending that says more: a compiled program, as a rule.
  const saysHow = hasShebang || (byEnding === undefined && !TYPESCRIPT.test(ending));
  const named = isWindows ? undefined : interpreterOf(text, process.env.PATH);
  // A script whose #! names no program is not run by its ending: it may be written for another shell.
  if (named?.length === 0 || (!isWindows && saysHow && isExecutable(file)))
    return { ...common, handler: { type: "command", command: shellWord(file) } };
  if (named === undefined && TYPESCRIPT.test(ending)) throw noModule(file, shown, asker);
  const interpreter = named?.map(shellWord).join(" ") ?? byEnding;
  if (interpreter === undefined) {
    // With a #! only where nobody reads that: on Windows.
    const { why, fix } = hasShebang
      ? { why: "is not read by its #! here", fix: () => `next: ${asker.command("sh", file)}` }
      : noShebang(text);
    throw new UsageError(
      `${shown} cannot be run: it ${why} and has no ending that says who reads it`,
      fix("/bin/sh, or whoever reads it,"),
    );
  }
  const handler = { type: "command", command: `${interpreter} ${shellWord(file)}` } as const;
  if (isWindows) return { ...common, handler };
  return { ...common, handler, note: noteOn(shown, interpreter, text, isExecutable(file)) };
}

/** Such a file is not loaded as a module: it would run as a script without a payload, and might wait for one. */
function noModule(file: string, shown: string, asker: Asker): UsageError {
  const runner = RUNS_TYPESCRIPT ? "node" : "npx tsx";
  return new UsageError(
    `${shown} ${NO_EXPORT}, so it is no module hook`,
    `as a script it needs somebody to run it: ${asker.command(runner, file)}`,
  );
}

/** Why a system does not see who reads a script, and how it would. */
function noShebang(text: string): { why: string; fix(interpreter: string): string } {
  if (text.startsWith("\uFEFF#!"))
    return {
      why: "begins with a byte order mark (BOM) before its #!",
      fix: () => "save it as UTF-8 without BOM",
    };
  return {
    why: "does not begin with #!",
    fix: (interpreter) => `put #!${interpreter} in its first line`,
  };
}

function noteOn(shown: string, interpreter: string, text: string, executable: boolean): Note {
  const hasShebang = text.startsWith("#!");
  const missing = noShebang(text);
  const why = [hasShebang ? "" : missing.why, executable ? "" : "is not executable"]
    .filter((part) => part !== "")
    .join(" and ");
  const fixes = [
    hasShebang ? "" : missing.fix(`/usr/bin/env ${interpreter}`),
    executable ? "" : `chmod +x ${shellWord(shown)}`,
  ].filter((part) => part !== "");
  return {
    message: `${shown} ${why}, so it is run as \`${interpreter} ${shellWord(shown)}\``,
    fix: `${fixes.join("; ")}; or write \`${interpreter} …\` in the settings too`,
  };
}

/** What is wrong with a script that is run by its name; `belay check` says it of settings. */
export function notesOn({ handler, script, note }: Runnable): Note[] {
  if (note) return [note];
  if (script === undefined || handler.type !== "command") return [];
  const { file, text } = script;
  const isText = !text.includes("\0");
  return adviseOnProgram(file, shownHere(file), isText ? text : undefined, process.env.PATH, {});
}

export function settingsFor({ name, handler }: Runnable, events: readonly EventName[]): string {
  const groups = [...new Set(events)].map((event) => [event, [{ hooks: [{ ...handler, name }] }]]);
  return JSON.stringify({ hooks: Object.fromEntries(groups) });
}

const MAX_BYTES = 256 * 1024;

/** A command with the scripts that it runs, to guess from what it is for. */
export function commandText(command: string, folders: Folders): string {
  const scripts = scriptWords(command, folders).filter(({ exists }) => exists);
  return [command, ...scripts.map(({ file }) => scriptText(file))].join("\n");
}

function scriptText(file: string): string {
  try {
    return readText(file, { max: MAX_BYTES });
  } catch {
    return ""; // too long, or what it is run by will say why
  }
}

/** "did you mean …?" for a file that is not there; undefined if no name beside it is near. */
export function meantFile(given: string, folder: string): string | undefined {
  const name = basename(given);
  const meant = nearest(name, namesIn(dirname(resolve(folder, given))));
  return meant && `did you mean ${given.slice(0, given.lastIndexOf(name))}${meant}?`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

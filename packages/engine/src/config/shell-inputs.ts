import { basename, resolve } from "node:path";
import type { Folders } from "../environment.ts";
import { contentOf } from "../file-content.ts";
import type { ChildSpec } from "../process/child.ts";
import { shellFor } from "../process/group.ts";
import { commandsIn, pathOf, unquote, withKnownVariables } from "../shell-words.ts";
import { behindRunners, commandWords, scriptArgument, shellCode } from "./scripts.ts";

/** What a command has a shell run. */
export type ShellInput =
  | { readonly shell: string; readonly code: string }
  /** Without a path where only a shell knows it; without a shell where the file itself says who reads it. */
  | { readonly shell?: string; readonly word: string; readonly path?: string | undefined };

const SHELL = /^(?:ba|da|a)?sh$/;
/** `-n`, also among others, but not bash's `-norc`; or `-o noexec`. Such a shell only reads, as a guard does that looks. */
const ONLY_READS = /^(?:-(?!no[a-z])\w*n\w*|noexec)$/;

/** The same strict reading as that of scriptWordsOf: what may not be run is left out. */
export function shellInputs(
  { command, args, shell: named }: Pick<ChildSpec, "command" | "args" | "shell">,
  folders: Folders,
): ShellInput[] {
  const { file: shell } = shellFor(command, named);
  if (args) return inputsOf([command, ...args], (word) => word, shell, folders);
  const own = isShell(shell) ? [{ shell, code: command }] : []; // cmd.exe has other words and no -n
  return [...own, ...inputsIn(command, shell, folders)];
}

/** How often code is looked for in code: a folder's name may be a command that names that folder. */
const MAX_DEPTH = 6;

function inputsIn(line: string, around: string, folders: Folders, depth = 0): ShellInput[] {
  if (depth > MAX_DEPTH) return [];
  return commandsIn(withKnownVariables(line, folders)).flatMap((part) =>
    inputsOf(commandWords(part), (raw) => pathOf(raw, folders), around, folders, depth),
  );
}

function inputsOf(
  raw: readonly string[],
  read: (raw: string) => string | undefined,
  around: string,
  folders: Folders,
  depth = 0,
): ShellInput[] {
  const words = behindRunners(raw.map(unquote));
  const textAt = (index: number) => read(raw[raw.length - words.length + index] ?? "");
  const [program = ""] = words;
  const at = shellCode(words);
  const given = scriptArgument(words);
  const options = words.slice(1, Math.max(at, given, 1));
  if (options.some((option) => ONLY_READS.test(option))) return [];
  if (isShell(program) && at !== -1) {
    const code = textAt(at) ?? words[at] ?? "";
    return [{ shell: program, code }, ...inputsIn(code, program, folders, depth + 1)];
  }
  if (given === -1) return [{ word: program, path: program.includes("/") ? textAt(0) : undefined }];
  const shell = program === "." || program === "source" ? around : program;
  return isShell(shell) ? [{ shell, word: words[given] ?? "", path: textAt(given) }] : [];
}

/** Where a command may be when it runs a file: where it starts, or where it goes. */
export function foldersWithin(inputs: readonly ShellInput[], folders: Folders): string[] {
  const places = [folders.cwd];
  for (const part of inputs.flatMap((input) => ("code" in input ? commandsIn(input.code) : []))) {
    const [program, folder = ""] = commandWords(part);
    const path = program === "cd" ? (pathOf(folder, folders) ?? folders.project) : undefined;
    if (path !== undefined) places.push(resolve(places.at(-1) ?? "", path));
  }
  return [...new Set(places)];
}

/** The shell that reads a file which is run by its name; none for a binary, nor for the script of another interpreter. */
export function shellOfFile(file: string): string | undefined {
  const text = contentOf(file).toString("latin1");
  if (text.includes("\0")) return undefined;
  const [, line = shellFor("").file] = /^#!(.*)/.exec(text) ?? [];
  const [interpreter = "", ...args] = line.trim().split(/\s+/);
  const shell = basename(interpreter) === "env" ? args.find((word) => !/^-|=/.test(word)) : interpreter;
  return shell !== undefined && isShell(shell) ? shell : undefined;
}

function isShell(program: string): boolean {
  return SHELL.test(basename(program));
}

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { type Diagnostic, diagnose, type Where } from "@belay/core";
import { messageOf, shellWord } from "@belay/core/internal";
import { readStart, statOf } from "../files/read.ts";

/** No script worth reading is longer; a huge file is read up to here. */
const READ_LIMIT = 256 * 1024;

/** What a file says, or why it cannot be a script. A binary has no text. */
export interface ScriptFile {
  readonly text?: string;
  readonly problems: readonly Diagnostic[];
}

/** Where a file is looked for that is not named whole. */
const LOOKUP = {
  command: "commands run in the event's working folder",
  module: "a module is looked for beside its config file, then in the project",
};

/** Opens a file a hook names. Only plain files are read: opening a pipe would wait for a writer. */
export function readScript(
  file: string,
  script: string,
  kind: keyof typeof LOOKUP,
  where: Where,
): ScriptFile {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return { problems: [diagnose("script-missing", { script, lookup: LOOKUP[kind] }, where)] };
    if (!stat.isFile()) {
      const what = stat.isDirectory() ? "a folder" : "a pipe, socket or device";
      return { problems: [diagnose("script-not-a-file", { script, what }, where)] };
    }
    const text = readStart(file, READ_LIMIT);
    return text.includes("\0") ? { problems: [] } : { text, problems: [] };
  } catch (error) {
    return { problems: [diagnose("script-unreadable", { script, detail: messageOf(error) }, where)] };
  }
}

/** A script that is run by its name must be executable and say who reads it. `path` is the PATH. */
export function adviseOnProgram(
  file: string,
  shown: string,
  text: string | undefined,
  path: string | undefined,
  where: Where,
): Diagnostic[] {
  if (process.platform === "win32") return [];
  const problems = isExecutable(file) ? [] : [diagnose("script-not-executable", { script: shown }, where)];
  if (text === undefined) return problems;
  const shebang = shebangOf(text);
  if (shebang === undefined) return [...problems, diagnose("script-no-shebang", { script: shown }, where)];
  const { line, isHidden } = shebang;
  const bad = isHidden ? hiddenShebang(line.trim(), shown) : whyBadShebang(line, path);
  return bad ? [...problems, diagnose("script-bad-shebang", { script: shown, ...bad }, where)] : problems;
}

/** What stands behind #! in the first line. A byte order mark before it hides it from the system. */
function shebangOf(text: string): { readonly line: string; readonly isHidden: boolean } | undefined {
  const [, mark, line = ""] = /^(\uFEFF?)#!([^\n\0]*)/.exec(text) ?? [];
  return mark === undefined ? undefined : { line, isHidden: mark !== "" };
}

/** A word that env takes as it is when it splits a line (-S). */
const PLAIN = /^[\w./:@%+=,-]+$/;

/**
 * The words that the system puts before a script's name, by its first line: none where they would not start, undefined where
 * there is no #!. A byte order mark before #! is looked past. The words are a stranger's text: quote each for a shell.
 */
export function interpreterOf(text: string, path: string | undefined): readonly string[] | undefined {
  const shebang = shebangOf(text);
  if (shebang === undefined) return undefined;
  if (whyBadShebang(shebang.line, path)) return [];
  const [interpreter = "", ...args] = shebang.line.trim().split(/\s+/);
  const isEnv = basename(interpreter) === "env";
  const splits = isEnv && args[0] === "-S";
  const [program = "", ...more] = splits ? args.slice(1) : args;
  const isPlain = /^[^-=][^=]*$/.test(program) && [program, ...more].every((word) => PLAIN.test(word));
  if (isEnv && isPlain) return [program, ...more];
  if (args.length === 0 || process.platform !== "linux") return [interpreter, ...args];
  const rest = shebang.line.trim().slice(interpreter.length).trim();
  return splits ? [interpreter, "-S", rest.slice(2).trim()] : [interpreter, rest];
}

function hiddenShebang(interpreter: string, shown: string) {
  return {
    interpreter,
    detail: "a byte order mark (BOM) stands before #!, so that is not seen, and a shell will try to run it",
    advice: `Save it as UTF-8 without BOM; tail -c +4 ${shellWord(shown)} prints it so.`,
  };
}

function whyBadShebang(line: string, path: string | undefined) {
  const [interpreter = "", ...args] = line.trim().split(/\s+/);
  if (interpreter === "") {
    const detail = "an interpreter is missing behind #!";
    return { interpreter: "nothing", detail, advice: "Name one that is installed, for example #!/bin/sh." };
  }
  if (line.endsWith("\r")) {
    const detail = "the line ends in a carriage return, which becomes part of the name";
    return { interpreter, detail, advice: "Save the file with Unix line ends (LF)." };
  }
  const advice = "Name an interpreter that is installed, for example #!/bin/sh.";
  if (!existsSync(interpreter)) return { interpreter, detail: "there is no such program", advice };
  if (basename(interpreter) !== "env") return undefined;
  // Linux passes all that stands behind the interpreter as one word; other systems split it.
  if (process.platform === "linux" && args.length > 1 && !/^(?:-\w*S|--split-string)/.test(args[0] ?? "")) {
    const words = args.join(" ");
    return {
      interpreter: words,
      detail: "env takes that for the name of one program",
      advice: `Write #!${interpreter} -S ${words}`,
    };
  }
  const program = args.find((word) => !word.startsWith("-") && !word.includes("="));
  if (program === undefined || isOnPath(program, path)) return undefined;
  return { interpreter: program, detail: "it is not on PATH here", advice };
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function isOnPath(program: string, path = ""): boolean {
  if (program.includes("/")) return existsSync(program);
  return path.split(delimiter).some((folder) => statOf(join(folder, program))?.isFile());
}

import { realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { type Diagnostic, diagnose, type Hook } from "@belay/core";
import { shorten, whereOf } from "@belay/core/internal";
import { shellCommands } from "@belay/core/shell";
import type { Folders, Variables } from "../environment.ts";
import { shellFor } from "../process/child.ts";
import { runProcess } from "../process/run-process.ts";
import { commandLine } from "../runners/command.ts";
import { isOnPath } from "./script-file.ts";
import { MAX_LENGTH, programWords } from "./script-words.ts";

interface Options extends Folders {
  readonly env: Variables;
}

/** A shell that does not know `[[` takes it for a program: it reads the command, and does not find that program. */
const TEST = "[[";
/** Commands that bash has, and other shells do not. */
const OF_BASH = /^(?:source|declare|typeset|let|shopt|mapfile|readarray|pushd|popd)$/;
const NAME = /^[\w.+-]+$/;
const FOR_BASH = 'Write it for that shell, or add "shell": "bash" to the entry.';
/** Nobody waits longer for thousands of commands; the others are not asked about. */
const ALL_MS = 10_000;

/**
 * Commands that their own shell cannot read, and programs that it does not find. A shell that cannot read a command exits with 2,
 * as a hook does that refuses: every call is denied. The shell is asked, and with `-n` it reads and runs nothing. Without an
 * answer nothing is said.
 */
export async function askShells(hooks: readonly Hook[], options: Options): Promise<Diagnostic[]> {
  const ask = shellAsker(options);
  const ends = performance.now() + ALL_MS;
  const found: Diagnostic[] = [];
  for (const hook of hooks) if (performance.now() < ends) found.push(...(await adviseOn(hook, ask, options)));
  return found;
}

async function adviseOn(
  hook: Hook,
  ask: ReturnType<typeof shellAsker>,
  options: Options,
): Promise<Diagnostic[]> {
  const { handler, source } = hook;
  if (handler.type !== "command") return [];
  const known = { project: options.project, plugin: source.pluginRoot };
  const { command, args, shell } = commandLine(handler, known);
  if (args) {
    const isFound = /[/\\$]/.test(command) || isOnPath(command, options.env.PATH);
    return isFound ? [] : [notOnPath(command, hook, options)];
  }
  const { file, verbatim } = shellFor(command, shell);
  if (verbatim) return []; // cmd.exe has no such question
  const cannot = (problem: string) => {
    const advice = shell ? "Correct it." : FOR_BASH;
    return [diagnose("script-shell", { shell: shown(file), problem, advice }, whereOf(hook))];
  };
  const complaint = await ask.toRead(file, command, shell);
  if (complaint !== undefined) return cannot(complaint);
  const commands = shellCommands(withoutArrays(command));
  const programs = commands.map((words) => programWords(words, options)[0]?.text ?? "");
  const asked = programs.filter((word, index) => word === TEST || (index === 0 && NAME.test(word)));
  const unknown = await ask.toFind(file, asked);
  if (unknown.includes(TEST)) return cannot(`it knows no ${TEST}`);
  return unknown.map((program) => notOnPath(program, hook, options));
}

/** The tokenizer reads a list, a=(1 2), as a command: lists are left out. */
export function withoutArrays(command: string): string {
  return command.slice(0, MAX_LENGTH).replaceAll(/\b\w+\+?=\((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^()"'])*\)/g, "");
}

/** A shell reads a command in no time. A shell that takes longer is not waited for. */
const LIMITS = { timeoutMs: 2000, graceMs: 0, cap: 4096 };
const MAX_PROBLEM = 200;

/** Prints those of its arguments that the shell does not know. */
const UNKNOWN = 'for word do command -v "$word" >/dev/null || echo "$word"; done';

/** Asks each question once. */
function shellAsker({ cwd, env: { PATH } }: Options) {
  const asked = new Map<string, ReturnType<typeof runProcess>>();
  const run = (command: string, args: readonly string[]) => {
    const key = JSON.stringify([command, args]);
    const spec = { command, args, cwd, env: { PATH, LC_ALL: "C" }, input: "", ...LIMITS };
    const answer = asked.get(key) ?? runProcess(spec);
    asked.set(key, answer);
    return answer;
  };
  return {
    /** What the shell complains of. */
    toRead: async (file: string, command: string, shell: "bash" | undefined) => {
      const extended = shell ? ["-O", "extglob"] : []; // `-n` leaves a `shopt` in the command undone
      const { exitCode = 0, stderr } = await run(file, [...extended, "-n", "-c", command]);
      return exitCode === 0 ? undefined : complaintIn(stderr);
    },
    /** The words that the shell does not know: no builtin, and no program on PATH. */
    toFind: async (file: string, words: readonly string[]) => {
      if (words.length === 0) return [];
      const { stdout } = await run(file, ["-c", UNKNOWN, file, ...new Set(words)]);
      return stdout.split("\n").filter(Boolean);
    },
  };
}

/** dash, then bash: `/bin/sh: 1: Syntax error: …`, `/bin/bash: -c: line 1: syntax error …`. */
function complaintIn(stderr: string): string | undefined {
  const problem = /^.*?: (?:-c: )?(?:line )?\d+: (.+)$/m.exec(stderr)?.[1];
  return problem === undefined ? undefined : shorten(problem, MAX_PROBLEM);
}

/** /bin/sh is another shell on each system: `/bin/sh (dash)`. */
function shown(file: string): string {
  try {
    const name = basename(realpathSync(file));
    return name === basename(file) ? file : `${file} (${name})`;
  } catch {
    return file; // found on PATH
  }
}

/** A bare name is looked up on PATH, never in the working folder. */
function notOnPath(program: string, hook: Hook, { cwd, project }: Folders): Diagnostic {
  const isNear = [cwd, project].some((folder) => isOnPath(join(folder, program)));
  const values = {
    script: program,
    near: isNear ? "; the file in the working folder is not looked at" : "",
    advice: isNear
      ? `Write ./${program}.`
      : OF_BASH.test(program)
        ? FOR_BASH
        : "Install it, or write its whole path.",
  };
  return diagnose("script-not-on-path", values, whereOf(hook));
}

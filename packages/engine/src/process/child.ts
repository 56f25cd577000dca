import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { messageOf } from "@belay/core/internal";
import type { Variables } from "../environment.ts";
import { statOf } from "../files/read.ts";

const isWindows = process.platform === "win32";

/** A process to start. */
export interface ChildSpec {
  readonly command: string;
  /** Present: the command is a program that gets these arguments, without a shell. */
  readonly args?: readonly string[];
  /** Reads the command in place of the platform's shell. */
  readonly shell?: "bash";
  readonly cwd: string;
  readonly env: Variables;
}

export type Child = ChildProcessWithoutNullStreams & { readonly pid: number };

/** Starts a process in a process group of its own, at once. If it could not be started, a promise says why. */
export function startChild(spec: ChildSpec): Child | Promise<string> {
  const { file, args, verbatim } = spec.args
    ? { file: spec.command, args: [...spec.args], verbatim: false }
    : shellFor(spec.command, spec.shell);
  try {
    // Loaded with the first process: 2 ms of every start whose hooks need none.
    const { spawn } = process.getBuiltinModule("node:child_process");
    const child = spawn(file, args, {
      cwd: spec.cwd,
      env: spec.env,
      stdio: ["pipe", "pipe", "pipe"],
      // A group (and session) of its own; Windows has none, and would open a console window instead.
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    if (hasPid(child)) return child;
    return new Promise((resolve) => child.once("error", (error) => resolve(whyNotStarted(error, spec))));
  } catch (error) {
    return Promise.resolve(whyNotStarted(error, spec));
  }
}

function hasPid(child: ChildProcessWithoutNullStreams): child is Child {
  return child.pid !== undefined;
}

function whyNotStarted(error: unknown, { command, args, shell, cwd }: ChildSpec): string {
  // Where the folder is missing or no folder, the system's error names the program instead.
  const folder = statOf(cwd);
  if (!folder?.isDirectory())
    return `the working folder ${cwd} ${folder ? "is no folder" : "does not exist"}`;
  const { code } = error as NodeJS.ErrnoException;
  if (args && code === "ENOENT")
    return `there is no program ${command}, or none that its first line names; it is run without a shell`;
  if (shell && code === "ENOENT") return `there is no ${shell} here, which the entry names as its shell`;
  return args && code === "EACCES" ? `${command} is not executable` : messageOf(error);
}

/** Lets go of the pipes without closing them: a background child may go on writing, and the host may still exit. */
export function release(child: Child): void {
  child.stdin.destroy();
  for (const stream of [child.stdout, child.stderr]) {
    if (stream.destroyed) continue;
    stream.removeAllListeners("data");
    stream.resume();
    (stream as Socket).unref();
  }
  child.unref();
}

/** An absolute path: the hook's PATH does not decide which shell reads its command, and no search costs time. */
const SHELL = process.platform === "android" ? "/system/bin/sh" : "/bin/sh";
/** Where systems keep bash. Elsewhere it is searched on PATH. */
const BASH = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash"];
let bash: string | undefined;

function bashFile(): string {
  bash ??= (isWindows ? [] : BASH).find((file) => existsSync(file)) ?? "bash";
  return bash;
}

/** How a command line is handed to the platform's shell, or to bash. */
export function shellFor(
  command: string,
  shell?: "bash",
): { file: string; args: string[]; verbatim: boolean } {
  if (!isWindows || shell)
    return {
      file: shell ? bashFile() : SHELL,
      args: ["-c", isOneProgram(command) ? `exec ${command}` : command],
      verbatim: false,
    };
  return { file: process.env.ComSpec ?? "cmd.exe", args: ["/d", "/s", "/c", `"${command}"`], verbatim: true };
}

/** Programs that are given a script, and run it. */
const INTERPRETERS =
  /^(?:sh|bash|dash|zsh|ksh|python[\d.]*|ruby|perl|php|npx|uv|node|nodejs|deno|bun|tsx|ts-node)$/;

export function isInterpreter(program: string): boolean {
  return INTERPRETERS.test(program);
}

const WORD = String.raw`(?:[\w./:@%+=,~-]|'[^']*'|"(?:[^"\\$\x60]|\$\w|\$\{\w+\})*"|\$\w|\$\{\w+\})+`;
const ONE_PROGRAM = new RegExp(`^\\s*(?!\\w+=)(${WORD})(?:[ \\t]+${WORD})*\\s*$`);

/**
 * True if a command is plainly one program with arguments. Such a program takes the shell's place: a shell in between
 * (dash stays there) would turn its death by a signal into exit 137, and die of TERM before the hook has answered it.
 */
function isOneProgram(command: string): boolean {
  const [, first = ""] = ONE_PROGRAM.exec(command) ?? [];
  return first.includes("/") || isInterpreter(first);
}

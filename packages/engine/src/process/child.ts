import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { messageOf } from "@belay/core/internal";
import type { Variables } from "../environment.ts";
import { statOf } from "../files/read.ts";
import { shellFor } from "./group.ts";

/** What is started. */
export interface ChildSpec {
  readonly command: string;
  /** Makes the command a program that is given these, without a shell. */
  readonly args?: readonly string[];
  /** Reads the command in place of the platform's shell. */
  readonly shell?: "bash";
  readonly cwd: string;
  readonly env: Variables;
}

export type Child = ChildProcessWithoutNullStreams & { readonly pid: number };

/** Starts it in a process group of its own, at once; of what could not be started, a promise says why. */
export function startChild(spec: ChildSpec): Child | Promise<string> {
  const { file, args, verbatim } = spec.args
    ? { file: spec.command, args: [...spec.args], verbatim: false }
    : shellFor(spec.command, spec.shell);
  try {
    const child = spawn(file, args, {
      cwd: spec.cwd,
      env: spec.env,
      stdio: ["pipe", "pipe", "pipe"],
      // A group (and session) of its own; Windows has none, and would open a console window instead.
      detached: process.platform !== "win32",
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
  // The system says it of the program when it is the folder that is not there, or none.
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

/**
 * Calls back after the event loop has polled for exits, messages and input at least once. A busy host fires its timers
 * late: whoever has answered by then is not timed out (DESIGN §4.9).
 */
export function afterPoll(callback: () => void): void {
  setImmediate(() => setImmediate(callback));
}

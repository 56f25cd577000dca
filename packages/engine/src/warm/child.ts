import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import type { Variables } from "../environment.ts";
import { groupIsAlive, shellFor, signalGroup } from "../process/group.ts";

/** What is started for a warm hook. */
export interface StartSpec {
  readonly command: string;
  /** Makes the command a program that is given these, without a shell. */
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env: Variables;
}

export type Child = ChildProcessWithoutNullStreams & { readonly pid: number };

/** Starts it in a process group of its own; what could not be started is said in words. */
export async function startChild(spec: StartSpec): Promise<Child | string> {
  const { file, args, verbatim } = spec.args
    ? { file: spec.command, args: [...spec.args], verbatim: false }
    : shellFor(spec.command);
  try {
    const child = spawn(file, args, {
      cwd: spec.cwd,
      env: spec.env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    if (child.pid !== undefined) return child as Child;
    return whyNotStarted(await new Promise<Error>((resolve) => child.once("error", resolve)), spec);
  } catch (error) {
    return whyNotStarted(error instanceof Error ? error : new Error(String(error)), spec);
  }
}

function whyNotStarted(error: Error, { command, args, cwd }: StartSpec): string {
  // The system says ENOENT of the program when it is the folder that is not there.
  if (!existsSync(cwd)) return `the project's folder ${cwd} does not exist`;
  const { code } = error as NodeJS.ErrnoException;
  if (args && code === "ENOENT")
    return `there is no program ${command}, or none that its first line names; it is run without a shell`;
  return args && code === "EACCES" ? `${command} is not executable` : error.message;
}

/** Whether the host waits for it. */
export function hold(child: Child, isHeld: boolean): void {
  for (const handle of [child, child.stdin as Socket, child.stdout as Socket, child.stderr as Socket])
    if (isHeld) handle.ref();
    else handle.unref();
}

/** Lets go of pipes that a child it left in the background still holds: the host may end all the same. */
export function release(child: Child): void {
  child.stdin.destroy();
  for (const stream of [child.stdout, child.stderr]) {
    if (stream.destroyed) continue;
    stream.removeAllListeners("data");
    stream.resume();
    (stream as Socket).unref();
  }
}

/** How long a group may take to vanish after KILL before it is given up (a process stuck in the kernel). */
const VANISH_MS = 150;
const POLL_MS = 10;

/**
 * Ends it and its group: its stdin ends, and where it may go in peace it has the grace to do so; then TERM, and KILL to
 * whatever is left after the grace.
 */
export async function endChild(
  child: Child,
  exited: Promise<void>,
  { graceMs, inPeace }: { readonly graceMs: number; readonly inPeace: boolean },
): Promise<void> {
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });
  const isGone = () => hasExited && !groupIsAlive(child.pid);
  child.stdin.end();
  // What it leaves in the background lives on, as after the normal exit of any hook.
  if (inPeace && (await within(exited, graceMs))) return;
  signalGroup(child.pid, "SIGTERM");
  const deadline = performance.now() + graceMs;
  await within(exited, graceMs);
  while (!isGone() && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  if (isGone()) return;
  signalGroup(child.pid, "SIGKILL");
  await within(exited, VANISH_MS);
}

/** Whether it came to pass in time; no timer is left behind. */
function within(event: Promise<void>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    void event.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "@belay/core";
import { openLauncher } from "../src/launcher/launcher.ts";
import { type ProcessSpec, runProcess } from "../src/process/run-process.ts";
import { LAUNCHER, ROOT } from "./scratch.ts";

/** A name in the environment by which every descendant of a process is found, wherever it moved. */
export interface Mark {
  readonly env: NodeJS.ProcessEnv;
  /** Pids of the living that carry the mark; the dead have no environment. */
  alive(): number[];
  /** Waits until nobody carries it; what is left after the limit is returned. */
  gone(limitMs?: number): Promise<number[]>;
  /** Ends whoever is left, so that a failing test leaves nothing behind. */
  endAll(): void;
}

export function mark(): Mark {
  const value = `BELAY_TEST_MARK=${randomUUID()}`;
  const [name = "", id = ""] = value.split("=");
  const alive = () => readdirSync("/proc").filter(isPid).filter(carries(value)).map(Number);
  return {
    env: { ...process.env, [name]: id },
    alive,
    gone: async (limitMs = 1000) => {
      for (const deadline = performance.now() + limitMs; performance.now() < deadline; await sleep(10))
        if (alive().length === 0) return [];
      return alive();
    },
    endAll: () => {
      for (const pid of alive()) kill(pid);
    },
  };
}

/** One that has just ended by itself is as good. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const isPid = (name: string) => /^\d+$/.test(name);

function carries(value: string): (pid: string) => boolean {
  return (pid) => {
    try {
      return readFileSync(join("/proc", pid, "environ"), "utf8")
        .split("\0")
        .includes(value);
    } catch {
      return false;
    }
  };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Keeps the event loop from turning, at a point of the loop where timers come before input. */
export function block(ms: number): Promise<void> {
  return new Promise((resolve) =>
    setImmediate(() => {
      for (const end = performance.now() + ms; performance.now() < end; );
      resolve();
    }),
  );
}

export async function until(isTrue: () => boolean, limitMs = 5000): Promise<boolean> {
  for (const deadline = performance.now() + limitMs; performance.now() < deadline; await sleep(10))
    if (isTrue()) return true;
  return isTrue();
}

const launcher =
  LAUNCHER === "on" ? openLauncher(new URL("../dist/launcher.js", import.meta.url)) : undefined;

/** Runs a command as a command hook is run, with room for what a test wants otherwise. */
export function run(command: string, options: Partial<ProcessSpec> = {}): Promise<Run> {
  return (launcher?.run ?? runProcess)({
    command,
    cwd: ROOT,
    env: process.env,
    input: "{}",
    timeoutMs: 20_000,
    graceMs: 200,
    cap: 102_400,
    ...options,
  });
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly pid: number;
  /** Resolves when stdout holds the text. */
  printed(text: string): Promise<boolean>;
  kill(signal: NodeJS.Signals): void;
  readonly finished: Promise<Finished>;
}

/** Starts a program of its own: what must not be measured inside the test's process, or must end a process. */
export function start(
  program: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Started {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    pid: child.pid as number,
    printed: (text) => until(() => stdout.includes(text), 10_000),
    kill: (signal) => child.kill(signal),
    finished,
  };
}

/** Runs a host of test/hosts: a small program that embeds the engine. */
export function startHost(
  name: string,
  args: readonly string[] = [],
  env = process.env,
  cwd = process.cwd(),
): Started {
  return start(process.execPath, [join(ROOT, "packages/engine/test/hosts", name), ...args], { env, cwd });
}

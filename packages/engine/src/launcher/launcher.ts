import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Run } from "@belay/core";
import { afterPoll } from "../after-poll.ts";
import type { Variables } from "../environment.ts";
import { endWithHost, signalGroup } from "../process/group.ts";
import { type ProcessSpec, runProcess } from "../process/run-process.ts";
import type { Order, Report } from "./messages.ts";

/** Runs commands as runProcess does, through a companion that is started when it is first needed. */
export interface Launcher {
  run(spec: ProcessSpec): Promise<Run>;
  /** Why no companion could be started. */
  whyNot(): string | undefined;
  /** Ends the companion and whatever it runs. */
  close(): Promise<void>;
}

interface Call {
  readonly spec: ProcessSpec;
  /** The hook's process group, once it runs. */
  pid?: number;
  finish(run: Run | Promise<Run>): void;
}

interface Companion {
  readonly child: ChildProcess;
  readonly calls: Map<number, Call>;
  isReady: boolean;
  isGone: boolean;
}

/** How much longer than a hook may take the companion may take to say so; then it hangs, and is ended. */
const SLACK_MS = 5000;
/** What a timer can count. */
const MAX_MS = 2 ** 31 - 1;
/** How long the companion may take to leave when it is asked to. */
const LEAVE_MS = 2000;

/** Small on purpose: what it allocates is gone after one call. */
const NODE_FLAGS = ["--max-semi-space-size=1"];

/** @param file the built companion */
export function openLauncher(file = new URL("./launcher.js", import.meta.url)): Launcher {
  let current: Companion | undefined;
  let whyNot: string | undefined;
  let nextId = 1;

  const companion = () => {
    if (current && !current.isGone) return current;
    current = startCompanion(file, (why) => {
      whyNot = why;
    });
    return current;
  };

  return {
    run: (spec) => {
      if (whyNot !== undefined) return runProcess(spec);
      nextId += 1;
      return call(companion(), nextId, spec);
    },
    whyNot: () => whyNot,
    close: async () => {
      if (current && !current.isGone) await leave(current.child);
    },
  };
}

function startCompanion(file: URL, cannotStart: (why: string) => void): Companion {
  const child = fork(fileURLToPath(file), [], {
    execArgv: NODE_FLAGS,
    env: companionEnv(process.env),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // Out of reach of the terminal's Ctrl-C: what a signal to the host means is the host's to say.
    detached: process.platform !== "win32",
  });
  const companion: Companion = {
    child,
    calls: new Map(),
    isReady: false,
    isGone: false,
  };
  const go = (why: string) => {
    if (companion.isGone) return;
    companion.isGone = true;
    if (!companion.isReady) cannotStart(why);
    endCalls(companion, why);
  };
  child.on("message", (report: Report) => {
    if ("ready" in report) companion.isReady = true;
    else hear(companion, report);
  });
  child.on("error", (error) => go(error.message));
  child.on("exit", (code, signal) =>
    go(signal ? `it was killed by ${signal}` : `it ended with code ${code}`),
  );
  child.on("disconnect", () => child.kill("SIGKILL"));
  // It keeps no host alive; a hook that runs does.
  child.unref();
  child.channel?.unref();
  return companion;
}

/** Without what is meant for another Node, such as a debugger's port or a file to load first. */
function companionEnv(env: Variables): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("NODE_")));
}

function call(companion: Companion, id: number, spec: ProcessSpec): Promise<Run> {
  const { child, calls } = companion;
  const { signal, onStart: _onStart, env, ...rest } = spec;
  return new Promise((resolve) => {
    const endIfSilent = () => afterPoll(() => calls.has(id) && child.kill("SIGKILL"));
    const graceMs = spec.graceMs + SLACK_MS;
    let timer = setTimeout(endIfSilent, Math.min(spec.timeoutMs + graceMs, MAX_MS));
    const onAbort = () => {
      send(child, { id, abort: true });
      clearTimeout(timer);
      timer = setTimeout(endIfSilent, graceMs);
    };
    if (calls.size === 0) child.channel?.ref();
    const forget = endWithHost(() => send(child, { id, kill: true }));
    calls.set(id, {
      spec,
      finish: (run) => {
        calls.delete(id);
        forget();
        if (calls.size === 0) child.channel?.unref();
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        resolve(run);
      },
    });
    send(child, { id, spec: { ...rest, env: flat(env) } });
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
  });
}

/** A companion that is gone says so by its exit, which ends every call. */
function send(child: ChildProcess, order: Order): void {
  if (child.connected) child.send(order, () => {});
}

/** Inherited values too, which JSON would leave out. */
function flat(env: Variables): Variables {
  const values: Record<string, string | undefined> = {};
  for (const name in env) values[name] = env[name];
  return values;
}

function hear({ calls }: Companion, report: Exclude<Report, { ready: true }>): void {
  const told = calls.get(report.id);
  if (!told) return;
  if ("pid" in report) told.pid = report.pid;
  else told.finish(report.run);
}

/** What it ran is nobody's now, and ends. What it never began is run here: nothing of it has happened yet. */
function endCalls({ calls, isReady }: Companion, why: string): void {
  for (const { pid, spec, finish } of [...calls.values()]) {
    if (pid !== undefined) signalGroup(pid, "SIGKILL");
    finish(isReady ? lost(why) : runProcess(spec));
  }
}

function lost(why: string): Run {
  return {
    stdout: "",
    stderr: "",
    executionTime: 0,
    timedOut: false,
    truncated: false,
    failure: { kind: "launcher", detail: why },
  };
}

function leave(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), LEAVE_MS);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.ref();
    if (child.connected) child.disconnect();
  });
}

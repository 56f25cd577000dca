import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Run } from "@belay/core";
import type { Variables } from "../environment.ts";
import { MAX_TIMER_MS } from "../options.ts";
import { runSince } from "../process/capture.ts";
import { endWithHost, signalGroup } from "../process/group.ts";
import { type ProcessSpec, runProcess } from "../process/run-process.ts";
import { onDeadline } from "../waiting.ts";
import type { Order, Report } from "./companion.ts";

/** Runs commands as runProcess does, through a companion that is started when it is first needed. */
export interface Launcher {
  run(spec: ProcessSpec): Promise<Run>;
  /** Why a companion could not be started, if one could not; later ones may be. */
  whyNot(): string | undefined;
  /** Ends whatever the companion runs, and the companion, unless it reads on for children in the background. */
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
  /** Whose hooks it starts. */
  readonly user: string;
  isReady: boolean;
  isGone: boolean;
  /** Once it was told to leave: that it is gone, or stays by itself. */
  leaving?: Promise<void>;
}

/** A companion that is silent for so long after a hook's limit hangs, and is ended. */
const SLACK_MS = 5000;
/** How long the companion may take to leave when it is asked to. */
const LEAVE_MS = 2000;

/** After so many failed starts in a row, no more are tried. A single one may have met a moment without memory. */
const MAX_FAILED_STARTS = 3;

/** The companion has to stay small: what it allocates is gone after one call. */
const NODE_FLAGS = ["--max-semi-space-size=1", "--expose-gc"];

/**
 * Pipes are read in chunks of 64 KB. With this threshold glibc returns each freed chunk to the system; else it would keep
 * some 50 MB of them after a flood.
 */
const ALLOCATION = { MALLOC_MMAP_THRESHOLD_: String(32 * 1024) };

/** @param file the built companion */
export function openLauncher(file = new URL("./launcher.js", import.meta.url)): Launcher {
  let current: Companion | undefined;
  let whyNot: string | undefined;
  let failedStarts = 0;
  let nextId = 1;

  /** undefined while the companion still runs hooks of the user that the host was before. */
  const companion = () => {
    if (current && !current.isGone && !current.leaving) {
      if (current.user === userNow()) return current;
      if (current.calls.size > 0) return undefined;
      current.leaving = leave(current.child);
    }
    current = startCompanion(file, {
      ready: () => {
        failedStarts = 0;
      },
      failed: (why) => {
        failedStarts += 1;
        whyNot ??= why;
      },
    });
    return current;
  };

  return {
    run: (spec) => {
      const found = failedStarts < MAX_FAILED_STARTS ? companion() : undefined;
      if (!found) return runProcess(spec);
      nextId += 1;
      return call(found, nextId, spec);
    },
    whyNot: () => whyNot,
    close: async () => {
      if (!current || current.isGone) return;
      current.leaving ??= leave(current.child);
      await current.leaving;
    },
  };
}

/** How a start came out. */
interface StartNews {
  ready(): void;
  failed(why: string): void;
}

function startCompanion(file: URL, news: StartNews): Companion {
  const child = fork(fileURLToPath(file), [], {
    execArgv: NODE_FLAGS,
    env: { ...companionEnv(process.env), ...ALLOCATION },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // In JSON, output may be six times as long.
    serialization: "advanced",
    // Out of reach of the terminal's Ctrl-C: what a signal to the host means is the host's to say.
    detached: process.platform !== "win32",
  });
  const companion: Companion = {
    child,
    calls: new Map(),
    user: userNow(),
    isReady: false,
    isGone: false,
  };
  const go = (why: string) => {
    if (companion.isGone) return;
    companion.isGone = true;
    if (!companion.isReady) news.failed(why);
    endCalls(companion, why);
  };
  child.on("message", (report: Report) => {
    if ("ready" in report) {
      companion.isReady = true;
      news.ready();
    } else if ("id" in report) hear(companion, report);
  });
  child.on("error", (error) => go(error.message));
  child.on("exit", (code, signal) =>
    go(signal ? `it was killed by ${signal}` : `it ended with code ${code}`),
  );
  child.on("disconnect", () => child.kill("SIGKILL"));
  holdHost(child, false);
  return companion;
}

/** A companion keeps no host alive. A hook that runs does. */
function holdHost(child: ChildProcess, holds: boolean): void {
  for (const handle of [child, child.channel])
    if (holds) handle?.ref();
    else handle?.unref();
}

/** A host may become another user, as a host that gives up root does. Its hooks then run as that user, too. */
function userNow(): string {
  const { getuid, geteuid, getgid, getegid, getgroups } = process;
  return [getuid?.(), geteuid?.(), getgid?.(), getegid?.(), ...(getgroups?.() ?? [])].join(" ");
}

/** Without the variables that are meant for another Node, such as a debugger's port or a file to load first. */
function companionEnv(env: Variables): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("NODE_")));
}

function call(companion: Companion, id: number, spec: ProcessSpec): Promise<Run> {
  const { child, calls } = companion;
  const { signal, onStart: _onStart, onLeftOpen: _onLeftOpen, handleSignals, ...rest } = spec;
  const endIfSilent = () => calls.has(id) && child.kill("SIGKILL");
  const graceMs = spec.graceMs + SLACK_MS;
  const timeoutMs = Math.min(spec.timeoutMs + graceMs, MAX_TIMER_MS);
  return new Promise((resolve) => {
    if (calls.size === 0) holdHost(child, true);
    const forget = endWithHost(() => send(child, { id, kill: true }), handleSignals);
    let stop = () => {};
    const finish = (run: Run | Promise<Run>) => {
      calls.delete(id);
      forget();
      if (calls.size === 0) holdHost(child, false);
      stop();
      resolve(run);
    };
    calls.set(id, { spec, finish });
    try {
      send(child, { id, spec: rest, umask: process.umask() });
    } catch {
      // Too much for one message: the host runs the hook itself.
      return finish(runProcess(spec));
    }
    stop = onDeadline({ timeoutMs, signal }, (how) => {
      if (how === "timeout") return endIfSilent();
      stop();
      send(child, { id, abort: true });
      stop = onDeadline({ timeoutMs: graceMs }, endIfSilent);
    });
  });
}

/** A companion that is gone says so by its exit, which ends every call. */
function send(child: ChildProcess, order: Order): void {
  if (child.connected) child.send(order, () => {});
}

function hear({ calls }: Companion, report: Extract<Report, { id: number }>): void {
  const told = calls.get(report.id);
  if (!told) return;
  if ("pid" in report) told.pid = report.pid;
  else told.finish(report.run);
}

/**
 * Ends the hooks that the companion ran, but for one that started in the very moment in which the companion was killed:
 * its process was not told yet. Hooks that it never began are run here: nothing of them has happened yet.
 */
function endCalls({ calls, isReady }: Companion, why: string): void {
  for (const { pid, spec, finish } of [...calls.values()]) {
    if (pid !== undefined) signalGroup(pid, "SIGKILL");
    finish(
      isReady
        ? runSince(performance.now(), { failure: { kind: "launcher", detail: why } })
        : runProcess(spec),
    );
  }
}

/** Tells a companion to leave. A companion that stays keeps no host alive, and goes when the host's end closes the channel. */
function leave(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), LEAVE_MS);
    const done = () => {
      clearTimeout(timer);
      child.unref();
      resolve();
    };
    child.once("exit", done);
    child.on("message", (report: Report) => {
      if ("staying" in report) done();
    });
    child.ref();
    send(child, { leave: true });
  });
}

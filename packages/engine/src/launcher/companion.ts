import type { Run } from "@belay/core";
import { signalGroup } from "../process/group.ts";
import { type ProcessSpec, runProcess } from "../process/run-process.ts";

/*
 * The companion: a small process that starts hooks for a large host, since a fork takes as long as its parent is large.
 * When the host ends, in whatever way, the channel closes, and the companion ends with every group that still runs.
 */

/** What to run. The signal and the callbacks of a spec are messages of their own; the host's signals are the host's. */
export type SentSpec = Omit<ProcessSpec, "signal" | "onStart" | "onLeftOpen" | "handleSignals">;

/** From the host to the companion. */
export type Order =
  | { readonly id: number; readonly spec: SentSpec; readonly umask: number }
  /** Ends the hook as an abort does: TERM, then KILL. */
  | { readonly id: number; readonly abort: true }
  /** Ends the hook at once. */
  | { readonly id: number; readonly kill: true }
  /** Ends every hook, and the companion. */
  | { readonly leave: true };

/** From the companion to the host. */
export type Report =
  | { readonly ready: true }
  /** The companion was told to leave, but reads on for children that hooks left in the background. */
  | { readonly staying: true }
  /** The process group of the hook: the host ends it when the companion cannot. */
  | { readonly id: number; readonly pid: number }
  | { readonly id: number; readonly run: Run };

interface Running {
  readonly aborting: AbortController;
  /** Absent when it could not start. */
  pid?: number;
}
const calls = new Map<number, Running>();

/** Hooks that have ended and left children in the background, which print to a pipe that is read here. */
let leftOpen = 0;
let isLeaving = false;

process.on("message", (order: Order) => {
  if ("leave" in order) return leave();
  if ("spec" in order) {
    process.umask(order.umask);
    return void run(order.id, order.spec);
  }
  const { aborting, pid } = calls.get(order.id) ?? {};
  if ("abort" in order) aborting?.abort();
  else if (pid !== undefined) signalGroup(pid, "SIGKILL");
});
// The exit ends the groups: process/group.ts watches over them here as in a host.
process.on("disconnect", () => process.exit());
report({ ready: true });

async function run(id: number, spec: SentSpec): Promise<void> {
  const running: Running = { aborting: new AbortController() };
  calls.set(id, running);
  const onStart = (pid: number) => {
    running.pid = pid;
    report({ id, pid });
  };
  const { signal } = running.aborting;
  report({ id, run: await runProcess({ ...spec, signal, onStart, onLeftOpen: readOn }) });
  calls.delete(id);
  clearTimeout(tidying);
  tidying = setTimeout(tidyUp, IDLE_MS);
}

async function readOn(closed: Promise<void>): Promise<void> {
  leftOpen += 1;
  await closed;
  leftOpen -= 1;
  if (isLeaving && leftOpen === 0) process.exit();
}

/** A child in the background lives on after its hook. Without a reader it would die of what it prints next. */
function leave(): void {
  if (leftOpen === 0) process.exit();
  isLeaving = true;
  for (const { pid } of calls.values()) if (pid !== undefined) signalGroup(pid, "SIGKILL");
  report({ staying: true });
}

const IDLE_MS = 1000;
let tidying: NodeJS.Timeout | undefined;

/** Node keeps the memory of a flood until something else needs it. */
function tidyUp(): void {
  if (calls.size === 0) globalThis.gc?.();
}

/** Errors are ignored: a host that is gone hears nothing, and the channel closes by itself. */
function report(message: Report): void {
  process.send?.(message, undefined, undefined, () => {});
}

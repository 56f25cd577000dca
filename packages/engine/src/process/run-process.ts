import type { Mutable, Run } from "@belay/core";
import { type Capture, capture } from "./capture.ts";
import { afterPoll, type Child, type ChildSpec, release, startChild } from "./child.ts";
import { endGroup, endWithHost, groupIsAlive, signalGroup } from "./group.ts";

export interface ProcessSpec extends ChildSpec {
  /** Written to stdin; a program that never reads it is no error. */
  readonly input: string;
  readonly timeoutMs: number;
  /** From TERM to KILL. */
  readonly graceMs: number;
  /** Bytes kept per stream. */
  readonly cap: number;
  /** Bytes also kept from the end of a longer stream; between the two parts stands a line that says how many are missing. */
  readonly tail?: number;
  readonly signal?: AbortSignal;
  /** false: a signal to this process does not end the command; the exit of this process does. */
  readonly handleSignals?: boolean;
  /** Told the process group as soon as there is one. */
  readonly onStart?: (pid: number) => void;
  /** Told of pipes that are open though the command has ended; the promise resolves with the last of them. */
  readonly onLeftOpen?: (closed: Promise<void>) => void;
}

/** How long the pipes of a process that has exited may keep talking before a background child is assumed. */
const QUIET_MS = 15;
const DRAIN_MS = 100;

/**
 * Runs one command in a process group of its own and reports facts. Settles on the exit of the command itself, not on
 * the end of its pipes: a child left in the background does not hold the answer back. At the limit, or on abort, the
 * whole group gets TERM, then KILL.
 */
export async function runProcess(spec: ProcessSpec): Promise<Run> {
  const started = performance.now();
  const child = startChild(spec);
  if (child instanceof Promise) return notStarted(await child, started);
  const { pid } = child;
  const forget = endWithHost(() => signalGroup(pid, "SIGKILL"), spec.handleSignals);
  spec.onStart?.(pid);
  const stdout = capture(child.stdout, spec.cap, spec.tail);
  const stderr = capture(child.stderr, spec.cap, spec.tail);
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(spec.input);

  const exit = watchExit(child);
  const ended = await untilDone(child, exit, spec);
  if (ended !== "exited") await endGroup(pid, () => exit.hasExited, spec.graceMs);
  if (!exit.hasClosed) await drain(exit, [stdout, stderr], () => groupIsAlive(pid));
  const leftOpen = ended === "exited" && !child.stdout.readableEnded;
  if (!exit.hasClosed) {
    release(child);
    spec.onLeftOpen?.(exit.closed);
  }
  forget();
  const run = report(exit, ended, stdout, stderr, spec, started);
  return leftOpen ? { ...run, leftOpen } : run;
}

function notStarted(detail: string, started: number): Run {
  return {
    stdout: "",
    stderr: "",
    executionTime: performance.now() - started,
    timedOut: false,
    truncated: false,
    failure: { kind: "start", detail },
  };
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  hasExited: boolean;
  /** The process has exited and all its pipes have ended. */
  hasClosed: boolean;
  readonly closed: Promise<void>;
}

function watchExit(child: Child): Exit {
  const exit = {
    code: null as number | null,
    signal: null as NodeJS.Signals | null,
    hasExited: false,
    hasClosed: false,
    closed: new Promise<void>((resolve) => {
      child.once("close", () => {
        exit.hasClosed = true;
        resolve();
      });
    }),
  };
  child.once("exit", (code, signal) => {
    exit.code = code;
    exit.signal = signal;
    exit.hasExited = true;
  });
  return exit;
}

type End = "exited" | "timeout" | "abort";

/** Waits for the exit, the limit or an abort, whichever is first. */
function untilDone(child: Child, exit: Exit, { timeoutMs, signal }: ProcessSpec): Promise<End> {
  return new Promise((resolve) => {
    const finish = (end: End) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(end);
    };
    const onAbort = () => finish(exit.hasExited ? "exited" : "abort");
    // A busy host fires timers late: look for an exit once more before believing the clock.
    const timer = setTimeout(() => afterPoll(() => finish(exit.hasExited ? "exited" : "timeout")), timeoutMs);
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
    child.once("exit", () => finish("exited"));
  });
}

/**
 * What the process wrote is in its pipes already; quiet pipes that stay open belong to a child it left behind. Where its
 * group is gone, they may as well be held for a moment by a process that another thread of the host is just starting.
 */
async function drain(exit: Exit, captures: readonly Capture[], hasLeft: () => boolean): Promise<void> {
  const total = () => captures.reduce((sum, { bytes }) => sum + bytes, 0);
  const deadline = performance.now() + DRAIN_MS;
  let before = -1;
  while (!exit.hasClosed && (total() !== before || !hasLeft()) && performance.now() < deadline) {
    before = total();
    await untilQuiet(exit.closed);
  }
}

/** Waits a moment, but no longer than the pipes are open; no timer is left behind to hold the host back. */
function untilQuiet(closing: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => afterPoll(resolve), QUIET_MS);
    closing.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function report(
  exit: Exit,
  end: End,
  stdout: Capture,
  stderr: Capture,
  spec: ProcessSpec,
  started: number,
): Run {
  const cut = streamsOf(stdout.cut, stderr.cut);
  const [out, err] = [stdout.decoded(), stderr.decoded()];
  const notUtf8 = streamsOf(out.isAltered, err.isAltered);
  const failure = failureFor(exit, end, spec);
  const run: Mutable<Run> = {
    stdout: out.text,
    stderr: err.text,
    executionTime: performance.now() - started,
    timedOut: end === "timeout",
    truncated: cut.length > 0,
  };
  if (exit.code !== null) run.exitCode = exit.code;
  if (exit.signal !== null) run.signal = exit.signal;
  if (cut.length > 0) Object.assign(run, { cut, cap: spec.cap });
  if (notUtf8.length > 0) run.notUtf8 = notUtf8;
  if (failure) run.failure = failure;
  return run;
}

function streamsOf(stdout: boolean, stderr: boolean): ("stdout" | "stderr")[] {
  return [...(stdout ? ["stdout" as const] : []), ...(stderr ? ["stderr" as const] : [])];
}

function failureFor(exit: Exit, end: End, spec: ProcessSpec): Run["failure"] {
  if (end === "timeout")
    return { kind: "timeout", detail: `no exit within ${spec.timeoutMs / 1000} s; its group was ended` };
  if (end === "abort") return { kind: "abort", detail: "its group was ended" };
  if (exit.signal !== null) return { kind: "signal", detail: `killed by ${exit.signal}` };
  return undefined;
}

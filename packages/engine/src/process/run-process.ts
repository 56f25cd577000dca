import type { Run } from "@belay/core";
import { onDeadline, resolvesWithin } from "../waiting.ts";
import { type Capture, captureStream, outputFacts, runSince } from "./capture.ts";
import { type Child, type ChildSpec, release, startChild } from "./child.ts";
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

/** Pipes that are quiet for so long after the exit belong to a background child. */
const QUIET_MS = 15;
/** How long pipes that are not quiet are read after the exit. */
const DRAIN_MS = 100;

/**
 * Runs one command in a process group of its own and reports facts. Settles on the exit of the command itself, not on
 * the end of its pipes: a child left in the background does not hold the answer back. At the limit, or on abort, the
 * whole group gets TERM, then KILL.
 */
export async function runProcess(spec: ProcessSpec): Promise<Run> {
  const started = performance.now();
  const child = startChild(spec);
  if (child instanceof Promise) return runSince(started, { failure: { kind: "start", detail: await child } });
  const { pid } = child;
  const forget = endWithHost(() => signalGroup(pid, "SIGKILL"), spec.handleSignals);
  spec.onStart?.(pid);
  const stdout = captureStream(child.stdout, spec.cap, spec.tail);
  const stderr = captureStream(child.stderr, spec.cap, spec.tail);
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(spec.input);

  const exit = watchExit(child);
  const end = await untilDone(child, exit, spec);
  if (end !== "exited") await endGroup(pid, () => exit.hasExited, spec.graceMs);
  if (!exit.hasClosed) await drain(exit, [stdout, stderr], () => groupIsAlive(pid));
  const leftOpen = end === "exited" && !child.stdout.readableEnded;
  if (!exit.hasClosed) {
    release(child);
    spec.onLeftOpen?.(exit.closed);
  }
  forget();
  return runSince(started, {
    ...outputFacts({ stdout: stdout.kept(), stderr: stderr.kept() }, spec.cap),
    ...endFacts(exit, end, spec),
    ...(leftOpen && { leftOpen }),
  });
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
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const exit: Exit = { code: null, signal: null, hasExited: false, hasClosed: false, closed };
  child.once("close", () => {
    exit.hasClosed = true;
  });
  child.once("exit", (code, signal) => {
    exit.code = code;
    exit.signal = signal;
    exit.hasExited = true;
  });
  return exit;
}

type End = "exited" | "timeout" | "abort";

/** Waits for the exit, the limit or an abort, whichever is first. */
function untilDone(child: Child, exit: Exit, spec: ProcessSpec): Promise<End> {
  return new Promise((resolve) => {
    const finish = (end: End) => {
      stop();
      resolve(exit.hasExited ? "exited" : end);
    };
    const stop = onDeadline(spec, finish);
    child.once("exit", () => finish("exited"));
  });
}

/**
 * Waits until the pipes of a process that has exited are read. Quiet pipes that stay open belong to a child that it left
 * behind. Where its group is gone, a process that another thread of the host is just starting may hold them for a moment.
 */
async function drain(exit: Exit, captures: readonly Capture[], hasLeft: () => boolean): Promise<void> {
  const total = () => captures.reduce((sum, { bytes }) => sum + bytes, 0);
  const deadline = performance.now() + DRAIN_MS;
  let before = -1;
  while (!exit.hasClosed && (total() !== before || !hasLeft()) && performance.now() < deadline) {
    before = total();
    await resolvesWithin(exit.closed, QUIET_MS);
  }
}

function endFacts(exit: Exit, end: End, { timeoutMs }: ProcessSpec): Partial<Run> {
  const failure = failureFor(exit, end, timeoutMs);
  return {
    timedOut: end === "timeout",
    ...(exit.code !== null && { exitCode: exit.code }),
    ...(exit.signal !== null && { signal: exit.signal }),
    ...(failure && { failure }),
  };
}

function failureFor({ signal }: Exit, end: End, timeoutMs: number): Run["failure"] {
  if (end === "timeout")
    return { kind: "timeout", detail: `no exit within ${timeoutMs / 1000} s; its group was ended` };
  if (end === "abort") return { kind: "abort", detail: "its group was ended" };
  return signal === null ? undefined : { kind: "signal", detail: `killed by ${signal}` };
}

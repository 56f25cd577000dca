import { inspect } from "node:util";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { isObject } from "@belay/core/internal";
import type { Variables } from "../environment.ts";
import { filePrint } from "../files/read.ts";
import { afterPoll } from "../process/child.ts";
import { type CallResult, type LoadedFile, MAX_ERROR, type Started, type ThreadData } from "./messages.ts";

export type ModuleAnswer =
  | { readonly kind: "output"; readonly output: string; readonly printed: string }
  | { readonly kind: "error"; readonly error: string; readonly printed: string }
  | { readonly kind: "timeout"; readonly ended: boolean }
  | { readonly kind: "not-started"; readonly waitedMs: number }
  | { readonly kind: "abort"; readonly ended: boolean };

interface Pending {
  finish(answer: ModuleAnswer): void;
  /** The thread has started: now the hook's time runs. */
  begin(): void;
}

export interface Thread {
  readonly worker: Worker;
  /** Ours alone: what a module posts to its parent has no listener. */
  readonly port: MessagePort;
  /** What it has loaded, by file. */
  readonly prints: Map<string, string>;
  readonly pending: Map<number, Pending>;
  started: boolean;
  /** Gets no new calls, and ends with its last one: another call's failure, abort or edit is not theirs. */
  retired: boolean;
}

/** A thread that loads this module and waits for calls; it takes itself out of `all` when it ends. */
export function startThread(
  { file, env, timeoutMs }: { file: string; env: Variables; timeoutMs: number },
  all: Set<Thread>,
): Thread {
  const { port1: port, port2 } = new MessageChannel();
  // Its streams are taken from the host's and left alone: whoever reads them keeps the host from ending.
  const worker = new Worker(new URL("./worker.js", import.meta.url), {
    workerData: { file, timeoutMs, port: port2 } satisfies ThreadData,
    transferList: [port2],
    env,
    stdout: true,
    stderr: true,
  });
  const prints = new Map([[file, filePrint(file)]]);
  const thread: Thread = { worker, port, prints, pending: new Map(), started: false, retired: false };
  all.add(thread);
  const failAll = (error: string) => {
    thread.retired = true;
    for (const { finish } of [...thread.pending.values()]) finish({ kind: "error", error, printed: "" });
  };
  port.on("message", (message: unknown) => hear(thread, message));
  port.unref(); // the worker keeps the host while something is pending
  worker.on("error", (error: unknown) => failAll(wordsOf(error)));
  worker.on("exit", (code) => {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
      hear(thread, next.message);
    failAll(`its thread ended with code ${code}`);
    all.delete(thread);
  });
  return thread;
}

function hear(thread: Thread, message: unknown): void {
  if (!isFromThread(message)) return;
  if (message.id === "started") {
    thread.started = true;
    for (const { begin } of thread.pending.values()) begin();
    return;
  }
  const { id, output, error = "", printed, files, unusable } = message;
  for (const loaded of files) thread.prints.set(loaded.file, loaded.print);
  if (unusable) thread.retired = true;
  thread.pending
    .get(id)
    ?.finish(output === undefined ? { kind: "error", error, printed } : { kind: "output", output, printed });
}

/** A module can reach every port of its thread, one way or another: what comes over ours is looked at first. */
function isFromThread(message: unknown): message is CallResult | Started {
  if (!isObject(message)) return false;
  const { id, output, error, printed, files, unusable } = message;
  if (id === "started") return true;
  return (
    typeof id === "number" &&
    [output, error].every((words) => words === undefined || typeof words === "string") &&
    typeof printed === "string" &&
    Array.isArray(files) &&
    files.every(isLoadedFile) &&
    typeof unusable === "boolean"
  );
}

function isLoadedFile(value: unknown): value is LoadedFile {
  return isObject(value) && typeof value.file === "string" && typeof value.print === "string";
}

/** Of anything that was thrown outside a call: null and objects without words among it. */
function wordsOf(error: unknown): string {
  const words: unknown = error instanceof Error ? error.message : error;
  return (typeof words === "string" ? words : inspect(words)).slice(0, MAX_ERROR);
}

export function isFresh({ prints }: Thread): boolean {
  return [...prints].every(([file, print]) => filePrint(file) === print);
}

export function retire(thread: Thread): void {
  thread.retired = true;
  settle(thread);
}

/**
 * Whether it ends within the grace. One that waits in a system call cannot be ended: it keeps no event loop alive, but
 * a host that then exits waits for that call, and no signal but KILL ends it.
 */
export function end({ worker }: Thread, graceMs: number): Promise<boolean> {
  worker.unref();
  return new Promise((resolve) => {
    const timer = setTimeout(() => afterPoll(() => resolve(false)), graceMs);
    void worker.terminate().then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** With nothing left to answer, a thread keeps no host alive, and one that is retired ends. */
export function settle({ pending, worker, retired }: Thread): void {
  if (pending.size > 0) return;
  worker.unref();
  if (retired) void worker.terminate();
}

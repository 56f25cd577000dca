import { inspect } from "node:util";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { isObject } from "@belay/core";
import { afterPoll } from "../after-poll.ts";
import { filePrint } from "./file-print.ts";
import {
  type Call,
  type CallResult,
  type LoadedFile,
  MAX_ERROR,
  type Started,
  type ThreadData,
} from "./messages.ts";

export type ModuleAnswer =
  | { readonly kind: "output"; readonly output: string; readonly printed: string }
  | { readonly kind: "error"; readonly error: string; readonly printed: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "not-started"; readonly waitedMs: number }
  | { readonly kind: "abort" };

export interface ModuleCall {
  readonly file: string;
  readonly input: string;
  /** What a new thread starts with. */
  readonly env: NodeJS.ProcessEnv;
  /** What a warm one is told anew; calls at the same time share the last. */
  readonly variables: Call["variables"];
  readonly cap: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Warm threads, one per module file; when the file or what it imports changes, the next call gets a new one. */
export interface ModulePool {
  call(request: ModuleCall): Promise<ModuleAnswer>;
  close(): Promise<void>;
}

interface Pending {
  finish(answer: ModuleAnswer): void;
  /** The thread has started: now the hook's time runs. */
  begin(): void;
}

interface Thread {
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

export function modulePool(startMs: number): ModulePool {
  const current = new Map<string, Thread>();
  const all = new Set<Thread>();
  let nextId = 1;

  function threadFor({ file, env }: ModuleCall): Thread {
    const known = current.get(file);
    if (known && !known.retired && isFresh(known)) return known;
    if (known) retire(known);
    const thread = startThread(file, env, all);
    current.set(file, thread);
    return thread;
  }

  return {
    call: (request) =>
      new Promise((resolve) => {
        const { input, variables, cap, timeoutMs, signal } = request;
        if (signal?.aborted) return resolve({ kind: "abort" });
        const thread = threadFor(request);
        const id = nextId++;
        const finish = (answer: ModuleAnswer) => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", onAbort);
          thread.pending.delete(id);
          settle(thread);
          resolve(answer);
        };
        // A thread that does not answer may be in an endless loop: nothing new is asked of it.
        const giveUp = (answer: ModuleAnswer) => {
          if (!thread.pending.has(id)) return;
          thread.retired = true;
          finish(answer);
        };
        const onAbort = () => giveUp({ kind: "abort" });
        const waitedMs = startMs + timeoutMs;
        const notStarted = () => thread.started || giveUp({ kind: "not-started", waitedMs });
        let timer = setTimeout(() => afterPoll(notStarted), waitedMs);
        const begin = () => {
          clearTimeout(timer);
          timer = setTimeout(() => afterPoll(() => giveUp({ kind: "timeout" })), timeoutMs);
        };
        if (thread.started) begin();
        signal?.addEventListener("abort", onAbort);
        thread.pending.set(id, { finish, begin });
        thread.worker.ref();
        thread.port.postMessage({ id, input, variables, cap } satisfies Call);
      }),
    close: async () => {
      current.clear();
      await Promise.all([...all].map(({ worker }) => worker.terminate()));
    },
  };
}

function startThread(file: string, env: NodeJS.ProcessEnv, all: Set<Thread>): Thread {
  const { port1: port, port2 } = new MessageChannel();
  // Its streams are taken from the host's and left alone: whoever reads them keeps the host from ending.
  const worker = new Worker(new URL("./worker.js", import.meta.url), {
    workerData: { file, port: port2 } satisfies ThreadData,
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

function isFresh({ prints }: Thread): boolean {
  return [...prints].every(([file, print]) => filePrint(file) === print);
}

function retire(thread: Thread): void {
  thread.retired = true;
  settle(thread);
}

/** With nothing left to answer, a thread keeps no host alive, and one that is retired ends. */
function settle({ pending, worker, retired }: Thread): void {
  if (pending.size > 0) return;
  worker.unref();
  if (retired) void worker.terminate();
}

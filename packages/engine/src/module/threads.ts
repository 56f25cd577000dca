import { inspect } from "node:util";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { isObject } from "@belay/core/internal";
import type { Variables } from "../environment.ts";
import { filePrint } from "../files/read.ts";
import type { Limits } from "../options.ts";
import { onDeadline, resolvesWithin } from "../waiting.ts";
import type { Call, CallResult, LoadedFile, Started } from "./messages.ts";
import type { ThreadData } from "./worker.ts";

interface ModuleCall {
  readonly file: string;
  /** A thread serves calls of one environment. */
  readonly environment: string;
  readonly input: string;
  /** What a new thread starts with. */
  readonly env: Variables;
  /** What a running thread is told anew; calls at the same time share the last. */
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

export type ModuleLimits = Pick<Limits, "moduleStartMs" | "killGraceMs">;

/** So many threads of one file are kept, one for each environment. */
const MAX_ENVIRONMENTS = 4;

export function modulePool(limits: ModuleLimits): ModulePool {
  const current = new Map<string, Thread>();
  const all = new Set<Thread>();
  let nextId = 1;

  function threadFor(call: ModuleCall): Thread {
    const { file, environment } = call;
    const key = environment === "" ? file : JSON.stringify([file, environment]);
    const known = current.get(key);
    current.delete(key); // the last that was called stands last
    if (known && !known.retired && isFresh(known)) {
      current.set(key, known);
      return known;
    }
    if (known) retire(known);
    if (environment !== "") makeRoom(file);
    const thread = startThread(call, all);
    current.set(key, thread);
    return thread;
  }

  /** Of the threads of one file, the one that was called longest ago goes when there are too many. */
  function makeRoom(file: string): void {
    const same = [...current].filter(([, thread]) => thread.file === file);
    const [oldest] = same;
    if (same.length < MAX_ENVIRONMENTS || oldest === undefined) return;
    current.delete(oldest[0]);
    retire(oldest[1]);
  }

  return {
    call: async (request) => {
      if (request.signal?.aborted) return { kind: "abort", ended: false };
      return callOn(threadFor(request), nextId++, request, limits);
    },
    close: async () => {
      current.clear();
      await Promise.all([...all].map((thread) => end(thread, limits.killGraceMs)));
    },
  };
}

/** One call: its answer, or the limit, or an abort, whichever is first. */
function callOn(
  thread: Thread,
  id: number,
  { input, variables, cap, timeoutMs, signal }: ModuleCall,
  { moduleStartMs, killGraceMs }: ModuleLimits,
): Promise<ModuleAnswer> {
  return new Promise((resolve) => {
    const leave = () => {
      stop();
      thread.pending.delete(id);
      settle(thread);
    };
    const finish = (answer: ModuleAnswer) => {
      leave();
      resolve(answer);
    };
    // A thread that does not answer may be in an endless loop: it gets no new calls, and ends with its last one.
    const giveUp = async (how: (ended: boolean) => ModuleAnswer) => {
      thread.retired = true;
      leave();
      resolve(how(thread.pending.size === 0 && (await end(thread, killGraceMs))));
    };
    const wait = (limitMs: number, atLimit: (ended: boolean) => ModuleAnswer) =>
      onDeadline({ timeoutMs: limitMs, signal }, (how) =>
        giveUp(how === "timeout" ? atLimit : (ended) => ({ kind: "abort", ended })),
      );
    const waitedMs = moduleStartMs + timeoutMs;
    let stop = wait(waitedMs, () => ({ kind: "not-started", waitedMs }));
    const begin = () => {
      stop();
      stop = wait(timeoutMs, (ended) => ({ kind: "timeout", ended }));
    };
    if (thread.started) begin();
    thread.pending.set(id, { finish, begin });
    thread.worker.ref();
    thread.port.postMessage({ id, input, variables, cap, timeoutMs } satisfies Call);
  });
}

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

interface Thread {
  readonly file: string;
  readonly worker: Worker;
  /** For our messages alone: what a module posts to its parent has no listener. */
  readonly port: MessagePort;
  /** What it has loaded, by file. */
  readonly prints: Map<string, string>;
  readonly pending: Map<number, Pending>;
  started: boolean;
  /** Gets no new calls, and ends after its last one. Calls under way are not harmed by the failure or abort of another. */
  retired: boolean;
}

/** Starts a thread that loads the module and waits for calls. It takes itself out of `all` when it ends. */
function startThread(
  { file, env, timeoutMs }: { file: string; env: Variables; timeoutMs: number },
  all: Set<Thread>,
): Thread {
  const { port1: port, port2 } = new MessageChannel();
  // The thread's streams are kept from the host's and not read: reading them would keep the host from ending.
  const worker = new Worker(new URL("./worker.js", import.meta.url), {
    workerData: { file, timeoutMs, maxError: MAX_ERROR, port: port2 } satisfies ThreadData,
    transferList: [port2],
    env,
    stdout: true,
    stderr: true,
  });
  const prints = new Map([[file, filePrint(file)]]);
  const thread: Thread = { file, worker, port, prints, pending: new Map(), started: false, retired: false };
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

/** A module can reach every port of its thread: a message is checked before it is believed. */
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

/** How much of an error's message is kept. */
const MAX_ERROR = 10_000;

/** The message of anything that was thrown outside a call. */
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

/**
 * Ends a thread. Returns false if it does not end within the grace: a thread that waits in a system call cannot be ended.
 * Such a thread keeps no event loop alive, but a host that exits waits for the call, and only KILL ends that host.
 */
function end({ worker }: Thread, graceMs: number): Promise<boolean> {
  worker.unref();
  return resolvesWithin(worker.terminate(), graceMs);
}

/** With no call under way, a thread keeps no host alive, and ends if it is retired. */
function settle({ pending, worker, retired }: Thread): void {
  if (pending.size > 0) return;
  worker.unref();
  if (retired) void worker.terminate();
}

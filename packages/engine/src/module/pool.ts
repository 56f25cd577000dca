import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";

export type ModuleAnswer =
  | { readonly kind: "output"; readonly output: string }
  | { readonly kind: "error"; readonly error: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "abort" };

/** Warm threads, one per module file; a changed file gets a new one. */
export interface ModulePool {
  call(file: string, input: string, timeoutMs: number, signal?: AbortSignal): Promise<ModuleAnswer>;
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  readonly version: string;
  readonly pending: Map<number, (answer: ModuleAnswer) => void>;
}

export function modulePool(): ModulePool {
  const threads = new Map<string, Thread>();
  let nextId = 1;

  function threadFor(file: string): Thread {
    const version = versionOf(file);
    const current = threads.get(file);
    if (current?.version === version) return current;
    if (current) retire(file, current, { kind: "error", error: "the module changed while it ran" });
    const thread = startThread(file, version, (ended) => {
      if (threads.get(file) === ended) threads.delete(file);
    });
    threads.set(file, thread);
    return thread;
  }

  function retire(file: string, thread: Thread, answer: ModuleAnswer): void {
    if (threads.get(file) === thread) threads.delete(file);
    settleAll(thread, answer);
    void thread.worker.terminate();
  }

  return {
    call: (file, input, timeoutMs, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve({ kind: "abort" });
        const thread = threadFor(file);
        const id = nextId++;
        const finish = (answer: ModuleAnswer) => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", onAbort);
          thread.pending.delete(id);
          if (thread.pending.size === 0) thread.worker.unref();
          resolve(answer);
        };
        // A thread that does not answer may be in an endless loop: it is ended, and with it what else it was asked.
        const end = (answer: ModuleAnswer) => {
          finish(answer);
          retire(file, thread, { kind: "error", error: "its thread was ended because another call hung" });
        };
        const onAbort = () => end({ kind: "abort" });
        const timer = setTimeout(() => end({ kind: "timeout" }), timeoutMs);
        signal?.addEventListener("abort", onAbort);
        thread.pending.set(id, finish);
        thread.worker.ref();
        thread.worker.postMessage({ id, input });
      }),
    close: async () => {
      const workers = [...threads.values()].map(({ worker }) => worker.terminate());
      threads.clear();
      await Promise.all(workers);
    },
  };
}

function startThread(file: string, version: string, onEnd: (thread: Thread) => void): Thread {
  // The host's stdout belongs to the host: what a module prints goes to stderr, as an author's log lines do.
  const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData: { file }, stdout: true });
  worker.stdout.on("data", (chunk: Buffer) => process.stderr.write(chunk));
  const thread: Thread = { worker, version, pending: new Map() };
  worker.on("message", ({ id, output, error }: { id: number; output?: string; error?: string }) => {
    const answer: ModuleAnswer =
      output === undefined ? { kind: "error", error: error ?? "" } : { kind: "output", output };
    thread.pending.get(id)?.(answer);
  });
  worker.on("error", (error) => settleAll(thread, { kind: "error", error: error.message }));
  worker.on("exit", (code) => {
    settleAll(thread, { kind: "error", error: `its thread ended with code ${code}` });
    onEnd(thread);
  });
  return thread;
}

function settleAll(thread: Thread, answer: ModuleAnswer): void {
  for (const settle of [...thread.pending.values()]) settle(answer);
}

/** Changes whenever the file does; a missing file is reported by the import itself. */
function versionOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs}:${stat.size}:${stat.ino}` : "missing";
}

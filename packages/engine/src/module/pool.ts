import type { Variables } from "../environment.ts";
import type { Limits } from "../limits.ts";
import { afterPoll } from "../process/child.ts";
import type { Call } from "./messages.ts";
import { end, isFresh, type ModuleAnswer, retire, settle, startThread, type Thread } from "./thread.ts";

interface ModuleCall {
  readonly file: string;
  readonly input: string;
  /** What a new thread starts with. */
  readonly env: Variables;
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

export type ModuleLimits = Pick<Limits, "moduleStartMs" | "killGraceMs">;

export function modulePool(limits: ModuleLimits): ModulePool {
  const current = new Map<string, Thread>();
  const all = new Set<Thread>();
  let nextId = 1;

  function threadFor(call: ModuleCall): Thread {
    const { file } = call;
    const known = current.get(file);
    if (known && !known.retired && isFresh(known)) return known;
    if (known) retire(known);
    const thread = startThread(call, all);
    current.set(file, thread);
    return thread;
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
  request: ModuleCall,
  { moduleStartMs, killGraceMs }: ModuleLimits,
): Promise<ModuleAnswer> {
  const { input, variables, cap, timeoutMs, signal } = request;
  return new Promise((resolve) => {
    const leave = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      thread.pending.delete(id);
      settle(thread);
    };
    const finish = (answer: ModuleAnswer) => {
      leave();
      resolve(answer);
    };
    // A thread that does not answer may be in an endless loop: nothing new is asked of it, and it ends with its last call.
    const giveUp = async (how: (ended: boolean) => ModuleAnswer) => {
      if (!thread.pending.has(id)) return;
      thread.retired = true;
      leave();
      resolve(how(thread.pending.size === 0 && (await end(thread, killGraceMs))));
    };
    const onAbort = () => giveUp((ended) => ({ kind: "abort", ended }));
    const waitedMs = moduleStartMs + timeoutMs;
    const notStarted = () => thread.started || giveUp(() => ({ kind: "not-started", waitedMs }));
    let timer = setTimeout(() => afterPoll(notStarted), waitedMs);
    const begin = () => {
      clearTimeout(timer);
      timer = setTimeout(() => afterPoll(() => giveUp((ended) => ({ kind: "timeout", ended }))), timeoutMs);
    };
    if (thread.started) begin();
    signal?.addEventListener("abort", onAbort);
    thread.pending.set(id, { finish, begin });
    thread.worker.ref();
    thread.port.postMessage({ id, input, variables, cap, timeoutMs } satisfies Call);
  });
}

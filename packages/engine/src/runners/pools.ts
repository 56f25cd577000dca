import type { Limits } from "../limits.ts";
import type { ModulePool } from "../module/threads.ts";
import type { WarmPool } from "../warm/pool.ts";

/*
 * The pools of module hooks and warm hooks. Each is loaded with its first call: threads and warm processes are no part of a
 * start without such hooks.
 */

export function lazyModulePool(limits: Limits): ModulePool {
  const pool = lazily(async () => (await import("../module/threads.ts")).modulePool(limits));
  return { call: async (request) => (await pool.load()).call(request), close: pool.close };
}

export function lazyWarmPool(limits: Limits, handleSignals: boolean): WarmPool {
  const pool = lazily(async () => (await import("../warm/pool.ts")).warmPool(limits, handleSignals));
  return {
    call: async (hook, question) => (await pool.load()).call(hook, question),
    start: async (hook) => (await pool.load()).start(hook),
    close: pool.close,
  };
}

function lazily<T extends { close(): Promise<void> }>(open: () => Promise<T>) {
  let opening: Promise<T> | undefined;
  return {
    load: () => {
      opening ??= open();
      return opening;
    },
    close: async () => (await opening)?.close(),
  };
}

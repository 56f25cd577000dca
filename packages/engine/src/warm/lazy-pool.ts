import type { Limits } from "../limits.ts";
import type { WarmPool } from "./pool.ts";

/** The pool, loaded with the first warm hook: it is no part of a start without one. */
export function lazyWarmPool(limits: Limits, handleSignals: boolean): WarmPool {
  let loading: Promise<WarmPool> | undefined;
  const load = () => {
    loading ??= import("./pool.ts").then(({ warmPool }) => warmPool(limits, handleSignals));
    return loading;
  };
  return {
    call: async (hook, question) => (await load()).call(hook, question),
    start: async (hook) => (await load()).start(hook),
    close: async () => (await loading)?.close(),
  };
}

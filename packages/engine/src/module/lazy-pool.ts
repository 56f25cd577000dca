import type { ModuleLimits, ModulePool } from "./pool.ts";

/** The pool, loaded with the first call: threads are no part of a start without module hooks. */
export function lazyModulePool(limits: ModuleLimits): ModulePool {
  let loading: Promise<ModulePool> | undefined;
  const load = () => {
    loading ??= import("./pool.ts").then(({ modulePool }) => modulePool(limits));
    return loading;
  };
  return {
    call: async (request) => (await load()).call(request),
    close: async () => (await loading)?.close(),
  };
}

import type { Hook } from "@belay/core";
import type { Folders, Variables } from "../environment.ts";
import { evaluateTrust } from "../trust/evaluate.ts";
import { warmHook } from "./from-hook.ts";
import type { WarmPool } from "./pool.ts";

interface Place {
  readonly warm: WarmPool;
  readonly folders: Folders;
  readonly env: Variables;
}

/** A host that ends right after the event, as the command line does, starts nothing for nobody. */
const LATER_MS = 20;

/** Starts the processes of all warm hooks that may run, a moment from now: no event waits for it, and no host. */
export function warmUp(hooks: readonly Hook[], { warm, folders, env }: Place, closing: AbortSignal): void {
  const concerned = hooks.filter(
    ({ enabled, handler }) => enabled && handler.type === "command" && handler.warm,
  );
  if (concerned.length === 0) return;
  const begin = () => {
    if (closing.aborted) return;
    for (const hook of evaluateTrust(concerned, folders).runs.keys())
      if (hook.handler.type === "command") void warm.start(warmHook(hook, hook.handler, { folders, env }));
  };
  setTimeout(begin, LATER_MS).unref();
}

import type { Handler, Hook } from "@belay/core";
import { type Folders, type Variables, warmVariables, withVariables } from "../environment.ts";
import { commandLine } from "../runners/command-line.ts";
import { coveredFiles } from "../trust/covered-files.ts";
import { mayRun, readProjectTrust } from "../trust/evaluate.ts";
import type { WarmHook, WarmPool } from "./pool.ts";

/** How the process of a warm hook is started: in the project's folder, for it serves events of any other as well. */
export function warmHook(
  hook: Hook,
  handler: Extract<Handler, { type: "command" }>,
  { folders, env }: { readonly folders: Folders; readonly env: Variables },
): WarmHook {
  const { project, home } = folders;
  const known = { project, plugin: hook.source.pluginRoot };
  return {
    identity: hook.identity,
    isParallel: handler.warm === "parallel",
    start: () => ({
      ...commandLine(handler, known),
      cwd: project,
      env: withVariables(env, warmVariables(known)),
    }),
    files: () => coveredFiles(hook, { project, cwd: project, home }, [home]).files,
    mayStart: () => mayRun(readProjectTrust([hook], folders).of(hook)),
  };
}

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
    const trust = readProjectTrust(concerned, folders);
    for (const hook of concerned)
      if (hook.handler.type === "command" && mayRun(trust.of(hook)))
        void warm.start(warmHook(hook, hook.handler, { folders, env }));
  };
  setTimeout(begin, LATER_MS).unref();
}

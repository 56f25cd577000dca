import type { Handler, Hook } from "@belay/core";
import { type Folders, type Variables, warmVariables, withVariables } from "../environment.ts";
import { commandLine } from "../runners/command-line.ts";
import { coveredFiles } from "../trust/covered-files.ts";
import { evaluateTrust } from "../trust/evaluate.ts";
import type { WarmHook } from "./pool.ts";

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
    mayStart: () => evaluateTrust([hook], folders).runs.has(hook),
  };
}

import { relative } from "node:path";
import type { Diagnostic, Hook } from "@belay/core";
import { whatRuns } from "@belay/core/internal";
import { findProject, homeFolder, readText, scriptsOf } from "@belay/engine/internal";
import { adviseAs, type Harness, type Read } from "@belay/harness";
import { errorsIn } from "./letter.ts";

/** As much of a script as `check` reads. */
const MAX_BYTES = 1024 * 1024;

/** What the hooks of a config mean in other agents. Hooks that are switched off are left alone. */
export function checkAs(agents: readonly Harness[], hooks: readonly Hook[], cwd: string): Diagnostic[] {
  const home = homeFolder();
  const folders = { project: findProject(cwd, home), cwd, home };
  const inForce = hooks.filter(({ enabled }) => enabled);
  const advice = inForce.flatMap((hook) => {
    const texts = readsOf(hook, folders);
    return agents.flatMap((harness) => adviseAs(harness, hook, texts));
  });
  return [...agents.flatMap((harness) => errorsIn(harness, inForce)), ...advice];
}

function readsOf(hook: Hook, folders: { project: string; cwd: string; home: string }): Read[] {
  const { handler } = hook;
  if (handler.type !== "command") return [];
  const scripts = scriptsOf(hook, folders).flatMap(({ file }): Read[] => {
    try {
      const text = readText(file, { max: MAX_BYTES }).replaceAll(/^[ \t]*(?:#|\/\/).*$/gm, "");
      return [{ script: relative(folders.cwd, file) || file, text, file }];
    } catch {
      return []; // `check` has said why
    }
  });
  return [{ script: "the command", text: whatRuns(handler) }, ...scripts];
}

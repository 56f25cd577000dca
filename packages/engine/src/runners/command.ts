import type { Hook } from "@belay/core";
import { runProcess } from "../process/run-process.ts";
import { environment, type Runner } from "./runner.ts";

export const runCommand: Runner = (request) => {
  const { hook, input, cwd, limits, signal } = request;
  if (hook.handler.type !== "command") throw new TypeError(`not a command hook: ${hook.name}`);
  return runProcess({
    command: withPluginRoot(hook.handler.command, hook),
    cwd,
    env: environment(request).env,
    input,
    timeoutMs: hook.timeoutMs,
    graceMs: limits.killGraceMs,
    cap: limits.outputCap,
    ...(signal && { signal }),
  });
};

/** `${CLAUDE_PLUGIN_ROOT}` is in the environment as well; single-quoted, it would reach nobody. */
function withPluginRoot(command: string, { source }: Hook): string {
  const root = source.pluginRoot;
  return root === undefined ? command : command.replaceAll(/\$\{CLAUDE_PLUGIN_ROOT\}/g, () => root);
}

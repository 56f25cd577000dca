import type { Hook } from "@belay/core";
import { runProcess } from "../process/run-process.ts";
import type { Runner, RunRequest } from "./runner.ts";

export const runCommand: Runner = (request) => {
  const { hook, input, cwd, limits, signal } = request;
  if (hook.handler.type !== "command") throw new TypeError(`not a command hook: ${hook.name}`);
  return runProcess({
    command: withPluginRoot(hook.handler.command, hook),
    cwd,
    env: environment(request),
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

function environment({ hook, env, projectDir, sessionId }: RunRequest): NodeJS.ProcessEnv {
  const copy: NodeJS.ProcessEnv = {};
  // Name by name: a spread of process.env takes twice as long, and no hook starts before this is done.
  for (const name of Object.keys(env)) copy[name] = env[name];
  return Object.assign(copy, {
    BELAY_PROJECT_DIR: projectDir,
    WAVE_PROJECT_DIR: projectDir,
    CLAUDE_PROJECT_DIR: projectDir,
    BELAY_SESSION_ID: sessionId,
    BELAY_EVENT: hook.event,
    ...(hook.source.pluginRoot !== undefined && { CLAUDE_PLUGIN_ROOT: hook.source.pluginRoot }),
  });
}

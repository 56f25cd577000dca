import { overlaid, withFolders } from "../environment.ts";
import { type Runner, variablesOf } from "./runner.ts";

export const runCommand: Runner<"command"> = ({ command, args }, request) => {
  const { hook, input, cwd, projectDir, limits, signal } = request;
  const plugin = hook.source.pluginRoot;
  const fill = (word: string) => withFolders(word, { project: projectDir, plugin });
  return request.launch({
    ...(args
      ? { command: fill(command), args: args.map(fill) }
      : { command: withPluginRoot(command, plugin) }),
    cwd,
    env: overlaid(request.env, variablesOf(request)),
    input,
    timeoutMs: hook.timeoutMs,
    graceMs: limits.killGraceMs,
    cap: limits.outputCap,
    ...(signal && { signal }),
  });
};

/**
 * The variable is in the environment as well, but single quotes hide it there. A folder whose name means something to a
 * shell is left to the environment: it must not become a part of the command.
 */
function withPluginRoot(command: string, root: string | undefined): string {
  if (root === undefined || !/^[\w@%+=:,./ -]+$/.test(root)) return command;
  return command.replaceAll(/\$\{CLAUDE_PLUGIN_ROOT\}/g, () => root);
}

import type { Hook } from "@belay/core";
import { overlaid, type Variables, withFolders } from "../environment.ts";
import { type Runner, type RunRequest, variablesOf } from "./runner.ts";

export const runCommand: Runner<"command"> = ({ command, args }, request) => {
  const { hook, input, cwd, projectDir, limits, signal } = request;
  const plugin = hook.source.pluginRoot;
  const fill = (word: string) => withFolders(word, { project: projectDir, plugin });
  return request.launch({
    ...(args
      ? { command: fill(command), args: args.map(fill) }
      : { command: withPluginRoot(command, plugin) }),
    cwd,
    env: environmentOf(request),
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

interface Given {
  readonly base: Variables;
  readonly sessionId: string;
  readonly env: Variables;
}
const given = new WeakMap<Hook, Given>();

/** What a hook is given from one event to the next: made once, and always over what the host has now. */
function environmentOf(request: RunRequest): Variables {
  const { hook, env: base, sessionId } = request;
  const known = given.get(hook);
  if (known?.base === base && known.sessionId === sessionId) return known.env;
  const env = overlaid(base, variablesOf(request));
  given.set(hook, { base, sessionId, env });
  return env;
}

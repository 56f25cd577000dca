import type { Handler, Hook } from "@belay/core";
import {
  type Folders,
  type KnownFolders,
  type Variables,
  warmVariables,
  withFolders,
  withVariables,
} from "../environment.ts";
import type { ChildSpec } from "../process/child.ts";
import { mayRun, readProjectTrust } from "../trust/evaluate.ts";
import { fingerprint, isUntouched } from "../trust/fingerprint.ts";
import type { WarmHook, WarmPool } from "../warm/pool.ts";
import { type Runner, variablesOf } from "./runner.ts";

type CommandHandler = Extract<Handler, { type: "command" }>;

/** Starts a process for the event; a warm hook's process is asked instead. */
export const runCommand: Runner<"command"> = async (handler, request) => {
  const { hook, input, cwd, projectDir, limits } = request;
  const { timeoutMs, source } = hook;
  const signal = request.signal && { signal: request.signal };
  if (handler.warm)
    return request.warm.call(warmHook(hook, handler, request), { input, timeoutMs, ...signal });
  return request.launch({
    ...commandLine(handler, { project: projectDir, plugin: source.pluginRoot }),
    cwd,
    env: withVariables(request.env, variablesOf(request)),
    input,
    timeoutMs,
    graceMs: limits.killGraceMs,
    cap: limits.outputCap,
    ...signal,
  });
};

/** What is started for a command hook: a line for the shell, or a program with its arguments. The folders are filled in. */
export function commandLine(
  { command, args, shell }: CommandHandler,
  folders: KnownFolders,
): Pick<ChildSpec, "command" | "args" | "shell"> {
  if (!args) return { command: withPluginRoot(command, folders.plugin), ...(shell === "bash" && { shell }) };
  return { command: withFolders(command, folders), args: args.map((word) => withFolders(word, folders)) };
}

/**
 * Fills in the plugin's folder, which single quotes would hide from the shell. A folder whose name means something to a
 * shell is left to the environment: it must not become a part of the command.
 */
function withPluginRoot(command: string, root: string | undefined): string {
  if (root === undefined || !/^[\w@%+=:,./ -]+$/.test(root)) return command;
  return command.replaceAll("${CLAUDE_PLUGIN_ROOT}", () => root);
}

interface Place {
  readonly folders: Folders;
  readonly env: Variables;
  readonly environment: string;
}

/** A warm hook, as the pool knows it. Its process starts in the project's folder: it serves events of every folder. */
function warmHook(hook: Hook, handler: CommandHandler, { folders, env, environment }: Place): WarmHook {
  const { project, home } = folders;
  const known = { project, plugin: hook.source.pluginRoot };
  return {
    identity: hook.identity,
    environment,
    isParallel: handler.warm === "parallel",
    start: () => ({
      ...commandLine(handler, known),
      cwd: project,
      env: withVariables(env, warmVariables(known, hook.dialect)),
    }),
    snapshot: () => {
      const place = { project, cwd: project, home, more: [home] };
      let taken = fingerprint(hook, place);
      return () => {
        if (!taken.isFresh) return isUntouched(hook, taken, place);
        const before = taken;
        taken = fingerprint(hook, place);
        return taken.print === before.print && taken.stamp === before.stamp;
      };
    },
    mayStart: () => mayRun(readProjectTrust([hook], folders).of(hook)),
  };
}

/** A host that ends right after the event, as the command line does, starts no warm process in vain. */
const WARM_UP_AFTER_MS = 20;

/** Starts the processes of all warm hooks that may run, a moment from now. Neither an event nor the host's end waits for it. */
export function warmUp(
  hooks: readonly Hook[],
  { warm, ...place }: Place & { readonly warm: WarmPool },
  closing: AbortSignal,
): void {
  const concerned = hooks.filter(
    ({ enabled, handler }) => enabled && handler.type === "command" && handler.warm,
  );
  if (concerned.length === 0) return;
  const begin = () => {
    if (closing.aborted) return;
    const trust = readProjectTrust(concerned, place.folders);
    for (const hook of concerned)
      if (hook.handler.type === "command" && mayRun(trust.of(hook)))
        void warm.start(warmHook(hook, hook.handler, place));
  };
  setTimeout(begin, WARM_UP_AFTER_MS).unref();
}

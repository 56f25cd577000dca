import type { Hook } from "@belay/core";
import { overlaid, type Variables } from "../environment.ts";
import { warmHook } from "../warm/from-hook.ts";
import { commandLine } from "./command-line.ts";
import { type Runner, type RunRequest, variablesOf } from "./runner.ts";

export const runCommand: Runner<"command"> = (handler, request) => {
  const { hook, input, cwd, projectDir, limits, signal } = request;
  const { timeoutMs, source } = hook;
  const asked = { input, timeoutMs, ...(signal && { signal }) };
  if (handler.warm) return request.warm.call(warmHook(hook, handler, request), asked);
  return request.launch({
    ...commandLine(handler, { project: projectDir, plugin: source.pluginRoot }),
    cwd,
    env: environmentOf(request),
    graceMs: limits.killGraceMs,
    cap: limits.outputCap,
    ...asked,
  });
};

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

import { withVariables } from "../environment.ts";
import { warmHook } from "../warm/from-hook.ts";
import { commandLine } from "./command-line.ts";
import { type Runner, variablesOf } from "./runner.ts";

export const runCommand: Runner<"command"> = (handler, request) => {
  const { hook, input, cwd, projectDir, limits, signal } = request;
  const { timeoutMs, source } = hook;
  const asked = { input, timeoutMs, ...(signal && { signal }) };
  if (handler.warm) return request.warm.call(warmHook(hook, handler, request), asked);
  return request.launch({
    ...commandLine(handler, { project: projectDir, plugin: source.pluginRoot }),
    cwd,
    env: withVariables(request.env, variablesOf(request)),
    graceMs: limits.killGraceMs,
    cap: limits.outputCap,
    ...asked,
  });
};

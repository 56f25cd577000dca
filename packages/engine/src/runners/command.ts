import { runProcess } from "../process/run-process.ts";
import { environment, type Runner } from "./runner.ts";

export const runCommand: Runner = (request) => {
  const { hook, input, cwd, limits, signal } = request;
  if (hook.handler.type !== "command") throw new TypeError(`not a command hook: ${hook.name}`);
  return runProcess({
    command: hook.handler.command,
    cwd,
    env: environment(request).env,
    input,
    timeoutMs: hook.timeoutMs,
    graceMs: limits.killGraceMs,
    cap: limits.outputCap,
    ...(signal && { signal }),
  });
};

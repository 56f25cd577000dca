import { resolveModule } from "../config/scripts.ts";
import { type Runner, runWithoutProcess } from "./runner.ts";

/** Calls the function a module exports. An object is output, nothing is silence, a throw is a fault. */
export const runModule: Runner = async ({ hook, input, projectDir, limits, modules, signal }) => {
  const started = performance.now();
  if (hook.handler.type !== "module") throw new TypeError(`not a module hook: ${hook.name}`);
  const file = resolveModule(hook.handler.module, hook.source.file, projectDir);
  const answer = await modules.call(file, input, hook.timeoutMs, signal);
  switch (answer.kind) {
    case "output": {
      const bytes = Buffer.from(answer.output);
      const truncated = bytes.length > limits.outputCap;
      const stdout = truncated ? bytes.subarray(0, limits.outputCap).toString("utf8") : answer.output;
      return runWithoutProcess(started, {
        stdout,
        truncated,
        ...(truncated && { cut: ["stdout"], cap: limits.outputCap }),
      });
    }
    case "error":
      return runWithoutProcess(started, { failure: { kind: "throw", detail: answer.error } });
    case "abort":
      return runWithoutProcess(started, { failure: { kind: "abort", detail: "its thread was ended" } });
    case "timeout": {
      const detail = `no answer within ${hook.timeoutMs / 1000} s; its thread was ended`;
      return runWithoutProcess(started, { timedOut: true, failure: { kind: "timeout", detail } });
    }
  }
};

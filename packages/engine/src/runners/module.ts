import { existsSync } from "node:fs";
import type { Run } from "@belay/core";
import { modulePlaces, resolveModule } from "../config/scripts.ts";
import { withVariables } from "../environment.ts";
import { decode } from "../process/capture.ts";
import { type Runner, runWithoutProcess, variablesOf } from "./runner.ts";

/** Calls the function a module exports. An object is output, nothing is silence, a throw is a fault. */
export const runModule: Runner<"module"> = async ({ module }, request) => {
  const { hook, input, projectDir, limits, modules, signal } = request;
  const started = performance.now();
  const file = resolveModule(module, hook.source.file, projectDir);
  if (!existsSync(file)) {
    const places = modulePlaces(module, hook.source.file, projectDir);
    return runWithoutProcess(started, {
      failure: { kind: "throw", detail: `there is no ${places.join(" and no ")}` },
    });
  }
  const variables = variablesOf(request);
  const answer = await modules.call({
    file,
    input,
    env: withVariables(request.env, variables),
    variables,
    cap: limits.outputCap,
    timeoutMs: hook.timeoutMs,
    ...(signal && { signal }),
  });
  switch (answer.kind) {
    case "output":
      return runWithoutProcess(started, capped(answer.output, answer.printed, limits.outputCap));
    case "error":
      return runWithoutProcess(started, {
        ...capped("", answer.printed, limits.outputCap),
        failure: { kind: "throw", detail: answer.error },
      });
    case "abort":
      return runWithoutProcess(started, { failure: { kind: "abort", detail: "its thread was ended" } });
    case "not-started": {
      const detail = `its thread did not start within ${answer.waitedMs / 1000} s`;
      return runWithoutProcess(started, { failure: { kind: "start", detail } });
    }
    case "timeout": {
      const detail = `no answer within ${hook.timeoutMs / 1000} s; its thread was ended`;
      return runWithoutProcess(started, { timedOut: true, failure: { kind: "timeout", detail } });
    }
  }
};

function capped(stdout: string, stderr: string, cap: number): Partial<Run> {
  const streams = { stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) };
  const cut = (["stdout", "stderr"] as const).filter((name) => streams[name].length > cap);
  const kept = (name: "stdout" | "stderr") => decode(streams[name].subarray(0, cap), cut.includes(name)).text;
  return {
    stdout: kept("stdout"),
    stderr: kept("stderr"),
    truncated: cut.length > 0,
    ...(cut.length > 0 && { cut, cap }),
  };
}

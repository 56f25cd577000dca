import { existsSync } from "node:fs";
import type { Run } from "@belay/core";
import { modulePlaces, resolveModule, withVariables } from "../environment.ts";
import type { ModuleAnswer } from "../module/threads.ts";
import { keptText, outputFacts, runSince } from "../process/capture.ts";
import { type Runner, type RunRequest, timeout, variablesOf } from "./runner.ts";

/** Calls the function a module exports. An object is output, nothing is silence, a throw is a fault. */
export const runModule: Runner<"module"> = async ({ module }, request) => {
  const { hook, input, projectDir, limits, modules, signal } = request;
  const started = performance.now();
  const file = resolveModule(module, hook.source, projectDir);
  if (!existsSync(file)) {
    const places = modulePlaces(module, hook.source, projectDir);
    return runSince(started, {
      failure: { kind: "throw", detail: `there is no ${places.join(" and no ")}` },
    });
  }
  const variables = variablesOf(request);
  const answer = await modules.call({
    file,
    environment: request.environment,
    input,
    env: withVariables(request.env, variables),
    variables,
    cap: limits.outputCap,
    timeoutMs: hook.timeoutMs,
    ...(signal && { signal }),
  });
  return runSince(started, factsOf(answer, request));
};

function factsOf(answer: ModuleAnswer, { hook, limits: { outputCap: cap } }: RunRequest): Partial<Run> {
  switch (answer.kind) {
    case "output": {
      const { output, printed } = answer;
      return outputFacts({ stdout: keptText(output, cap), stderr: keptText(printed, cap) }, cap);
    }
    case "error":
      return {
        ...outputFacts({ stderr: keptText(answer.printed, cap) }, cap),
        failure: { kind: "throw", detail: answer.error },
      };
    case "abort":
      return { failure: { kind: "abort", detail: howItEnded(answer) } };
    case "not-started": {
      const detail = `its thread did not start within ${answer.waitedMs / 1000} s`;
      return { failure: { kind: "start", detail } };
    }
    case "timeout":
      return timeout(hook, `; ${howItEnded(answer)}`);
  }
}

/** A thread that waits in a system call, or in which other calls go on, has not ended. */
function howItEnded({ ended }: { readonly ended: boolean }): string {
  return ended ? "its thread was ended" : "it was given up";
}

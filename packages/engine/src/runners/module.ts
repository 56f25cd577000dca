import { existsSync } from "node:fs";
import { modulePlaces, resolveModule } from "../check/script-words.ts";
import { withVariables } from "../environment.ts";
import { capped, type Runner, runWithoutProcess, timeout, variablesOf } from "./runner.ts";

/** Calls the function a module exports. An object is output, nothing is silence, a throw is a fault. */
export const runModule: Runner<"module"> = async ({ module }, request) => {
  const { hook, input, projectDir, limits, modules, signal } = request;
  const started = performance.now();
  const file = resolveModule(module, hook.source, projectDir);
  if (!existsSync(file)) {
    const places = modulePlaces(module, hook.source, projectDir);
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
      return runWithoutProcess(
        started,
        capped({ stdout: answer.output, stderr: answer.printed }, limits.outputCap),
      );
    case "error":
      return runWithoutProcess(started, {
        ...capped({ stderr: answer.printed }, limits.outputCap),
        failure: { kind: "throw", detail: answer.error },
      });
    case "abort":
      return runWithoutProcess(started, { failure: { kind: "abort", detail: howItEnded(answer) } });
    case "not-started": {
      const detail = `its thread did not start within ${answer.waitedMs / 1000} s`;
      return runWithoutProcess(started, { failure: { kind: "start", detail } });
    }
    case "timeout":
      return runWithoutProcess(started, timeout(hook, `; ${howItEnded(answer)}`));
  }
};

/** A thread that waits in a system call, or in which other calls go on, has not ended. */
function howItEnded({ ended }: { readonly ended: boolean }): string {
  return ended ? "its thread was ended" : "it was given up";
}

import type { Handler, Run } from "@belay/core";
import { messageOf } from "@belay/core/internal";
import type { ModulePool } from "../module/threads.ts";
import type { Limits } from "../options.ts";
import { runSince } from "../process/capture.ts";
import type { WarmPool } from "../warm/pool.ts";
import { runCommand } from "./command.ts";
import { runModule } from "./module.ts";
import type { Runner, RunRequest } from "./runner.ts";

/** Gives back the configured object; nothing is executed. */
const runJson: Runner<"json"> = async ({ json, exitcode }) =>
  runSince(performance.now(), { stdout: JSON.stringify(json), exitCode: exitcode });

/** Read so that the file can be shared with Claude Code, and said so that nobody takes it for a guard. */
const runElsewhere = async ({ type }: { readonly type: string }): Promise<Run> => {
  const failure = {
    kind: "elsewhere",
    detail: `Belay runs no hook of type ${type}, Claude Code does`,
  } as const;
  return runSince(performance.now(), { failure });
};

/** A way to run a hook is a module and a line here. Those that few settings have are loaded when one runs. */
const RUNNERS: { readonly [Type in Handler["type"]]: Runner<Type> } = {
  command: runCommand,
  json: runJson,
  http: async (...call) => (await import("./http.ts")).runHttp(...call),
  module: runModule,
  prompt: async (...call) => (await import("./prompt.ts")).runPrompt(...call),
  mcp_tool: runElsewhere,
  agent: runElsewhere,
};

/** Runs one hook. A runner that throws is a defect of ours, and still only a fault of that hook. */
export async function runHook(request: RunRequest): Promise<Run> {
  const started = performance.now();
  if (request.signal?.aborted) {
    return runSince(started, { failure: { kind: "abort", detail: "it was not started" } });
  }
  try {
    const { handler } = request.hook;
    // The compiler does not see that the runner found under a handler's type is the one for that handler.
    const run = RUNNERS[handler.type] as (handler: Handler, request: RunRequest) => Promise<Run>;
    return await run(handler, request);
  } catch (error) {
    return runSince(started, { failure: { kind: "start", detail: messageOf(error) } });
  }
}

/** Loaded with its first call, as the warm pool is: threads and warm processes are no part of a start without such hooks. */
export function lazyModulePool(limits: Limits): ModulePool {
  const pool = lazily(async () => (await import("../module/threads.ts")).modulePool(limits));
  return { call: async (request) => (await pool.load()).call(request), close: pool.close };
}

export function lazyWarmPool(limits: Limits, handleSignals: boolean): WarmPool {
  const pool = lazily(async () => (await import("../warm/pool.ts")).warmPool(limits, handleSignals));
  return {
    call: async (hook, question) => (await pool.load()).call(hook, question),
    start: async (hook) => (await pool.load()).start(hook),
    close: pool.close,
  };
}

function lazily<T extends { close(): Promise<void> }>(open: () => Promise<T>) {
  let opening: Promise<T> | undefined;
  return {
    load: () => {
      opening ??= open();
      return opening;
    },
    close: async () => (await opening)?.close(),
  };
}

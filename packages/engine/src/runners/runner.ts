import type { Handler, Hook, Run } from "@belay/core";
import { hookVariables } from "../environment.ts";
import type { Limits } from "../limits.ts";
import type { ModulePool } from "../module/pool.ts";

/** Puts a question to a model and gives back its words. Rejects when it cannot; the signal ends it. */
export type Ask = (question: { readonly prompt: string; readonly signal: AbortSignal }) => Promise<string>;

/** What every kind of runner is given. */
export interface RunRequest {
  readonly hook: Hook;
  /** The payload as the hook reads it: one line of JSON. */
  readonly input: string;
  readonly cwd: string;
  readonly projectDir: string;
  readonly sessionId: string;
  readonly env: NodeJS.ProcessEnv;
  readonly limits: Limits;
  /** URL patterns that hooks from project files may call; absent: loopback only. */
  readonly allowedHttpHookUrls?: readonly string[];
  readonly modules: ModulePool;
  readonly ask?: Ask;
  readonly signal?: AbortSignal;
}

/** Runs one hook of its type and reports facts; opinions belong to core's parse. Never rejects. */
export type Runner<Type extends Handler["type"]> = (
  handler: Extract<Handler, { type: Type }>,
  request: RunRequest,
) => Promise<Run>;

/** The variables of the hook that is to run. */
export function variablesOf({ hook, projectDir, sessionId }: RunRequest) {
  const folders = { project: projectDir, plugin: hook.source.pluginRoot };
  return hookVariables(folders, sessionId, hook.event);
}

/** A Run for hooks that are no process: no exit code, no stderr. */
export function runWithoutProcess(started: number, facts: Partial<Run>): Run {
  return {
    stdout: "",
    stderr: "",
    executionTime: performance.now() - started,
    timedOut: false,
    truncated: false,
    ...facts,
  };
}

/** The Run of a hook that was not started, and why. */
export function notRun(failure: NonNullable<Run["failure"]>): Run {
  return runWithoutProcess(performance.now(), { failure });
}

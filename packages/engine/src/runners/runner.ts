import type { Handler, Hook, Run } from "@belay/core";
import { type Folders, hookVariables, type Variables } from "../environment.ts";
import type { Launch } from "../launcher/launch.ts";
import type { ModulePool } from "../module/threads.ts";
import type { Limits } from "../options.ts";
import { runSince } from "../process/capture.ts";
import { onDeadline } from "../waiting.ts";
import type { WarmPool } from "../warm/pool.ts";

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
  /** How hard the agent thinks, as its payload says. */
  readonly effort?: string;
  /** A file for the variables that it sets. */
  readonly envFile?: string;
  readonly env: Variables;
  /** Kept processes and threads are told apart by it; "" where all callers have one environment. */
  readonly environment: string;
  readonly limits: Limits;
  /** URL patterns that hooks from project files may call; absent: loopback only. */
  readonly allowedHttpHookUrls?: readonly string[];
  readonly modules: ModulePool;
  /** Starts a process and waits for it. */
  readonly launch: Launch["run"];
  readonly warm: WarmPool;
  /** The folders that trust is evaluated with. */
  readonly folders: Folders;
  readonly ask?: Ask;
  readonly signal?: AbortSignal;
}

/** Runs one hook of its type and reports facts; opinions belong to core's parse. Never rejects. */
export type Runner<Type extends Handler["type"]> = (
  handler: Extract<Handler, { type: Type }>,
  request: RunRequest,
) => Promise<Run>;

/** The variables of the hook that is to run. */
export function variablesOf({ hook, projectDir, sessionId: session, effort, envFile: file }: RunRequest) {
  const { event, dialect, source } = hook;
  const folders = { project: projectDir, plugin: source.pluginRoot };
  return hookVariables(folders, { event, dialect, session, effort, file });
}

/** The Run of a hook that was not started, and why. */
export function notRun(failure: NonNullable<Run["failure"]>): Run {
  return runSince(performance.now(), { failure });
}

type Failure = NonNullable<Run["failure"]>;

/** The agent reads this detail, so it does not say what the user may do. */
export const EDITED: Failure = {
  kind: "edited",
  detail: "it was edited since it was trusted, and is not run",
};

/** A guard that nobody has trusted, where such guards refuse. */
export const NEVER_TRUSTED: Failure = { kind: "edited", detail: "it is not trusted, and is not run" };

/** A file of the hook was written during the run: what ran may not be what the user trusted. */
export const EDITED_MEANWHILE: Failure = { kind: "edited", detail: "it was edited while it ran" };

interface Ends {
  /** What an abort did to the hook. */
  readonly aborted: string;
  failed(error: unknown): Failure;
}

/** Runs `act` until the hook's limit or an abort, and does not wait for `act` then. Never rejects. */
export async function withinLimit(
  { hook, signal }: RunRequest,
  { aborted, failed }: Ends,
  act: (signal: AbortSignal) => Promise<Partial<Run>>,
): Promise<Partial<Run>> {
  const ending = new AbortController();
  let stop = () => {};
  const cutOff = new Promise<Partial<Run>>((resolve) => {
    stop = onDeadline({ timeoutMs: hook.timeoutMs, signal }, (how) => {
      resolve(how === "timeout" ? timeout(hook) : { failure: { kind: "abort", detail: aborted } });
      ending.abort();
    });
  });
  try {
    return await Promise.race([cutOff, act(ending.signal)]);
  } catch (error) {
    return { failure: failed(error) };
  } finally {
    stop();
  }
}

/** The facts of a hook that gave no answer in its time; `done` says what was done about it. */
export function timeout({ timeoutMs }: Hook, done = ""): Partial<Run> {
  return {
    timedOut: true,
    failure: { kind: "timeout", detail: `no answer within ${timeoutMs / 1000} s${done}` },
  };
}

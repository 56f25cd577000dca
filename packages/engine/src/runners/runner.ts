import type { Handler, Hook, Run } from "@belay/core";
import { type Folders, hookVariables, type Variables } from "../environment.ts";
import type { Launch } from "../launcher/launch.ts";
import type { Limits } from "../limits.ts";
import type { ModulePool } from "../module/pool.ts";
import { decode } from "../process/capture.ts";
import { afterPoll } from "../process/child.ts";
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
  readonly env: Variables;
  readonly limits: Limits;
  /** URL patterns that hooks from project files may call; absent: loopback only. */
  readonly allowedHttpHookUrls?: readonly string[];
  readonly modules: ModulePool;
  /** Starts a process and waits for it. */
  readonly launch: Launch["run"];
  readonly warm: WarmPool;
  /** What its trust is looked up with. */
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

type Failure = NonNullable<Run["failure"]>;

/** The agent reads this: what the user may do about it is no word for the agent. */
export const EDITED: Failure = {
  kind: "edited",
  detail: "it was edited since it was trusted, and is not run",
};

/** One of its files was written while it ran: what ran may not be what the user trusted. */
export const EDITED_MEANWHILE: Failure = { kind: "edited", detail: "it was edited while it ran" };

/** What happens to a hook that is no process when it does not come to its end. */
interface Ends {
  /** What an abort did to it. */
  readonly aborted: string;
  failed(error: unknown): Failure;
}

/** Acts until the hook's limit or an abort, and is back then even if the act is not. Never rejects. */
export async function withinLimit(
  { hook, signal }: RunRequest,
  { aborted, failed }: Ends,
  act: (signal: AbortSignal) => Promise<Partial<Run>>,
): Promise<Partial<Run>> {
  let end: "timeout" | "abort" | undefined;
  const ending = new AbortController();
  const ended = new Promise<never>((_resolve, reject) => {
    ending.signal.addEventListener("abort", () => reject(ending.signal.reason), { once: true });
  });
  const finish = (how: "timeout" | "abort") => {
    end ??= how;
    ending.abort();
  };
  const onAbort = () => finish("abort");
  const timer = setTimeout(() => afterPoll(() => finish("timeout")), hook.timeoutMs);
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  try {
    return await Promise.race([act(ending.signal), ended]);
  } catch (error) {
    if (end === "timeout") return timeout(hook);
    return { failure: end === "abort" ? { kind: "abort", detail: aborted } : failed(error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** A hook that gave no answer in its time, and what was done about it. */
export function timeout({ timeoutMs }: Hook, done = ""): Partial<Run> {
  return {
    timedOut: true,
    failure: { kind: "timeout", detail: `no answer within ${timeoutMs / 1000} s${done}` },
  };
}

/** Texts as a Run keeps them: at most `cap` bytes of each, cut between characters. */
export function capped(texts: Partial<Pick<Run, "stdout" | "stderr">>, cap: number): Partial<Run> {
  const streams = { stdout: Buffer.from(texts.stdout ?? ""), stderr: Buffer.from(texts.stderr ?? "") };
  const cut = (["stdout", "stderr"] as const).filter((name) => streams[name].length > cap);
  const kept = (name: "stdout" | "stderr") => decode(streams[name].subarray(0, cap), cut.includes(name)).text;
  return {
    stdout: kept("stdout"),
    stderr: kept("stderr"),
    truncated: cut.length > 0,
    ...(cut.length > 0 && { cut, cap }),
  };
}

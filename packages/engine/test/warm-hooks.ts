import { existsSync, readFileSync } from "node:fs";
import type { Engine, EngineOptions, Outcome, RunReport } from "@belay/engine";
import { until } from "./processes.ts";
import { fixture, type Scratch, scratch } from "./scratch.ts";

/** A warm hook that does with each call what it is told (fixtures/hooks/warm-obeys.mjs). */

export const OBEYS = fixture("warm-obeys.mjs");

export interface Warm extends Scratch {
  readonly hooks: Engine;
  /** One call, with what the hook is to do. */
  call(todo?: object, signal?: AbortSignal): Promise<Outcome>;
  /** The same, the run alone. */
  run(todo?: object, signal?: AbortSignal): Promise<RunReport>;
  /** The process that answers: its pid, how many calls it has had, and the id of this one. */
  who(todo?: object): Promise<{ pid: number; calls: number; id: string }>;
}

export async function openWarm(entry: object = {}, options: EngineOptions = {}): Promise<Warm> {
  const room = scratch();
  const hook = { type: "command", command: OBEYS, warm: true, name: "h", ...entry };
  return warmOf(room, await room.engineFor("PreToolUse", [hook], options));
}

export function warmOf(room: Scratch, hooks: Engine): Warm {
  const call = (todo: object = {}, signal?: AbortSignal) =>
    hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: { ...todo } }, signal && { signal });
  const run = async (todo?: object, signal?: AbortSignal) => {
    const [first, ...more] = (await call(todo, signal)).runs;
    if (!first || more.length > 0) throw new Error(`${more.length + (first ? 1 : 0)} runs`);
    return first;
  };
  const who = async (todo?: object) => {
    const { stdout, failure } = await run(todo);
    const [pid, calls, id = ""] = stdout.split(" ");
    if (id === "") throw new Error(`no answer: ${stdout} ${JSON.stringify(failure)}`);
    return { pid: Number(pid), calls: Number(calls), id };
  };
  return { ...room, hooks, call, run, who };
}

export function isAlive(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/environ`)) return false;
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[2] !== "Z";
}

export function dead(pid: number): Promise<boolean> {
  return until(() => !isAlive(pid));
}

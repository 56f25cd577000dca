import type { EngineOptions } from "@belay/engine";
import { type Scratch, SESSION } from "./scratch.ts";

export const PROJECT = "project/.belay/settings.json";

/** Whether the hooks of the project ran at a stop. */
export async function ran({ engine, project }: Scratch, options: EngineOptions = {}): Promise<boolean> {
  const { runs } = await (await engine({ cwd: project, ...options })).fire("Stop", { session_id: SESSION });
  return runs.length > 0;
}

/** A command inside `sh -c`, so many times. */
export function nested(command: string, times: number): string {
  const quoted = `"${command.replaceAll(/["\\$]/g, "\\$&")}"`;
  return times === 0 ? command : nested(`sh -c ${quoted}`, times - 1);
}

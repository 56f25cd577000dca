import type { EngineOptions, Hook } from "@belay/engine";
import { configLoader, configPlaces } from "@belay/engine/internal";
import { type Scratch, SESSION } from "./scratch.ts";

export const PROJECT = "project/.belay/settings.json";

/** Whether the hooks of the project ran at a stop. */
export async function ran({ engine, project }: Scratch, options: EngineOptions = {}): Promise<boolean> {
  const { runs } = await (await engine({ cwd: project, ...options })).fire("Stop", { session_id: SESSION });
  return runs.some(({ failure }) => failure === undefined);
}

/** The hooks of a project, as they are configured now. */
export async function hooksOf({ home, project }: Scratch, cwd = project): Promise<readonly Hook[]> {
  return (await configLoader().load(configPlaces({ cwd, home, sessionId: "" }))).hooks;
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord } from "@belay/core";
import { CALL, type Scratch, says, scratch } from "./scratch.ts";

export function files(folder: string): string[] {
  return readdirSync(folder).sort();
}

export function records(folder: string): EventRecord[] {
  return files(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as EventRecord),
  );
}

export async function open(hooks: object[] = [says("x")], room: Scratch = scratch()) {
  const engine = await room.engineFor("PreToolUse", hooks);
  const folder = engine.journalFolder as string;
  const fire = (input: Record<string, unknown> = {}) => engine.fire("PreToolUse", { ...CALL, ...input });
  return { ...room, engine, folder, fire };
}

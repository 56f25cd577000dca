import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord, Run } from "@belay/core";
import type { Engine } from "@belay/engine";
import { expect } from "vitest";
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

/** What became of the hooks of events that were aborted: `fire` rejects, so their records say it. */
export async function abortedRuns({ journalFolder }: Engine, ...firing: Promise<unknown>[]): Promise<Run[]> {
  for (const one of firing) await expect(one).rejects.toBeDefined();
  const aborted = records(journalFolder as string).filter((record) => record.aborted);
  expect(aborted).toHaveLength(firing.length);
  return aborted.flatMap(({ hooks }) => hooks.map(({ run }) => run));
}

export async function open(hooks: object[] = [says("x")], room: Scratch = scratch()) {
  const engine = await room.engineFor("PreToolUse", hooks);
  const folder = engine.journalFolder as string;
  const fire = (input: Record<string, unknown> = {}) => engine.fire("PreToolUse", { ...CALL, ...input });
  return { ...room, engine, folder, fire };
}

/** A line of the journal, of about this many bytes. */
export function line(id: string, bytes = 0): string {
  const record = {
    version: 1,
    id,
    time: "2026-01-02T03:04:05.678Z",
    session: "s",
    cwd: "/p",
    event: "Stop",
    hooks: [],
    payload: { filling: "ü".repeat(bytes / 2) },
    outcome: { decision: { kind: "none" } },
  };
  return `${JSON.stringify(record)}\n`;
}

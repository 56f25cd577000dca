import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord } from "@belay/core";
import { expect } from "vitest";
import { type Scratch, scratch } from "./cli.ts";

export const command = (name: string, text: string, more: object = {}) => ({
  type: "command",
  name,
  command: text,
  ...more,
});
export const bash = (...hooks: object[]) => ({ PreToolUse: [{ matcher: "Bash", hooks }] });
export const GUARD = command("guard", 'grep -q "rm -rf" && { echo not that >&2; exit 2; }; exit 0');

export interface Recorded extends Scratch {
  readonly folder: string;
  readonly journal: string;
  records(): EventRecord[];
  write(records: readonly object[]): void;
}

/** A project with three recorded calls of Bash, one of them denied, and a stop. */
export async function recorded(hooks: object = bash(GUARD)): Promise<Recorded> {
  const room = scratch();
  const config = room.config(hooks, "old.json");
  const call = (text: string) => [
    "PreToolUse",
    "--tool",
    "Bash",
    "--tool-input",
    JSON.stringify({ command: text }),
  ];
  for (const args of [call("ls"), call("rm -rf /"), call("git push"), ["Stop"]])
    await room.belay([
      "run",
      ...args,
      "--config",
      config,
      "--session",
      `s-${args[4]?.length ?? 0}`,
      "--json",
    ]);
  const [project = ""] = readdirSync(join(room.home, ".belay/journal"));
  const folder = join(room.home, ".belay/journal", project);
  const [name = ""] = readdirSync(folder);
  const journal = join(folder, name);
  const made: Recorded = {
    ...room,
    folder,
    journal,
    records: () =>
      readFileSync(journal, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as EventRecord),
    write: (records) =>
      writeFileSync(journal, records.map((record) => `${JSON.stringify(record)}\n`).join("")),
  };
  made.write(made.records().map((record) => took(record, 60_000)));
  return made;
}

/** A record whose hooks took so long: on a busy machine any other is slower now and then. */
export function took(record: EventRecord, executionTime: number): EventRecord {
  return { ...record, hooks: record.hooks.map((hook) => ({ ...hook, run: { ...hook.run, executionTime } })) };
}

export interface Report {
  readonly changes: {
    id: string;
    about?: string;
    changes: string[];
    loosened: boolean;
    before: { decision: object };
    after: { decision: object };
  }[];
  readonly summary: Record<string, unknown>;
}

export async function report(
  room: Scratch,
  args: readonly string[],
  said = /^$/,
): Promise<{ code: number | null; report: Report }> {
  const { code, stdout, stderr } = await room.belay(["replay", "--json", ...args]);
  expect(stderr).toMatch(said);
  return { code, report: JSON.parse(stdout) as Report };
}

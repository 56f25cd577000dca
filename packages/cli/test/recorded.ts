import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventName, EventRecord } from "@belay/core";
import { createEngine } from "@belay/engine";
import { expect } from "vitest";
import type { EventFlags } from "../src/args/flags.ts";
import { payloadFor } from "../src/args/payload.ts";
import { type Scratch, scratch } from "./cli.ts";

export const command = (name: string, text: string, more: object = {}) => ({
  type: "command",
  name,
  command: text,
  ...more,
});
export const bash = (...hooks: object[]) => ({ PreToolUse: [{ matcher: "Bash", hooks }] });
export const GUARD = command("guard", 'grep -q "rm -rf" && { echo not that >&2; exit 2; }; exit 0');

/** Records an event as `belay run --config old.json` does, without a process for it. */
export async function record(
  { project, home, config }: Scratch,
  event: EventName,
  hooks: object,
  flags: EventFlags = {},
): Promise<void> {
  const configFiles = [config(hooks, "old.json")];
  const engine = await createEngine({ cwd: project, home, configFiles, launcher: "off" });
  await engine.fire(event, payloadFor(event, { cwd: project, ...flags }, {}, engine.sessionId));
  await engine.close();
}

export interface Recorded extends Scratch {
  readonly folder: string;
  readonly journal: string;
  /** Of ls, rm, git push and the stop. */
  records(): [EventRecord, EventRecord, EventRecord, EventRecord];
  write(records: readonly object[]): void;
}

/** A project with three recorded calls of Bash, one of them denied, and a stop. */
export async function recorded(hooks: object = bash(GUARD)): Promise<Recorded> {
  const room = scratch();
  const call = (text: string) => ({ "tool-input": JSON.stringify({ command: text }) });
  await record(room, "PreToolUse", hooks, { ...call("ls"), session: "s-16" });
  await record(room, "PreToolUse", hooks, { ...call("rm -rf /"), session: "s-22" });
  await record(room, "PreToolUse", hooks, { ...call("git push"), session: "s-22" });
  await record(room, "Stop", hooks, { session: "s-0" });
  const [project = ""] = readdirSync(join(room.home, ".belay/journal"));
  const folder = join(room.home, ".belay/journal", project);
  const [name = ""] = readdirSync(folder);
  const journal = join(folder, name);
  const made: Recorded = {
    ...room,
    folder,
    journal,
    records: () => JSON.parse(`[${readFileSync(journal, "utf8").trim().replaceAll("\n", ",")}]`),
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

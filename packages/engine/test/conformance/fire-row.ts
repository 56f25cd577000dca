import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVENTS } from "@belay/core";
import {
  createEngine,
  type EventRecord,
  type FireOptions,
  type InputSchema,
  type Outcome,
} from "@belay/engine";
import { LAUNCHER } from "../scratch.ts";
import type { Expect, Group, HookSpec, Row, Step } from "./row.ts";

export interface FiredStep {
  readonly step: Step;
  readonly outcome: Outcome;
  /** The line the journal holds of it. */
  readonly record: EventRecord;
}

/** Fires a row through the engine: a config file, a home and a working folder of its own, real processes. */
export async function fireRow(row: Row): Promise<FiredStep[]> {
  const root = mkdtempSync(join(tmpdir(), "belay-conformance-"));
  const config = join(root, "hooks.json");
  writeFileSync(config, JSON.stringify(configOf(row)));
  const engine = await createEngine({
    launcher: LAUNCHER,
    cwd: root,
    home: join(root, "home"),
    configFiles: [config],
    journal: join(root, "journal"),
    env: { PATH: process.env.PATH, HOME: join(root, "home") },
    ...(row.limits && { limits: row.limits }),
  });
  try {
    const outcomes: Outcome[] = [];
    for (const { event, payload } of stepsOf(row)) {
      const input: Record<string, unknown> = { ...EVENTS[event].sample, ...payload };
      outcomes.push(await engine.fire(event, input, fireOptions(row)));
    }
    const records = readJournal(join(root, "journal"));
    return stepsOf(row).map((step, index) => ({
      step,
      outcome: outcomes[index] as Outcome,
      record: records[index] as EventRecord,
    }));
  } finally {
    await engine.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** The events of a row. A single hook that prints an object is read as JSON, unless the row says otherwise. */
export function stepsOf(row: Row): readonly Step[] {
  const { event, payload, expect, hook = {} } = row;
  const read = typeof hook.out === "object" || hook.json ? { read: "json" as const } : {};
  const full = (expected: Expect): Expect => ({
    ...(!expected.mixed && read),
    ...expected,
    ...(expected.shown === true && { shown: printed(hook.json ?? hook.out) ?? "" }),
  });
  if (row.steps) return row.steps.map((step) => ({ ...step, expect: full(step.expect) }));
  if (!event || !expect) throw new TypeError(`a row needs an event and an expectation: ${row.says}`);
  return [{ event, expect: full(expect), ...(payload && { payload }) }];
}

const printed = (out?: string | object) => (typeof out === "object" ? JSON.stringify(out) : out);

export function configOf(row: Row): object {
  const groups = (row.groups ?? [{ hooks: row.hooks ?? [row.hook ?? {}] }]).map(toGroup);
  const events = new Set(stepsOf(row).map(({ event }) => event));
  return {
    ...(row.dialect && { dialect: row.dialect }),
    hooks: Object.fromEntries([...events].map((event) => [event, groups])),
  };
}

function toGroup({ hooks, ...group }: Group): object {
  return { ...group, hooks: hooks.map(toEntry) };
}

function toEntry({ out, err, exit, delay, after, command, json, exitcode, ...rest }: HookSpec): object {
  const common = { name: "h", ...rest };
  if (json) return { type: "json", json, ...(exitcode !== undefined && { exitcode }), ...common };
  const text = printed(out);
  const lines = [
    ...(delay === undefined ? [] : [`sleep ${delay}`]),
    ...(text === undefined ? [] : [`printf %s ${quote(text)}`]),
    ...(err === undefined ? [] : [`printf %s ${quote(err)} >&2`]),
    after ?? `exit ${exit ?? 0}`,
  ];
  return { type: "command", command: command ?? lines.join("\n"), ...common };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function fireOptions({ toolTakes }: Row): FireOptions {
  return toolTakes === undefined ? {} : { toolSchema: takesOneString(toolTakes) };
}

/** The smallest Standard Schema that can refuse something. */
function takesOneString(field: string): InputSchema {
  const validate = (value: unknown) =>
    typeof (value as Record<string, unknown>)[field] === "string"
      ? {}
      : { issues: [{ message: "expected a string", path: [field] }] };
  return { "~standard": { validate } };
}

function readJournal(folder: string): EventRecord[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as EventRecord);
}

import * as v from "valibot";
import { type DiagnosticCode, diagnose } from "./diagnostics.ts";
import { ANSWER_FIELDS, COMMON_FIELDS } from "./fields.ts";
import type { JsonObject } from "./output.ts";
import type { Rule } from "./rules.ts";
import { nearest } from "./suggest.ts";
import type { Diagnostic } from "./types.ts";

/** How often each problem came up in one run's output, which may hold thousands of objects. */
export type Tally = Map<DiagnosticCode, number>;

/** Problems of one kind that are listed per run; the first of each kind always is. The rest is a number. */
const MAX_LISTED = 10;

/** One reading of one object: problems are collected while fields are taken one by one. */
export interface Reading {
  readonly rule: Rule;
  readonly hook: string;
  readonly diagnostics: Diagnostic[];
  readonly tally: Tally;
  /** Fields that were given but unsound: they are not missing, only unusable. */
  readonly unsound: Set<string>;
  /** The object breaks a rule of DESIGN §4.2. */
  invalid: boolean;
}

export type Values = Partial<Record<string, unknown>>;
export type Fields = Readonly<Record<string, v.GenericSchema>>;

/** Counts a problem, and lists it while there is room. */
export function note(
  reading: Reading,
  code: DiagnosticCode,
  values: Record<string, string>,
  path = values.path,
): void {
  if (code === "output-invalid" || code === "output-missing") reading.invalid = true;
  if (!hasRoom(reading, code)) return;
  const filled = { event: reading.rule.event, dialect: reading.rule.dialectName, ...values };
  const where = { hook: reading.hook, ...(path !== undefined && { path }) };
  reading.diagnostics.push(diagnose(code, filled, where));
}

function hasRoom({ tally }: Reading, code: DiagnosticCode): boolean {
  const count = (tally.get(code) ?? 0) + 1;
  tally.set(code, count);
  return count <= MAX_LISTED;
}

/** What a run's list of problems leaves out, in one diagnostic. */
export function unlisted(tally: Tally, hook: string): Diagnostic[] {
  const count = [...tally.values()].reduce((sum, times) => sum + Math.max(0, times - MAX_LISTED), 0);
  return count === 0 ? [] : [diagnose("output-more-problems", { count }, { hook })];
}

/** The sound fields of one level. null and "" count as absent; a wrong type or value is noted and left out. */
export function take(reading: Reading, from: JsonObject, prefix: string, fields: Fields): Values {
  const values: Values = {};
  for (const name in fields) {
    const value = present(from, name);
    if (value === undefined) continue;
    const result = v.safeParse(fields[name] as v.GenericSchema, value);
    if (result.success) values[name] = value;
    else {
      const [issue] = result.issues;
      reading.unsound.add(name);
      const path = prefix + [name, ...(issue.path ?? []).map((item) => String(item.key))].join(".");
      note(reading, "output-invalid", {
        path,
        expected: issue.expected ?? issue.message,
        got: brief(issue.input),
      });
    }
  }
  return values;
}

export function present(from: JsonObject, name: string): unknown {
  const value = Object.hasOwn(from, name) ? from[name] : undefined;
  return value === null || value === "" ? undefined : value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value in a message: short, and never the inside of an object or array, which has no end to its depth. */
export function brief(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : JSON.stringify(value).slice(0, 40);
}

/** An answer the event cannot give: ignored, said, and its words shown to the user. */
export function refuse(reading: Reading, path: string, value: string, words?: string): void {
  const values = {
    field: path.split(".").at(-1) as string,
    value: JSON.stringify(value),
    words: words === undefined ? "" : `. Its words: ${words}`,
    accepted: [...reading.rule.answers, ...Object.keys(COMMON_FIELDS)].join(", "),
  };
  note(reading, "output-cannot-answer", values, path);
}

/** Ignored fields: known ones at the wrong level, and names nobody knows. */
export function reportUnknown(
  reading: Reading,
  object: JsonObject,
  prefix: string,
  known: readonly string[],
): void {
  const home = prefix === "" ? "inside hookSpecificOutput" : "at the top level";
  const beside = prefix === "" ? `, beside "hookEventName": "${reading.rule.event}"` : "";
  for (const key of Object.keys(object)) {
    if (known.includes(key)) continue;
    const path = prefix + key;
    if (Object.hasOwn(COMMON_FIELDS, key) || Object.hasOwn(ANSWER_FIELDS, key)) {
      note(reading, "output-misplaced-field", { path, field: key, home, beside });
      continue;
    }
    // Guessing is the slow part: no guess for what is not listed.
    const meant = (reading.tally.get("output-unknown-field") ?? 0) < MAX_LISTED && nearest(key, known);
    const guess = meant ? ` (did you mean ${meant}?)` : "";
    const advice = meant ? `Rename it to \`${meant}\`.` : "Remove it.";
    note(reading, "output-unknown-field", { path, guess, advice });
  }
}

export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

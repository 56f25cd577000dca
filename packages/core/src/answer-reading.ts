import { DIAGNOSTICS, type DiagnosticCode, diagnose, type Filling } from "./diagnostics.ts";
import { DEFAULT_DIALECT } from "./dialects.ts";
import type { Field, Fields, Sound } from "./field.ts";
import { ANSWER_FIELDS, COMMON_FIELDS } from "./fields.ts";
import { insteadOf, meantByDecision } from "./instead.ts";
import type { JsonObject } from "./json-object.ts";
import { expectedBy, type Misfit, misfit } from "./misfit.ts";
import type { Rule } from "./rules.ts";
import { asGuess, nearest } from "./suggest.ts";
import type { Diagnostic } from "./types.ts";
import { brief } from "./wording.ts";

/** How often each problem came up in one run's output, which may hold thousands of objects. */
export type Tally = Map<DiagnosticCode, number>;

/** Problems of one kind that are listed per run; the first of each kind always is. The rest is a number. */
const MAX_LISTED = 10;

/** A guess takes work, and there may be thousands of names that nobody knows. */
const MAX_GUESSES = 50;

/** One reading of one object: problems are collected while fields are taken one by one. */
export interface AnswerReading {
  readonly rule: Rule;
  readonly hook: string;
  readonly diagnostics: Diagnostic[];
  readonly tally: Tally;
  /** Fields that were given but unsound: they are not missing, only unusable. */
  readonly unsound: string[];
  /** The object breaks a rule of DESIGN §4.2. */
  invalid: boolean;
  /** It restricts at a place where that does not count; nothing else in it may loosen then. */
  meantToRestrict: boolean;
}

/** What fills a row besides what is known anyway: the event, the dialect, the usual advice. */
type Words<Code extends DiagnosticCode> = Omit<
  Filling<Code>,
  "event" | "dialect" | (Code extends "output-invalid" ? "advice" : never)
>;

/** Counts a problem, and lists it while there is room; words that take work to find are a function. */
export function remark<Code extends DiagnosticCode>(
  reading: AnswerReading,
  code: Code,
  words: Words<Code> | (() => Words<Code>),
  at?: string,
): void {
  if (code === "output-invalid" || code === "output-missing") reading.invalid = true;
  if (!hasRoom(reading, code)) return;
  const values = typeof words === "function" ? words() : words;
  const path = at ?? ("path" in values ? String(values.path) : undefined);
  const { event, dialectName: dialect } = reading.rule;
  const filled = {
    event,
    dialect,
    ...(code === "output-invalid" && { advice: correct(path, reading.rule) }),
    ...values,
  };
  const where = { hook: reading.hook, ...(path !== undefined && { path }) };
  reading.diagnostics.push(diagnose(code, filled as Filling<Code>, where));
}

function correct(path: string | undefined, { event, dialectName }: Rule): string {
  const dialect = dialectName === DEFAULT_DIALECT ? "" : ` --dialect ${dialectName}`;
  return `Correct \`${path}\`; \`belay schema ${event} --output${dialect}\` prints what is accepted.`;
}

function hasRoom({ tally }: AnswerReading, code: DiagnosticCode): boolean {
  const count = (tally.get(code) ?? 0) + 1;
  tally.set(code, count);
  return count <= MAX_LISTED;
}

export function errorsIn(tally: Tally): number {
  let errors = 0;
  for (const [code, times] of tally) if (DIAGNOSTICS[code].severity === "error") errors += times;
  return errors;
}

/** What a run's list of problems leaves out, in one diagnostic. */
export function unlisted(tally: Tally, hook: string): Diagnostic[] {
  const count = [...tally.values()].reduce((sum, times) => sum + Math.max(0, times - MAX_LISTED), 0);
  return count === 0 ? [] : [diagnose("output-more-problems", { count }, { hook })];
}

/** The sound fields of one level. null and a string without words count as absent; a wrong type or value is noted and left out. */
export function take<F extends Fields>(
  reading: AnswerReading,
  from: JsonObject,
  prefix: string,
  fields: F,
): Sound<F> {
  const values: Record<string, unknown> = {};
  for (const name in from) {
    if (!Object.hasOwn(fields, name)) continue;
    const value = present(from, name);
    if (value === undefined) continue;
    const field = fields[name] as Field;
    const wrong = misfit(field, value);
    if (!wrong) values[name] = value;
    else {
      reading.unsound.push(name);
      remark(reading, "output-invalid", () => invalid(reading, field, wrong, value, prefix + name));
    }
  }
  return values as Sound<F>;
}

function invalid({ rule }: AnswerReading, field: Field, wrong: Misfit, value: unknown, path: string) {
  return {
    path: [path, ...wrong.path].join("."),
    expected: expectedBy(wrong),
    got: brief(wrong.got),
    ...(field === ANSWER_FIELDS.decision && meantByDecision(rule, value)),
  };
}

export function present(from: JsonObject, name: string): unknown {
  const value = Object.hasOwn(from, name) ? from[name] : undefined;
  return value === null || (typeof value === "string" && value.trim() === "") ? undefined : value;
}

/** An answer the event cannot give: ignored, said, and its words shown to the user. */
export function remarkCannotAnswer(
  reading: AnswerReading,
  path: string,
  value: unknown,
  words?: string,
): void {
  const values = {
    field: path.split(".").at(-1) as string,
    value: brief(value),
    words: words === undefined ? "" : `. Its words: ${words}`,
    advice: insteadOf(value, reading.rule.answers),
  };
  remark(reading, "output-cannot-answer", values, path);
}

/** What restricts, by field: each loosens nothing where it stands, and lets nothing else loosen. */
const RESTRICTIONS: Readonly<Record<string, readonly unknown[]>> = {
  continue: [false],
  decision: ["block"],
  permissionDecision: ["deny", "ask"],
};

/** Ignored fields: known ones at the wrong level, and names nobody knows. */
export function reportUnknown(
  reading: AnswerReading,
  object: JsonObject,
  prefix: string,
  known: readonly string[],
): void {
  for (const key of Object.keys(object)) {
    if (known.includes(key)) continue;
    if (Object.hasOwn(COMMON_FIELDS, key) || Object.hasOwn(ANSWER_FIELDS, key)) {
      remark(reading, "output-misplaced-field", () => misplaced(key, prefix, reading.rule.event));
      reading.meantToRestrict ||= RESTRICTIONS[key]?.includes(object[key]) ?? false;
    } else reportStranger(reading, key, prefix, known);
  }
}

function misplaced(field: string, prefix: string, event: string) {
  const isTop = prefix === "";
  return {
    path: prefix + field,
    field,
    home: isTop ? "inside hookSpecificOutput" : "at the top level",
    beside: isTop ? `, beside "hookEventName": "${event}"` : "",
  };
}

/** A name that is close to one of ours was probably meant to decide something; others may be anybody's. */
function reportStranger(reading: AnswerReading, key: string, prefix: string, known: readonly string[]): void {
  const { tally } = reading;
  const strangers = (tally.get("output-unknown-field") ?? 0) + (tally.get("output-misspelt-field") ?? 0);
  const meant = strangers < MAX_GUESSES ? nearest(key, known) : undefined;
  const path = prefix + key;
  if (meant === undefined)
    remark(reading, "output-unknown-field", () => ({ path, guess: "", advice: "Remove it." }));
  else
    remark(reading, "output-misspelt-field", () => ({
      path,
      guess: asGuess(meant),
      advice: `Rename it to \`${meant}\`.`,
    }));
}

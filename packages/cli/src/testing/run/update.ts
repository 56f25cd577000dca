import { readFileSync } from "node:fs";
import { messageOf } from "@belay/core/internal";
import { targetOf, writeWhole } from "@belay/engine/internal";
import { type CaseFile, patternOf } from "../read/case-file.ts";
import { type Edit, editJson, editYaml, parseSource, saysThat } from "../read/source.ts";
import { expectsNothing, type Got } from "./compare.ts";
import type { CaseResult } from "./run-cases.ts";

export interface Updated {
  readonly written: readonly CaseResult[];
  readonly left: readonly { readonly result: CaseResult; readonly why: string }[];
}

const SHARED = "more of the file would change with it (an anchor?); change it by hand";
const NO_ANSWER = "its hook gave no answer of its own; correct the hook";
const NOT_RUN = "it could not be run";
const KEPT_OFF = "an error in its config keeps hooks off; correct the config";
/** A file that was saved during the run may have other cases in other places. */
const CHANGED = "the file has changed meanwhile; run it again";

export function wroteAlone({ written, left }: Updated): boolean {
  return written.length > 0 && left.every(({ why }) => why !== CHANGED);
}

export async function updateCases(results: readonly CaseResult[]): Promise<Updated> {
  const all = results.filter(({ status }) => status === "fail");
  const failed = all.filter(({ got }) => got !== undefined);
  const files = new Set(failed.map(({ test }) => test.file));
  const updates: Updated[] = [];
  for (const file of files) {
    const own = failed.filter(({ test }) => test.file === file);
    updates.push(
      await updateFile(file, own).catch((error) => ({ written: [], left: leave(own, messageOf(error)) })),
    );
  }
  const worthless = all
    .filter(({ got }) => got === undefined)
    .map((result) => ({ result, why: whyWorthless(result) }));
  return {
    written: updates.flatMap(({ written }) => written),
    left: [...worthless, ...updates.flatMap(({ left }) => left)],
  };
}

function whyWorthless({ outcome, isKeptOff }: CaseResult): string {
  if (isKeptOff) return KEPT_OFF;
  return outcome ? NO_ANSWER : NOT_RUN;
}

async function updateFile(read: CaseFile, results: readonly CaseResult[]): Promise<Updated> {
  const { file } = read;
  const { text, written } = await updatedText(file, read.text, results);
  if (readFileSync(file, "utf8") !== read.text) return { written: [], left: leave(results, CHANGED) };
  if (written.length > 0) await replace(file, text);
  const left = results.filter((result) => !written.includes(result));
  return { written, left: leave(left, SHARED) };
}

async function replace(file: string, text: string): Promise<void> {
  try {
    await writeWhole(targetOf(file), text);
  } catch (error) {
    throw new Error(`${messageOf(error)}; the file is as it was`);
  }
}

function leave(results: readonly CaseResult[], why: string): Updated["left"] {
  return results.map((result) => ({ result, why }));
}

/** All of them at once, which may share an anchor; else each that can be written alone. */
async function updatedText(file: string, text: string, results: readonly CaseResult[]) {
  const whole = await edited(file, text, results.flatMap(editsOf));
  if (whole !== undefined) return { text: whole, written: results };
  const written: CaseResult[] = [];
  let soFar = text;
  for (const result of results) {
    const next = await edited(file, soFar, editsOf(result));
    if (next === undefined) continue;
    soFar = next;
    written.push(result);
  }
  return { text: soFar, written };
}

function editorOf(file: string) {
  return file.endsWith(".json") ? editJson : editYaml;
}

/** Undefined where the text would not say just what it said before, with these changes. */
async function edited(file: string, text: string, edits: readonly Edit[]): Promise<string | undefined> {
  const [before, next] = [await parseSource(file, text), await editorOf(file)(text, edits)];
  return saysThat(await parseSource(file, next), before, edits) ? next : undefined;
}

function editsOf({ test, got, mismatches }: CaseResult): Edit[] {
  const at = ["cases", test.index, "expect"];
  if (got === undefined) return [];
  if (expectsNothing(test.expect ?? {})) return [{ path: at, value: wholeOf(got) }];
  return mismatches.map(({ field }) => ({ path: [...at, field], value: asExpected(field, got) }));
}

function wholeOf(got: Got): Record<string, unknown> {
  const fields: (keyof Got)[] = ["decision"];
  if (got.reason !== undefined) fields.push("reason");
  if (got.by !== undefined) fields.push("by");
  if (got.updatedInput !== undefined) fields.push("updatedInput");
  if (got.updatedPrompt !== undefined) fields.push("updatedPrompt");
  if (got.updatedToolOutput !== undefined) fields.push("updatedToolOutput");
  fields.push("user", "agent");
  return Object.fromEntries(fields.map((field) => [field, asExpected(field, got)]));
}

/** The expectation of what came. Text that looks like a pattern is marked as exact. */
function asExpected(field: keyof Got, got: Got): unknown {
  const quoted = (value: unknown): unknown => {
    if (value === undefined) return null;
    if (Array.isArray(value)) return value.map(quoted);
    return typeof value === "string" && looksLikePattern(value) ? { exact: value } : value;
  };
  if (field === "files")
    return Object.fromEntries(Object.entries(got.files).map(([name, text]) => [name, quoted(text)]));
  const isExact = field === "updatedInput" || field === "updatedToolOutput";
  return isExact ? (got[field] ?? null) : quoted(got[field]);
}

function looksLikePattern(text: string): boolean {
  try {
    return patternOf(text) !== undefined;
  } catch {
    return true;
  }
}

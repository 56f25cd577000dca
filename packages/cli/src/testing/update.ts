import { readFileSync, writeFileSync } from "node:fs";
import { patternOf } from "./case-file.ts";
import type { Got } from "./compare.ts";
import type { CaseResult } from "./run-cases.ts";
import type { Path } from "./source.ts";

/** One place of a case file, and what is to stand there. */
interface Edit {
  readonly path: Path;
  readonly value: unknown;
}

/** Writes what came into the expectations that failed, and into cases that have none. Returns how many were written. */
export async function updateCases(results: readonly CaseResult[]): Promise<number> {
  const failed = results.filter(({ status, got }) => status === "fail" && got !== undefined);
  const files = new Set(failed.map(({ test }) => test.file.file));
  for (const file of files) {
    const edits = failed.filter(({ test }) => test.file.file === file).flatMap(editsOf);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, file.endsWith(".json") ? await editJson(text, edits) : await editYaml(text, edits));
  }
  return failed.length;
}

function editsOf({ test, got, mismatches }: CaseResult): Edit[] {
  const at = ["cases", test.index, "expect"];
  if (got === undefined) return [];
  if (Object.keys(test.expect ?? {}).length === 0) return [{ path: at, value: wholeOf(got) }];
  return mismatches.map(({ field }) => ({ path: [...at, field], value: asExpected(field, got) }));
}

/** What a new case says: the decision, its reason, and every message. */
function wholeOf(got: Got): Record<string, unknown> {
  const fields: (keyof Got)[] = ["decision"];
  if (got.reason !== undefined) fields.push("reason");
  if (got.by !== undefined) fields.push("by");
  if (got.updatedInput !== undefined) fields.push("updatedInput");
  if (got.updatedPrompt !== undefined) fields.push("updatedPrompt");
  fields.push("user", "agent");
  return Object.fromEntries(fields.map((field) => [field, asExpected(field, got)]));
}

/** What came, so that it is expected as it is: text that looks like a pattern is none. */
function asExpected(field: keyof Got, got: Got): unknown {
  const quoted = (value: unknown): unknown => {
    if (value === undefined) return null;
    if (Array.isArray(value)) return value.map(quoted);
    return typeof value === "string" && looksLikePattern(value) ? { exact: value } : value;
  };
  if (field === "files")
    return Object.fromEntries(Object.entries(got.files).map(([name, text]) => [name, quoted(text)]));
  return field === "updatedInput" ? (got.updatedInput ?? null) : quoted(got[field]);
}

function looksLikePattern(text: string): boolean {
  try {
    return patternOf(text) !== undefined;
  } catch {
    return true;
  }
}

async function editJson(text: string, edits: readonly Edit[]): Promise<string> {
  const { applyEdits, modify } = await import("jsonc-parser");
  const indent = /^[\t ]+/m.exec(text)?.[0] ?? "  ";
  const formattingOptions = { insertSpaces: !indent.startsWith("\t"), tabSize: indent.length };
  return edits.reduce(
    (edited, { path, value }) => applyEdits(edited, modify(edited, [...path], value, { formattingOptions })),
    text,
  );
}

/** Only the text of the values is replaced, by JSON, which is YAML as well: all around them stays as it was written. */
async function editYaml(text: string, edits: readonly Edit[]): Promise<string> {
  const { isMap, isNode, parseDocument } = await import("yaml");
  const document = parseDocument(text);
  const splices = edits.map(({ path, value }) => {
    const node = document.getIn(path, true);
    if (isNode(node) && node.range) {
      const [from, to] = node.range;
      return { from, to: from + text.slice(from, to).trimEnd().length, insert: flow(value) };
    }
    const parent = document.getIn(path.slice(0, -1), true);
    if (!isMap(parent) || !parent.range) throw new Error(`there is no place for ${path.join(".")}`);
    const [from, to] = parent.range;
    const end = from + text.slice(from, to).trimEnd().length;
    const entry = `${String(path.at(-1))}: ${flow(value)}`;
    if (parent.flow) {
      const inside = from + text.slice(from, end - 1).trimEnd().length;
      return { from: inside, to: end - 1, insert: `, ${entry} ` };
    }
    const column = from - (text.lastIndexOf("\n", from - 1) + 1);
    return { from: end, to: end, insert: `\n${" ".repeat(column)}${entry}` };
  });
  return splices
    .sort((a, b) => b.from - a.from)
    .reduce((edited, { from, to, insert }) => edited.slice(0, from) + insert + edited.slice(to), text);
}

/** A value on one line. Words that need no quotes have none. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).map(([key, item]) => `${flow(key)}: ${flow(item)}`);
    return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
  }
  const isPlain =
    typeof value === "string" &&
    /^[A-Za-z][\w-]*$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}

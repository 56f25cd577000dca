import { shownPath } from "@belay/engine/tools";
import type { Mismatch } from "../compare.ts";
import type { CaseResult } from "../run-cases.ts";

/** A case file as people call it. */
export function shownFile({ test }: CaseResult, cwd: string): string {
  return shownPath(test.file.file, cwd);
}

/** The two sides of a difference as text: words as they are, the rest as JSON. */
export function sidesOf({ expected, got }: Mismatch): { readonly expected: string; readonly got: string } {
  return { expected: inText(expected), got: inText(got) };
}

function inText(value: unknown): string {
  if (value === undefined || value === null) return "(none)";
  if (Array.isArray(value)) return value.length === 0 ? "(none)" : value.map(inText).join("\n");
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** One line per mismatch, for reports that are not looked at on a screen. */
export function whatFailed({ mismatches, error }: CaseResult): string[] {
  return [
    ...(error === undefined ? [] : [error]),
    ...mismatches.map((mismatch) => {
      const { expected, got } = sidesOf(mismatch);
      return `${mismatch.field}: expected ${onOneLine(expected)}, got ${onOneLine(got)}`;
    }),
  ];
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ⏎ ");
}

export function count(results: readonly CaseResult[], status: CaseResult["status"]): number {
  return results.filter((result) => result.status === status).length;
}

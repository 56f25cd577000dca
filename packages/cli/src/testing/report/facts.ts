import { shownPath } from "@belay/engine/tools";
import type { Mismatch } from "../compare.ts";
import type { CaseResult } from "../run-cases.ts";

/** A case file as people call it. */
export function shownFile({ test }: Pick<CaseResult, "test">, cwd: string): string {
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

/** One line per mismatch and per hook that gave no answer, for reports that are not looked at on a screen. */
export function whatFailed({ mismatches, error, outcome }: CaseResult): string[] {
  return [
    ...(error === undefined ? [] : [error]),
    ...mismatches.map((mismatch) => {
      const { expected, got } = sidesOf(mismatch);
      return `${mismatch.field}: expected ${onOneLine(expected)}, got ${onOneLine(got)}`;
    }),
    ...(outcome?.runs ?? []).flatMap(({ hook, fault }) =>
      fault === undefined ? [] : [`${hook}: ${onOneLine(fault)}`],
    ),
  ];
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ⏎ ");
}

/** What is to be said of the files of these results, each once. */
export function warningsOf(results: readonly CaseResult[], cwd: string) {
  const files = [...new Set(results.map(({ test }) => test.file))];
  return files.flatMap(({ file, warnings }) =>
    warnings.map(({ line, message, fix }) => ({
      file: shownPath(file, cwd),
      line,
      text: fix === undefined ? message : `${message}; ${fix}`,
    })),
  );
}

export function count<S>(results: readonly { readonly status: S }[], status: S): number {
  return results.filter((result) => result.status === status).length;
}

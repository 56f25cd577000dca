import { type Diagnostic, plural } from "@belay/core";

/** Errors in the entries of one event, or of any: what they stand in is in the file and not in force. */
export function errorsIn(problems: readonly Diagnostic[], event?: string): Diagnostic[] {
  return problems.filter(
    (problem) =>
      problem.severity === "error" &&
      problem.event !== undefined &&
      (problem.event === event || event === undefined),
  );
}

/** Errors are counted, not entries: one entry may have several, and one error may switch off a group. */
export function keptOff(
  { length }: readonly Diagnostic[],
  what = length === 1 ? "an entry" : "entries",
): string {
  return `${plural(length, "error")} ${length === 1 ? "keeps" : "keep"} ${what} off`;
}

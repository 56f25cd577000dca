import type { Diagnostic } from "@belay/core";
import { otherReaderOf, plural } from "@belay/core/internal";

/**
 * Errors in the entries of one event, or of all: an entry with an error is in the file, and not in force. An error outside
 * of any event counts for each event: its hooks may have been meant for it.
 */
export function errorsIn(problems: readonly Diagnostic[], event?: string): Diagnostic[] {
  return problems.filter(
    (problem) =>
      problem.severity === "error" &&
      problem.about === "hooks" &&
      !isElsewhere(problem) &&
      (problem.event === undefined || problem.event === event || event === undefined),
  );
}

/** True for a type of hook that only the agent runs whose file it is: nothing is to be corrected. */
function isElsewhere({ code, path = "" }: Diagnostic): boolean {
  return code === "config-unsupported-type" && otherReaderOf(path.replace(/:\d+$/, "")) !== undefined;
}

export function unreadIn(problems: readonly Diagnostic[]): Diagnostic[] {
  return problems.filter(({ code }) => code === "config-unreadable");
}

/** "2 errors keep entries off". Errors are counted: one entry may have several, and one error may switch off a group. */
export function disabledEntries(
  { length }: readonly Diagnostic[],
  what = length === 1 ? "an entry" : "entries",
): string {
  return `${plural(length, "error")} ${length === 1 ? "keeps" : "keep"} ${what} off`;
}

import { type Diagnostic, plural } from "@belay/core";

/**
 * Errors in the entries of one event, or of any: what they stand in is in the file and not in force. One that is of no
 * event counts for each: its hooks may have been meant for it.
 */
export function errorsIn(problems: readonly Diagnostic[], event?: string): Diagnostic[] {
  return problems.filter(
    (problem) =>
      problem.severity === "error" &&
      isAboutHooks(problem) &&
      (problem.event === undefined || problem.event === event || event === undefined),
  );
}

const OF_NO_EVENT: readonly Diagnostic["code"][] = ["config-unknown-event", "config-misspelt-hooks"];

/** Not about permissions, nor about a setting of the file. What is about "hooks" as a whole begins with its path. */
function isAboutHooks({ event, code, message }: Diagnostic): boolean {
  return event !== undefined || OF_NO_EVENT.includes(code) || /^hooks[ :.[]/.test(message);
}

/** Files that cannot be read: whatever they hold is off. */
export function unreadIn(problems: readonly Diagnostic[]): Diagnostic[] {
  return problems.filter(({ code }) => code === "config-unreadable");
}

/** Errors are counted, not entries: one entry may have several, and one error may switch off a group. */
export function keptOff(
  { length }: readonly Diagnostic[],
  what = length === 1 ? "an entry" : "entries",
): string {
  return `${plural(length, "error")} ${length === 1 ? "keeps" : "keep"} ${what} off`;
}

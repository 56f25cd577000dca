import { type Diagnostic, plural } from "@belay/core";

/**
 * Errors in the entries of one event, or of any: what they stand in is in the file and not in force. One that is of no
 * event counts for each: its hooks may have been meant for it.
 */
export function errorsIn(problems: readonly Diagnostic[], event?: string): Diagnostic[] {
  return problems.filter(
    (problem) =>
      (problem.severity === "error" ? isAboutHooks(problem) : isHooksMisspelt(problem)) &&
      (problem.event === undefined || problem.event === event || event === undefined),
  );
}

/** Not about permissions, nor about a setting of the file. What is about "hooks" as a whole begins with its path. */
function isAboutHooks({ event, code, message }: Diagnostic): boolean {
  return event !== undefined || code === "config-unknown-event" || /^hooks[ :.[]/.test(message);
}

/** By another name they are no hooks; what else is misspelt in a file switches none of them off. */
function isHooksMisspelt({ code, fix }: Diagnostic): boolean {
  return code === "config-misspelt-field" && fix === "Rename it to `hooks`.";
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

import { oneLine } from "@belay/core/clean";
import { shorten } from "./text.ts";

/** More of a command than this hides what is said beside it. */
const MOST_COLUMNS = 30;

/** The place that the name of a hook without a name begins with: `PreToolUse[0.1] lint.sh`. */
const PLACE = /\b\w+\[\d+\.\d+\] /g;

/** A hook by its name, or by its command, not by where it is configured. */
export function withoutPlace(hook: string): string {
  return hook.replaceAll(PLACE, "");
}

/** A hook as the one who speaks. */
export function shortHookName(hook: string): string {
  return shorten(oneLine(withoutPlace(hook)), MOST_COLUMNS);
}

/** Words with the hook that said them, unless they name it themselves. */
export function withHookName({
  content,
  hook,
}: {
  readonly content: string;
  readonly hook?: string | undefined;
}): string {
  return hook === undefined || content.includes(`hook ${hook}`)
    ? content
    : `${shortHookName(hook)}: ${content}`;
}

/** Behind a failed call that hooks refused, or whose result they object to. */
export function refusedBy(hook: string | undefined): string {
  return hook === undefined ? "" : ` (${shortHookName(hook)} says no)`;
}

import { oneLine } from "@belay/core/clean";
import { withoutPlace } from "@belay/core/internal";
import { shorten } from "./text.ts";

export { withoutPlace };

/** More of a command than this hides what is said beside it. */
const MOST_COLUMNS = 30;

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

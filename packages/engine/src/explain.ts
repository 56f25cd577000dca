import { type Diagnostic, type EventName, explain, type Hook, type Match } from "@belay/core";
import { asked, clear } from "./config/clear.ts";
import type { Folders } from "./environment.ts";
import type { Payload } from "./payload.ts";

/** Whether one hook fires for one event, trust included. One that is `edited` fires without being run: it refuses. */
export interface ExplainedMatch extends Omit<Match, "because"> {
  readonly because: Match["because"] | "untrusted" | "edited";
  readonly trusted: boolean;
  /** Of one that is not trusted: it was, before a script it names was edited. */
  readonly wasTrusted?: true;
}

export interface Explanation {
  readonly matches: readonly ExplainedMatch[];
  readonly payload: Payload;
  readonly problems: readonly Diagnostic[];
}

/** Every hook with what fire() would make of it. */
export function explainHooks(
  hooks: readonly Hook[],
  event: EventName,
  payload: Payload,
  folders: Folders,
): ExplainedMatch[] {
  const clearance = clear(hooks, folders);
  const matches = new Map(
    explain(asked(hooks, clearance), event, payload).map((match) => [match.hook, match]),
  );
  const lost = new Set(clearance.untrusted.flatMap(({ hook, isEdited }) => (isEdited ? [hook] : [])));
  return hooks.map((hook) => {
    const trusted = clearance.runs.has(hook);
    const match = matches.get(hook);
    if (match) return { ...match, trusted, ...(match.fires && !trusted && { because: "edited" }) };
    const [alone] = explain([hook], event, payload) as [Match];
    return {
      ...alone,
      trusted,
      fires: false,
      ...(alone.fires && { because: "untrusted" }),
      ...(lost.has(hook) && { wasTrusted: true }),
    };
  });
}

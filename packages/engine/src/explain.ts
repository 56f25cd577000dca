import { type Diagnostic, type EventName, explain, type Hook, type Match } from "@belay/core";
import { matching } from "@belay/core/internal";
import type { Folders } from "./environment.ts";
import type { Payload } from "./payload.ts";
import { evaluateTrust } from "./trust/evaluate.ts";

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
  const matched = new Set(matching(hooks, event, payload));
  const asked = { event, all: hooks };
  const { refusing } = evaluateTrust([...matched], folders, asked);
  const { runs, untrusted } = evaluateTrust(hooks, folders);
  const running = hooks.filter((hook) => runs.has(hook));
  const matches = new Map(explain(running, event, payload).map((match) => [match.hook, match]));
  const lost = new Set(untrusted.flatMap(({ hook, state }) => (state === "changed" ? [hook] : [])));
  return hooks.map((hook) => {
    const trusted = runs.has(hook);
    const match = matches.get(hook);
    if (match) return { ...match, trusted };
    const [alone] = explain([hook], event, payload) as [Match];
    if (refusing.has(hook)) return { ...alone, trusted, fires: true, because: "edited" };
    return {
      ...alone,
      trusted,
      fires: false,
      ...(alone.fires && { because: "untrusted" }),
      ...(lost.has(hook) && { wasTrusted: true }),
    };
  });
}

import type { Diagnostic, EventName, Hook, Match } from "@belay/core";
import { explainMatch, type Matching, withoutDoubles } from "@belay/core/internal";
import type { Payload } from "./payload.ts";
import { mayRun, type ProjectTrust } from "./trust/evaluate.ts";

/** Whether one hook fires for one event, trust included. An `edited` hook fires without being run: it refuses. */
export interface ExplainedMatch extends Omit<Match, "because"> {
  readonly because: Match["because"] | "untrusted" | "edited";
  readonly trusted: boolean;
  /** Set if the hook is not trusted now, and was before one of its scripts was edited. */
  readonly wasTrusted?: true;
}

export interface Explanation {
  readonly matches: readonly ExplainedMatch[];
  readonly payload: Payload;
  readonly problems: readonly Diagnostic[];
}

/** What the stages match and trust found. */
interface Found extends Matching {
  readonly event: EventName;
  readonly payload: Payload;
  readonly trust: ProjectTrust;
}

/** Every hook with what fire() makes of it. Tests nothing again. */
export function explainHooks(
  hooks: readonly Hook[],
  { event, payload, matched, heldBack, trust }: Found,
): ExplainedMatch[] {
  const isMatched = new Set(matched);
  const running = new Set(withoutDoubles(matched.filter((hook) => mayRun(trust.of(hook)))));
  const turnedAway = trust.turnedAway(event, { matched, heldBack });
  return hooks.map((hook) => {
    const found = trust.of(hook);
    const trusted = mayRun(found);
    const firing = trusted ? running : isMatched;
    const match = explainMatch(hook, event, payload, { matched: isMatched, heldBack, firing });
    if (trusted) return { ...match, trusted };
    if (turnedAway.has(hook) || (found.refusesAs && isMatched.has(hook)))
      return { ...match, trusted, fires: true, because: "edited" };
    return {
      ...match,
      trusted,
      fires: false,
      ...(match.fires && { because: "untrusted" as const }),
      ...(found.state === "changed" && !found.refusesAs && { wasTrusted: true as const }),
    };
  });
}

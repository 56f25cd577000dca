import { plural } from "@belay/core";
import { clean } from "@belay/core/clean";
import type { ReactNode } from "react";
import type { EventDetail } from "./api.ts";
import { numbered } from "./format.ts";
import type { MatchedHooks, OtherHook } from "./matched-hooks.ts";

export function Matched({
  detail: { record, unmatched, isEdited },
  matched: { ran, others, elsewhere },
}: {
  readonly detail: EventDetail;
  readonly matched: MatchedHooks;
}): ReactNode {
  const [config, whose] = isEdited
    ? ["the edited config", "The hooks of the edited config"]
    : ["today’s config", "Today’s hooks"];
  const whyFired =
    unmatched === undefined
      ? "it is not configured like this any more"
      : `why is not known: ${config} cannot all be read`;
  return (
    <>
      <ul className="matches">
        {numbered(ran).map(({ number, item: { name, source, now } }) => (
          <li key={number} className="fires">
            <span aria-hidden="true">✓</span> <strong>{clean(name)}</strong> fired
            <small>
              {" "}
              {clean(now?.explanation ?? whyFired)} · {clean(source)}
            </small>
          </li>
        ))}
        {others.map((other) => (
          <Other key={`${other.source} ${other.hook}`} other={other} />
        ))}
      </ul>
      {ran.length === 0 && others.length === 0 && unmatched === undefined && (
        <p className="aside">
          {isEdited
            ? `No hook of the edited config waits for ${record.event}.`
            : `No hook waits for ${record.event}. A first one: belay init`}
        </p>
      )}
      <p className="aside">
        {unmatched === undefined
          ? `Why, by ${config}${isEdited ? "" : "; the journal keeps the hooks that ran"}.`
          : `${whose} could not all be asked: ${clean(unmatched)}`}
      </p>
      {elsewhere.length > 0 && (
        <details>
          <summary>and {plural(elsewhere.length, "hook")} of other events</summary>
          <ul className="matches">
            {elsewhere.map((other) => (
              <Other key={`${other.source} ${other.hook}`} other={other} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Other({ other }: { readonly other: OtherHook }): ReactNode {
  const { hook, source, explanation, stoppedBy } = other;
  const why = stoppedBy
    ? `${stoppedBy.hook}, before it in its sequential group, said ${stoppedBy.verdict}`
    : explanation;
  return (
    <li>
      <span aria-hidden="true">·</span> <strong>{clean(hook)}</strong> {whatBecame(other)}
      <small>
        {" "}
        {clean(why)} · {clean(source)}
      </small>
    </li>
  );
}

function whatBecame({ stoppedBy, fires, because }: OtherHook): string {
  if (stoppedBy) return "was skipped:";
  if (fires) return "did not fire then, and would now";
  return because === "untrusted" ? "is not trusted" : "did not";
}

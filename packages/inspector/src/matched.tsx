import { clean } from "@belay/core/clean";
import type { ReactNode } from "react";
import type { EventDetail } from "./api.ts";
import { numbered, plural } from "./format.ts";
import { todaysHook } from "./todays-hook.ts";

/** Those that ran are in the record. Of the others today's config knows. */
export function Matched({
  detail: { record, matches, unmatched },
}: {
  readonly detail: EventDetail;
}): ReactNode {
  const { hooks } = record;
  const today = matches.map((match) => ({ ...match, name: match.hook }));
  const ran = hooks.map(({ name, source }) => ({
    name,
    source,
    now: todaysHook({ name, source, event: record.event }, today),
  }));
  const others = today.filter(
    (match) => match.event === record.event && !ran.some(({ now }) => now === match),
  );
  const elsewhere = matches.filter(({ event }) => event !== record.event).length;
  return (
    <>
      <ul className="matches">
        {numbered(ran).map(({ number, item: { name, source, now } }) => (
          <li key={number} className="fires">
            <span aria-hidden="true">✓</span> <strong>{clean(name)}</strong> fired
            <small>
              {" "}
              {clean(now?.explanation ?? "it is not configured like this any more")} · {clean(source)}
            </small>
          </li>
        ))}
        {others.map(({ hook, source, explanation, because, fires }) => (
          <li key={`${source} ${hook}`}>
            <span aria-hidden="true">·</span> <strong>{clean(hook)}</strong>{" "}
            {fires
              ? "did not fire then, and would now"
              : because === "untrusted"
                ? "is not trusted"
                : "did not"}
            <small>
              {" "}
              {clean(explanation)} · {clean(source)}
            </small>
          </li>
        ))}
      </ul>
      {hooks.length === 0 && others.length === 0 && unmatched === undefined && (
        <p className="aside">No hook waits for {record.event}. A first one: belay init</p>
      )}
      <p className="aside">
        {unmatched === undefined
          ? `Why, by today’s config; the journal keeps the hooks that ran.${elsewhere > 0 ? ` ${plural(elsewhere, "hook")} of other events not shown.` : ""}`
          : `Today’s hooks could not all be asked: ${clean(unmatched)}`}
      </p>
    </>
  );
}

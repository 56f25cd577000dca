import { clean } from "@belay/core/clean";
import type { ReactNode } from "react";
import type { EventDetail } from "./api.ts";
import { numbered, plural } from "./format.ts";

/** Those that ran are in the record. Of the others today's config knows. */
export function Matched({
  detail: { record, matches, unmatched },
}: {
  readonly detail: EventDetail;
}): ReactNode {
  const { hooks } = record;
  const ran = new Set(hooks.map(({ name, source }) => `${source} ${name}`));
  const others = matches.filter(
    ({ source, hook, event }) => !ran.has(`${source} ${hook}`) && event === record.event,
  );
  const elsewhere = matches.filter(({ event }) => event !== record.event).length;
  const whyOf = (name: string, source: string) =>
    matches.find((match) => match.hook === name && match.source === source)?.explanation;
  return (
    <>
      <ul className="matches">
        {numbered(hooks).map(({ number, item: { name, source } }) => (
          <li key={number} className="fires">
            <span aria-hidden="true">✓</span> <strong>{clean(name)}</strong> fired
            <small>
              {" "}
              {clean(whyOf(name, source) ?? "it is not configured like this any more")} · {clean(source)}
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
      {hooks.length === 0 && others.length === 0 && (
        <p className="aside">No hook waits for {record.event}. A first one: belay init</p>
      )}
      <p className="aside">
        {unmatched === undefined
          ? `Why, by today’s config; the journal keeps the hooks that ran.${elsewhere > 0 ? ` ${plural(elsewhere, "hook")} of other events not shown.` : ""}`
          : `Today’s hooks could not be asked: ${clean(unmatched)}`}
      </p>
    </>
  );
}

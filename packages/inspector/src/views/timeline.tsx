import { EVENT_NAMES } from "@belay/core";
import { clean, cleanOutput } from "@belay/core/clean";
import { failedWords, wordFor } from "@belay/core/compare";
import { plural, withoutPlace } from "@belay/core/internal";
import { type ChangeEvent, Fragment, memo, type ReactNode, useEffect, useState } from "react";
import type { EventFilter, EventRow } from "../api.ts";
import { Empty, Failure, Kind } from "../parts/elements.tsx";
import { capital, took, when } from "../parts/format.ts";
import { VirtualList } from "../parts/virtual-list.tsx";
import { START_AGAIN } from "../state/client.ts";
import { go, hrefOf } from "../state/route.ts";
import { useStore } from "../state/store.ts";
import { more, open, timeline } from "../state/timeline.ts";

const DECISIONS = ["allow", "ask", "deny", "block", "stop", "none", "fault"];

export function TimelineView(): ReactNode {
  const state = useStore(timeline);
  const { rows, error, arrived, opened, before, isLoading } = state;
  const isFiltered = Object.keys(state.filter).length > 0;
  const nothing = opened > 0 && rows.length === 0 && before === undefined && !isLoading;
  return (
    <section className="timeline" aria-label="Timeline">
      <Filters filter={state.filter} />
      <Status />
      {error ? <Failure error={error} /> : null}
      {nothing && !error ? (
        <Nothing isFiltered={isFiltered} folder={state.folder} />
      ) : (
        <VirtualList
          rows={rows}
          arrived={arrived}
          opened={opened}
          nearEnd={() => void more()}
          choose={(row) => go({ view: "event", event: row.key })}
          draw={(row) => <Row row={row} />}
        />
      )}
    </section>
  );
}

function Nothing({ isFiltered, folder }: { isFiltered: boolean; folder: string }): ReactNode {
  if (isFiltered)
    return (
      <Empty title="No event passes these filters.">
        The whole journal was searched.{" "}
        <button type="button" onClick={() => void open({})}>
          Show all events
        </button>
      </Empty>
    );
  return (
    <Empty title="No events are recorded yet.">
      This page shows them as they come, from <code>{folder}</code>. To fire one, in a terminal:{" "}
      <code>belay run PreToolUse --tool Bash</code>, or use the <a href="#/playground">playground</a>, which
      records nothing.
    </Empty>
  );
}

/** Always there, always one line high: nothing below it moves. */
function Status(): ReactNode {
  const { rows, before, isLoading, searchedTo, flaws, live } = useStore(timeline);
  if (live === "lost") {
    const text = `Not connected. ${START_AGAIN}`;
    return (
      <p className="status lost" title={text}>
        {text}
      </p>
    );
  }
  const parts = [
    `${plural(rows.length, "event")}${before === undefined ? "" : " so far"}`,
    ...(searchedTo === undefined ? [] : [`searched back to ${when(searchedTo)}`]),
    ...(flaws > 0 ? [`${plural(flaws, "line")} left out: no whole record`] : []),
    ...(isLoading ? ["reading …"] : []),
  ];
  return (
    <p className="status" aria-live="off">
      {parts.join(" · ")}
      <span className="hint">↑ ↓ choose · Enter opens · / searches</span>
    </p>
  );
}

/** What is typed is searched for once the fingers rest. */
const REST_MS = 250;

function Filters({ filter }: { filter: EventFilter }): ReactNode {
  const [typed, setTyped] = useState(typedIn(filter));
  const isTypedNew = TYPED.some((name) => typed[name] !== (filter[name] ?? ""));
  const search = (change: EventFilter) => {
    const given = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== "");
    void open(Object.fromEntries(given));
  };
  // Another part of the page may change the filter: “Show all events” empties the fields too.
  useEffect(() => setTyped(typedIn(filter)), [filter]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `search` goes by the same filter
  useEffect(() => {
    if (!isTypedNew) return;
    const timer = setTimeout(() => search(typed), REST_MS);
    return () => clearTimeout(timer);
  }, [typed, isTypedNew]);
  const field = (name: (typeof TYPED)[number]) => ({
    value: typed[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setTyped({ ...typed, [name]: target.value }),
  });
  const choice = (name: "event" | "decision", options: readonly string[]) => (
    <select
      aria-label={capital(name)}
      value={filter[name] ?? ""}
      onChange={({ target }) => search({ ...typed, [name]: target.value })}
    >
      <option value="">{`every ${name}`}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {wordFor(option)}
        </option>
      ))}
    </select>
  );
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      <input
        id="search"
        type="search"
        aria-label="Search in everything"
        placeholder="Search: command, reason, output …"
        {...field("text")}
      />
      {choice("event", EVENT_NAMES)}
      {choice("decision", DECISIONS)}
      <input aria-label="Tool" placeholder="Tool" {...field("tool")} />
      <input aria-label="Hook" placeholder="Hook" {...field("hook")} />
    </form>
  );
}

/** The filters that are typed. */
const TYPED = ["text", "tool", "hook"] as const;

function typedIn({ text = "", tool = "", hook = "" }: EventFilter) {
  return { text, tool, hook };
}

const Row = memo(({ row }: { row: EventRow }): ReactNode => {
  const { reason, subject } = row;
  return (
    <a className={`row ${row.decision}`} href={hrefOf({ view: "event", event: row.key })} tabIndex={-1}>
      <time dateTime={row.time}>{when(row.time)}</time>
      <Kind kind={row.decision} />
      <span className="event">{clean(row.event)}</span>
      <span className="about">{clean(row.about)}</span>
      <span className="subject">
        {row.marks.map((mark) => (
          <Fragment key={mark}>
            <strong className={mark}>{wordFor(mark)}</strong>{" "}
          </Fragment>
        ))}
        {clean(subject)}
        {reason === "" ? "" : <em> {cleanOutput(reason)}</em>}
      </span>
      <span className="fault">{row.failed > 0 ? failedWords(row.failed, row.hooks) : ""}</span>
      <span className="hooks" title={clean(row.hook) || undefined}>
        {clean(withoutPlace(row.hook)) || (row.hooks === 0 ? "no hook" : plural(row.hooks, "hook"))}
      </span>
      <span className="took">{row.hooks > 0 ? took(row.took) : ""}</span>
    </a>
  );
});

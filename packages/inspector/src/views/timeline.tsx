import { EVENT_NAMES } from "@belay/core";
import { clean, cleanOutput } from "@belay/core/clean";
import { failedWords, wordFor } from "@belay/core/compare";
import { plural, withoutPlace } from "@belay/core/internal";
import { type ChangeEvent, Fragment, memo, type ReactNode, useEffect, useState } from "react";
import type { EventFilter, EventRow, ShownLogs } from "../api.ts";
import { Empty, Failure, Kind } from "../parts/elements.tsx";
import { capital, clockOf, dayOf, lasted, took, when } from "../parts/format.ts";
import { VirtualList } from "../parts/virtual-list.tsx";
import { START_AGAIN } from "../state/client.ts";
import { list, toggle, toggleTurns, useLines } from "../state/list.ts";
import { go, goOn, hrefOf } from "../state/route.ts";
import { type Heading, type Section, sessionsOf } from "../state/sections.ts";
import { useStore } from "../state/store.ts";
import { foundIn, more, open, timeline, titleOf } from "../state/timeline.ts";

const DECISIONS = ["allow", "ask", "deny", "block", "stop", "none", "fault"];

/** `current`: the event that is open beside it. */
export function TimelineView({ current }: { current?: string | undefined }): ReactNode {
  const state = useStore(timeline);
  const { filter, error, opened, before, isLoading } = state;
  const { sections, lines } = useLines();
  const isFiltered = Object.keys(filter).length > 0;
  const nothing = opened > 0 && lines.length === 0 && before === undefined && !isLoading;
  return (
    <section className="timeline" aria-label="Timeline">
      <Filters
        filter={filter}
        sessions={filter.session ? state.unfiltered : sections}
        agents={state.logs?.agents ?? relaying(filter.agent ? state.unfiltered : sections)}
      />
      {state.logs && <Source of={state.logs} />}
      <Status />
      {error ? <Failure error={error} /> : null}
      {nothing && !error ? (
        <Nothing
          isFiltered={isFiltered}
          folder={state.folder}
          whole={state.logs ? "All that is shown of the logs" : "The whole journal"}
        />
      ) : (
        <>
          <div className="columns" aria-hidden="true">
            {["Time", "Decision", "Event", "Tool", "What it was about", "Faults", "Hook", "Took"].map(
              (name) => (
                <span key={name}>{name}</span>
              ),
            )}
          </div>
          <VirtualList
            lines={lines}
            opened={opened}
            nearEnd={() => void more()}
            current={current}
            open={(row) => (current === undefined ? go : goOn)({ view: "event", event: row.key })}
            draw={({ row, heading }) => (row ? <Row row={row} /> : heading && <Head heading={heading} />)}
            stuck={({ under }) => under.map((heading) => <Titled key={heading.kind} heading={heading} />)}
          />
        </>
      )}
    </section>
  );
}

function Nothing({
  isFiltered,
  folder,
  whole,
}: {
  isFiltered: boolean;
  folder: string;
  whole: string;
}): ReactNode {
  if (isFiltered)
    return (
      <Empty title="No event passes these filters.">
        {whole} was searched.{" "}
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

/** Says that no journal is shown, and what of the logs is not. */
function Source({ of: { agents, read, dropped, unread } }: { of: ShownLogs }): ReactNode {
  const lacks = [
    ...(dropped > 0 ? [`The oldest ${plural(dropped, "event")} had no room and are not shown.`] : []),
    ...(unread > 0 ? [`${plural(unread, "place")} in them could not be read.`] : []),
  ];
  return (
    <p className="source aside">
      Session logs of {agents.map(({ title }) => title).join(", ")}, as they were at {when(read)}.{" "}
      {lacks.join(" ")}
    </p>
  );
}

/** Always there, always one line high: nothing below it moves. */
function Status(): ReactNode {
  const { rows, before, isLoading, searchedTo, flaws, live } = useStore(timeline);
  const { turns } = useStore(list).folds;
  if (live === "lost") {
    const text = `Not connected. ${START_AGAIN}`;
    return (
      <p className="status lost" title={text}>
        {text}
      </p>
    );
  }
  const parts = [
    `${plural(foundIn(rows), "event")}${before === undefined ? "" : " so far"}`,
    ...(searchedTo === undefined ? [] : [`searched back to ${when(searchedTo)}`]),
    ...(flaws > 0 ? [`${plural(flaws, "line")} left out: no whole record`] : []),
    ...(isLoading ? ["reading …"] : []),
  ];
  return (
    <div className="status" aria-live="off">
      {parts.join(" · ")}
      <button type="button" className="slim" aria-pressed={turns} onClick={toggleTurns}>
        {turns ? "Unfold the turns" : "Fold the turns"}
      </button>
      <span className="hint">↑ ↓ choose · Enter opens · ← → fold · / searches</span>
    </div>
  );
}

/** The agents in which the relay was asked, as far as the page has read. */
function relaying(sections: readonly Section[]): ShownLogs["agents"] {
  const names = new Set(sections.flatMap(({ agent }) => agent ?? []));
  return [...names].sort().map((name) => ({ name, title: name }));
}

/** What is typed is searched for once the fingers rest. */
const REST_MS = 250;

function Filters({
  filter,
  sessions,
  agents,
}: {
  filter: EventFilter;
  sessions: readonly Section[];
  agents: ShownLogs["agents"];
}): ReactNode {
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
  const choice = (
    name: "session" | "agent" | "event" | "decision",
    options: readonly (readonly [value: string, words: string])[],
  ) => (
    <select
      aria-label={capital(name)}
      value={filter[name] ?? ""}
      onChange={({ target }) => search({ ...typed, [name]: target.value })}
    >
      <option value="">{`every ${name}`}</option>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
  const inWords = (names: readonly string[]) => names.map((name) => [name, wordFor(name)] as const);
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      <input
        id="search"
        type="search"
        aria-label="Search in everything"
        placeholder="Search: command, reason, output …"
        {...field("text")}
      />
      {choice(
        "session",
        sessionsOf(sessions)
          .slice(0, MAX_SESSIONS)
          .map(({ session, to, prompt }) => {
            const about = clean(prompt?.subject || session.slice(0, 13)).slice(0, 60);
            return [session, `${when(to)}  ${about}`];
          }),
      )}
      {(agents.length > 1 || filter.agent) &&
        choice(
          "agent",
          agents.map(({ name, title }) => [name, title]),
        )}
      {choice("event", inWords(EVENT_NAMES))}
      {choice("decision", inWords(DECISIONS))}
      <input aria-label="Tool" placeholder="Tool" {...field("tool")} />
      <input aria-label="Hook" placeholder="Hook" {...field("hook")} />
    </form>
  );
}

/** Older ones are found by a search. */
const MAX_SESSIONS = 100;

/** The filters that are typed. */
const TYPED = ["text", "tool", "hook"] as const;

function typedIn({ text = "", tool = "", hook = "" }: EventFilter) {
  return { text, tool, hook };
}

/** Of a session on a day, or of a turn; a press folds what is below it. */
function Head({ heading }: { heading: Heading }): ReactNode {
  const { isFolded, kind, events, refused, failed, from, to } = heading;
  const facts = [
    plural(events, "event"),
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(failed > 0 ? [`${failed} with faults`] : []),
    ...(kind === "turn" ? [lasted(from, to)] : []),
  ];
  return (
    <button
      type="button"
      className={`heading ${kind}`}
      tabIndex={-1}
      aria-expanded={!isFolded}
      onClick={() => toggle(heading)}
    >
      <span aria-hidden="true">{isFolded ? "▸" : "▾"}</span>
      <Titled heading={heading} />
      <span className="counts">{facts.filter((fact) => fact !== "").join(" · ")}</span>
    </button>
  );
}

function Titled({ heading: { kind, from, session, agent, prompt } }: { heading: Heading }): ReactNode {
  const { logs } = useStore(timeline);
  const isOne = session !== "";
  const whose = agent !== undefined ? clean(titleOf(agent, logs)) : isOne ? "session" : "";
  const name = `${whose} ${isOne ? clean(session.slice(0, 13)) : "sessions of one event"}`.trim();
  return (
    <span className="title" title={kind === "turn" ? when(from) : clean(session)}>
      <time dateTime={from}>{kind === "turn" ? clockOf(from) : dayOf(from)}</time>{" "}
      <span>{kind === "turn" ? clean(prompt?.subject ?? "") : name}</span>
    </span>
  );
}

/** A session log may not tell of a hook that ran. */
function countOf({ hooks, agent, told }: EventRow): string {
  if (hooks > 0) return plural(hooks, "hook");
  return agent === undefined || told ? "no hook" : "";
}

const Row = memo(({ row }: { row: EventRow }): ReactNode => {
  const { reason, subject } = row;
  return (
    <a className={`row ${row.decision}`} href={hrefOf({ view: "event", event: row.key })} tabIndex={-1}>
      <time dateTime={row.time} title={when(row.time)}>
        {clockOf(row.time)}
      </time>
      <Kind kind={row.decision} />
      <span className="event">{clean(row.event)}</span>
      <span className="about">{clean(row.about)}</span>
      <span className="subject">
        {row.told?.map(({ words, looser }) => (
          <Fragment key={words}>
            <strong className={looser ? "looser" : "told"}>{clean(words)}</strong>{" "}
          </Fragment>
        ))}
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
        {clean(withoutPlace(row.hook)) || row.refuser || countOf(row)}
      </span>
      <span className="took">{row.hooks > 0 ? took(row.took) : ""}</span>
    </a>
  );
});

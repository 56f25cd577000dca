import { COMMON_INPUT, type EventRecord, type Message, outcomeOf, type RunReport } from "@belay/core";
import { clean } from "@belay/core/clean";
import { failedWords, opinionOf, spanOf, whyNoAnswer } from "@belay/core/compare";
import { plural } from "@belay/core/internal";
import { Fragment, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { EventDetail } from "../api.ts";
import { CopyButton, Failure, Kind, type Said } from "../parts/elements.tsx";
import { clockOf, dayOf, numbered, took } from "../parts/format.ts";
import { Json, Output } from "../parts/json-view.tsx";
import { payloadToFire } from "../payload.ts";
import { client } from "../state/client.ts";
import { list, neighbour, useLines } from "../state/list.ts";
import { handOver } from "../state/playground.ts";
import { go, goOn, useWide } from "../state/route.ts";
import { useAsked, useStore } from "../state/store.ts";
import { more, open, timeline, titleOf } from "../state/timeline.ts";
import { Decided } from "./decided.tsx";
import { isSkipped, Matched, type MatchedHooks, matchedHooks } from "./matched.tsx";
import { Runs } from "./runs.tsx";

/** One recorded event. While the next one is asked for, the last one stays. */
export function EventPage({ eventKey }: { eventKey: string }): ReactNode {
  const asked = useAsked(() => client.event(eventKey), eventKey);
  const pane = useRef<HTMLDivElement>(null);
  const id = asked.state === "there" ? asked.value.record.id : "";
  // Before it is painted: nobody sees the end of one event at the place of another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each event begins at its top
  useLayoutEffect(() => {
    if (pane.current) pane.current.scrollTop = 0;
  }, [id]);
  useEffect(() => list.set({ chosen: eventKey }), [eventKey]);
  const isWide = useWide();
  return (
    // Beside the list it scrolls by itself, and what scrolls must be reachable by keys.
    <section className="pane" ref={pane} tabIndex={isWide ? 0 : undefined} aria-label="Event">
      <Ways from={eventKey} />
      {asked.state === "asking" && <p className="status">reading …</p>}
      {asked.state === "failed" && <Failure error={asked.error} />}
      {asked.state === "there" && <Recorded key={id} eventKey={eventKey} detail={asked.value} />}
    </section>
  );
}

/** To the events above and below it in the list, and back to the list alone. */
function Ways({ from }: { from: string }): ReactNode {
  const { rows } = useLines();
  const ways = [
    { label: "↑ Previous", key: "k", row: neighbour(from, -1) },
    { label: "↓ Next", key: "j", row: neighbour(from, 1) },
  ];
  const isLast = rows.length > 0 && ways[1]?.row === undefined;
  useEffect(() => {
    if (isLast) void more();
  }, [isLast]);
  return (
    <div className="ways">
      {ways.map(({ label, key, row }) => (
        <button
          key={key}
          type="button"
          className="slim"
          title={`the event ${key === "k" ? "above" : "below"} it in the list (${key})`}
          disabled={!row}
          onClick={() => row && goOn({ view: "event", event: row.key })}
        >
          {label}
        </button>
      ))}
      <button type="button" className="slim" onClick={() => go({ view: "timeline" })}>
        Back (Esc)
      </button>
    </div>
  );
}

function Recorded({ eventKey, detail }: { eventKey: string; detail: EventDetail }): ReactNode {
  const [lacks, setLacks] = useState("");
  const { record } = detail;
  const shared = async () => {
    const share = await client.testCase(eventKey);
    setLacks(share.lacks ?? "");
    return share;
  };
  return (
    <EventView
      detail={detail}
      tools={
        <>
          <CopyButton label="Copy as test case" text={async () => (await shared()).testCase} />
          <CopyButton label="Copy as command" text={async () => (await shared()).commandLine} />
          <button
            type="button"
            onClick={() => {
              handOver(record.event, payloadToFire(record));
              go({ view: "playground" });
            }}
          >
            Open in the playground
          </button>
          {lacks !== "" && <p className="lacks">{lacks}</p>}
        </>
      }
    />
  );
}

export const SECRETS_REPLACED = "secrets were replaced";

/** One event, stage by stage. The runs are read again by the same code that read them first. */
export function EventView({
  detail,
  tools,
  isRecorded = true,
}: {
  readonly detail: EventDetail;
  readonly tools: ReactNode;
  /** Whether it is in the journal. */
  readonly isRecorded?: boolean;
}): ReactNode {
  const { record, about, subject } = detail;
  const reports = useMemo(() => outcomeOf(record).runs, [record]);
  const matched = useMemo(() => matchedHooks(detail, reports), [detail, reports]);
  const { event, time, session, outcome, payload, redacted, shortened, agent, relayed } = record;
  const { logs } = useStore(timeline);
  // Beside logs, an event of the journal is in no list.
  const isListed = isRecorded && (logs === undefined || agent !== undefined);
  const unanswered = unansweredIn(reports, event);
  const shortSession = <code>{clean(session.slice(0, 13))}</code>;
  const onlySession = () => {
    void open({ session });
    if (!document.querySelector(".list")) go({ view: "timeline" });
  };
  return (
    <section className="one-event" aria-label={clean(event)}>
      <header className="head">
        <h1>
          {clean(event)} <Kind kind={outcome.decision.kind} />
          {unanswered !== undefined && <span className="fault"> {unanswered}</span>}
        </h1>
        <div className="call">
          {clean(about)} <code>{clean(subject)}</code>
        </div>
        <p>
          <time dateTime={time}>
            {dayOf(time)} {clockOf(time)}
          </time>{" "}
          · session{" "}
          {isListed ? (
            <button
              type="button"
              className="link"
              title={`Show only session ${clean(session)}`}
              onClick={onlySession}
            >
              {shortSession}
            </button>
          ) : (
            shortSession
          )}{" "}
          · {clean(outcome.action)} ·{" "}
          {agent === undefined
            ? `dialect ${clean(record.dialect)}`
            : `from a session log of ${clean(titleOf(agent, logs))}`}
          {relayed && ` · asked by ${clean([relayed.agent, relayed.version ?? ""].join(" ").trim())}`}
          {redacted && ` · ${SECRETS_REPLACED}`}
          {shortened && " · long texts were cut"}
        </p>
      </header>
      <section
        className={`answer ${unanswered !== undefined && outcome.decision.kind === "none" ? "faulty" : outcome.decision.kind}`}
        id="part-decide"
        aria-label="What was decided"
      >
        <Decided record={record} reports={reports} refuser={detail.refuser} />
      </section>
      <div className="tools">{tools}</div>
      <Pipeline stages={stagesOf(record, matched, reports, isRecorded)} />
      <Part id="event" title="Event: what the hooks read">
        <Payload payload={payload} />
      </Part>
      <Part id="match" title="Match: who was asked">
        <Matched detail={detail} matched={matched} />
      </Part>
      <Part id="run" title="Run and parse: what each did, and how it was read">
        <Runs record={record} reports={reports} />
      </Part>
      <Part id="route" title="Route: who saw what">
        <Seen messages={outcome.messages} />
        {agent !== undefined && (
          <p className="aside">
            What the output that is in the log says to whom; the log itself does not tell who saw it.
          </p>
        )}
      </Part>
    </section>
  );
}

/** The fields of this event; those of every event can be opened. */
function Payload({ payload }: { payload: EventRecord["payload"] }): ReactNode {
  const entries = Object.entries(payload);
  const own = entries.filter(([name]) => !Object.hasOwn(COMMON_INPUT, name));
  const common = entries.filter(([name]) => Object.hasOwn(COMMON_INPUT, name));
  return (
    <>
      {own.length > 0 && <Json value={Object.fromEntries(own)} />}
      <details>
        <summary>and {plural(common.length, "field")} of every event</summary>
        <Json value={Object.fromEntries(common)} />
      </details>
    </>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }): ReactNode {
  return (
    <section className="part" id={`part-${id}`} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface Stage {
  readonly name: string;
  readonly part?: string;
  readonly says: ReactNode;
}

function Pipeline({ stages }: { stages: readonly Stage[] }): ReactNode {
  return (
    <ol className="pipeline" aria-label="The stages">
      {stages.map(({ name, part, says }) => (
        <li key={name}>
          <button type="button" disabled={part === undefined} onClick={() => jump(part)}>
            <span className="stage">{name}</span>
            <span className="says">{says}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function jump(part: string | undefined): void {
  document.getElementById(`part-${part}`)?.scrollIntoView({ block: "start" });
}

function stagesOf(
  record: EventRecord,
  matched: MatchedHooks,
  reports: readonly RunReport[],
  isRecorded: boolean,
): Stage[] {
  const { hooks, outcome, event } = record;
  const unanswered = unansweredIn(reports, event);
  const untrusted =
    record.untrusted ?? outcome.diagnostics.filter(({ code }) => code === "hook-untrusted").length;
  const isIdle = hooks.length === 0;
  const idle = record.agent === undefined ? "nothing" : "not in the log";
  const toUser = outcome.messages.filter(({ to }) => to === "user").length;
  const toAgent = outcome.messages.length - toUser;
  return [
    { name: "event", part: "event", says: clean(event) },
    {
      name: "match",
      part: "match",
      says: record.agent === undefined ? countsOf(matched) : `${hooks.length} in the log`,
    },
    // Trust is ours: the hooks of another agent have none.
    ...(record.agent === undefined
      ? [
          {
            name: "trust",
            part: "match",
            says: untrusted > 0 ? `${untrusted} not trusted` : isIdle ? "nothing" : "all trusted",
          },
        ]
      : []),
    { name: "run", part: "run", says: isIdle ? idle : took(spanOf(hooks)) },
    {
      name: "parse",
      part: "run",
      says:
        unanswered ??
        (isIdle
          ? idle
          : opinionsOf(reports).map((kind) => (
              <Fragment key={kind}>
                <Kind kind={kind} />{" "}
              </Fragment>
            ))),
    },
    { name: "decide", part: "decide", says: <Kind kind={outcome.decision.kind} /> },
    { name: "route", part: "route", says: `user ${toUser} · agent ${toAgent}` },
    {
      name: "record",
      says: isRecorded
        ? record.agent !== undefined
          ? "session log"
          : record.id.slice(0, 8)
        : "not recorded",
    },
  ];
}

function countsOf({ ran, others }: MatchedHooks): string {
  const skipped = others.filter(isSkipped).length;
  const not = others.length - skipped;
  return [
    `${ran.length} fired`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(not > 0 ? [`${not} not`] : []),
  ].join(", ");
}

/** How many hooks gave no answer; undefined if all did. */
function unansweredIn(reports: readonly RunReport[], event: EventRecord["event"]): string | undefined {
  const failed = reports.filter((report) => whyNoAnswer(report, event) !== undefined).length;
  return failed > 0 ? failedWords(failed, reports.length) : undefined;
}

/** Each opinion once, without those of observers; "abstain" only if nobody has an opinion. */
function opinionsOf(reports: readonly RunReport[]): readonly Said[] {
  const said = new Set(reports.filter(({ observed }) => !observed).map(opinionOf));
  if (said.size === 0) return ["abstain"];
  if (said.size > 1) said.delete("abstain");
  return [...said];
}

/** The two sides of one event. */
function Seen({ messages }: { messages: readonly Message[] }): ReactNode {
  return (
    <div className="sides">
      {["user", "agent"].map((reader) => {
        const title = `The ${reader} saw`;
        const seen = messages.filter(({ to }) => to === reader);
        return (
          <section key={reader} aria-label={title}>
            <h3>{title}</h3>
            {seen.length === 0 && <p className="aside">nothing</p>}
            {numbered(seen).map(({ number, item: { hook, block } }) => (
              <div key={number} className={`told ${block.type}`}>
                <p className="speaker">
                  {block.type === "tool" ? "tool, failed" : clean(block.type)}
                  {hook !== "" && ` · ${clean(hook)}`}
                </p>
                <Output text={block.content} />
              </div>
            ))}
          </section>
        );
      })}
    </div>
  );
}

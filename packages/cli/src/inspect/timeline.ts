import { basename, join } from "node:path";
import { type EventRecord, isEventName } from "@belay/core";
import { relayWords, spanOf } from "@belay/core/compare";
import { eventRow, shorten } from "@belay/core/internal";
import { followJournal, type JournalPosition, linesFromEnd } from "@belay/engine/internal";
import type { EventAbout, EventFilter, EventRow, EventsPage, LiveEvent } from "@belay/inspector/api";
import type { Context } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import type { Questions } from "../questions/open.ts";
import { FAULT, isHookNamed, isToolNamed, namesIn } from "../records/journal.ts";
import { unanswered } from "../records/outcome.ts";
import { callText, matchedText } from "../render/brief.ts";
import { refuserOf } from "../render/refused.ts";
import { marksOf } from "../render/tail.ts";

const MAX_REASON = 240;

export function aboutOf(record: EventRecord): EventAbout {
  const refuser = refuserOf(record.refusedBy);
  return {
    about: matchedText(record),
    subject: callText(record.payload),
    ...(refuser !== undefined && { refuser }),
  };
}

/** A turn goes on after an end that a hook refused. What becomes a prompt is not yet one: a prompt ends a chain of stops. */
function edgeOf({ event, outcome }: EventRecord): EventRow["edge"] {
  if (!isEventName(event)) return undefined;
  const row = eventRow(event);
  if (row.phase === "prompt" && row.stopChain === "end") return "begins";
  const isEnd = row.phase === "end of a turn" || row.phase === "session end";
  const goesOn = "blockedAction" in row && outcome.action === row.blockedAction;
  return isEnd && !goesOn ? "ends" : undefined;
}

export function rowOf(key: string, record: EventRecord): EventRow {
  const { id, time, event, hooks, outcome, session, agent, relayed } = record;
  const whose = agent ?? relayed?.agent;
  const edge = edgeOf(record);
  const [only, another] = hooks;
  const about = aboutOf(record);
  // A hook that ran beside another's refusal did not decide.
  const alone = another || about.refuser !== undefined ? "" : (only?.name ?? "");
  const { kind, reason = "", hook = alone } = outcome.decision;
  return {
    key,
    id,
    time,
    event,
    ...about,
    decision: kind,
    action: outcome.action,
    reason: shorten(reason.replaceAll(/\s+/g, " ").trim(), MAX_REASON),
    hook,
    hooks: hooks.length,
    failed: unanswered(record).length,
    marks: marksOf(record),
    took: spanOf(hooks),
    session: typeof session === "string" ? session : "",
    ...(typeof whose === "string" && { agent: whose }),
    ...(relayed && { told: relayWords(relayed) }),
    ...(edge && { edge }),
  };
}

/** True if an event is to be shown. The cheap tests come first: a search goes through many records. */
export function passes(filter: EventFilter, row: EventRow, record: EventRecord): boolean {
  const { event, decision, tool, hook, session, agent, text } = filter;
  if (event && row.event !== event) return false;
  if (decision && (decision === FAULT ? row.failed === 0 : row.decision !== decision)) return false;
  if (tool && !isToolNamed(record.payload.tool_name, tool)) return false;
  if (session && !row.session.startsWith(session)) return false;
  if (agent && row.agent !== agent) return false;
  if (hook && !namesIn(record).some((name) => isHookNamed(name, hook))) return false;
  return !text || holds(record, text.toLowerCase());
}

function holds(value: unknown, words: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(words);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => holds(part, words));
}

/** Names a record by its position, as FILE~MARK@BYTE: no other record ever has the same key. */
export function keyOf({ file, mark, at }: JournalPosition): string {
  return `${basename(file)}~${mark}@${at}`;
}

export function positionIn(key: string): JournalPosition | undefined {
  const [, file, mark, at] = /^([\w.-]+)~([\da-f]{8})@(\d{1,15})$/.exec(key) ?? [];
  return file === undefined || mark === undefined ? undefined : { file, mark, at: Number(at) };
}

/** The place of a stream in an empty journal. A browser forgets an empty id. */
const BEFORE_ALL = "@";

/** How far each file was read, as the id of an event of the stream. */
function placeText(places: readonly JournalPosition[]): string {
  return places.map(keyOf).join(",") || BEFORE_ALL;
}

/** A part that cannot be read is the position in a file that is not there. */
function placesIn(text: string): JournalPosition[] {
  const keys = text === BEFORE_ALL ? [] : text.split(",");
  return keys.map((key) => positionIn(key) ?? { file: key, mark: "", at: 0 });
}

export const MAX_ROWS = 500;

/**
 * How long one request searches for events that pass a filter. A long journal takes several requests, and the page shows
 * the progress. Without a filter every record is a row, so `limit` ends the search.
 */
const SEARCH_MS = 250;

export async function readEvents(
  folder: string,
  filter: EventFilter,
  limit: number,
  before: string | undefined,
): Promise<EventsPage> {
  // Taken before the rows: an event in between is in both, and the page knows it by its key.
  const { places } = followJournal(folder);
  const from = before === undefined ? undefined : positionIn(before);
  const rows: EventRow[] = [];
  let found = 0;
  // False for a session none of whose events was found since its turn began: that turn is not shown.
  const isShown = new Map<string, boolean>();
  const until = Object.keys(filter).length > 0 ? performance.now() + SEARCH_MS : Number.POSITIVE_INFINITY;
  let flaws = 0;
  let last: EventRow | undefined;
  let stopped: "full" | "late" | undefined;
  for (const line of linesFromEnd(folder, from && { file: join(folder, from.file), at: from.at })) {
    if (found === limit) stopped = "full";
    // One line may take longer than the limit: without a place to go on from, the search would never pass it.
    else if (last && performance.now() > until) stopped = "late";
    if (stopped) break;
    if ("flaw" in line) {
      flaws += 1;
      continue;
    }
    const row = rowOf(keyOf(line), line.record);
    last = row;
    const isFound = passes(filter, row, line.record);
    if (isFound) {
      rows.push(row);
      found += 1;
    } else if (row.edge && isShown.get(row.session) !== false) rows.push({ ...row, isAside: true });
    if (row.edge === "begins") isShown.set(row.session, false);
    else if (isFound) isShown.set(row.session, true);
  }
  return {
    rows,
    ...(stopped && last && { before: last.key }),
    ...(stopped === "late" && last && { searchedTo: last.time }),
    place: placeText(places),
    flaws,
    folder,
  };
}

/** An event is on the page within 200 ms of its record; a look that finds nothing costs a `stat` of each file. */
const LOOK_MS = 50;
const KEEPALIVE_MS = 15_000;
/** A page that is further behind reads the newest events again. */
const MAX_BEHIND = 2_000;

export function streamLive(
  context: Context,
  folder: string,
  questions: Questions["watch"],
  filter: EventFilter,
): Response {
  const id = context.req.header("last-event-id") ?? context.req.query("after") ?? "";
  const follow = async (stream: SSEStreamingApi) => {
    const ended = new AbortController();
    stream.onAbort(() => ended.abort());
    let follower = followJournal(folder, id === "" ? undefined : placesIn(id));
    const send = (event: LiveEvent) =>
      stream.writeSSE({ data: JSON.stringify(event), id: placeText(follower.places) });
    const latest: { questions?: LiveEvent } = {};
    questions((sessions) => {
      latest.questions = { type: "questions", sessions };
    }, ended.signal);
    if (follower.lost) await send({ type: "reset" });
    await stream.write(": here\n\n");
    let quietSince = performance.now();
    while (!ended.signal.aborted) {
      const rows: EventRow[] = [];
      let isLost = false;
      let news = follower.look();
      for (; ; news = follower.look()) {
        for (const line of news.lines) {
          if ("flaw" in line) continue;
          const row = rowOf(keyOf(line), line.record);
          if (passes(filter, row, line.record)) rows.push(row);
          else if (row.edge) rows.push({ ...row, isAside: true });
        }
        isLost ||= news.begunAgain || rows.length > MAX_BEHIND;
        if (!news.more || isLost) break;
      }
      if (isLost) {
        follower = followJournal(folder);
        await send({ type: "reset" });
      } else if (rows.length > 0) await send({ type: "rows", rows });
      const { questions: open } = latest;
      if (open) {
        delete latest.questions;
        await send(open);
      }
      if (rows.length > 0 || open) quietSince = performance.now();
      else if (performance.now() - quietSince > KEEPALIVE_MS) {
        await stream.write(": still here\n\n");
        quietSince = performance.now();
      }
      await stream.sleep(LOOK_MS);
    }
  };
  // The journal cannot be read any more: the page reads it again, and is told why.
  return streamSSE(context, follow, async (_, stream) => {
    const reset: LiveEvent = { type: "reset" };
    await stream.writeSSE({ data: JSON.stringify(reset) });
  });
}

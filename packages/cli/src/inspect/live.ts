import { followJournal, type JournalPlace } from "@belay/engine/internal";
import type { EventFilter, EventRow, LiveEvent } from "@belay/inspector/api";
import type { Context } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { keyOf, passes, placeIn, rowOf } from "./rows.ts";

/** An event is on the page within 200 ms of its record; a look that finds nothing costs a `stat` or two. */
const LOOK_MS = 50;
const KEEPALIVE_MS = 15_000;
/** A page that is further behind reads the newest events again. */
const MAX_BEHIND = 2_000;

export interface LiveSources {
  readonly folder: string;
  /** Open questions of running chats; `changed` is told of every change until the signal ends it. */
  readonly questions: (changed: (sessions: QuestionsOf) => void, ended: AbortSignal) => void;
}

type QuestionsOf = Extract<LiveEvent, { type: "questions" }>["sessions"];

/** Events as they are recorded, whoever records them. */
export function streamLive(
  context: Context,
  { folder, questions }: LiveSources,
  filter: EventFilter,
): Response {
  const id = context.req.header("last-event-id") ?? context.req.query("after") ?? "";
  const follow = async (stream: SSEStreamingApi) => {
    const ended = new AbortController();
    stream.onAbort(() => ended.abort());
    const asked = placeIn(id);
    let follower = followJournal(folder, asked);
    let place: JournalPlace = follower.place;
    const send = (event: LiveEvent) => stream.writeSSE({ data: JSON.stringify(event), id: keyOf(place) });
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
        }
        isLost ||= news.begunAgain || rows.length > MAX_BEHIND;
        if (!news.more || isLost) break;
      }
      place = news.place;
      if (isLost) {
        follower = followJournal(folder);
        place = follower.place;
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

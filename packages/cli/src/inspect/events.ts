import { join } from "node:path";
import { followJournal, linesFromEnd } from "@belay/engine/internal";
import type { EventFilter, EventRow, EventsPage } from "@belay/inspector/api";
import { keyOf, passes, placeIn, rowOf } from "./rows.ts";

export const MAX_ROWS = 500;

/**
 * How long one request searches for events that pass a filter. A long journal takes several requests, and the page shows
 * the progress. Without a filter every record is a row, so `limit` ends the search.
 */
const SEARCH_MS = 250;

/** A page of the journal, read backwards from a place or from its end. No more is read than is shown. */
export async function readEvents(
  folder: string,
  filter: EventFilter,
  limit: number,
  before: string | undefined,
): Promise<EventsPage> {
  // Taken before the rows: an event in between is in both, and the page knows it by its key.
  const { place } = followJournal(folder);
  const from = before === undefined ? undefined : placeIn(before);
  const rows: EventRow[] = [];
  const until = Object.keys(filter).length > 0 ? performance.now() + SEARCH_MS : Number.POSITIVE_INFINITY;
  let flaws = 0;
  let last: EventRow | undefined;
  let stopped: "full" | "late" | undefined;
  for (const line of linesFromEnd(folder, from && { file: join(folder, from.file), at: from.at })) {
    if (rows.length === limit) stopped = "full";
    // One line may take longer than the limit: without a place to go on from, the search would never pass it.
    else if (last && performance.now() > until) stopped = "late";
    if (stopped) break;
    if ("flaw" in line) {
      flaws += 1;
      continue;
    }
    const row = rowOf(keyOf(line), line.record);
    last = row;
    if (passes(filter, row, line.record)) rows.push(row);
  }
  return {
    rows,
    ...(stopped && last && { before: last.key }),
    ...(stopped === "late" && last && { searchedTo: last.time }),
    place: keyOf(place),
    flaws,
    folder,
  };
}

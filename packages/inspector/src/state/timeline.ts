import type { EventFilter, EventRow, LiveEvent, OpenSession } from "../api.ts";
import { asRefused, client, queryOf, type Refused } from "./client.ts";
import { createStore } from "./store.ts";

export interface Timeline {
  readonly filter: EventFilter;
  /** The newest first. */
  readonly rows: readonly EventRow[];
  /** Where older ones begin; undefined when there are none. */
  readonly before?: string | undefined;
  readonly isLoading: boolean;
  /** How far back a search has come that has not found enough yet. */
  readonly searchedTo?: string | undefined;
  readonly flaws: number;
  readonly folder: string;
  readonly error?: Refused | undefined;
  readonly live: "connecting" | "live" | "lost";
  /** Rows that the live stream has put in front since the page was opened: a list that is scrolled holds its place by it. */
  readonly arrived: number;
  /** How often the rows were read anew: a list begins at its top then. */
  readonly opened: number;
  readonly sessions: readonly OpenSession[];
}

const FIRST_ROWS = 100;
const MORE_ROWS = 500;

export const timeline = createStore<Timeline>({
  filter: {},
  rows: [],
  isLoading: false,
  flaws: 0,
  folder: "",
  live: "connecting",
  arrived: 0,
  opened: 0,
  sessions: [],
});

let known = new Set<string>();
let stream: EventSource | undefined;
/** Where the stream goes on; empty until the first rows are read. */
let place = "";
/** Shows the rows that wait for the next frame. */
let flush = () => {};
let reading: AbortController | undefined;

/** Reads the newest events that pass, and stays with them as more come. */
export async function open(filter: EventFilter): Promise<void> {
  reading?.abort();
  stream?.close();
  stream = undefined;
  place = "";
  reading = new AbortController();
  const { signal } = reading;
  timeline.set({ filter, isLoading: true, error: undefined, searchedTo: undefined });
  try {
    const page = await client.events(filter, FIRST_ROWS, undefined, signal);
    known = new Set(page.rows.map(({ key }) => key));
    const { rows, before, searchedTo, flaws, folder } = page;
    const opened = timeline.get().opened + 1;
    timeline.set({ rows, before, searchedTo, flaws, folder, opened, isLoading: false });
    follow(filter, page.place);
    // A search that has found too little goes on by itself.
    while (timeline.get().searchedTo !== undefined && timeline.get().rows.length < FIRST_ROWS)
      if (!(await more(signal))) return;
  } catch (error) {
    if (!signal.aborted) timeline.set({ isLoading: false, error: asRefused(error) });
  }
}

/** Reads older events; false when there was nothing to do. */
export async function more(signal?: AbortSignal): Promise<boolean> {
  const { filter, before, isLoading, error } = timeline.get();
  // A failed request is not repeated: the stream tells when the server is back.
  if (before === undefined || isLoading || error) return false;
  timeline.set({ isLoading: true });
  const given = signal ?? reading?.signal;
  try {
    const page = await client.events(filter, MORE_ROWS, before, given);
    if (given?.aborted) return false;
    const fresh = page.rows.filter(({ key }) => !known.has(key));
    for (const { key } of fresh) known.add(key);
    const { rows, flaws } = timeline.get();
    timeline.set({
      rows: [...rows, ...fresh],
      before: page.before,
      searchedTo: page.searchedTo,
      flaws: flaws + page.flaws,
      isLoading: false,
    });
    return true;
  } catch (error) {
    if (!given?.aborted) timeline.set({ isLoading: false, error: asRefused(error) });
    return false;
  }
}

/**
 * Follows the live stream. The browser reconnects by itself, from the last place that it was told. It keeps six connections
 * to a server for all tabs together: a hidden tab closes its stream, or a seventh tab could not be opened.
 */
function follow(filter: EventFilter, from: string): void {
  place = from;
  if (document.hidden) return;
  const source = new EventSource(`/api/live?${queryOf(filter, { after: place })}`);
  stream = source;
  let waiting: EventRow[] = [];
  const show = () => {
    const fresh = waiting.filter(({ key }) => !known.has(key)).reverse();
    waiting = [];
    if (fresh.length === 0 || source !== stream) return;
    for (const { key } of fresh) known.add(key);
    const { rows, arrived } = timeline.get();
    timeline.set({ rows: [...fresh, ...rows], arrived: arrived + fresh.length });
  };
  flush = show;
  source.onopen = () => timeline.set({ live: "live", error: undefined });
  source.onerror = () => timeline.set({ live: "lost" });
  source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
    place = lastEventId;
    const event = JSON.parse(data) as LiveEvent;
    if (event.type === "reset") void open(filter);
    else if (event.type === "questions") timeline.set({ sessions: event.sessions });
    else {
      if (waiting.length === 0) requestAnimationFrame(show);
      waiting.push(...event.rows);
    }
  };
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !stream && place !== "") follow(timeline.get().filter, place);
  if (!document.hidden) return;
  flush();
  stream?.close();
  stream = undefined;
  timeline.set({ live: "connecting" });
});

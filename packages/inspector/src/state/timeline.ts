import type { EventFilter, EventRow, LiveEvent, OpenSession, ShownLogs } from "../api.ts";
import { asRefused, client, queryOf, type Refused } from "./client.ts";
import { type Section, sectionsOf } from "./sections.ts";
import { createStore } from "./store.ts";

export interface Timeline {
  readonly filter: EventFilter;
  /** The newest first, those that are there for their edges alone among them. */
  readonly rows: readonly EventRow[];
  /** Where older ones begin; undefined when there are none. */
  readonly before?: string | undefined;
  readonly isLoading: boolean;
  /** How far back a search has come that has not found enough yet. */
  readonly searchedTo?: string | undefined;
  readonly flaws: number;
  readonly folder: string;
  /** Where session logs of other agents are shown in the place of the journal. */
  readonly logs?: ShownLogs | undefined;
  readonly error?: Refused | undefined;
  readonly live: "connecting" | "live" | "lost";
  /** How often the rows were read anew: a list begins at its top then. */
  readonly opened: number;
  readonly sessions: readonly OpenSession[];
  /** The sections that there were before one session was chosen: the others to choose from. */
  readonly unfiltered: readonly Section[];
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
  opened: 0,
  sessions: [],
  unfiltered: [],
});

let keys = new Set<string>();
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
  const { filter: last, rows: shown, unfiltered } = timeline.get();
  timeline.set({
    filter,
    isLoading: true,
    error: undefined,
    searchedTo: undefined,
    unfiltered: last.session || last.agent ? unfiltered : sectionsOf(shown),
  });
  try {
    const page = await client.events(filter, FIRST_ROWS, undefined, signal);
    keys = new Set(page.rows.map(({ key }) => key));
    const { rows, before, searchedTo, flaws, folder, logs } = page;
    const opened = timeline.get().opened + 1;
    timeline.set({ rows, before, searchedTo, flaws, folder, logs, opened, isLoading: false });
    follow(filter, page.place);
    // A search that has found too little goes on by itself.
    while (timeline.get().searchedTo !== undefined && foundIn(timeline.get().rows) < FIRST_ROWS)
      if (!(await more(signal))) return;
  } catch (error) {
    if (!signal.aborted) timeline.set({ isLoading: false, error: asRefused(error) });
  }
}

/** What an agent is called whose session logs are shown. */
export function titleOf(agent: string, logs: ShownLogs | undefined): string {
  return logs?.agents.find(({ name }) => name === agent)?.title ?? agent;
}

/** How many events pass the filter. */
export function foundIn(rows: readonly EventRow[]): number {
  return rows.reduce((count, { isAside }) => count + (isAside ? 0 : 1), 0);
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
    const fresh = page.rows.filter(({ key }) => !keys.has(key));
    for (const { key } of fresh) keys.add(key);
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
    const fresh = waiting.filter(({ key }) => !keys.has(key)).reverse();
    waiting = [];
    if (fresh.length === 0 || source !== stream) return;
    for (const { key } of fresh) keys.add(key);
    timeline.set({ rows: [...fresh, ...timeline.get().rows] });
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

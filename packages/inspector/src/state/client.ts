import { messageOf } from "@belay/core/internal";
import type {
  Answered,
  AnswerRequest,
  EventDetail,
  EventFilter,
  EventsPage,
  Fired,
  FireRequest,
  HooksPage,
  Refusal,
  Samples,
  Shared,
} from "../api.ts";

/** Something the server said no to, or could not be asked at all. */
export class Refused extends Error {
  readonly next: string | undefined;
  /** The server does not know this page: nothing of it can be shown. */
  readonly isKeyless: boolean;

  constructor(message: string, next?: string, isKeyless = false) {
    super(message);
    this.next = next;
    this.isKeyless = isKeyless;
  }
}

export function asRefused(error: unknown): Refused {
  return error instanceof Refused ? error : new Refused(messageOf(error));
}

export const START_AGAIN = "In a terminal: belay inspect, and open the address that it prints.";

export function unreachable(): Refused {
  return new Refused("The server cannot be reached: it has ended, or is about to.", START_AGAIN);
}

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, { ...init, credentials: "same-origin" }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw unreachable();
  });
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T;
  if (response.status === 401 || response.status === 403)
    throw new Refused("This page has no key to its server.", START_AGAIN, true);
  const refusal = (await response.json().catch(() => ({}))) as Partial<Refusal>;
  throw new Refused(refusal.error ?? `the server said ${response.status}`, refusal.next);
}

function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return ask<T>(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

export function queryOf(
  filter: EventFilter,
  more: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries({ ...filter, ...more }).filter(
    ([, value]) => value !== undefined && value !== "",
  );
  return new URLSearchParams(given as [string, string][]).toString();
}

export const client = {
  openSession: (token: string) => post<void>("/api/session", { token }),
  events: (filter: EventFilter, limit: number, before?: string, signal?: AbortSignal) =>
    ask<EventsPage>(`/api/events?${queryOf(filter, { limit: String(limit), before })}`, {
      signal: signal ?? null,
    }),
  event: (key: string) => ask<EventDetail>(`/api/events/${encodeURIComponent(key)}`),
  testCase: (key: string) => ask<Shared>(`/api/test-case/${encodeURIComponent(key)}`),
  hooks: () => ask<HooksPage>("/api/hooks"),
  samples: () => ask<Samples>("/api/samples"),
  fire: (request: FireRequest, signal: AbortSignal) => post<Fired>("/api/fire", request, signal),
  answer: (request: AnswerRequest) => post<Answered>("/api/answer", request),
};

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

const KEYLESS: readonly number[] = [401, 403];

/** Something the server said no to, or could not be asked at all. */
export class Refused extends Error {
  readonly status: number;
  readonly next: string | undefined;

  /** The server does not know this page: nothing of it can be shown. */
  get isKeyless(): boolean {
    return KEYLESS.includes(this.status);
  }

  constructor(status: number, message: string, next?: string) {
    super(message);
    this.status = status;
    this.next = next;
  }
}

export function asRefused(error: unknown): Refused {
  return error instanceof Refused ? error : new Refused(0, messageOf(error));
}

export const START_AGAIN = "In a terminal: belay inspect, and open the address that it prints.";

export function unreachable(): Refused {
  return new Refused(0, "The server cannot be reached: it has ended, or is about to.", START_AGAIN);
}

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, { ...init, credentials: "same-origin" }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw unreachable();
  });
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T;
  if (KEYLESS.includes(response.status))
    throw new Refused(response.status, "This page has no key to its server.", START_AGAIN);
  const refusal = (await response.json().catch(() => ({}))) as Partial<Refusal>;
  throw new Refused(response.status, refusal.error ?? `the server said ${response.status}`, refusal.next);
}

function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return ask<T>(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
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
      ...(signal && { signal }),
    }),
  event: (key: string) => ask<EventDetail>(`/api/events/${encodeURIComponent(key)}`),
  testCase: (key: string) => ask<Shared>(`/api/test-case/${encodeURIComponent(key)}`),
  hooks: () => ask<HooksPage>("/api/hooks"),
  samples: () => ask<Samples>("/api/samples"),
  fire: (request: FireRequest, signal: AbortSignal) => post<Fired>("/api/fire", request, signal),
  answer: (request: AnswerRequest) => post<Answered>("/api/answer", request),
};

import type { Fired } from "../api.ts";
import type { Refused } from "./client.ts";
import { createStore } from "./store.ts";

/** What is being tried: it stays when the view is left. */
export interface Trial {
  readonly event: string;
  readonly payload: string;
  readonly usesOwnConfig: boolean;
  readonly config: string;
  readonly isFiring: boolean;
  /** The last one was ended by the user. */
  readonly isStopped: boolean;
  readonly fired?: Fired | undefined;
  /** What `inputOf` said when it was fired. */
  readonly firedWith?: string;
  readonly error?: Refused | undefined;
}

export const trial = createStore<Trial>({
  event: "",
  payload: "",
  usesOwnConfig: false,
  config: "",
  isFiring: false,
  isStopped: false,
});

/** All that a result depends on: when it changes, the result is an old one. */
export function inputOf({ event, payload, usesOwnConfig, config }: Trial): string {
  return JSON.stringify([event, payload, usesOwnConfig && config]);
}

let running: AbortController | undefined;

let chosen: object | undefined;

/** Begins to load a recorded payload. The result tells whether it is still wanted: no other was chosen, nothing edited or fired. */
export function beginChoosing(): () => boolean {
  const { event, payload } = trial.get();
  const choice = {};
  chosen = choice;
  return () => chosen === choice && trial.get().event === event && trial.get().payload === payload;
}

/** The signal that stops the event about to be fired, also after the view was left and opened again. */
export function beginFiring(): AbortSignal {
  chosen = undefined;
  running = new AbortController();
  return running.signal;
}

export function stopFiring(): void {
  running?.abort();
}

/** Puts a recorded event into the playground. */
export function handOver(event: string, payload: Readonly<Record<string, unknown>>): void {
  trial.set({
    event,
    payload: JSON.stringify(payload, null, 2),
    isStopped: false,
    fired: undefined,
    error: undefined,
  });
}

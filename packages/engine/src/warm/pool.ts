import type { Run } from "@belay/core";
import { type Limiter, type Limits, limiter } from "../limits.ts";
import { runSince } from "../process/capture.ts";
import { type ChildSpec, startChild } from "../process/child.ts";
import { EDITED } from "../runners/runner.ts";
import { type Freshness, freshness } from "./freshness.ts";
import { adopt, ask, failureOf, type Question, retire, type WarmProcess } from "./process.ts";

/** A warm hook: what is kept for it, and how. */
export interface WarmHook {
  /** Hooks of one identity share a process. */
  readonly identity: string;
  readonly isParallel: boolean;
  start(): ChildSpec;
  /** The files whose content decides what it does. */
  files(): readonly string[];
  /** Asked before every start: whether the user trusts it as it is now. */
  mayStart(): boolean;
}

/** Processes of warm hooks, one for each; ended when nobody asks them, and replaced when they die or are edited. */
export interface WarmPool {
  call(hook: WarmHook, question: Omit<Question, "signal"> & { readonly signal?: AbortSignal }): Promise<Run>;
  /** Starts its process, if it has none: the first call finds it ready. */
  start(hook: WarmHook): Promise<void>;
  close(): Promise<void>;
}

/** What is kept of one hook. */
interface Seat {
  readonly turn: Limiter;
  process?: WarmProcess;
  freshness?: Freshness;
  /** Several calls at once wait for the same start. */
  opening?: Promise<Opened>;
  calls: number;
}

type Opened = WarmProcess | NonNullable<Run["failure"]>;

export function warmPool({ outputCap, killGraceMs, warmIdleMs }: Limits, handleSignals: boolean): WarmPool {
  const seats = new Map<string, Seat>();
  const all = new Set<WarmProcess>();
  const limits = { cap: outputCap, graceMs: killGraceMs, idleMs: warmIdleMs, handleSignals };
  let isClosed = false;

  const seatOf = ({ identity, isParallel }: WarmHook): Seat => {
    const seat = seats.get(identity) ?? {
      turn: limiter(isParallel ? Number.POSITIVE_INFINITY : 1),
      calls: 0,
    };
    seats.set(identity, seat);
    return seat;
  };

  async function open(hook: WarmHook, seat: Seat): Promise<Opened> {
    const { process: known } = seat;
    if (known && !known.retired && seat.freshness?.isFresh()) return known;
    // Two at once only where calls of the old one are still under way.
    if (known) await retire(known);
    if (known?.complaint !== undefined) {
      delete seat.process;
      return failureOf(known.complaint);
    }
    if (!hook.mayStart()) return EDITED;
    if (isClosed) return { kind: "abort", detail: "it was not started" };
    // Looked at first: an edit while it starts is an edit.
    seat.freshness = freshness(() => hook.files());
    const child = await startChild(hook.start());
    if (typeof child === "string") return { kind: "start", detail: child };
    const started = adopt(child, limits);
    all.add(started);
    seat.process = started;
    void started.gone.then(() => {
      all.delete(started);
      leave(hook, seat);
    });
    if (isClosed) void retire(started);
    return started;
  }

  const opened = (hook: WarmHook, seat: Seat): Promise<Opened> => {
    seat.opening ??= open(hook, seat).finally(() => {
      delete seat.opening;
    });
    return seat.opening;
  };

  /** A seat is kept while something may still be asked of it. */
  function leave({ identity }: WarmHook, seat: Seat): void {
    const { process: last, calls } = seat;
    const isDone = !last || (last.isGone && last.complaint === undefined);
    if (calls === 0 && isDone && seats.get(identity) === seat) seats.delete(identity);
  }

  async function run(hook: WarmHook, seat: Seat, question: Question): Promise<Run> {
    const began = performance.now();
    if (question.signal.aborted) return notAsked(began);
    const process = await opened(hook, seat);
    if (question.signal.aborted) return notAsked(began);
    if ("kind" in process) return runSince(began, { failure: process });
    const facts = await ask(process, question);
    return runSince(began, facts);
  }

  return {
    call: async (hook, { signal = new AbortController().signal, ...rest }) => {
      const seat = seatOf(hook);
      seat.calls += 1;
      try {
        return await seat.turn(() => run(hook, seat, { ...rest, signal }), signal);
      } finally {
        seat.calls -= 1;
        leave(hook, seat);
      }
    },
    start: async (hook) => {
      const seat = seatOf(hook);
      if (seat.process === undefined && seat.calls === 0) await opened(hook, seat);
      leave(hook, seat);
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...seats.values()].map(({ opening }) => opening));
      await Promise.all([...all].map(retire));
    },
  };
}

function notAsked(began: number): Run {
  return runSince(began, { failure: { kind: "abort", detail: "it was not asked" } });
}

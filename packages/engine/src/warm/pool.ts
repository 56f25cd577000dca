import type { Run } from "@belay/core";
import type { Limits } from "../options.ts";
import { runSince } from "../process/capture.ts";
import { type ChildSpec, startChild } from "../process/child.ts";
import { EDITED } from "../runners/runner.ts";
import { type Limiter, limiter } from "../waiting.ts";
import { adopt, ask, failureOf, type Question, retire, type WarmProcess } from "./process.ts";

/** A warm hook, as the pool needs it. */
export interface WarmHook {
  /** Hooks of one identity share a process, within one environment. */
  readonly identity: string;
  readonly environment: string;
  readonly isParallel: boolean;
  start(): ChildSpec;
  /** Looks at the files whose content decides what it does. The answer says whether they are still as they were. */
  snapshot(): () => boolean;
  /** True if the user trusts the hook as it is now. Asked before every start. */
  mayStart(): boolean;
}

/** The processes of warm hooks, one for each. An idle process is ended; one that died or was edited is replaced. */
export interface WarmPool {
  call(hook: WarmHook, question: Omit<Question, "signal"> & { readonly signal?: AbortSignal }): Promise<Run>;
  /** Starts the hook's process if it has none, so that the first call finds it ready. */
  start(hook: WarmHook): Promise<void>;
  close(): Promise<void>;
}

/** The state of one hook in one environment. */
interface Seat {
  readonly key: string;
  readonly identity: string;
  readonly turn: Limiter;
  process?: WarmProcess;
  /** True while the process runs what its files hold. */
  isFresh?: () => boolean;
  /** Several calls at once wait for the same start. */
  opening?: Promise<Opened>;
  calls: number;
}

type Opened = WarmProcess | NonNullable<Run["failure"]>;

/** So many processes of one hook are kept, one for each environment. */
const MAX_ENVIRONMENTS = 4;

export function warmPool({ outputCap, killGraceMs, warmIdleMs }: Limits, handleSignals: boolean): WarmPool {
  const seats = new Map<string, Seat>();
  const all = new Set<WarmProcess>();
  const limits = { cap: outputCap, graceMs: killGraceMs, idleMs: warmIdleMs, handleSignals };
  let isClosed = false;

  const seatOf = ({ identity, environment, isParallel }: WarmHook): Seat => {
    const key = environment === "" ? identity : JSON.stringify([identity, environment]);
    const known = seats.get(key);
    if (known) {
      seats.delete(key); // the last that was asked stands last
      seats.set(key, known);
      return known;
    }
    const same = environment === "" ? [] : [...seats.values()].filter((seat) => seat.identity === identity);
    const [oldest] = same.filter(({ calls, process }) => calls === 0 && process);
    if (same.length >= MAX_ENVIRONMENTS && oldest?.process) void retire(oldest.process);
    const seat: Seat = {
      key,
      identity,
      turn: limiter(isParallel ? Number.POSITIVE_INFINITY : 1),
      calls: 0,
    };
    seats.set(key, seat);
    return seat;
  };

  async function open(hook: WarmHook, seat: Seat): Promise<Opened> {
    const { process: known } = seat;
    if (known && !known.retired && seat.isFresh?.()) return known;
    // Two processes run at once only while calls of the old one are under way.
    if (known) await retire(known);
    if (known?.complaint !== undefined) {
      delete seat.process;
      return failureOf(known.complaint);
    }
    if (!hook.mayStart()) return EDITED;
    if (isClosed) return { kind: "abort", detail: "it was not started" };
    // Taken before the start, so that an edit during the start is noticed.
    seat.isFresh = hook.snapshot();
    const child = await startChild(hook.start());
    if (typeof child === "string") return { kind: "start", detail: child };
    const started = adopt(child, limits);
    all.add(started);
    seat.process = started;
    void started.gone.then(() => {
      all.delete(started);
      leave(seat);
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

  /** Forgets a hook that has no call, no process and no complaint. */
  function leave(seat: Seat): void {
    const { process: last, calls } = seat;
    const isDone = !last || (last.isGone && last.complaint === undefined);
    if (calls === 0 && isDone && seats.get(seat.key) === seat) seats.delete(seat.key);
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
        leave(seat);
      }
    },
    start: async (hook) => {
      const seat = seatOf(hook);
      if (seat.process === undefined && seat.calls === 0) await opened(hook, seat);
      leave(seat);
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

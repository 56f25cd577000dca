import { setMaxListeners } from "node:events";
import { type Diagnostic, diagnose, type Hook, parse, type Run, ruleFor } from "@belay/core";
import { shorten, whereOf } from "@belay/core/internal";
import { runSince } from "./process/capture.ts";
import { type Limiter, limiter, resolvesWithin } from "./waiting.ts";

/** Hooks that were started and are not waited for. They outlive their event, and end with the engine. */
export interface BackgroundRuns {
  /** Starts one. Its Run says that much and no more. */
  start(hook: Hook, run: (signal: AbortSignal) => Promise<Run>): Run;
  /** Their turns: they hold back no hook that is waited for. */
  readonly limit: Limiter;
  /** Waits for them up to the limit, then ends those that are left. */
  close(waitMs: number): Promise<void>;
}

/** `tell` gets what a hook said too late to count; the next event carries it to the user. */
export function backgroundRuns(maxParallel: number, tell: (diagnostic: Diagnostic) => void): BackgroundRuns {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const running = new Set<Promise<void>>();
  return {
    start: (hook, run) => {
      const ending = run(closing.signal).then((result) => {
        running.delete(ending);
        for (const diagnostic of notCounted(hook, result)) tell(diagnostic);
      });
      running.add(ending);
      return runSince(performance.now(), { background: true });
    },
    limit: limiter(maxParallel),
    close: async (waitMs) => {
      if (running.size > 0 && waitMs > 0) await resolvesWithin(Promise.all(running), waitMs);
      closing.abort();
      await Promise.all(running);
    },
  };
}

/** A restriction or a fault that came when nobody waited for it any more. */
function notCounted(hook: Hook, run: Run): Diagnostic[] {
  if (run.failure?.kind === "abort") return [];
  const { kind, reason = "", fault } = parse(hook, run, ruleFor(hook.event, hook.dialect, hook.simulated));
  if (fault === undefined && (kind === "abstain" || kind === "allow")) return [];
  const words = fault ?? reason;
  const did = `${fault === undefined ? `said ${kind}` : "failed"}${words && `: ${shorten(words, MAX_WORDS)}`}`;
  return [diagnose("async-not-counted", { did }, whereOf(hook))];
}

const MAX_WORDS = 200;

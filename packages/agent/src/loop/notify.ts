import { applyOutcome, type Outcome } from "@belay/core";
import type { Conversation } from "../conversation/conversation.ts";
import type { Moments } from "./moments.ts";

/** Tells hooks that the agent waits for the user. Nothing waits for them but the end of the session. */
export interface Notifier {
  notify(kind: Parameters<Moments["notification"]>[0], message: string): void;
  /** Ends the hooks that run still: they may outlive the turn. */
  abort(): void;
  settled(): Promise<void>;
  /** Called when one of them stops the agent. */
  onStop(listener: (outcome: Outcome) => void): void;
}

export function notifier(moments: Moments, conversation: Conversation): Notifier {
  const underWay = new Map<Promise<void>, AbortController>();
  let stopped = (_: Outcome) => {};
  return {
    notify: (kind, message) => {
      const ending = new AbortController();
      const heard = (outcome: Outcome) => {
        applyOutcome(outcome, {}, conversation);
        if (outcome.decision.kind === "stop") stopped(outcome);
      };
      // Hooks that were ended have said nothing, and nobody waits for what they say.
      const telling = moments
        .notification(kind, message, ending.signal)
        .then(heard, () => {})
        .finally(() => underWay.delete(telling));
      underWay.set(telling, ending);
    },
    abort: () => {
      for (const ending of underWay.values()) ending.abort();
    },
    settled: async () => {
      await Promise.all(underWay.keys());
    },
    onStop: (listener) => {
      stopped = listener;
    },
  };
}

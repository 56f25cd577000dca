import { applyOutcome, type Outcome } from "@belay/core";
import type { Conversation } from "../conversation/conversation.ts";
import type { Moments } from "./moments.ts";

/** Tells hooks that the agent waits for the user. Nothing waits for them but the end of the session. */
export interface Notifier {
  notify(kind: Parameters<Moments["notification"]>[0], message: string): void;
  settled(): Promise<void>;
  /** Called when one of them stops the agent. */
  onStop(listener: (outcome: Outcome) => void): void;
}

export function notifier(moments: Moments, conversation: Conversation): Notifier {
  const underWay = new Set<Promise<void>>();
  let stopped = (_: Outcome) => {};
  return {
    notify: (kind, message) => {
      const telling = moments.notification(kind, message).then((outcome) => {
        applyOutcome(outcome, {}, conversation);
        underWay.delete(telling);
        if (outcome.decision.kind === "stop") stopped(outcome);
      });
      underWay.add(telling);
    },
    settled: async () => {
      await Promise.all(underWay);
    },
    onStop: (listener) => {
      stopped = listener;
    },
  };
}

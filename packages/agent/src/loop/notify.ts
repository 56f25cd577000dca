import { applyOutcome } from "@belay/core";
import type { Conversation } from "../conversation/conversation.ts";
import type { Moments } from "./moments.ts";

/** Tells hooks that the agent waits for the user. Nothing waits for them but the end of the session. */
export interface Notifier {
  notify(kind: Parameters<Moments["notification"]>[0], message: string): void;
  settled(): Promise<void>;
}

export function notifier(moments: Moments, conversation: Conversation): Notifier {
  const underWay = new Set<Promise<void>>();
  return {
    notify: (kind, message) => {
      const telling = moments.notification(kind, message).then((outcome) => {
        applyOutcome(outcome, {}, conversation);
        underWay.delete(telling);
      });
      underWay.add(telling);
    },
    settled: async () => {
      await Promise.all(underWay);
    },
  };
}

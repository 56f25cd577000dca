import type { PendingPermission, PermissionDecision } from "@belay/core";

/** The questions that wait for the user, in the order in which they came up. */
export interface PermissionQueue {
  readonly pending: readonly PendingPermission[];
  /** Why one more question would be denied at once: too many are open. */
  readonly refusal: string | undefined;
  /** Settles when the question is decided. Never rejects: an abort, a full queue and a closed one are denials. */
  ask(pending: PendingPermission, signal?: AbortSignal): Promise<PermissionDecision>;
  /** Why the decision does not count, if it does not: the question is not open. */
  decide(id: string, given: GivenDecision): string | undefined;
  subscribe(listener: () => void): () => void;
  /** Denies what is pending and what comes after. */
  close(): void;
}

interface GivenDecision {
  readonly decision: "allow" | "deny";
  readonly reason?: string;
}

interface Question {
  readonly pending: PendingPermission;
  settle(decision: "allow" | "deny", reason?: string): void;
}

const DEFAULT_MAX = 64;

export function createPermissionQueue({
  max = DEFAULT_MAX,
}: {
  readonly max?: number;
} = {}): PermissionQueue {
  const questions = new Map<string, Question>();
  const listeners = new Set<() => void>();
  let pending: readonly PendingPermission[] = [];
  let isClosed = false;

  function change(): void {
    pending = [...questions.values()].map((question) => question.pending);
    for (const listener of [...listeners]) listener();
  }

  function whyNot({ id }: PendingPermission, signal: AbortSignal | undefined): string | undefined {
    if (isClosed) return CLOSED;
    if (signal?.aborted) return ABORTED;
    if (questions.has(id)) return `the question ${id} is already open`;
    return full();
  }

  function full(): string | undefined {
    return questions.size < max ? undefined : `${max} questions are open already: answer them first`;
  }

  return {
    get pending() {
      return pending;
    },
    get refusal() {
      return full();
    },
    ask: (asked, signal) =>
      new Promise((resolve) => {
        const answer = (decision: "allow" | "deny", reason?: string) =>
          resolve(decisionOn(asked.toolName, decision, reason));
        const refusal = whyNot(asked, signal);
        if (refusal !== undefined) return answer("deny", refusal);
        const onAbort = () => questions.get(asked.id)?.settle("deny", ABORTED);
        signal?.addEventListener("abort", onAbort, { once: true });
        questions.set(asked.id, {
          pending: asked,
          settle: (decision, reason) => {
            questions.delete(asked.id);
            signal?.removeEventListener("abort", onAbort);
            answer(decision, reason);
            change();
          },
        });
        change();
      }),
    decide: (id, { decision, reason }) => {
      const question = questions.get(id);
      if (!question) return `no question ${id} is open`;
      question.settle(decision, reason);
      return undefined;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      isClosed = true;
      for (const question of [...questions.values()]) question.settle("deny", CLOSED);
    },
  };
}

const ABORTED = "the turn was ended before the question was answered";
const CLOSED = "the session was closed before the question was answered";

function decisionOn(toolName: string, decision: "allow" | "deny", reason?: string): PermissionDecision {
  return {
    decision,
    toolName,
    ...(reason !== undefined && { reason }),
    timestamp: Date.now(),
    shouldContinueRecursion: decision === "allow",
  };
}

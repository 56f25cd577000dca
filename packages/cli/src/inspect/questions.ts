import type { Answered, AnswerRequest, OpenSession } from "@belay/inspector/api";

/** The open questions of the chats that run now, and the way to answer them. */
export interface Questions {
  /** Tells what is open, now and after each change, until it is ended. */
  watch(changed: (sessions: readonly OpenSession[]) => void, ended: AbortSignal): void;
  answer(request: AnswerRequest): Promise<Answered>;
}

export function noQuestions(): Questions {
  return {
    watch: (changed) => changed([]),
    answer: async () => ({ counted: false, why: "no chat is open" }),
  };
}

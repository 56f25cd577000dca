import type { Conversation } from "./conversation.ts";

/** How much of an answer may be lost, in time, when the process is killed. */
const KEEP_EVERY_MS = 250;

/** Writes down what the model has said of an answer that still comes, piece by piece, until the answer is a block. */
export function keepDraft(conversation: Conversation, write: (text: string) => void): void {
  let kept = 0;
  let timer: NodeJS.Timeout | undefined;

  function keep(): void {
    timer = undefined;
    const text = conversation.draft.slice(kept);
    kept += text.length;
    write(text);
  }

  conversation.subscribe(() => {
    if (conversation.draft.length > kept) timer ??= setTimeout(keep, KEEP_EVERY_MS).unref();
    else if (conversation.draft === "") {
      clearTimeout(timer);
      timer = undefined;
      kept = 0;
    }
  });
}

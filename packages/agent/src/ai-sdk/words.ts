import { applyOutcome, type Outcome } from "@belay/core";
import { createConversation } from "../conversation/conversation.ts";
import { convertMessagesForAPI } from "../conversation/convert.ts";

/** What hooks say to the model, between tags that nothing in it can close. The words of a refused call are not among them. */
export function wordsOf(outcome: Outcome): string[] {
  const conversation = createConversation();
  applyOutcome(outcome, {}, conversation);
  return convertMessagesForAPI(conversation.messages).flatMap(({ role, content }) =>
    role === "user" ? content : [],
  );
}

/** Why a call was refused, or what is wrong with its result: the result itself says it. */
export function refusalOf({ messages }: Outcome): string[] {
  return messages.filter(({ block }) => block.type === "tool").map(({ block }) => block.content);
}

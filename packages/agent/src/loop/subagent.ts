import { randomUUID } from "node:crypto";
import { messageOf } from "@belay/core/internal";
import * as z from "zod";
import { type Change, type Conversation, createConversation } from "../conversation/conversation.ts";
import type { Block } from "../conversation/message.ts";
import type { PastSession } from "../conversation/transcript.ts";
import type { Tool } from "../tools/tool.ts";
import type { TurnEnd } from "../types.ts";
import { sendAIMessage } from "./loop.ts";
import { isWaiting, reportInterrupted, resumeTurn } from "./resume.ts";
import type { Thread } from "./thread.ts";

const SCHEMA = z.strictObject({
  description: z.string().describe("What it is about, in a few words."),
  prompt: z.string().min(1).describe("The whole task: a subagent sees nothing else."),
  subagent_type: z.string().optional().describe("What kind of subagent; general if absent."),
});

/** What subagents need of the agent around them. */
export interface Subagents {
  /** Makes the thread of a subagent around a conversation of its own. */
  spawn(agent: { readonly id: string; readonly type: string }, conversation: Conversation): Thread;
  /** Called for every change of that conversation; `task` is the call that began it. */
  record(task: string, change: Change): void;
  /** The conversation of the agent that they work for: its user is theirs. */
  readonly own: Conversation;
  /** What a resumed session has left of them. */
  readonly past: Pick<PastSession, "subagents" | "pending"> | undefined;
}

/** Shows the user of the agent what a subagent's conversation has for users, under the name of the hook that said it. */
function tellUser(own: Conversation, said: Block): void {
  const port = "hook" in said && said.hook !== undefined ? own.from(said.hook) : own;
  if (said.type === "text" && said.to.every((reader) => reader === "user")) port.addTextBlock(said.content);
  if (said.type === "error") port.addErrorBlock(said.content);
  if (said.type === "warn" && said.to.includes("user")) port.addWarnBlock(said.content);
}

/** Runs a subagent from its prompt, or from the question that it was left with. */
async function work(
  thread: Thread,
  pending: PastSession["pending"] | undefined,
  signal: AbortSignal,
): Promise<TurnEnd> {
  return (pending && (await resumeTurn(thread, pending, signal))) ?? sendAIMessage(thread, signal);
}

/**
 * A subagent: a conversation of its own, the same hooks and permissions, and one result. A call that was cut off while the
 * subagent asked the user goes on from its question.
 */
export function taskTool({ spawn, record, own, past }: Subagents): Tool<z.infer<typeof SCHEMA>> {
  return {
    name: "Task",
    description: "Gives a task to a subagent with a conversation of its own, and returns its last words.",
    kind: "agent",
    schema: SCHEMA,
    subject: ({ description }) => description,
    paths: () => [],
    run: async ({ prompt, subagent_type = "general" }, { signal, closed = signal, id }) => {
      const left = past?.subagents.get(id);
      const conversation = createConversation(left);
      const thread = { ...spawn({ id: randomUUID(), type: subagent_type }, conversation), closed };
      // Nobody sees the subagent's conversation, so what is for users goes to the agent's.
      conversation.subscribe((change) => {
        if (change) record(id, change);
        const block = change?.type === "block" ? change.block : undefined;
        const blocks = change?.type === "message" ? change.message.blocks : block ? [block] : [];
        for (const said of blocks) tellUser(own, said);
      });
      if (left) reportInterrupted(conversation);
      else conversation.addPrompt(prompt);
      const end = await work(thread, left && past?.pending, signal).catch((error: unknown) => {
        if (signal.aborted || !closed.aborted) throw error;
        return undefined;
      });
      if (!end) return { content: `The subagent was ended: ${messageOf(closed.reason)}.`, success: false };
      if (end.reason === "done") return { content: end.text, success: true };
      // The reason of a hook or the user is not for the model.
      const content = `The subagent ended early (${end.reason}). ${end.text}`.trim();
      const isOpen = isWaiting(conversation.messages);
      return { content, success: false, isOpen, ...(end.reason !== "turn-limit" && { end }) };
    },
  };
}

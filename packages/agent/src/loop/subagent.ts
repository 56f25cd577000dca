import { randomUUID } from "node:crypto";
import * as z from "zod";
import { type Conversation, createConversation } from "../conversation/conversation.ts";
import type { Tool } from "../tools/tool.ts";
import { sendAIMessage } from "./send.ts";
import type { Thread } from "./thread.ts";

const SCHEMA = z.strictObject({
  description: z.string().describe("What it is about, in a few words."),
  prompt: z.string().min(1).describe("The whole task: a subagent sees nothing else."),
  subagent_type: z.string().optional().describe("What kind of subagent; general if absent."),
});

/** Makes the thread of a subagent around a conversation of its own. */
export type Spawn = (
  agent: { readonly id: string; readonly type: string },
  conversation: Conversation,
) => Thread;

/** A subagent: a conversation of its own, the same hooks and permissions, and one result. */
export function taskTool(spawn: Spawn): Tool<z.infer<typeof SCHEMA>> {
  return {
    name: "Task",
    description: "Gives a task to a subagent with a conversation of its own, and returns its last words.",
    kind: "agent",
    schema: SCHEMA,
    subject: ({ description }) => description,
    paths: () => [],
    run: async ({ prompt, subagent_type = "general" }, { signal, warn }) => {
      const conversation = createConversation();
      const thread = spawn({ id: randomUUID(), type: subagent_type }, conversation);
      // Its user is ours: what is meant for people must not end in a conversation that nobody sees.
      conversation.subscribe((change) => {
        const block = change?.type === "block" ? change.block : undefined;
        const blocks = change?.type === "message" ? change.message.blocks : block ? [block] : [];
        for (const said of blocks)
          if (said.type === "error" || (said.type === "warn" && said.to.includes("user"))) warn(said.content);
      });
      conversation.addPrompt(prompt);
      const end = await sendAIMessage(thread, signal);
      if (end.reason === "done") return { content: end.text, success: true };
      // Why a hook or the user ended it is not for the model.
      const content = `The subagent ended early (${end.reason}). ${end.text}`.trim();
      return { content, success: false, ...(end.reason !== "turn-limit" && { end }) };
    },
  };
}

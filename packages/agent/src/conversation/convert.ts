import type { AssistantPart, ModelMessage, ToolResultPart } from "../models/model.ts";
import type { Block, Message, ToolBlock } from "./message.ts";

/**
 * What the model is sent. A block's address decides: nothing that is for the user alone gets here. Words of hooks stand
 * between tags, and so does a summary, which is no prompt; nothing in them can end or open one. Results of tools are sent as
 * they are, since a file is edited by what was read of it: a `mark` in the names of the tags, which nothing but the system
 * prompt tells, keeps such text from posing as a hook.
 */
export function convertMessagesForAPI(messages: readonly Message[], mark = ""): ModelMessage[] {
  const tag = taggedWith(mark);
  return messages.reduce<ModelMessage[]>((sent, message) => {
    const next = message.role === "assistant" ? fromAgent(message, tag) : forAgent(message, tag);
    return next.reduce(join, sent);
  }, []);
}

/** Two messages of the user in a row are one: some models refuse them. */
function join(sent: readonly ModelMessage[], next: ModelMessage): ModelMessage[] {
  const before = sent[sent.length - 1];
  if (before?.role !== "user" || next.role !== "user") return [...sent, next];
  return [...sent.slice(0, -1), { role: "user", content: `${before.content}\n\n${next.content}` }];
}

function fromAgent({ blocks }: Message, tag: Tagged): ModelMessage[] {
  const content = blocks.flatMap(partOf);
  const results = blocks.filter((block) => block.type === "tool").map((block) => resultOf(block, tag));
  return [
    ...(content.length > 0 ? [{ role: "assistant", content } as const] : []),
    ...(results.length > 0 ? [{ role: "tool", content: results } as const] : []),
  ];
}

function partOf(block: Block): AssistantPart[] {
  if (block.type === "text") return [{ type: "text", text: block.content }];
  // The model goes on from what it asked for; that a hook changed it stands in the result.
  if (block.type === "tool")
    return [{ type: "tool-call", id: block.id, name: block.name, input: block.input }];
  return [];
}

const NO_RESULT = "Interrupted: it is not known how far this got. It was not run again.";

function resultOf(block: ToolBlock, tag: Tagged): ToolResultPart {
  const { id, name, result = NO_RESULT, success = false, updatedInput } = block;
  const words = `A hook changed this call to ${JSON.stringify(updatedInput)}.`;
  const changed = updatedInput ? `${tag("hook", {}, words)}\n` : "";
  return { type: "tool-result", id, name, result: changed + result, success };
}

function forAgent({ source, blocks }: Message, tag: Tagged): ModelMessage[] {
  const texts = blocks.flatMap((block) => textFor(block, source, tag));
  return texts.length === 0 ? [] : [{ role: "user", content: texts.join("\n\n") }];
}

function textFor(block: Block, source: Message["source"], tag: Tagged): string[] {
  switch (block.type) {
    case "text":
      if (!block.to.includes("agent")) return [];
      if (source === "summary") return [tag("summary", {}, block.content)];
      return [source === "hook" ? tag("hook-output", {}, block.content) : block.content];
    case "warn":
      return block.to.includes("agent") ? [tag("warning", {}, block.content)] : [];
    case "hook":
      return [tag("hook", { event: block.hookEvent }, block.content)];
    default:
      return [];
  }
}

/** Tags of what does not come from the user, the model or a tool. */
const TAGS = ["hook", "hook-output", "warning", "summary"] as const;
type Tag = (typeof TAGS)[number];
type Tagged = (tag: Tag, attributes: Readonly<Record<string, string>>, content: string) => string;

export function tagsWith(mark: string): string[] {
  return TAGS.map((tag) => nameWith(tag, mark));
}

function nameWith(tag: Tag, mark: string): string {
  return mark === "" ? tag : `${tag}-${mark}`;
}

function taggedWith(mark: string): Tagged {
  return (tag, attributes, content) => {
    const name = nameWith(tag, mark);
    const written = Object.entries(attributes).map(
      ([key, value]) => ` ${key}="${escaped(value).replaceAll('"', "&quot;")}"`,
    );
    return `<${name}${written.join("")}>\n${escaped(content)}\n</${name}>`;
  };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

import { isObject } from "@belay/core";
import type { ModelMessage as AiMessage, JSONValue } from "ai";
import type { AssistantPart, ModelMessage, ToolCallPart, ToolResultPart } from "./model.ts";

/** Our messages in the AI SDK's words. */
export function toAiMessages(messages: readonly ModelMessage[]): AiMessage[] {
  return messages.flatMap(toAiMessage);
}

function toAiMessage(message: ModelMessage): AiMessage[] {
  if (message.role === "user") return [{ role: "user", content: message.content }];
  if (message.role === "tool") return [{ role: "tool", content: message.content.map(toAiResult) }];
  const content = message.content.filter(saysSomething).map(toAiPart);
  return content.length === 0 ? [] : [{ role: "assistant", content }];
}

/** Providers refuse a text without a character in it. */
function saysSomething(part: AssistantPart): boolean {
  return part.type !== "text" || part.text.trim() !== "";
}

function toAiPart(part: AssistantPart) {
  if (part.type === "text") return { type: "text" as const, text: part.text };
  return { type: "tool-call" as const, toolCallId: part.id, toolName: part.name, input: part.input };
}

function toAiResult({ id, name, result, success }: ToolResultPart) {
  const output = { type: success ? ("text" as const) : ("error-text" as const), value: result };
  return { type: "tool-result" as const, toolCallId: id, toolName: name, output };
}

const KEPT_OF_INPUT = 1000;

/**
 * A call as we hand it on. Of an input that is no JSON object the text is kept under a name that no tool has: its schema
 * then says what is missing, and the model can see what it wrote.
 */
export function toCall(call: { toolCallId: string; toolName: string; input: unknown }): ToolCallPart {
  const { toolCallId: id, toolName: name, input } = call;
  return { type: "tool-call", id, name, input: isObject(input) ? input : { unparsable: kept(input) } };
}

function kept(input: unknown): string {
  const text = typeof input === "string" ? input : (JSON.stringify(input as JSONValue) ?? "");
  return text.slice(0, KEPT_OF_INPUT);
}

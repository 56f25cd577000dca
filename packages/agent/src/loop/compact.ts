import { randomUUID } from "node:crypto";
import { applyOutcome, type Message as HookMessage, type Outcome } from "@belay/core";
import { convertMessagesForAPI } from "../conversation/convert.ts";
import type { Block, Message } from "../conversation/message.ts";
import type { Model, ModelMessage } from "../models/model.ts";
import { orAborted } from "./aborted.ts";
import type { Thread } from "./thread.ts";

/** Whether the conversation was compacted, and the outcome of a hook that stopped the agent then. */
export interface Compacted {
  readonly isDone: boolean;
  readonly stopped?: Outcome;
}

/**
 * Puts a summary in place of the conversation, unless a hook refuses or the model gives none. Words of hooks that the agent has
 * not been sent yet are kept as they are. An automatic compaction also keeps the prompt: in front of the summary once the work
 * on it has begun, so that the work is not begun again.
 */
export async function compact(
  { conversation, model, moments }: Pick<Thread, "conversation" | "model" | "moments">,
  trigger: "manual" | "auto",
  instructions: string | undefined,
  signal: AbortSignal,
): Promise<Compacted> {
  const before = await moments.beforeCompact(trigger, instructions, signal);
  const forUser = { ...before, messages: before.messages.filter(({ to }) => to === "user") };
  const tellUser = () => applyOutcome(forUser, {}, conversation);
  if (before.blocked) {
    tellUser();
    return { isDone: false, ...(before.decision.kind === "stop" && { stopped: before }) };
  }
  const summary = await summarise(model, conversation.messages, instructions, signal).catch(
    (error: unknown) => {
      tellUser();
      throw error;
    },
  );
  if (summary.trim() === "") {
    tellUser();
    conversation.addWarnBlock("The conversation was not compacted: the model gave no summary of it.");
    return { isDone: false };
  }
  const summed = message("summary", [{ type: "text", content: summaryText(summary), to: ["user", "agent"] }]);
  const kept = eachOnce([
    ...unsent(conversation.messages),
    ...before.messages.filter(({ to }) => to === "agent").map(keptBlock),
  ]);
  conversation.reset([
    ...(trigger === "auto" ? besidePrompt(summed, conversation.messages) : [summed]),
    ...(kept.length > 0 ? [message("hook", kept)] : []),
  ]);
  tellUser();
  const start = await moments.sessionStart("compact", signal);
  applyOutcome(start, {}, conversation);
  return { isDone: true, ...(start.decision.kind === "stop" && { stopped: start }) };
}

function besidePrompt(summed: Message, messages: readonly Message[]): Message[] {
  const at = messages.findLastIndex(({ source }) => source === "prompt");
  const prompt = messages[at];
  if (!prompt) return [summed];
  const hasBegun = messages.slice(at + 1).some(({ source }) => source === "model" || source === "summary");
  return hasBegun ? [prompt, summed] : [summed, prompt];
}

/** Words of hooks for the agent that have been in no request yet. */
function unsent(messages: readonly Message[]): Block[] {
  const answer = messages.findLastIndex(({ source }) => source === "model" || source === "summary");
  const told = messages.slice(answer + 1).filter(({ source }) => source === "hook");
  return told.filter((one) => convertMessagesForAPI([one]).length > 0).flatMap(({ blocks }) => blocks);
}

/** Without repetitions: hooks say the same at each compaction. */
function eachOnce(blocks: readonly Block[]): Block[] {
  return [...new Map(blocks.map((block) => [JSON.stringify(block), block])).values()];
}

function message(source: Message["source"], blocks: readonly Block[]): Message {
  return { id: randomUUID(), role: "user", source, time: new Date().toISOString(), blocks };
}

function keptBlock({ block, hook }: HookMessage): Block {
  const { type, content, hookEvent, metadata } = block;
  if (type === "hook" && hookEvent) return { type, content, hookEvent, ...(metadata && { metadata }), hook };
  return { type: "text", content, to: ["agent"], hook };
}

function summaryText(summary: string): string {
  return `This is a summary of the conversation so far, which was compacted:\n\n${summary}`;
}

const SYSTEM =
  "You summarise a conversation between a user and a coding agent so that the agent can go on from the summary alone. Keep: what the user wants, decisions, files and commands that matter, results, and what is left to do. Write plain text.";

async function summarise(
  model: Model,
  messages: readonly Message[],
  instructions: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const wish = instructions ? `The user asks to keep in particular: ${instructions}\n\n` : "";
  const text = convertMessagesForAPI(messages).map(written).join("\n\n");
  const prompt = `${wish}The conversation:\n\n${ends(text)}`;
  return orAborted(model.complete({ system: SYSTEM, prompt, signal }), signal);
}

function written(message: ModelMessage): string {
  if (message.role === "user") return `User: ${message.content}`;
  if (message.role === "tool")
    return message.content
      .map(
        ({ name, result, success }) =>
          `Result of ${name}${success ? "" : " (failed)"}:\n${quoted(short(result))}`,
      )
      .join("\n");
  return message.content
    .map((part) =>
      part.type === "text"
        ? `Agent: ${part.text}`
        : `Agent calls ${part.name}: ${short(JSON.stringify(part.input))}`,
    )
    .join("\n");
}

const MAX_RESULT = 2_000;
const MAX_TEXT = 200_000;

/** Nothing in a result can look like a turn of the user. */
function quoted(text: string): string {
  return text.replaceAll(/^/gm, "> ");
}

function short(text: string): string {
  return text.length <= MAX_RESULT ? text : `${text.slice(0, MAX_RESULT)} …`;
}

/** The beginning says what was wanted, the end where it stands. */
function ends(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT / 4)}\n…\n${text.slice((-MAX_TEXT * 3) / 4)}`;
}

/** The share of what the model can read at which the conversation is compacted. */
const FULL = 0.8;

/** Whether it is time to compact. Not if the prompt alone fills the room: the prompt is kept, so nothing would be won. */
export function isFull(messages: readonly Message[], contextTokens: number): boolean {
  const room = contextTokens * FULL;
  const prompt = messages.filter(({ source }) => source === "prompt").slice(-1);
  return estimatedTokens(messages) > room && estimatedTokens(prompt) < room / 2;
}

/** About how many tokens messages have: four characters each, which errs on the long side for English and code. */
function estimatedTokens(messages: readonly Message[]): number {
  return Math.ceil(JSON.stringify(convertMessagesForAPI(messages)).length / 4);
}

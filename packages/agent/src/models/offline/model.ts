import { setImmediate } from "node:timers/promises";
import type { Model, ModelEvent, ModelMessage, ModelRequest, ToolCallPart } from "../model.ts";
import { completed } from "./complete.ts";
import { lastWords, pastOf, wordsBefore } from "./past.ts";

/**
 * The default, without a key and without a network: it follows simple sentences, always in the same way, so that hooks can
 * be felt at work in the first minute. What it understands is a table, offline/verbs.ts.
 */
export function offlineModel(): Model {
  const nextId = idsOf();
  return {
    name: "offline",
    stream: (request) => answer(request, nextId),
    complete: async ({ prompt, signal }) => {
      signal?.throwIfAborted();
      return completed(prompt);
    },
  };
}

async function* answer(
  { system, messages, tools, signal }: ModelRequest,
  nextId: (messages: readonly ModelMessage[]) => string,
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  const past = pastOf(messages, new Set(tools.map(({ name }) => name)), system);
  const [step] = past.next;
  for (const text of inPieces(step ? wordsBefore(past) : lastWords(past))) {
    await setImmediate();
    signal.throwIfAborted();
    yield { type: "text", text };
  }
  for (const wish of step ?? [])
    yield { type: "tool-call", id: nextId(messages), ...wish } satisfies ToolCallPart;
  yield { type: "end" };
}

/** Counts on from the highest number in the conversation: a resumed one has calls of an earlier process. */
function idsOf(): (messages: readonly ModelMessage[]) => string {
  let last = 0;
  return (messages) => {
    const used = messages
      .flatMap((message) => (message.role === "assistant" ? message.content : []))
      .map((part) => (part.type === "tool-call" ? Number(/^offline_(\d+)$/.exec(part.id)?.[1] ?? 0) : 0));
    last = used.reduce((a, b) => Math.max(a, b), last) + 1;
    return `offline_${last}`;
  };
}

const PIECE = 24;

/** A few words at a time. */
function inPieces(text: string): string[] {
  return text.match(new RegExp(String.raw`[\s\S]{1,${PIECE}}(?:\s+|$)|\S+\s*`, "g")) ?? [];
}

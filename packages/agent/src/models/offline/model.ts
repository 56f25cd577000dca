import { setImmediate } from "node:timers/promises";
import { plural } from "@belay/core/internal";
import { type Model, ModelError, type ModelEvent, type ModelRequest } from "../model.ts";
import { lastWords, pastOf, wordsBefore } from "./past.ts";
import { shortened } from "./verbs.ts";

/**
 * The default, without a key and without a network: it follows simple sentences, always in the same way, so that hooks can
 * be felt at work in the first minute. What it understands is a table, offline/verbs.ts.
 */
export function offlineModel(): Model {
  return {
    name: "offline",
    stream: answer,
    complete: async ({ prompt, signal }) => {
      signal?.throwIfAborted();
      return completed(prompt);
    },
  };
}

async function* answer({ system, messages, signal }: ModelRequest): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  const past = pastOf(messages, system);
  const [step] = past.next;
  for (const text of inPieces(step ? wordsBefore(past) : lastWords(past))) {
    await setImmediate();
    signal.throwIfAborted();
    yield { type: "text", text };
  }
  const made = messages.flatMap(({ role, content }) => (role === "tool" ? content : [])).length;
  for (const [index, wish] of (step ?? []).entries())
    yield { type: "tool-call", id: `offline_${made + index + 1}`, ...wish };
  yield { type: "end" };
}

const PIECE = 24;

/** A few words at a time. */
function inPieces(text: string): string[] {
  return text.match(new RegExp(String.raw`[\s\S]{1,${PIECE}}(?:\s+|$)|\S+\s*`, "g")) ?? [];
}

/**
 * One question, one text. A prompt hook's question is judged if it says `forbid: word` (or `forbid: "several words"`): no
 * if that stands in the payload, else yes. Without it there is a ModelError: a yes would be a lie. Anything else is taken
 * for a text to sum up: its first lines.
 */
function completed(prompt: string): string {
  return isHookQuestion(prompt) ? judged(prompt) : summedUp(prompt);
}

/** The form that is asked for by the engine's prompt runner. */
function isHookQuestion(prompt: string): boolean {
  return prompt.includes('{"ok": true}') && prompt.includes("<payload>");
}

const PAYLOAD = /<payload>\n([^<]*)\n<\/payload>/g;
const FORBIDDEN = /\bforbid:\s*(?:"([^"]+)"|`([^`]+)`|([^\s"`]+))/gi;

function judged(prompt: string): string {
  const payload = [...prompt.matchAll(PAYLOAD)].map(([, json = ""]) => textsIn(json)).join("\n");
  const question = prompt.replaceAll(PAYLOAD, "");
  const forbidden = [...question.matchAll(FORBIDDEN)].map(([, a, b, c]) => a ?? b ?? c ?? "");
  if (forbidden.length === 0)
    throw new ModelError("model", "the offline model cannot judge this; it only knows `forbid: word`");
  const word = forbidden.find((each) => payload.toLowerCase().includes(each.toLowerCase()));
  return JSON.stringify(
    word === undefined ? { ok: true } : { ok: false, reason: `“${word}” is forbidden here` },
  );
}

/** Every string in it, as it was before it became JSON. */
function textsIn(json: string): string {
  const texts: string[] = [];
  try {
    JSON.parse(json, (_key, value: unknown) => {
      if (typeof value === "string") texts.push(value);
      return value;
    });
    return texts.join("\n");
  } catch {
    return json;
  }
}

const LINES = 12;

/** Each line is marked as a quotation, so that it is never taken for an instruction when it is read again. */
function summedUp(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const rest = lines.length - LINES;
  return [
    "> Summary by Belay's offline model, which only repeats how the text begins:",
    ...lines.slice(0, LINES).map((line) => `> ${shortened(line, 160)}`),
    ...(rest > 0 ? [`> … and ${plural(rest, "more line")}`] : []),
  ].join("\n");
}

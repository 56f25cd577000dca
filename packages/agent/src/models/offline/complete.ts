import { plural } from "@belay/core/internal";
import { ModelError } from "../model.ts";
import { shortened, type Wish } from "./verbs.ts";

/**
 * One question, one text. A prompt hook's question is judged if it says `forbid: word` (or `forbid: "several words"`): no
 * if that stands in the payload, else yes. Without it there is a ModelError: a yes would be a lie. Anything else is taken
 * for a text to sum up: its first lines.
 */
export function completed(prompt: string): string {
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
    ...callsSincePrompt(text).map((call) => `> ${CALLED}${call}`),
  ].join("\n");
}

/*
 * The summary names the calls since the prompt, so that the model does not make them again when the conversation is compacted
 * in the middle of a turn.
 */

const CALLED = "Called ";
/** How a call is written in a text that is to be summed up (loop/compact.ts), and in an older summary in it. */
const CALL = new RegExp(`^(?:Agent calls|&gt; ${CALLED.trim()}) (.+)$`);
/** A summary in front of a prompt is about other prompts. */
const OF_OTHERS = /^User: <(summary(?:-[0-9a-f]{8})?)>\n[^<>]*\n<\/\1>/gm;
const PROMPT = /^User: (?!<(?:hook|warning))/;

function callsSincePrompt(text: string): string[] {
  const lines = text.replaceAll(OF_OTHERS, "User: ").split("\n");
  const since = lines.slice(lines.findLastIndex((line) => PROMPT.test(line)) + 1);
  return since.flatMap((line) => {
    const [, call] = CALL.exec(line) ?? [];
    return call === undefined ? [] : [shortened(line.startsWith("&gt;") ? unescaped(call) : call, 160)];
  });
}

/** The calls that a summary names. */
export function callsIn(summary: string): string[] {
  return [...summary.matchAll(new RegExp(`^> ${CALLED}(.+)$`, "gm"))].map(([, call = ""]) => call);
}

/** A call as a summary names it. */
export function callLine({ name, input }: Wish): string {
  return shortened(`${name}: ${JSON.stringify(input)}`, 160);
}

/** What conversation/convert.ts escapes. */
export function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

import { plural } from "@belay/core/internal";
import { ModelError } from "../model.ts";
import { shortened, VERB, type Wish, wishOf } from "./sentences.ts";

/** Wishes of one step are called for at once; steps come one after another. */
export interface Plan {
  readonly steps: readonly (readonly Wish[])[];
  /** Parts of the text that were not understood. */
  readonly unclear: readonly string[];
}

const AFTER = /[;,.]?\s(?:and\s)?then\s|[;.]\s/gi;
const AT_ONCE = /,\s(?:and\s)?|\sand\s/gi;
const COLON = /:\s/g;

/**
 * What a prompt asks for. A separator counts only outside of quotes and where a sentence follows that is understood:
 * "write list.txt: bread and butter" is one wish.
 */
export function planOf(prompt: string): Plan {
  // A quotation is nobody's wish, whatever stands in it.
  const parts = linesOf(prompt)
    .filter((line) => !line.startsWith(">"))
    .flatMap((line) => split(line, AFTER))
    .map((step) => split(step, AT_ONCE));
  const steps = parts.map((step) => step.map(wishOf).filter((wish) => wish !== undefined));
  return {
    steps: steps.filter((step) => step.length > 0),
    unclear: parts.flat().filter((part) => wishOf(part) === undefined && !isFrame(part.trim())),
  };
}

/** Says nothing by itself: "Please do this:". */
function isFrame(part: string): boolean {
  return part === "" || part.endsWith(":");
}

/** Bounds what is read of a hook's words. */
const READ_OF_HOOK = 4000;

/**
 * What a hook's words ask for. Every sentence stands alone, and an instruction is at its beginning, behind a colon or
 * behind "then": in the middle of one, "and run" may mean anything.
 */
export function planOfHook(words: string): Plan["steps"] {
  return words
    .slice(0, READ_OF_HOOK)
    .split(/(?<=[.!?])\s|\n/)
    .flatMap((sentence) => split(sentence, COLON))
    .flatMap((sentence) => split(withoutTail(sentence), AFTER))
    .filter(beginsWish)
    .flatMap((sentence) => planOf(sentence).steps);
}

/** "Run npm test before you stop": the rest of such a sentence is no part of the command. */
function withoutTail(sentence: string): string {
  return sentence.replace(/\s(?:before you|first|again)\b[^"`]*$/i, "");
}

/** A line is an instruction of its own, but quotes go on until they are closed, and what is written to a file may go on over many. */
function linesOf(prompt: string): string[] {
  const lines: string[] = [];
  let isContent = false;
  for (const line of linesWithQuotes(prompt)) {
    if (isContent && !beginsWish(line)) lines.push(`${lines.pop()}\n${line}`);
    else {
      lines.push(line);
      isContent = wishOf(line)?.name === "Write";
    }
  }
  return lines;
}

function linesWithQuotes(prompt: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at <= prompt.length; ) {
    const end = lineEnd(prompt, at);
    const line = prompt.slice(at, end);
    const quote = VERB.test(line) ? /["`]|(?<!\w)'/.exec(withoutQuoted(line))?.[0] : undefined;
    const closing = quote === undefined ? -1 : prompt.indexOf(quote, end);
    const last = closing === -1 ? end : lineEnd(prompt, closing);
    lines.push(prompt.slice(at, last));
    at = last + 1;
  }
  return lines;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

function split(text: string, separator: RegExp): string[] {
  const hidden = withoutQuoted(text);
  const parts: string[] = [];
  let start = 0;
  for (const { 0: found, index } of hidden.matchAll(separator)) {
    const next = index + found.length;
    if (index < start || !beginsWish(text.slice(next))) continue;
    parts.push(text.slice(start, index));
    start = next;
  }
  return [...parts, text.slice(start)];
}

/** How far ahead it is looked for the end of an instruction. */
const AHEAD = 2000;
const ENDS = 4;

/** Whether an instruction begins here, whatever comes behind it. */
function beginsWish(text: string): boolean {
  if (!VERB.test(text)) return false;
  const ahead = text.slice(0, AHEAD);
  const hidden = withoutQuoted(ahead);
  const ends = [...hidden.matchAll(AFTER), ...hidden.matchAll(AT_ONCE)].map(({ index }) => index);
  const nearest = ends.sort((a, b) => a - b).slice(0, ENDS);
  return [...nearest, ahead.length].some((end) => wishOf(ahead.slice(0, end)) !== undefined);
}

/** Of the same length, with nothing in quotes that could be taken for a separator. */
function withoutQuoted(text: string): string {
  return text.replaceAll(/"[^"]*"|`[^`]*`|(?<!\w)'[^']*'(?!\w)/g, (quoted) => "_".repeat(quoted.length));
}

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
    ...callsMade(text),
  ].join("\n");
}

/*
 * What the offline model tells itself by a summary: which calls it has made since the prompt, so that it does not make them
 * again when the conversation is compacted in the middle of a turn.
 */

const LENGTH = 160;
const DONE = "Already done: ";
const FAILED = "Tried without success: ";
const MADE = new RegExp(`^> (?:${DONE}|${FAILED})(.+)$`, "gm");
/** How calls and results are written in a text that is to be summed up (loop/compact.ts), and in an older summary in it. */
const CALLED = /^Agent calls ((\w+): .+)$/;
const CAME_BACK = /^Result of (\w+)( \(failed\))?:$/;
const MADE_BEFORE = new RegExp(`^&gt; ((?:${DONE}|${FAILED}).+)$`);
/** A summary in front of a prompt is about other prompts. */
const OF_OTHERS = /^User: <(summary(?:-[0-9a-f]{8})?)>\n[^<>]*\n<\/\1>/gm;
const PROMPT = /^User: (?!<(?:hook|warning))/;

/** Lines for a summary of this text. */
function callsMade(text: string): string[] {
  const lines = text.replaceAll(OF_OTHERS, "User: ").split("\n");
  const since = lines.slice(lines.findLastIndex((line) => PROMPT.test(line)) + 1);
  const calls: { name: string; line: string; isOpen: boolean; isDone: boolean }[] = [];
  const before: string[] = [];
  for (const line of since) {
    const [, old] = MADE_BEFORE.exec(line) ?? [];
    const [, call, called] = CALLED.exec(line) ?? [];
    const [, name, failed] = CAME_BACK.exec(line) ?? [];
    if (old !== undefined) before.push(`> ${unescaped(old)}`);
    if (call !== undefined && called !== undefined)
      calls.push({ name: called, line: shortened(call, LENGTH), isOpen: true, isDone: false });
    // Results come in the order of their calls.
    const its = name === undefined ? undefined : calls.find((one) => one.isOpen && one.name === name);
    if (its) Object.assign(its, { isOpen: false, isDone: failed === undefined });
  }
  return [...before, ...calls.map(({ line, isDone }) => `> ${isDone ? DONE : FAILED}${line}`)];
}

/** The steps that are left, where a summary says which calls were made; and how many those were. */
export function stepsLeft(steps: Plan["steps"], summary: string): { left: Plan["steps"]; made: number } {
  const calls = [...summary.matchAll(MADE)].map(([, call = ""]) => call);
  const open = [...calls];
  const left = steps.filter((step) => {
    const at = step.map((wish) => open.indexOf(lineOf(wish)));
    if (at.includes(-1)) return true;
    for (const wish of step) open.splice(open.indexOf(lineOf(wish)), 1);
    return false;
  });
  return { left, made: calls.length };
}

function lineOf({ name, input }: Wish): string {
  return shortened(`${name}: ${JSON.stringify(input)}`, LENGTH);
}

/** What conversation/convert.ts escapes. */
export function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

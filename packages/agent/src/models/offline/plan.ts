import { VERB, type Wish, wishOf } from "./sentences.ts";

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

import { beginsWithVerb, type Wish, wishOf } from "./verbs.ts";

/** Wishes of one step are called for at once; steps come one after another. */
export interface Plan {
  readonly steps: readonly (readonly Wish[])[];
  /** Parts of the text that were not understood. */
  readonly unclear: readonly string[];
}

const AFTER = /[;,.]?\s(?:and\s)?then\s|[;.]\s/gi;
const AT_ONCE = /,\s(?:and\s)?|\sand\s/gi;

/**
 * What a prompt asks for. A separator counts only outside of quotes and where a verb follows: "write list.txt: bread and
 * butter" is one wish. A new line is a step of its own, except in what is written to a file.
 */
export function planOf(prompt: string): Plan {
  const isNewLine = (next: string, before: string) => beginsWithVerb(next) || !IS_WRITTEN.test(before);
  const parts = split(prompt, /\n/g, isNewLine)
    .flatMap((line) => split(line, AFTER))
    .map((step) => split(step, AT_ONCE));
  const steps = parts.map((step) => step.map(wishOf).filter((wish) => wish !== undefined));
  return {
    steps: steps.filter((step) => step.length > 0),
    unclear: parts.flat().filter((part) => wishOf(part) === undefined && !isFrame(part.trim())),
  };
}

const IS_WRITTEN = /^\s*(?:please\s+)?(?:write|create)\s[^\n]*:/i;

/** Asks for nothing: "Please do this:", or a line that is quoted. */
function isFrame(part: string): boolean {
  return part === "" || part.endsWith(":") || part.startsWith(">");
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
    .flatMap((sentence) => split(sentence, /:\s/g))
    .flatMap((sentence) => split(withoutTail(sentence), AFTER))
    .filter(beginsWithVerb)
    .flatMap((sentence) => planOf(sentence).steps);
}

/** "Run npm test before you stop": the rest of such a sentence is no part of the command. */
function withoutTail(sentence: string): string {
  return sentence.replace(/\s(?:before you|first|again)\b[^"`]*$/i, "");
}

/** Splits at the separators that count, by what stands behind and before them. */
function split(
  text: string,
  separator: RegExp,
  counts: (next: string, before: string) => boolean = beginsWithVerb,
): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: found, index } of withoutQuoted(text).matchAll(separator)) {
    const next = index + found.length;
    if (index < start || !counts(text.slice(next), text.slice(start, index))) continue;
    parts.push(text.slice(start, index));
    start = next;
  }
  return [...parts, text.slice(start)];
}

/** Of the same length, without the separators in quotes and in lines that are quoted. */
function withoutQuoted(text: string): string {
  const quoted = /^>.*|"[^"]*"|`[^`]*`|(?<!\w)'[^']*'(?!\w)/gm;
  return text.replaceAll(quoted, (found) => "_".repeat(found.length));
}

import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";
import pico from "picocolors";
import type { Io } from "../io.ts";

export { clean, cleanOutput, oneLine, outputLine } from "@belay/core/clean";

/** Columns that a text takes on a terminal; colours take none. */
export function width(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

/** Characters of one column: ASCII, and two of our own. Any other text is measured by a segmenter, which takes 20 ms to load. */
const NARROW = /^[ -~…⏎]*$/;

/** Columns of the widest text. Not Math.max(...texts): there may be more texts than arguments. */
export function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, width(text)), 0);
}

export type Paint = ReturnType<typeof pico.createColors>;

export function paintFor(io: Io): Paint {
  return pico.createColors(io.color);
}

/** Fills up to a width, or cuts with an ellipsis. */
export function fit(text: string, columns: number): string {
  const short = shorten(text, columns);
  return short + " ".repeat(Math.max(0, columns - width(short)));
}

/** Cuts with an ellipsis. For text without colours. */
export function shorten(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  if (NARROW.test(text)) return columns < 1 ? "" : `${text.slice(0, columns - 1)}…`;
  let cut = "";
  let used = 1;
  for (const [character] of text.matchAll(CHARACTER)) {
    used += width(character);
    if (used > columns) break;
    cut += character;
  }
  return columns < 1 ? "" : `${cut}…`;
}

/**
 * One character as people read it: a sign with its accents or colour, a flag, joined emoji. Only the whole has a width.
 * Not Intl.Segmenter: each of its steps copies the whole text.
 */
const CHARACTER =
  /\p{RI}{2}|\p{ExtPict}\p{EMod}?[\p{M}\u{e0020}-\u{e007f}]*(?:\u200d\p{ExtPict}\p{EMod}?\p{M}*){0,9}|.\p{M}*/gsu;

/** Lines of at most this width; long words are broken. Wrapped lines keep the indent of their line. */
export function wrap(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => {
    if (width(line) <= columns) return [line.trimEnd()];
    const words = line.trimStart();
    const indent = " ".repeat(Math.min(line.length - words.length, columns >> 1));
    const room = Math.max(1, columns - indent.length);
    // Spaces beyond the width end the line all the same, and wrapAnsi takes quadratic time for them.
    const spaced = words.replaceAll(/ +/g, (spaces) => spaces.slice(0, room));
    return wrapCharacters(spaced, room)
      .split("\n")
      .map((part) => (indent + part).trimEnd());
  });
}

/** Code points that nobody writes, of two columns and of one. */
const WIDE = "\u{3fffd}";
const SLIM = "\ufdd0";
const STAND_IN = new RegExp(`[${WIDE}${SLIM}]`, "gu");

/** wrapAnsi breaks between code points, so each character of several is replaced by one while it works. */
function wrapCharacters(text: string, columns: number): string {
  if (!/[\u0300-\uffff]/.test(text)) return wrapAnsi(text, columns, { hard: true });
  const whole: string[] = [];
  const single = text.replaceAll(CHARACTER, (character) => {
    const [, second] = character;
    const isSeveral = second !== undefined && width(character) <= 2;
    if (!isSeveral && character !== WIDE && character !== SLIM) return character;
    whole.push(character);
    return width(character) > 1 ? WIDE : SLIM;
  });
  let next = 0;
  return wrapAnsi(single, columns, { hard: true }).replaceAll(STAND_IN, () => whole[next++] ?? "");
}

/** With less room beside a prefix, the text takes whole lines. */
const LEAST_ROOM = 12;

/** Wraps behind a first-line prefix; later lines are indented to it. */
export function hang(prefix: string, text: string, columns: number): string[] {
  const indent = width(prefix);
  const room = columns - indent;
  if (room < LEAST_ROOM && width(text) > room) return wrap(prefix + text, Math.max(1, columns));
  return wrap(text, room).map((line, index) => (index === 0 ? prefix : " ".repeat(indent)) + line);
}

/** Words of a shell line: a space within quotes, or behind a backslash, ends none. */
const SHELL_WORD = /(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|\S)+/g;

/** A command that can be copied whole: broken between words only, with a backslash at each break. */
export function commandLines(command: string, columns: number): string[] {
  const lines: string[] = [];
  let line = " ";
  for (const word of command.match(SHELL_WORD) ?? []) {
    if (line.trim() !== "" && width(`${line} ${word} \\`) > columns) {
      lines.push(`${line} \\`);
      line = "   ";
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

export function milliseconds(time: number): string {
  if (Math.round(time) >= 1000) return `${(time / 1000).toFixed(1)} s`;
  return time < 1 ? "<1 ms" : `${Math.round(time)} ms`;
}

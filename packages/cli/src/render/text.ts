import { stripVTControlCharacters } from "node:util";
import pico from "picocolors";
import type { Io } from "../io.ts";
import { breakLine, width } from "./width.ts";

export { width };

export type Paint = ReturnType<typeof pico.createColors>;

export function paintFor(io: Io): Paint {
  return pico.createColors(io.color);
}

/** Controls that could repaint the screen, and marks that could reorder or hide what is read (bidi, zero width). */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Text of a hook, a file or a payload, made safe to print: it is untrusted. */
export function clean(text: string): string {
  return stripVTControlCharacters(text.replaceAll("\r\n", "\n").replaceAll("\t", "  ")).replace(
    UNSAFE,
    visible,
  );
}

function visible(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Untrusted text on one line. */
export function oneLine(text: string): string {
  return clean(text).replaceAll(/\s+/g, " ").trim();
}

/** Fills up to a width, or cuts with an ellipsis. */
export function fit(text: string, columns: number): string {
  const missing = columns - width(text);
  return missing >= 0 ? text + " ".repeat(missing) : shorten(text, columns);
}

export function shorten(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let cut = "";
  for (const char of text) {
    if (width(cut + char) > columns - 1) break;
    cut += char;
  }
  return fit(`${cut}…`, columns);
}

/** Lines of at most this width; long words are broken. A line keeps its indent, what is wrapped has none. */
export function wrap(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => breakLine(line, Math.max(columns, 8)));
}

/** Wraps behind a first-line prefix; later lines are indented to it. */
export function hang(prefix: string, text: string, columns: number): string[] {
  const indent = width(prefix);
  const lines = wrap(text, Math.max(columns - indent, 16));
  return lines.map((line, index) => (index === 0 ? prefix : " ".repeat(indent)) + line);
}

export function milliseconds(time: number): string {
  if (time >= 10_000) return `${(time / 1000).toFixed(1)} s`;
  return time < 1 ? "<1 ms" : `${Math.round(time)} ms`;
}

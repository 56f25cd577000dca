import { clean } from "@belay/core/clean";
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { shorten, width, wrap } from "../render/text.ts";

export interface Style {
  readonly color?: string;
  readonly dim?: boolean;
  readonly bold?: boolean;
}

export interface Span extends Style {
  readonly text: string;
}

/** One row of the screen. Text is made into rows here and not by the terminal: only so is it known how many there are. */
export type Line = readonly Span[];

export const BLANK: Line = [{ text: " " }];

/** Untrusted text in rows of at most this width. */
export function prose(text: string, columns: number, style: Style = {}): Line[] {
  return wrap(clean(text), Math.max(1, columns)).map((row) => [{ text: row === "" ? " " : row, ...style }]);
}

export function marked(mark: Span, rows: readonly Line[]): Line[] {
  const indent = { text: " ".repeat(width(mark.text) + 1) };
  return rows.map((row, index) => (index === 0 ? [mark, { text: " " }, ...row] : [indent, ...row]));
}

export function Lines({ lines }: { lines: readonly Line[] }): ReactNode {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place on the screen
        <Text key={index} wrap="truncate-end">
          {line.map(({ text, color, dim, bold }, at) => (
            <Text
              // biome-ignore lint/suspicious/noArrayIndexKey: the same
              key={at}
              dimColor={dim === true}
              bold={bold === true}
              {...(color !== undefined && { color })}
            >
              {text}
            </Text>
          ))}
        </Text>
      ))}
    </Box>
  );
}

export function lastLines(lines: readonly Line[], room: number): readonly Line[] {
  if (lines.length <= room) return lines;
  if (room < 2) return [];
  const cut = lines.length - room + 1;
  return [[{ text: `… ${cut} lines above`, dim: true }], ...lines.slice(cut)];
}

/** Light on dark for dark on light: no colour, so it is there under NO_COLOR too, where Ink would leave it out. */
export function inverted(text: string): string {
  return `\u001b[7m${text}\u001b[27m`;
}

/** The first of several ways to say something that has room; the last is cut when none has. */
export function firstFitting(columns: number, ...ways: readonly string[]): string {
  return ways.find((way) => width(way) <= columns) ?? shorten(ways.at(-1) ?? "", columns);
}

/** As many as have room, from the first on, and always that one. */
export function joined(columns: number, parts: readonly string[], between: string): string {
  return parts.reduce((text, part) => {
    const next = text === "" ? part : text + between + part;
    return text === "" || width(next) <= columns ? next : text;
  }, "");
}

/** Of a path that has no room the end: the file tells more than the folders. */
export function pathEnd(path: string, columns: number): string {
  if (width(path) <= columns) return path;
  const characters = [...path].reverse().join("");
  return [...shorten(characters, columns)].reverse().join("");
}

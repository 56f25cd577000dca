import { clean } from "@belay/core/clean";
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { width, wrap } from "../render/text.ts";

/** How a piece of text looks. */
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

/** Rows behind a mark; all but the first are indented to it. */
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

/** The last rows, with a word about those above that have no room. */
export function lastLines(lines: readonly Line[], room: number): readonly Line[] {
  if (lines.length <= room) return lines;
  if (room < 2) return [];
  const cut = lines.length - room + 1;
  return [[{ text: `… ${cut} lines above`, dim: true }], ...lines.slice(cut)];
}

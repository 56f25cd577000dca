import { clean } from "@belay/core/clean";
import { type Key, Text } from "ink";
import type { ReactNode } from "react";
import { wrap } from "../render/text.ts";
import { inverted } from "./lines.tsx";

/** What a key does among several choices: another one is marked, or one is taken, by Enter or by its number. */
export function pick(
  at: number,
  count: number,
  input: string,
  key: Partial<Key>,
): { readonly at: number; readonly taken?: number } {
  const number = /^[1-9]$/.test(input) ? Number(input) : 0;
  if (key.upArrow) return { at: (at + count - 1) % count };
  if (key.downArrow) return { at: (at + 1) % count };
  if (key.return) return { at, taken: at };
  return number >= 1 && number <= count ? { at, taken: number - 1 } : { at };
}

/** A key held with Ctrl or Alt: a command, no answer. Escape comes as Alt, too. */
export function isChord(key: Partial<Key>): boolean {
  return key.ctrl === true || (key.meta === true && !key.escape);
}

export function choiceRows(label: string, index: number, columns: number): string[] {
  return wrap(clean(label), Math.max(1, columns - 4)).map((row, at) =>
    at === 0 ? `${index + 1} ${row}` : `  ${row}`,
  );
}

export interface ChoicesProps {
  readonly labels: readonly string[];
  readonly at: number;
  readonly columns: number;
}

export function Choices({ labels, at, columns }: ChoicesProps): ReactNode {
  return labels.map((label, index) =>
    choiceRows(label, index, columns).map((row, part) => (
      <Text key={`${label}${row}`} wrap="truncate-end">
        {index === at && part === 0 ? "❯ " : "  "}
        {index === at ? inverted(row) : row}
      </Text>
    )),
  );
}

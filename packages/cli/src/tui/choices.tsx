import { Text, useInput } from "ink";
import type { ReactNode } from "react";
import { clean } from "../clean.ts";
import { wrap } from "../render/text.ts";
import { useCurrent } from "./current.ts";
import { inverted } from "./inverted.ts";

/** Rows of one choice; all but the first are indented. */
export function choiceRows(label: string, index: number, columns: number): string[] {
  return wrap(clean(label), Math.max(1, columns - 4)).map((row, at) =>
    at === 0 ? `${index + 1} ${row}` : `  ${row}`,
  );
}

export interface ChoicesProps {
  readonly labels: readonly string[];
  readonly columns: number;
  choose(index: number): void;
}

/** One of several: by arrows and Enter, or by its number. */
export function Choices({ labels, columns, choose }: ChoicesProps): ReactNode {
  const [at, setAt] = useCurrent(0);
  useInput((input, key) => {
    const number = /^[1-9]$/.test(input) ? Number(input) : 0;
    if (key.upArrow) setAt((at() + labels.length - 1) % labels.length);
    else if (key.downArrow) setAt((at() + 1) % labels.length);
    else if (key.return) choose(at());
    else if (number >= 1 && number <= labels.length) choose(number - 1);
  });
  return labels.map((label, index) => {
    const isChosen = index === at();
    return choiceRows(label, index, columns).map((row, part) => (
      <Text key={`${label}${row}`} wrap="truncate-end">
        {isChosen && part === 0 ? "❯ " : "  "}
        {isChosen ? inverted(row) : row}
      </Text>
    ));
  });
}

import { clean } from "@belay/core/clean";
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { shorten, width } from "../render/text.ts";
import type { Editor } from "./editor.ts";
import { inverted } from "./lines.tsx";

export interface PromptProps {
  readonly editor: Editor;
  readonly mark: string;
  readonly hint?: string;
  readonly columns: number;
  /** At most so many; of a longer text those around the cursor. */
  readonly rows: number;
}

export function Prompt({ editor, mark, hint = "", columns, rows }: PromptProps): ReactNode {
  const indent = width(mark) + 1;
  return (
    <Box>
      <Box width={indent} flexShrink={0}>
        <Text color="cyan">{mark}</Text>
      </Box>
      <Box flexDirection="column">
        {promptRows(editor, columns - indent, rows).map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place on the screen
          <Text key={index} wrap="truncate-end">
            {row}
            {editor.text === "" && <Text dimColor>{hint}</Text>}
          </Text>
        ))}
      </Box>
    </Box>
  );
}

/** Where there are fewer, all of them are for the text. */
const LEAST_ROWS = 3;

export function promptRows({ text, cursor }: Editor, columns: number, most: number): string[] {
  const rows = [""];
  let used = 0;
  let at = 0;
  let cursorRow = 0;
  const put = (shown: string, isCursor: boolean) => {
    const room = width(shown);
    if (used + room > columns && used > 0) {
      rows.push("");
      used = 0;
    }
    rows[rows.length - 1] += isCursor ? inverted(shown) : shown;
    used += room;
    if (isCursor) cursorRow = rows.length - 1;
  };
  for (const char of `${text}\n`) {
    const isCursor = at === cursor;
    at += char.length;
    if (char !== "\n") put(clean(char), isCursor);
    else {
      if (isCursor) put(" ", true);
      rows.push("");
      used = 0;
    }
  }
  rows.pop();
  const from = Math.max(0, Math.min(cursorRow - most + 1, rows.length - most));
  const shown = rows.slice(from, from + most);
  if (most < LEAST_ROWS || rows.length <= most) return shown;
  if (from > 0) return [shorten(`… ${from + 1} rows above`, columns), ...shown.slice(1)];
  const below = shorten(`… ${rows.length - most + 1} rows below`, columns);
  return cursorRow === most - 1 ? shown : [...shown.slice(0, -1), below];
}

import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { clean } from "../clean.ts";
import type { Editor } from "./editor.ts";

/** What is being typed, with the cursor in it. */
export function Prompt({ editor, mark, hint }: { editor: Editor; mark: string; hint?: string }): ReactNode {
  const { text, cursor } = editor;
  const under = text[cursor];
  const isEnd = under === undefined || under === "\n";
  return (
    <Box>
      <Box marginRight={1} flexShrink={0}>
        <Text color="cyan">{mark}</Text>
      </Box>
      <Text>
        {clean(text.slice(0, cursor))}
        <Text inverse>{isEnd ? " " : clean(under)}</Text>
        {isEnd ? clean(text.slice(cursor)) : clean(text.slice(cursor + 1))}
        {text === "" && hint !== undefined && <Text dimColor>{hint}</Text>}
      </Text>
    </Box>
  );
}

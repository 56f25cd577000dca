import type { Block, Message, ToolBlock } from "@belay/agent";
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { clean } from "../clean.ts";

/** Lines of a result that are shown while a tool block is closed. */
const CLOSED_LINES = 3;

/** A message as the user sees it: nothing that is for the agent alone, unless everything is to be shown. */
export function MessageView({ message, isOpen }: { message: Message; isOpen: boolean }): ReactNode {
  const shown = message.blocks.filter((block) => isOpen || isForUser(block));
  if (shown.length === 0) return null;
  return (
    <Box flexDirection="column" marginBottom={1}>
      {shown.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end
        <BlockView key={index} block={block} isPrompt={message.source === "prompt"} isOpen={isOpen} />
      ))}
    </Box>
  );
}

function isForUser(block: Block): boolean {
  if (block.type === "hook") return false;
  return block.type === "text" || block.type === "warn" ? block.to.includes("user") : true;
}

function BlockView(props: { block: Block; isPrompt: boolean; isOpen: boolean }): ReactNode {
  const { block, isPrompt, isOpen } = props;
  switch (block.type) {
    case "text":
      if (isPrompt) return <Marked mark="›" color="cyan" text={block.content} />;
      return block.to.includes("user") ? (
        <Text>{clean(block.content)}</Text>
      ) : (
        <Marked mark="↳" color="gray" text={`the agent was told: ${block.content}`} isDim />
      );
    case "tool":
      return <ToolView block={block} isOpen={isOpen} />;
    case "error":
      return <Marked mark="✗" color="red" text={block.content} />;
    case "warn":
      return <Marked mark="⚠" color="yellow" text={block.content} />;
    case "hook":
      return (
        <Marked
          mark="↳"
          color="magenta"
          text={`${block.hookEvent} hook to the agent: ${block.content}`}
          isDim
        />
      );
  }
}

function Marked(props: { mark: string; color: string; text: string; isDim?: boolean }): ReactNode {
  return (
    <Box>
      <Box marginRight={1} flexShrink={0}>
        <Text color={props.color}>{props.mark}</Text>
      </Box>
      <Text dimColor={props.isDim === true}>{clean(props.text)}</Text>
    </Box>
  );
}

const STAGES: Record<ToolBlock["stage"], { mark: string; color: string }> = {
  called: { mark: "○", color: "gray" },
  asking: { mark: "?", color: "yellow" },
  running: { mark: "◌", color: "cyan" },
  done: { mark: "●", color: "green" },
  interrupted: { mark: "◍", color: "yellow" },
};

export function ToolView({ block, isOpen }: { block: ToolBlock; isOpen: boolean }): ReactNode {
  const { stage, success, result, updatedInput, input } = block;
  const hasFailed = stage === "done" && success === false;
  const { mark, color } = hasFailed ? { mark: "✗", color: "red" } : STAGES[stage];
  const changed = updatedInput ? " (changed by a hook)" : "";
  return (
    <Box flexDirection="column">
      <Box>
        <Box marginRight={1} flexShrink={0}>
          <Text color={color}>{mark}</Text>
        </Box>
        <Text wrap={isOpen ? "wrap" : "truncate-end"}>
          <Text bold>{clean(block.name)}</Text> {clean(lineOf(updatedInput ?? input))}
          <Text dimColor>{changed}</Text>
        </Text>
      </Box>
      {result !== undefined && result !== "" && (
        <Box marginLeft={2}>
          <Text dimColor={!hasFailed} {...(hasFailed && { color: "red" })}>
            {clean(isOpen ? result : firstLines(result))}
          </Text>
        </Box>
      )}
    </Box>
  );
}

/** An input on one line: its one text if it has only one, else all of it. */
export function lineOf(input: Readonly<Record<string, unknown>>): string {
  const values = Object.values(input);
  const [only] = values;
  return values.length === 1 && typeof only === "string"
    ? only.replaceAll("\n", " ⏎ ")
    : JSON.stringify(input);
}

function firstLines(result: string): string {
  const lines = result.trimEnd().split("\n");
  if (lines.length <= CLOSED_LINES) return lines.join("\n");
  return `${lines.slice(0, CLOSED_LINES).join("\n")}\n… ${lines.length - CLOSED_LINES} more lines (Ctrl-O opens)`;
}

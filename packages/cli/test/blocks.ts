import type { Block, Message, ToolBlock } from "@belay/agent";
import type { Line } from "../src/tui/lines.tsx";

export function message(source: Message["source"], ...blocks: Block[]): Message {
  return { id: source, role: source === "model" ? "assistant" : "user", source, time: "", blocks };
}
export const text = (content: string, ...to: ("user" | "agent")[]): Block => ({ type: "text", content, to });
export const tool = (fields: Partial<ToolBlock>): ToolBlock => ({
  type: "tool",
  id: "1",
  name: "Bash",
  input: { command: "ls" },
  stage: "done",
  success: true,
  ...fields,
});
export const hook = (kind: string): Block => ({
  type: "hook",
  hookEvent: "Stop",
  content: "Run the tests first",
  metadata: { kind },
});
export const rowsOf = (lines: readonly Line[]) =>
  lines.map((line) =>
    line
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );

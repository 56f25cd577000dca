import type { AgentState } from "@belay/agent";
import { Box, Text } from "ink";
import { type ReactNode, useEffect, useState } from "react";
import { oneLine } from "../clean.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;

/** What is being waited for: the hook that runs, by name and since when, or the model. */
export function Status({ state }: { state: AgentState }): ReactNode {
  const [frame, setFrame] = useState(0);
  const isMoving = state.isBusy || state.runningHooks.length > 0;
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(() => setFrame((now) => now + 1), FRAME_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  if (!isMoving || state.pending.length > 0) return null;
  return (
    <Box>
      <Text color="cyan">{FRAMES[frame % FRAMES.length]} </Text>
      <Text dimColor wrap="truncate-end">
        {waitingFor(state, performance.now())} (Esc aborts)
      </Text>
    </Box>
  );
}

export function waitingFor({ runningHooks, messages }: AgentState, now: number): string {
  const [hook, ...others] = runningHooks;
  if (hook) {
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    return `hook ${oneLine(hook.hook)} (${hook.event})${more}, ${seconds(now - hook.since)}`;
  }
  const running = messages
    .at(-1)
    ?.blocks.filter((block) => block.type === "tool" && block.stage === "running");
  const [tool] = running ?? [];
  return tool?.type === "tool" ? `running ${tool.name}` : "thinking";
}

function seconds(milliseconds: number): string {
  return `${(Math.max(0, milliseconds) / 1000).toFixed(1)} s`;
}

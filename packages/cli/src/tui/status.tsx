import type { AgentState } from "@belay/agent";
import { Text } from "ink";
import { type ReactNode, useEffect, useState } from "react";
import { oneLine } from "../clean.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;

/** What is being waited for: the hook that runs, by name and since when, the tools, or the model. */
export function Status({ state }: { state: AgentState }): ReactNode {
  const [frame, setFrame] = useState(0);
  const isMoving = isWaiting(state);
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(() => setFrame((now) => now + 1), FRAME_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  if (!isMoving) return null;
  return (
    <Text wrap="truncate-end">
      <Text color="cyan">{FRAMES[frame % FRAMES.length]}</Text>
      <Text dimColor> {waitingFor(state, performance.now())} (Esc aborts)</Text>
    </Text>
  );
}

/** Something goes on, and it is not the user who is waited for. */
export function isWaiting({ isBusy, runningHooks, pending }: AgentState): boolean {
  return (isBusy || runningHooks.length > 0) && pending.length === 0;
}

export function waitingFor({ runningHooks, messages, draft }: AgentState, now: number): string {
  const [hook, ...others] = runningHooks;
  if (hook) {
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    return `hook ${oneLine(hook.hook)} (${hook.event})${more}, ${seconds(now - hook.since)}`;
  }
  const last = messages.findLast(({ source }) => source === "model");
  const [tool, ...more] = (last?.blocks ?? []).flatMap((block) =>
    block.type === "tool" && block.stage === "running" ? [block] : [],
  );
  if (!tool) return draft === "" ? "thinking" : "answering";
  return `running ${oneLine(tool.name)}${more.length > 0 ? ` and ${more.length} more` : ""}`;
}

function seconds(milliseconds: number): string {
  return `${(Math.max(0, milliseconds) / 1000).toFixed(1)} s`;
}

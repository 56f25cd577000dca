import type { Agent, AgentState } from "@belay/agent";
import { oneLine } from "@belay/core/clean";
import { Text } from "ink";
import { type ReactNode, useEffect, useState } from "react";
import { shortHookName } from "../render/brief.ts";
import { shorten, width } from "../render/text.ts";
import { firstFitting } from "./lines.tsx";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;

export interface StatusProps {
  readonly state: AgentState;
  readonly columns: number;
  /** What Esc does is another thing while a panel is open. */
  readonly abortKey: "Esc" | "Ctrl-C";
}

export function Status({ state, columns, abortKey }: StatusProps): ReactNode {
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
      <Text dimColor> {statusText(state, performance.now(), columns - 2, abortKey)}</Text>
    </Text>
  );
}

/** True if something goes on and does not wait for the user. */
export function isWaiting(state: AgentState): boolean {
  return isAtWork(state) && state.pending.length === 0;
}

/** True if there is something to abort: a turn, or hooks that outlived it. */
export function isAtWork({ isBusy, runningHooks }: AgentState): boolean {
  return isBusy || runningHooks.length > 0;
}

/** The longest text that fits. The hook's name and its time are kept longest. */
export function statusText(
  { runningHooks, messages, draft }: AgentState,
  now: number,
  columns: number,
  abortKey: StatusProps["abortKey"],
): string {
  const aborts = ` (${abortKey} aborts)`;
  const [hook, ...others] = runningHooks;
  if (hook) {
    const name = hook.status === undefined ? `hook ${shortHookName(hook.hook)}` : oneLine(hook.status);
    const rest = `${andMore(others.length)}, ${seconds(now - hook.since)}`;
    return firstFitting(
      columns,
      `${name} (${hook.event})${rest}${aborts}`,
      `${name}${rest}${aborts}`,
      `${name}${rest}`,
      `${shorten(name, columns - width(rest))}${rest}`,
    );
  }
  const last = messages.findLast(({ source }) => source === "model");
  const [tool, ...more] = (last?.blocks ?? []).flatMap((block) =>
    block.type === "tool" && block.stage === "running" ? [block] : [],
  );
  const does = draft === "" ? "thinking" : "answering";
  return (tool ? `running ${oneLine(tool.name)}${andMore(more.length)}` : does) + aborts;
}

function andMore(count: number): string {
  return count > 0 ? ` and ${count} more` : "";
}

function seconds(milliseconds: number): string {
  return `${(Math.max(0, milliseconds) / 1000).toFixed(1)} s`;
}

const IDLE_MS = 60_000;

/** Finishes what a resumed session left open; true while that goes on. */
export function useGoingOn(agent: Agent, goesOn: boolean, tell: (error: unknown) => void): boolean {
  const [isGoingOn, setIsGoingOn] = useState(goesOn);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen appears
  useEffect(() => {
    if (!goesOn) return;
    agent
      .goOn()
      .catch(tell)
      .finally(() => setIsGoingOn(false));
  }, []);
  return isGoingOn;
}

export function useIdleNotice(agent: Agent, isIdle: boolean): void {
  useEffect(() => {
    if (!isIdle) return undefined;
    const timer = setTimeout(() => agent.noteIdle(), IDLE_MS);
    return () => clearTimeout(timer);
  }, [agent, isIdle]);
}

import { isDeepStrictEqual } from "node:util";
import type { PendingPermission } from "@belay/core";
import { placeOf } from "@belay/core/internal";
import type { ListedHook } from "@belay/engine";
import type { Conversation } from "../conversation/conversation.ts";
import type { Message, ToolBlock } from "../conversation/message.ts";
import type { InForce } from "../conversation/transcript.ts";
import type { TurnEnd } from "../types.ts";
import { callTools, consider, sendAIMessage } from "./loop.ts";
import { askAgain, type Considered } from "./permit.ts";
import type { Session } from "./session.ts";
import type { Thread } from "./thread.ts";

/**
 * Writes the session's hooks to the transcript, and warns of hooks that its last start had and this one lacks. If other flags
 * are the reason, the old list is kept, so that the next start warns again.
 */
export function noteHooks(
  { id, cwd, past, conversation, transcript }: Session,
  now: readonly ListedHook[],
  flags: string,
): void {
  const before = past?.inForce;
  const isThere = ({ event, name }: InForce["hooks"][number]) =>
    now.some(({ hook }) => hook.event === event && hook.name === name);
  const missing = before?.hooks.filter((hook) => !isThere(hook)) ?? [];
  const haveFlagsChanged = before !== undefined && before.flags !== flags;
  if (missing.length > 0) {
    const names = missing.map(({ event, name, source }) => `${event} ${name} (${source})`).join(", ");
    const next = haveFlagsChanged ? `. Next: belay chat --resume ${id.slice(0, 8)}${before.flags}` : "";
    conversation.addWarnBlock(
      `${missing.length === 1 ? "1 hook that this session had is" : `${missing.length} hooks that this session had are`} missing now: ${names}${next}`,
    );
    if (haveFlagsChanged) return;
  }
  const hooks = now.flatMap(({ hook: { event, name, source, enabled }, trusted }) =>
    enabled && trusted ? [{ event, name, source: placeOf(source) }] : [],
  );
  if (before === undefined && hooks.length === 0) return;
  transcript.write({
    type: "session",
    version: 1,
    id,
    cwd,
    time: new Date().toISOString(),
    inForce: { hooks, flags },
  });
}

/** Calls of the last answer that have no result yet. */
function openCalls(messages: readonly Message[]): ToolBlock[] {
  const last = messages.findLast(({ source }) => source === "model");
  return (last?.blocks ?? []).filter(
    (block) => block.type === "tool" && block.stage !== "done" && block.stage !== "interrupted",
  ) as ToolBlock[];
}

export function hasOpenCalls(messages: readonly Message[]): boolean {
  return openCalls(messages).length > 0;
}

/** Whether a call of the last answer was waiting for the user. */
export function isWaiting(messages: readonly Message[]): boolean {
  return openCalls(messages).some(({ stage }) => stage === "asking");
}

/** Keeps what a killed process left of its last turn, and warns once, unless the turn can go on from an open call. */
export function reportCutOff({ conversation, past, transcript }: Session): void {
  if (!past) return;
  conversation.addToDraft(past.draft);
  conversation.endDraft();
  const hasInterrupted = reportInterrupted(conversation, past.subagents);
  if (!past.isCutOff || hasOpenCalls(conversation.messages)) return;
  if (!hasInterrupted)
    conversation.addWarnBlock(
      "The last turn was cut off when this session ended; send a prompt to let the agent go on.",
    );
  transcript.write({ type: "turn", is: "ended" });
}

/**
 * A call that ran when the process ended may be done, half done or not: the conversation says so, and the call is not run
 * again. A subagent whose question is still open goes on from there.
 */
export function reportInterrupted(
  conversation: Conversation,
  subagents?: ReadonlyMap<string, readonly Message[]>,
): boolean {
  const running = openCalls(conversation.messages).filter(
    ({ id, stage }) => stage === "running" && !isWaiting(subagents?.get(id) ?? []),
  );
  for (const { id, name } of running) {
    const result = `${name} was interrupted: the agent ended while it ran. It is not known how far it got, and it was not run again.`;
    conversation.changeTool(id, { stage: "interrupted", success: false, result });
  }
  const count = running.length;
  if (count > 0)
    conversation.addWarnBlock(
      `${count === 1 ? "1 tool call was" : `${count} tool calls were`} interrupted when this session ended last.`,
    );
  return count > 0;
}

/** Gives every open call a result. Models refuse a conversation with a call that has none. */
export function closeOpenCalls(conversation: Conversation, why: string): void {
  for (const { id, name, stage } of openCalls(conversation.messages)) {
    const result = stage === "running" ? `${name} was interrupted: ${why}` : `Not run: ${why}`;
    conversation.changeTool(id, { stage: "done", success: false, result });
  }
}

/**
 * Takes the turn of a resumed session to its end: open questions are asked again, calls that had not begun are made.
 * Undefined when nothing was open.
 */
export async function resumeTurn(
  thread: Thread,
  pending: readonly PendingPermission[],
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const open = openCalls(thread.conversation.messages);
  if (open.length === 0) return undefined;
  const end = await callTools(thread, open, signal, (block, closed) =>
    reconsider(thread, block, pending, signal, closed),
  );
  return end ?? sendAIMessage(thread, signal);
}

/** The question about this call, if it fits the call. The transcript may have been edited. */
function questionAbout(
  { id, name, input, updatedInput = input }: ToolBlock,
  pending: readonly PendingPermission[],
  { conversation }: Thread,
): PendingPermission | undefined {
  const question = pending.find((one) => one.id === id);
  if (!question) return undefined;
  const { toolInput, updatedInput: asked = toolInput } = question;
  if (isDeepStrictEqual([toolInput, asked], [input, updatedInput])) return question;
  conversation.addWarnBlock(
    `The open question about ${name} in the transcript does not fit its call, which goes through hooks and rules anew.`,
  );
  return undefined;
}

function reconsider(
  thread: Thread,
  block: ToolBlock,
  pending: readonly PendingPermission[],
  signal: AbortSignal,
  closed: AbortSignal,
): Considered | Promise<Considered> {
  const question = questionAbout(block, pending, thread);
  const tool = thread.tools.find(({ name }) => name === block.name);
  const isRunning = block.stage === "running";
  if (!tool || !(question || isRunning)) {
    thread.conversation.changeTool(block.id, { stage: "called" });
    return consider(thread, { ...block, type: "tool-call" }, signal, closed);
  }
  const { id, name, input, updatedInput = input } = block;
  const call = { id, name, input: updatedInput, schema: tool.schema };
  return question && !isRunning ? askAgain(thread, tool, call, question) : { kind: "run", tool, call };
}

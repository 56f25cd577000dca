import { setMaxListeners } from "node:events";
import { applyOutcome } from "@belay/core";
import type { TurnEnd } from "../agent-types.ts";
import { convertMessagesForAPI } from "../conversation/convert.ts";
import { ModelError, type ToolCallPart } from "../models/model.ts";
import { toolSpec } from "../tools/index.ts";
import { callTool } from "./call-tool.ts";
import { ended, lastWords, stoppedBy, type Thread } from "./thread.ts";

/**
 * The loop: the model answers; the tools it calls run, all at once; it is sent what came back; until it calls none and
 * no hook objects to its stopping. A question to the user pauses it where it stands, as a promise.
 */
export async function sendAIMessage(thread: Thread, signal: AbortSignal, turn = 1): Promise<TurnEnd> {
  if (turn > thread.maxTurns) return limitReached(thread);
  await thread.makeRoom(signal, false);
  const calls = await reply(thread, signal);
  if (calls.length === 0) return stopOrGoOn(thread, signal, turn);
  const end = await callTools(thread, calls, signal);
  return end ?? sendAIMessage(thread, signal, turn + 1);
}

/** Runs calls side by side. The user's no to one of them closes the questions about the others. */
export async function callTools(
  thread: Thread,
  calls: readonly ToolCallPart[],
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const closing = new AbortController();
  const asking = AbortSignal.any([signal, closing.signal]);
  setMaxListeners(0, asking); // every call listens to it
  let first: TurnEnd | undefined;
  await Promise.all(
    calls.map(async (call) => {
      const end = await callTool(thread, call, signal, asking);
      first ??= end;
      if (end) closing.abort();
    }),
  );
  signal.throwIfAborted();
  return first;
}

async function stopOrGoOn(thread: Thread, signal: AbortSignal, turn: number): Promise<TurnEnd> {
  const outcome = await thread.atStop(lastWords(thread.conversation), signal);
  applyOutcome(outcome, {}, thread.conversation);
  const stopped = stoppedBy(thread, outcome);
  if (stopped) return stopped;
  return outcome.blocked ? sendAIMessage(thread, signal, turn + 1) : ended(thread, "done");
}

function limitReached(thread: Thread): TurnEnd {
  const detail = `the agent was stopped after ${thread.maxTurns} turns; send a prompt to let it go on`;
  thread.conversation.addErrorBlock(detail);
  return ended(thread, "turn-limit", detail);
}

/** One answer of the model, streamed into the conversation; returns the calls in it. */
async function reply(thread: Thread, signal: AbortSignal): Promise<ToolCallPart[]> {
  try {
    return await streamReply(thread, signal);
  } catch (error) {
    const isFull = error instanceof ModelError && error.kind === "context";
    if (!isFull || !(await thread.makeRoom(signal, true))) throw error;
    return streamReply(thread, signal);
  }
}

async function streamReply(
  { conversation, model, system, tools }: Thread,
  signal: AbortSignal,
): Promise<ToolCallPart[]> {
  const calls: ToolCallPart[] = [];
  const messages = convertMessagesForAPI(conversation.messages);
  const events = model.stream({ system, messages, tools: tools.map(toolSpec), signal });
  let isOpen = false;
  const open = () => {
    if (!isOpen) conversation.startReply();
    isOpen = true;
  };
  try {
    for await (const event of events) {
      signal.throwIfAborted();
      if (event.type === "end") break;
      open();
      if (event.type === "text") conversation.addToDraft(event.text);
      else calls.push(event);
    }
    return calls;
  } finally {
    // Whatever was said before a cut or an abort was seen by the user: it stays.
    conversation.endDraft();
    for (const { id, name, input } of calls) conversation.addToolCall({ id, name, input });
  }
}

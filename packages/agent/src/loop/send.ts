import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { applyOutcome, plural } from "@belay/core";
import type { TurnEnd } from "../agent-types.ts";
import { convertMessagesForAPI } from "../conversation/convert.ts";
import { ModelError, type ToolCallPart } from "../models/model.ts";
import { toolSpec } from "../tools/index.ts";
import { callTool } from "./call-tool.ts";
import { untilAborted } from "./or-aborted.ts";
import { createPlaces, type Place } from "./places.ts";
import { ended, lastWords, stoppedBy, type Thread } from "./thread.ts";

/**
 * The loop: the model answers; the tools it calls run side by side; it is sent what came back; until it calls none and
 * no hook objects to its stopping. A question to the user pauses it where it stands, as a promise.
 */
export async function sendAIMessage(thread: Thread, signal: AbortSignal, turn = 1): Promise<TurnEnd> {
  if (turn > thread.maxTurns) return limitReached(thread);
  const { closed = signal } = thread;
  closed.throwIfAborted();
  const { stopped } = await thread.makeRoom(closed, false);
  const calls = stopped ? stoppedBy(thread, stopped) : await reply(thread, closed);
  if (!calls || "reason" in calls) return calls ?? ended(thread, "stopped");
  if (calls.length === 0) return stopOrGoOn(thread, signal, turn);
  const end = await callTools(thread, calls, signal, (call, beside) =>
    callTool(thread, call, signal, beside),
  );
  return end ?? sendAIMessage(thread, signal, turn + 1);
}

/** A call among others: when its questions are closed, and when it is its turn to ask. */
export interface Beside {
  /** Aborts with the turn, or when the turn has ended by another call. */
  readonly closed: AbortSignal;
  /** The calls before it have asked what they had to ask. */
  readonly turn: Promise<unknown>;
  /** It has asked, or has nothing to ask. */
  asked(): void;
  /** Its place among those that run: left to another call while it waits for the user. */
  readonly place: Place;
}

/** Calls of one answer that run at the same time; the others wait. */
const CALLS_AT_ONCE = 10;

/**
 * Runs calls side by side; their questions come in the order of the calls. What ends the turn for one closes it for all,
 * and none goes on when this has settled.
 */
export async function callTools<C>(
  { closed: over }: Pick<Thread, "closed">,
  calls: readonly C[],
  signal: AbortSignal,
  callOne: (call: C, beside: Beside) => Promise<TurnEnd | undefined>,
): Promise<TurnEnd | undefined> {
  const closing = new AbortController();
  const closed = AbortSignal.any([over ?? signal, closing.signal]);
  setMaxListeners(0, closed); // every call listens to it
  const nextPlace = createPlaces(CALLS_AT_ONCE);
  let first: TurnEnd | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const close = () => closing.abort(new Error("the turn had ended"));
  const settled = await Promise.allSettled(
    calls.map(async (call) => {
      let asked = () => {};
      const before = turn;
      turn = Promise.all([
        before,
        new Promise<void>((resolve) => {
          asked = resolve;
        }),
      ]);
      const place = nextPlace();
      await place.take();
      try {
        const end = await callOne(call, { closed, turn: before, asked, place });
        first ??= end;
        if (end) close();
      } catch (error) {
        close();
        throw error;
      } finally {
        asked();
        place.leave();
      }
    }),
  );
  signal.throwIfAborted();
  for (const one of settled) if (one.status === "rejected") throw one.reason;
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
  const turns = plural(thread.maxTurns, "turn");
  const detail = thread.isSubagent
    ? `a subagent was stopped after ${turns}; the agent goes on without it`
    : `the agent was stopped after ${turns}; send a prompt to let it go on`;
  thread.conversation.addErrorBlock(detail);
  return ended(thread, "turn-limit", detail);
}

/** One answer of the model, streamed into the conversation; returns the calls in it, or how the turn ended before it. */
async function reply(thread: Thread, signal: AbortSignal): Promise<ToolCallPart[] | TurnEnd> {
  try {
    return await streamReply(thread, signal);
  } catch (error) {
    if (!(error instanceof ModelError && error.kind === "context")) throw error;
    const { isDone, stopped } = await thread.makeRoom(signal, true);
    const end = stopped && stoppedBy(thread, stopped);
    if (end) return end;
    if (!isDone) throw error;
    return streamReply(thread, signal);
  }
}

async function streamReply(
  { conversation, model, system, mark, tools, callIds }: Thread,
  signal: AbortSignal,
): Promise<ToolCallPart[]> {
  const calls: ToolCallPart[] = [];
  const messages = convertMessagesForAPI(conversation.messages, mark);
  const events = model.stream({ system, messages, tools: tools.map(toolSpec), signal });
  let isOpen = false;
  const open = () => {
    if (!isOpen) conversation.startReply();
    isOpen = true;
  };
  try {
    for await (const event of untilAborted(events, signal)) {
      if (event.type === "end") break;
      open();
      if (event.type === "text") conversation.addToDraft(event.text);
      else calls.push({ ...event, id: freshId(event.id, callIds) });
    }
    return calls;
  } finally {
    // Whatever was said before a cut or an abort was seen by the user: it stays.
    conversation.endDraft();
    for (const { id, name, input } of calls) conversation.addToolCall({ id, name, input });
  }
}

/**
 * A call's own id, unless the model has used it before or gives none: results and answers of the user would go to the wrong
 * call. Providers take 40 letters at most.
 */
function freshId(id: string, used: Set<string>): string {
  const fresh = id === "" || used.has(id) ? `call_${randomUUID().replaceAll("-", "")}` : id;
  used.add(fresh);
  return fresh;
}

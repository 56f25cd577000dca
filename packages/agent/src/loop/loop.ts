import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { applyOutcome, type Outcome } from "@belay/core";
import { messageOf, plural } from "@belay/core/internal";
import { convertMessagesForAPI } from "../conversation/convert.ts";
import { ModelError, type ToolCallPart } from "../models/model.ts";
import { toolSpec } from "../tools/index.ts";
import type { Tool, ToolResult } from "../tools/tool.ts";
import type { TurnEnd } from "../types.ts";
import { untilAborted } from "./aborted.ts";
import type { HookedCall } from "./moments.ts";
import { type Permitted, rewriteOf } from "./permit.ts";
import { ended, lastWords, stoppedBy, type Thread, unlessClosed, whyNotRun } from "./thread.ts";

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

/**
 * One call from the model's wish to its result: hooks, rules, the user, the tool, hooks. Returns how the turn ended, if
 * this call ended it.
 */
export async function callTool(
  thread: Thread,
  call: ToolCallPart,
  signal: AbortSignal,
  beside: Beside,
): Promise<TurnEnd | undefined> {
  const { conversation, moments } = thread;
  if (beside.closed.aborted) return notRun(thread, call.id, beside);
  const tool = thread.tools.find(({ name }) => name === call.name);
  const problem = tool ? misfit(tool, call.input) : unknownTool(thread, call.name);
  if (!tool || problem !== undefined) {
    conversation.changeTool(call.id, { stage: "done", success: false, result: problem ?? "" });
    return undefined;
  }
  const asked: HookedCall = { id: call.id, name: tool.name, input: call.input, schema: tool.schema };
  const before = await unlessClosed(moments.beforeTool(asked, signal), beside.closed);
  if (!before) return notRun(thread, call.id, beside);
  apply(thread, call.id, before);
  if (before.blocked) return stoppedBy(thread, before);
  if (beside.closed.aborted) return notRun(thread, call.id, beside);
  const wish = before.updatedInput ? { ...asked, input: before.updatedInput } : asked;
  if (before.updatedInput) conversation.changeTool(call.id, rewriteOf(before, before.updatedInput));
  const permitted = await thread.permit({ tool, call: wish, hooks: before, beside });
  return runPermitted(thread, tool, wish, permitted, signal, beside);
}

/** From the permission on: also the way of a call whose question outlived the process that asked it. */
export async function runPermitted(
  thread: Thread,
  tool: Tool,
  wish: HookedCall,
  permitted: Permitted,
  signal: AbortSignal,
  beside: Beside,
): Promise<TurnEnd | undefined> {
  if (permitted.kind === "refused") return undefined;
  if (permitted.kind === "ended") return permitted.end;
  const { input } = permitted;
  const { conversation, moments } = thread;
  if (beside.closed.aborted) return notRun(thread, wish.id, beside);
  beside.asked();
  conversation.changeTool(wish.id, { stage: "running" });
  const result = await run(thread, tool, { ...wish, input }, signal, beside);
  if (result.isOpen) return result.end;
  conversation.changeTool(wish.id, { stage: "done", success: result.success, result: result.content });
  if (!result.success) return result.end;
  const response = result.response ?? { content: result.content };
  const after = await moments.afterTool({ ...wish, input }, response, signal);
  apply(thread, wish.id, after);
  return stoppedBy(thread, after);
}

function notRun({ conversation }: Thread, id: string, beside: Beside): undefined {
  conversation.changeTool(id, { stage: "done", success: false, result: whyNotRun(beside.closed) });
}

/** A tool that breaks is a result; only an abort goes up. */
async function run(
  thread: Thread,
  tool: Tool,
  { id, input }: HookedCall,
  signal: AbortSignal,
  { closed }: Beside,
): Promise<ToolResult> {
  const warn = (content: string) => thread.conversation.addWarnBlock(content);
  try {
    const { cwd, env, readingOf } = thread;
    return await tool.run(tool.schema.parse(input), { cwd, env, signal, closed, readingOf, warn, id });
  } catch (error) {
    signal.throwIfAborted();
    const words = messageOf(error);
    return { content: `${tool.name} failed: ${words}`, success: false };
  }
}

function apply({ conversation }: Thread, toolId: string, outcome: Outcome): void {
  const toolResult = conversation.toolBlock(toolId)?.result;
  applyOutcome(outcome, { toolId, ...(toolResult !== undefined && { toolResult }) }, conversation);
  // A stop says nothing about the call, and why it stopped is for the user alone; the call was not made all the same.
  if (outcome.blocked && conversation.toolBlock(toolId)?.stage === "called")
    conversation.changeTool(toolId, {
      stage: "done",
      success: false,
      result: "Not run: a hook stopped the agent.",
    });
}

function misfit(tool: Tool, input: unknown): string | undefined {
  const { success, error } = tool.schema.safeParse(input);
  if (success) return undefined;
  const issues = error.issues.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
  return `The input does not fit ${tool.name}: ${issues.join("; ")}`;
}

function unknownTool({ tools }: Thread, name: string): string {
  return `There is no tool ${name}. There are: ${tools.map((tool) => tool.name).join(", ")}`;
}

/** A place among so many: one works while it has it. */
interface Place {
  /** Waits for it. Who had it before and comes back is the next to have one. */
  take(): Promise<void>;
  /** Gives it to the next, if it is taken. */
  leave(): void;
}

/** Places in the order in which they are asked for, no more than `count` of them taken at once. */
function createPlaces(count: number): () => Place {
  let free = count;
  const queue: (() => void)[] = [];
  return () => {
    let isTaken = false;
    let add: "push" | "unshift" = "push";
    return {
      take: async () => {
        if (free > 0) free -= 1;
        else await new Promise<void>((resolve) => queue[add](resolve));
        isTaken = true;
        add = "unshift";
      },
      leave: () => {
        if (!isTaken) return;
        isTaken = false;
        const next = queue.shift();
        if (next) next();
        else free += 1;
      },
    };
  };
}

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
 * The loop: the model answers, the tools that it calls run side by side, their results are sent to the model. The loop ends
 * when the model calls no tool and no hook refuses the stop. A question to the user is a promise that the call waits for.
 */
export async function sendAIMessage(thread: Thread, signal: AbortSignal, turn = 1): Promise<TurnEnd> {
  if (turn > thread.maxTurns) return limitReached(thread);
  const { closed = signal } = thread;
  closed.throwIfAborted();
  const { stopped } = await thread.makeRoom(closed, false);
  const calls = stopped ? stoppedBy(thread, stopped) : await reply(thread, closed);
  if (!calls || "reason" in calls) return calls ?? ended(thread, "stopped");
  if (calls.length === 0) return stopOrGoOn(thread, signal, turn);
  const end = await callTools(thread, calls, signal, (call, schedule) =>
    callTool(thread, call, signal, schedule),
  );
  return end ?? sendAIMessage(thread, signal, turn + 1);
}

/** How one call is coordinated with the other calls of its answer. */
export interface Schedule {
  /** Aborts with the turn, or when the turn has ended by another call. */
  readonly closed: AbortSignal;
  /** Resolves when the calls before this one have asked their questions. */
  readonly turn: Promise<unknown>;
  /** Tells the next call that this one has asked, or has nothing to ask. */
  asked(): void;
  /** The call's place among those that run. The call gives it up while it waits for the user. */
  readonly place: Place;
}

/** Calls of one answer that run at the same time; the others wait. */
const CALLS_AT_ONCE = 10;

/**
 * Runs calls side by side. Their questions come in the order of the calls. If one call ends the turn, the others do not begin.
 * When this settles, no call is running.
 */
export async function callTools<C>(
  { closed: over }: Pick<Thread, "closed">,
  calls: readonly C[],
  signal: AbortSignal,
  callOne: (call: C, schedule: Schedule) => Promise<TurnEnd | undefined>,
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
    // The user has seen what came before a cut or an abort, so it stays in the conversation.
    conversation.endDraft();
    for (const { id, name, input } of calls) conversation.addToolCall({ id, name, input });
  }
}

/**
 * The call's own id, or a new one if the model gives none or has used it before: results and answers would go to the wrong
 * call. Providers take at most 40 letters.
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
  schedule: Schedule,
): Promise<TurnEnd | undefined> {
  const { conversation, moments } = thread;
  if (schedule.closed.aborted) return notRun(thread, call.id, schedule);
  const tool = thread.tools.find(({ name }) => name === call.name);
  const problem = tool ? misfit(tool, call.input) : unknownTool(thread, call.name);
  if (!tool || problem !== undefined) {
    conversation.changeTool(call.id, { stage: "done", success: false, result: problem ?? "" });
    return undefined;
  }
  const asked: HookedCall = { id: call.id, name: tool.name, input: call.input, schema: tool.schema };
  const before = await unlessClosed(moments.beforeTool(asked, signal), schedule.closed);
  if (!before) return notRun(thread, call.id, schedule);
  apply(thread, call.id, before);
  if (before.blocked) return stoppedBy(thread, before);
  if (schedule.closed.aborted) return notRun(thread, call.id, schedule);
  const wish = before.updatedInput ? { ...asked, input: before.updatedInput } : asked;
  if (before.updatedInput) conversation.changeTool(call.id, rewriteOf(before, before.updatedInput));
  const permitted = await thread.permit({ tool, call: wish, hooks: before, schedule });
  return runPermitted(thread, tool, wish, permitted, signal, schedule);
}

/** A call from its permission to its result. Resumed calls, whose question outlived its process, begin here. */
export async function runPermitted(
  thread: Thread,
  tool: Tool,
  wish: HookedCall,
  permitted: Permitted,
  signal: AbortSignal,
  schedule: Schedule,
): Promise<TurnEnd | undefined> {
  if (permitted.kind === "refused") return undefined;
  if (permitted.kind === "ended") return permitted.end;
  const { input } = permitted;
  const { conversation, moments } = thread;
  if (schedule.closed.aborted) return notRun(thread, wish.id, schedule);
  schedule.asked();
  conversation.changeTool(wish.id, { stage: "running" });
  const result = await run(thread, tool, { ...wish, input }, signal, schedule);
  if (result.isOpen) return result.end;
  conversation.changeTool(wish.id, { stage: "done", success: result.success, result: result.content });
  if (!result.success) return result.end;
  const response = result.response ?? { content: result.content };
  const after = await moments.afterTool({ ...wish, input }, response, signal);
  apply(thread, wish.id, after);
  return stoppedBy(thread, after);
}

function notRun({ conversation }: Thread, id: string, schedule: Schedule): undefined {
  conversation.changeTool(id, { stage: "done", success: false, result: whyNotRun(schedule.closed) });
}

/** Runs the tool. An error of the tool is a failed result; only an abort is thrown. */
async function run(
  thread: Thread,
  tool: Tool,
  { id, input }: HookedCall,
  signal: AbortSignal,
  { closed }: Schedule,
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
  // The reason of a stop is for the user alone, so the call needs a result of its own.
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

/** One of a limited number of places. A call works while it holds a place. */
interface Place {
  /** Waits for a place. A call that comes back is served before new ones. */
  take(): Promise<void>;
  /** Gives the place to the next call. Does nothing if this call holds none. */
  leave(): void;
}

/** Hands out places in the order of the requests, at most `count` at once. */
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

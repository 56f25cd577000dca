import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { applyOutcome, type Outcome } from "@belay/core";
import { messageOf, plural } from "@belay/core/internal";
import { convertMessagesForAPI } from "../conversation/convert.ts";
import { ModelError, type ToolCallPart } from "../models/model.ts";
import { restrictionOf } from "../permissions/rules.ts";
import { toolSpec } from "../tools/index.ts";
import { read } from "../tools/read.ts";
import type { Tool, ToolResult } from "../tools/tool.ts";
import type { TurnEnd } from "../types.ts";
import { untilAborted } from "./aborted.ts";
import type { HookedCall } from "./moments.ts";
import { askUser, type Considered, isSpared, permit, refuse, rewriteOf, unlessOutdated } from "./permit.ts";
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
  const end = await callTools(thread, calls, signal, (call, closed) =>
    consider(thread, call, signal, closed),
  );
  return end ?? sendAIMessage(thread, signal, turn + 1);
}

/** Calls of one answer that run at the same time; the others wait. */
const CALLS_AT_ONCE = 10;

/**
 * Makes calls side by side. Their questions come in the order of the calls; a call that waits for the user keeps no other
 * call from running. If one call ends the turn, `closed` aborts, and the others do not begin. When this settles, no call is
 * running.
 */
export async function callTools<C>(
  thread: Thread,
  calls: readonly C[],
  signal: AbortSignal,
  consider: (call: C, closed: AbortSignal) => Considered | Promise<Considered>,
): Promise<TurnEnd | undefined> {
  const closing = new AbortController();
  const closed = AbortSignal.any([thread.closed ?? signal, closing.signal]);
  setMaxListeners(0, closed); // every call listens to it
  const limited = limiter(CALLS_AT_ONCE);
  let first: TurnEnd | undefined;

  /** `turn`: the calls before this one have asked. `asked`: this one has, or has nothing to ask. */
  async function callOne(call: C, turn: Promise<unknown>, asked: () => void): Promise<void> {
    const run = async (considered: Considered) => {
      asked();
      const end = await runCall(thread, considered, signal, closed);
      first ??= end;
    };
    const question = await limited(async () => {
      const considered = await consider(call, closed);
      return considered.kind === "ask" ? considered : run(considered);
    });
    if (!question) return;
    await turn;
    // The answer to a question before this one may be for this one, too.
    const isAllowed = isSpared(thread, question.pending);
    const refused = isAllowed ? undefined : await askUser(thread, question, closed, asked);
    await (refused ? run(refused) : limited(() => run(unlessOutdated(thread, question))));
  }

  let turn: Promise<unknown> = Promise.resolve();
  const settled = await Promise.allSettled(
    calls.map(async (call) => {
      let asked = () => {};
      const before = turn;
      const mine = new Promise<void>((resolve) => {
        asked = resolve;
      });
      turn = Promise.all([before, mine]);
      try {
        await callOne(call, before, asked);
        if (first) closing.abort(TURN_ENDED);
      } catch (error) {
        closing.abort(TURN_ENDED);
        throw error;
      } finally {
        asked();
      }
    }),
  );
  signal.throwIfAborted();
  for (const one of settled) if (one.status === "rejected") throw one.reason;
  return first;
}

const TURN_ENDED = new Error("the turn had ended");

/** Runs works in the order in which they come, at most `count` at once. */
function limiter(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
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

/** One call from the model's wish to what is to become of it: hooks, rules, hooks in the user's place. */
export async function consider(
  thread: Thread,
  { id, name, input }: ToolCallPart,
  signal: AbortSignal,
  closed: AbortSignal,
): Promise<Considered> {
  const notRun = () => refuse(thread, id, whyNotRun(closed));
  if (closed.aborted) return notRun();
  const tool = thread.tools.find((one) => one.name === name);
  if (!tool) return refuse(thread, id, unknownTool(thread, name));
  const problem = misfit(tool, input);
  if (problem !== undefined) return refuse(thread, id, problem);
  const call: HookedCall = { id, name, input, schema: tool.schema };
  const before = await unlessClosed(thread.moments.beforeTool(call, signal), closed);
  if (!before) return notRun();
  apply(thread, id, before);
  const end = stoppedBy(thread, before);
  if (end) return { kind: "ended", end };
  if (before.blocked) return { kind: "refused" };
  if (closed.aborted) return notRun();
  const { updatedInput } = before;
  if (updatedInput) thread.conversation.changeTool(id, rewriteOf(before, updatedInput));
  return permit(thread, tool, updatedInput ? { ...call, input: updatedInput } : call, before, closed);
}

/** One call from its permission to its result: the tool, and hooks. Returns how the turn ended, if this call ended it. */
async function runCall(
  thread: Thread,
  considered: Considered,
  signal: AbortSignal,
  closed: AbortSignal,
): Promise<TurnEnd | undefined> {
  if (considered.kind === "ended") return considered.end;
  if (considered.kind !== "run") return undefined;
  const { tool, call } = considered;
  const { conversation, moments } = thread;
  if (closed.aborted) {
    refuse(thread, call.id, whyNotRun(closed));
    return undefined;
  }
  conversation.changeTool(call.id, { stage: "running" });
  const result = await run(thread, tool, call, signal, closed);
  if (result.isOpen) return result.end;
  conversation.changeTool(call.id, { stage: "done", success: result.success, result: result.content });
  if (!result.success) return result.end;
  const after = await moments.afterTool(call, result.response ?? { content: result.content }, signal);
  apply(thread, call.id, after);
  return stoppedBy(thread, after);
}

/** Runs the tool. An error of the tool is a failed result; only an abort is thrown. */
async function run(
  thread: Thread,
  tool: Tool,
  { id, input }: HookedCall,
  signal: AbortSignal,
  closed: AbortSignal,
): Promise<ToolResult> {
  const { cwd, env, judge, conversation } = thread;
  const warn = (content: string) => conversation.addWarnBlock(content);
  const readingOf = (file_path: string) => restrictionOf(judge(read, { file_path }).ruling);
  try {
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

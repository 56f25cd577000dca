import { applyOutcome, messageOf, type Outcome } from "@belay/core";
import type { TurnEnd } from "../agent-types.ts";
import type { ToolCallPart } from "../models/model.ts";
import type { Tool, ToolResult } from "../tools/tool.ts";
import type { HookedCall } from "./moments.ts";
import { type Permitted, rewriteOf } from "./permit.ts";
import type { Beside } from "./send.ts";
import { stoppedBy, type Thread, unlessClosed, whyNotRun } from "./thread.ts";

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

import { outcomeOf } from "../record.ts";
import { DEFAULT_DIALECT, type DialectName } from "../tables/dialects.ts";
import { type EventName, eventRow } from "../tables/events.ts";
import type { Message, Outcome, Run } from "../types.ts";
import type { HookExecutionResult, HookProcessingResult, MessageManager, MessageOperation } from "./types.ts";

/** What an Outcome needs to know of the conversation it is applied to. */
export interface ApplyContext {
  readonly toolId?: string;
  /** The tool's result so far; a hook's complaint about it is appended. */
  readonly toolResult?: string;
}

export interface ProcessContext extends ApplyContext {
  readonly dialect?: DialectName;
  /** The hook's name, for messages. */
  readonly hook?: string;
}

export interface IHookOutputProcessor {
  processHookOutput(
    event: EventName,
    result: HookExecutionResult,
    context: ProcessContext,
    messageManager: MessageManager,
  ): HookProcessingResult;
  shouldBlock(exitCode: number | undefined): boolean;
}

/** Seed 003's contract over the same stages as everything else. */
export const hookOutputProcessor: IHookOutputProcessor = {
  processHookOutput(event, result, context, messageManager) {
    const dialect = context.dialect ?? DEFAULT_DIALECT;
    const hook = context.hook ?? "hook";
    const terms = { name: hook, onFailure: "continue", mode: "enforce" } as const;
    const hooks = [{ ...terms, source: hook, dialect, run: toRun(result) }];
    const outcome = outcomeOf({ event, dialect, hooks, context: {}, extra: [] });
    const [first] = applyOutcome(outcome, context, messageManager);
    return {
      action: outcome.action,
      metadata: {
        ...(result.exitCode !== undefined && { exitCode: result.exitCode }),
        event,
        blocked: outcome.blocked,
        messageOperationUsed: first ?? "none",
      },
    };
  },
  shouldBlock: (exitCode) => exitCode === 2,
};

function toRun(result: HookExecutionResult): Run {
  const { exitCode, stdout = "", stderr = "", duration, timedOut } = result;
  return {
    ...(exitCode !== undefined && { exitCode }),
    stdout,
    stderr,
    executionTime: duration,
    timedOut,
    truncated: false,
    ...failureOf(result),
  };
}

/** `success` means exit 0 and no fault: without it, exit 0 had a fault that the run does not show. */
function failureOf({ exitCode, duration, timedOut, success }: HookExecutionResult): Pick<Run, "failure"> {
  if (timedOut) return { failure: { kind: "timeout", detail: `after ${duration} ms` } };
  if (success || (exitCode !== undefined && exitCode !== 0)) return {};
  const detail = exitCode === 0 ? "its result says that it did not succeed" : "it gave no exit code";
  return { failure: { kind: "signal", detail } };
}

/**
 * Writes an Outcome into a conversation, once, after folding. A blocked prompt is removed first, so that the removal
 * takes the prompt and nothing else. Returns the operations used, in order, without that removal.
 */
export function applyOutcome(
  outcome: Outcome,
  context: ApplyContext,
  manager: MessageManager,
): MessageOperation[] {
  const row = eventRow(outcome.event);
  if (outcome.blocked && row.erasesPrompt) manager.removeLastUserMessage();
  const used: MessageOperation[] = [];
  const refusals = outcome.messages.filter(({ block }) => block.type === "tool");
  const replaced = outcome.updatedToolOutput;
  if (refusals.length > 0 || replaced !== undefined) {
    const original = replaced === undefined ? (context.toolResult ?? "") : resultText(replaced);
    const texts = [...(row.appendsToResult ? [original] : []), ...refusals.map(({ block }) => block.content)];
    const hooks = [...new Set(refusals.map(({ hook }) => hook))];
    const speaker = hooks.length > 0 ? speaking(manager, hooks.join(", ")) : manager;
    speaker.updateToolBlock({
      ...(context.toolId !== undefined && { toolId: context.toolId }),
      result: texts.filter((text) => text !== "").join("\n"),
      success: refusals.length === 0,
    });
    used.push("updateToolBlock");
  }
  for (const message of outcome.messages) {
    if (message.block.type !== "tool") used.push(applyMessage(message, speaking(manager, message.hook)));
  }
  return used;
}

/** What the agent reads of a tool's result that a hook put in place. */
export function resultText(output: unknown): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}

function speaking(manager: MessageManager, hook: string): MessageManager {
  return manager.from?.(hook) ?? manager;
}

function applyMessage({ to, block }: Message, manager: MessageManager): MessageOperation {
  if (block.type === "hook" && block.hookEvent !== undefined) {
    const { hookEvent, content, metadata } = block;
    manager.addHookBlock({ type: "hook", hookEvent, content, ...(metadata && { metadata }) });
    return "addHookBlock";
  }
  if (block.type === "error") {
    manager.addErrorBlock(block.content);
    return "addErrorBlock";
  }
  if (to === "agent" && block.type === "text") {
    manager.addUserMessage(block.content);
    return "addUserMessage";
  }
  if (block.type === "text" && manager.addTextBlock) {
    manager.addTextBlock(block.content);
    return "addTextBlock";
  }
  manager.addWarnBlock(block.content, to);
  return "addWarnBlock";
}

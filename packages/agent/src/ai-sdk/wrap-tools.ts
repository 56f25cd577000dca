import type { Outcome, PendingPermission } from "@belay/core";
import { whenAborted } from "@belay/engine/tools";
import type { HookedCall, Moments } from "../loop/moments.ts";
import { orAborted, untilAborted } from "../loop/or-aborted.ts";
import { outputWithWords, type ToModelOutput, textOf } from "./model-output.ts";
import { toolInput } from "./tool-input.ts";
import { refusalOf, wordsOf } from "./words.ts";

/** What hooks need of the AI SDK's tools, whatever its version. */
export type HookableTools = Readonly<Record<string, object>>;

interface HookableTool {
  readonly inputSchema?: unknown;
  readonly execute?: Execute;
  readonly toModelOutput?: ToModelOutput;
}

type Execute = (input: unknown, options: CallOptions) => unknown;

interface CallOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** What a call needs of the turn that it is made in. */
export interface CallingTurn {
  readonly moments: Pick<Moments, "beforeTool" | "permission" | "afterTool">;
  /** Rejects when the signal aborts, whatever becomes of the question. */
  readonly ask: (question: PendingPermission, signal: AbortSignal) => Promise<boolean>;
  readonly signal: AbortSignal;
  end(): void;
  throwIfOver(): void;
}

/** A refusal is thrown: the SDK sends it to the model as the call's failed result. */
export function wrapTools<T extends HookableTools>(tools: T, turn: CallingTurn): T {
  const words = new Map<string, string>();
  const wrapped = Object.entries(tools).map(([name, tool]: [string, HookableTool]) => {
    const { execute } = tool;
    if (!execute) return [name, tool];
    const hooked: Execute = async (input, options) => {
      const called = { ...tool, name, execute: execute.bind(tool) };
      const { output, said } = await callTool(turn, called, input, options);
      if (said !== "") words.set(options.toolCallId, said);
      return output;
    };
    const toModelOutput = outputWithWords(tool.toModelOutput?.bind(tool), words);
    return [name, { ...tool, execute: hooked, toModelOutput }];
  });
  return Object.fromEntries(wrapped) as T;
}

interface NamedTool extends HookableTool {
  readonly name: string;
  readonly execute: Execute;
}

async function callTool(
  turn: CallingTurn,
  { name, inputSchema, execute }: NamedTool,
  given: unknown,
  options: CallOptions,
): Promise<{ readonly output: unknown; readonly said: string }> {
  using either = eitherOf(turn.signal, options.abortSignal);
  const { signal } = either;
  const { schema, parsed } = toolInput(inputSchema);
  const call: HookedCall = { id: options.toolCallId, name, input: Object(given), schema };
  turn.throwIfOver();
  const before = await turn.moments.beforeTool(call, signal);
  refuseIfBlocked(before);
  const wish = await permitted(turn, call, before, signal);
  const input = wish === call.input ? given : await parsed(wish);
  // No tool runs after an abort or the end of the turn, whoever looked away from it meanwhile.
  signal.throwIfAborted();
  turn.throwIfOver();
  const output = await lastOf(execute(input, { ...options, abortSignal: signal }), signal);
  const after = await turn.moments.afterTool({ ...call, input: wish }, output, signal);
  const said = [...wordsOf(before), ...wordsOf(after)].join("\n");
  const complaints = refusalOf(after);
  if (complaints.length === 0) return { output, said };
  throw new Error([textOf(output), ...complaints, said].filter((text) => text !== "").join("\n"));
}

function refuseIfBlocked(outcome: Outcome): void {
  if (!outcome.blocked) return;
  const words = [...refusalOf(outcome), ...wordsOf(outcome)];
  throw new Error(words.length > 0 ? words.join("\n") : "Not run: a hook ended the turn.");
}

/** The input that may run. PermissionRequest hooks stand in the user's place; the user's no ends the turn. */
async function permitted(
  turn: CallingTurn,
  call: HookedCall,
  { decision, updatedInput = call.input }: Outcome,
  signal: AbortSignal,
): Promise<HookedCall["input"]> {
  if (decision.kind !== "ask") return updatedInput;
  const outcome = await turn.moments.permission({ ...call, input: updatedInput }, signal);
  refuseIfBlocked(outcome);
  const input = outcome.updatedInput ?? updatedInput;
  if (outcome.decision.kind === "allow") return input;
  const { reason, hook } = decision;
  const question = {
    id: call.id,
    toolName: call.name,
    toolInput: { ...call.input },
    ...(input !== call.input && { updatedInput: { ...input } }),
    ...(reason !== undefined && { reason }),
    ...(hook !== undefined && { hook }),
    timestamp: Date.now(),
  };
  if (await turn.ask(question, signal)) return input;
  turn.end();
  throw new Error("The user did not allow this.");
}

/** Aborts with either of them; let go of, it leaves nothing on them. */
function eitherOf(one: AbortSignal, other = one): Disposable & { readonly signal: AbortSignal } {
  const ending = new AbortController();
  const lettingGo = [one, other].map((signal) => {
    const abort = () => ending.abort(signal.reason);
    if (signal.aborted) abort();
    return whenAborted(signal, abort);
  });
  return {
    signal: ending.signal,
    [Symbol.dispose]: () => {
      for (const letGo of lettingGo) letGo();
    },
  };
}

/** A tool may stream its result: the last part is all of it. A tool that does not listen to the signal is not waited for. */
async function lastOf(output: unknown, signal: AbortSignal): Promise<unknown> {
  if (typeof output !== "object" || output === null || !(Symbol.asyncIterator in output))
    return orAborted(Promise.resolve(output), signal);
  let last: unknown;
  for await (const part of untilAborted(output as AsyncIterable<unknown>, signal)) last = part;
  return last;
}

import { applyOutcome, type Outcome, type PendingPermission } from "@belay/core";
import { createConversation } from "../conversation/conversation.ts";
import { convertMessagesForAPI } from "../conversation/convert.ts";
import { orAborted, untilAborted } from "../loop/aborted.ts";
import type { HookedCall, Moments } from "../loop/moments.ts";

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
  const signal = AbortSignal.any([turn.signal, options.abortSignal ?? turn.signal]);
  const schema = { "~standard": { validate: (value: unknown) => check(inputSchema, value) } };
  const call: HookedCall = { id: options.toolCallId, name, input: Object(given), schema };
  turn.throwIfOver();
  const before = await turn.moments.beforeTool(call, signal);
  refuseIfBlocked(before);
  const wish = await permitted(turn, call, before, signal);
  // The tool gets the value as its schema reads it, with defaults filled in.
  const input = wish === call.input ? given : ((await check(inputSchema, wish)).value ?? wish);
  // No tool runs after an abort or the end of the turn, whoever looked away from it meanwhile.
  signal.throwIfAborted();
  turn.throwIfOver();
  const result = await lastOf(execute(input, { ...options, abortSignal: signal }), signal);
  const after = await turn.moments.afterTool({ ...call, input: wish }, result, signal);
  const output = after.updatedToolOutput ?? result;
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

/** A tool may stream its result: the last part is all of it. A tool that does not listen to the signal is not waited for. */
async function lastOf(output: unknown, signal: AbortSignal): Promise<unknown> {
  if (typeof output !== "object" || output === null || !(Symbol.asyncIterator in output))
    return orAborted(Promise.resolve(output), signal);
  let last: unknown;
  for await (const part of untilAborted(output as AsyncIterable<unknown>, signal)) last = part;
  return last;
}

/** What a tool's result looks like to the model, in the AI SDK's words. */
interface ModelOutput {
  readonly type: string;
  readonly value?: unknown;
}

type ToModelOutput = (given: {
  readonly toolCallId: string;
  readonly output: unknown;
}) => ModelOutput | PromiseLike<ModelOutput>;

/** As the SDK does it for a tool that says nothing about it. */
const plainOutput: ToModelOutput = ({ output }) =>
  typeof output === "string" ? { type: "text", value: output } : { type: "json", value: output ?? null };

/**
 * The tool's own way, and behind it the words of hooks about that call. The result itself stays as it is: a program that
 * reads it finds what the tool gave, or what a hook put in its place.
 */
function outputWithWords(own: ToModelOutput | undefined, words: ReadonlyMap<string, string>): ToModelOutput {
  return async (given) => {
    const output = await (own ?? plainOutput)(given);
    const added = words.get(given.toolCallId);
    if (added === undefined) return output;
    if (output.type === "content" && Array.isArray(output.value))
      return { ...output, value: [...output.value, { type: "text", text: added }] };
    return { type: "text", value: `${textOf(output.value)}\n${added}` };
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** What a check comes to: why the value does not fit, or the value as the tool expects it. */
interface Checked {
  readonly value?: unknown;
  readonly issues?: readonly { readonly message: string }[] | undefined;
}

/**
 * Checks an input by the tool's schema, in whichever of the AI SDK's ways that was given. By shape, not by class: any version
 * of the SDK will do. A Standard Schema (zod, valibot …), the SDK's own schema, or a function that gives one; a JSON Schema
 * without a validator accepts anything, as it does in the SDK.
 */
async function check(schema: unknown, value: unknown): Promise<Checked> {
  const { "~standard": standard, validate } = Object(schema) as Shape;
  if (standard) return standard.validate(value);
  if (validate) {
    const result = await validate(value);
    return result.success ? { value: result.value } : { issues: [result.error] };
  }
  return typeof schema === "function" ? check(schema(), value) : { value };
}

interface Shape {
  readonly "~standard"?: { validate(value: unknown): Checked | PromiseLike<Checked> };
  readonly validate?: (value: unknown) => Validated | PromiseLike<Validated>;
}

type Validated = { success: true; value: unknown } | { success: false; error: Error };

/** What hooks say to the model, between tags that nothing in it can close. The words of a refused call are not among them. */
export function wordsOf(outcome: Outcome): string[] {
  const conversation = createConversation();
  applyOutcome(outcome, {}, conversation);
  return convertMessagesForAPI(conversation.messages).flatMap(({ role, content }) =>
    role === "user" ? content : [],
  );
}

/** Why a call was refused, or what is wrong with its result: the result itself says it. */
function refusalOf({ messages }: Outcome): string[] {
  return messages.filter(({ block }) => block.type === "tool").map(({ block }) => block.content);
}

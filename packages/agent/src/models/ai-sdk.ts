import { setTimeout as sleep } from "node:timers/promises";
import { isObject } from "@belay/core/internal";
import type { ModelMessage as AiMessage, LanguageModel, TextStreamPart, ToolSet } from "ai";
import { type Ai, type Failure, failureOf, Unfinished, type Where } from "./errors.ts";
import type {
  AssistantPart,
  Model,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  Question,
  ToolCallPart,
  ToolResultPart,
  ToolSpec,
} from "./model.ts";

export interface AiModelOptions extends Where {
  readonly retries: number;
  readonly retryMs: number;
}

/** Our port over a model of the AI SDK. Tools are shown to it and never run by it: that is the loop's, and the hooks'. */
export function aiModel(model: LanguageModel, options: AiModelOptions): Model {
  return {
    name: options.name,
    stream: (request) => answer(model, request, options),
    complete: (question) => complete(model, question, options),
  };
}

/** The SDK prints warnings to the console, in the middle of somebody's screen, unless told not to. */
async function loadAi(): Promise<Ai> {
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  return import("ai");
}

async function* answer(
  model: LanguageModel,
  request: ModelRequest,
  options: AiModelOptions,
): AsyncGenerator<ModelEvent> {
  const ai = await loadAi();
  for (let attempt = 0; ; attempt += 1) {
    let hasSaid = false;
    try {
      for await (const event of once(ai, model, request)) {
        hasSaid = true;
        yield event;
      }
      return;
    } catch (error) {
      request.signal.throwIfAborted();
      const failure = failureOf(ai, error, options, hasSaid);
      if (hasSaid) throw failure.error;
      await beforeRetry(failure, attempt, options, request.signal);
    }
  }
}

/**
 * One request. Calls are handed on when the answer is whole: of one that breaks off, none is made. The connection is closed
 * whichever way this ends.
 */
async function* once(
  ai: Ai,
  model: LanguageModel,
  { system, messages, tools, signal }: ModelRequest,
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const { fullStream } = ai.streamText({
    model,
    messages: messages.flatMap(toAiMessage),
    ...(system !== "" && { system }),
    ...(tools.length > 0 && { tools: toolSet(ai, tools) }),
    abortSignal: AbortSignal.any([signal, ending.signal]),
    maxRetries: 0,
    onError: () => {},
  });
  try {
    yield* eventsOf(fullStream);
  } finally {
    ending.abort();
  }
}

async function* eventsOf(parts: AsyncIterable<TextStreamPart<ToolSet>>): AsyncGenerator<ModelEvent> {
  const calls: ToolCallPart[] = [];
  for await (const part of parts) {
    if (part.type === "text-delta" && part.text !== "") yield { type: "text", text: part.text };
    else if (part.type === "tool-call") calls.push(toCall(part));
    else if (part.type === "error") throw part.error;
    else if (part.type === "finish" && part.rawFinishReason !== undefined) {
      yield* calls;
      yield { type: "end" };
      return;
    }
  }
  throw new Unfinished();
}

function toolSet(ai: Ai, tools: readonly ToolSpec[]): ToolSet {
  const entries = tools.map(({ name, description, inputSchema }) => {
    const schema = ai.jsonSchema<Record<string, unknown>>(inputSchema);
    return [name, ai.tool({ description, inputSchema: schema })];
  });
  return Object.fromEntries(entries);
}

async function complete(
  model: LanguageModel,
  { system, prompt, signal }: Question,
  options: AiModelOptions,
): Promise<string> {
  const ai = await loadAi();
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      const { text } = await ai.generateText({
        model,
        prompt,
        maxRetries: 0,
        ...(system !== undefined && { system }),
        ...(signal && { abortSignal: signal }),
      });
      return text;
    } catch (error) {
      signal?.throwIfAborted();
      await beforeRetry(failureOf(ai, error, options, false), attempt, options, signal);
    }
  }
}

const LONGEST_WAIT_MS = 30_000;

/** Waits until it is time to try again; throws when it is not worth it. */
async function beforeRetry(
  { error, isPassing, waitMs }: Failure,
  attempt: number,
  { retries, retryMs }: AiModelOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  const wait = Math.max(retryMs * 2 ** attempt, waitMs ?? 0);
  if (!isPassing || attempt >= retries || wait > LONGEST_WAIT_MS) throw error;
  try {
    await sleep(wait, undefined, signal ? { signal } : {});
  } catch {
    signal?.throwIfAborted();
  }
}

/** Our messages in the AI SDK's words. */
function toAiMessage(message: ModelMessage): AiMessage[] {
  if (message.role === "user") return [{ role: "user", content: message.content }];
  if (message.role === "tool") return [{ role: "tool", content: message.content.map(toAiResult) }];
  const content = message.content.filter(saysSomething).map(toAiPart);
  return content.length === 0 ? [] : [{ role: "assistant", content }];
}

/** Providers refuse a text without a character in it. */
function saysSomething(part: AssistantPart): boolean {
  return part.type !== "text" || part.text.trim() !== "";
}

function toAiPart(part: AssistantPart) {
  if (part.type === "text") return { type: "text" as const, text: part.text };
  return { type: "tool-call" as const, toolCallId: part.id, toolName: part.name, input: part.input };
}

function toAiResult({ id, name, result, success }: ToolResultPart) {
  const output = { type: success ? ("text" as const) : ("error-text" as const), value: result };
  return { type: "tool-result" as const, toolCallId: id, toolName: name, output };
}

const KEPT_OF_INPUT = 1000;

/**
 * A call as we hand it on. Of an input that is no JSON object the text is kept under a name that no tool has: its schema
 * then says what is missing, and the model can see what it wrote.
 */
function toCall(call: { toolCallId: string; toolName: string; input: unknown }): ToolCallPart {
  const { toolCallId: id, toolName: name, input } = call;
  if (isObject(input)) return { type: "tool-call", id, name, input };
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "");
  return { type: "tool-call", id, name, input: { unparsable: text.slice(0, KEPT_OF_INPUT) } };
}

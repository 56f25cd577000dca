/** What an agent needs of a language model. Two methods: one answer as it comes, and one question with one text. */
export interface Model {
  /** Shown to the user: `offline`, `anthropic/claude-sonnet-4-5`. */
  readonly name: string;
  /** Rejects with a ModelError, or with the signal's reason when aborted. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /** For prompt hooks and summaries. */
  complete(question: Question): Promise<string>;
}

export interface Question {
  readonly system?: string;
  readonly prompt: string;
  readonly signal?: AbortSignal;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly signal: AbortSignal;
}

/** A tool as a model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export type ModelMessage =
  | { readonly role: "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: readonly AssistantPart[] }
  | { readonly role: "tool"; readonly content: readonly ToolResultPart[] };

export type AssistantPart = { readonly type: "text"; readonly text: string } | ToolCallPart;

export interface ToolCallPart {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface ToolResultPart {
  readonly type: "tool-result";
  readonly id: string;
  readonly name: string;
  readonly result: string;
  readonly success: boolean;
}

export type ModelEvent =
  /** A piece of text, to be shown at once. */
  | { readonly type: "text"; readonly text: string }
  | ToolCallPart
  /** Always the last one. */
  | { readonly type: "end" };

/** What went wrong between us and a model; `context` means that the conversation is too long for it. */
export type ModelErrorKind = "key" | "network" | "model" | "limit" | "context" | "server" | "cut";

/** Says what, where, and what to do next. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

import type { Model, ModelEvent, ModelRequest } from "../src/models/model.ts";

/** What a scripted model says: words, calls, or an error. */
export type Reply = string | Error | { readonly text?: string; readonly calls: readonly Call[] };

export interface Call {
  readonly id?: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface ScriptedModel extends Model {
  /** What it was sent, request by request. */
  readonly requests: readonly ModelRequest[];
  /** Everything it was sent in the last request, as one text; tags without their mark. */
  lastSent(): string;
}

/** A model that says one reply after the other, and the last one for ever. */
export function scriptedModel(replies: readonly Reply[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  let calls = 0;
  async function* stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    const reply = replies[Math.min(requests.length, replies.length - 1)] ?? "Done.";
    requests.push(request);
    request.signal.throwIfAborted();
    if (reply instanceof Error) throw reply;
    const { text = "", calls: wanted } = typeof reply === "string" ? { text: reply, calls: [] } : reply;
    if (text !== "") yield { type: "text", text };
    for (const { id, name, input } of wanted) {
      calls += 1;
      yield { type: "tool-call", id: id ?? `call_${calls}`, name, input };
    }
    yield { type: "end" };
  }
  return {
    name: "scripted",
    stream,
    complete: async ({ prompt }) => `Summary of ${prompt.length} characters.`,
    requests,
    lastSent: () => withoutMark(JSON.stringify(requests.at(-1)?.messages ?? [])),
  };
}

/** Tags as they would be without the session's mark in their names. */
export function withoutMark(text: string): string {
  return text.replaceAll(/(<\/?(?:hook-output|hook|warning|summary))-[0-9a-f]{8}(?=[ >])/g, "$1");
}

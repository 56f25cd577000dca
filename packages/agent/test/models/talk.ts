import type { Model, ModelEvent, ModelMessage, ToolCallPart, ToolSpec } from "../../src/models/model.ts";

/** The tools of the agent by name; models are shown no more of them in these tests. */
export const TOOLS: readonly ToolSpec[] = ["Bash", "Read", "Write", "Edit", "Glob", "Grep", "Task"].map(
  (name) => ({ name, description: `${name} does its work.`, inputSchema: { type: "object" } }),
);

export interface Answered {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly calls: readonly ToolCallPart[];
}

/** One answer of a model, to its end. */
export async function answerOf(
  model: Model,
  messages: readonly ModelMessage[],
  { tools = TOOLS, signal = new AbortController().signal, system = "" } = {},
): Promise<Answered> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream({ system, messages, tools, signal })) events.push(event);
  return {
    events,
    text: events.map((event) => (event.type === "text" ? event.text : "")).join(""),
    calls: events.filter((event) => event.type === "tool-call"),
  };
}

export const user = (content: string): ModelMessage => ({ role: "user", content });

/** What a tool gave back: a text when it worked, `{ failed }` when it did not. */
export type Came = string | { readonly failed: string };

/** A conversation that goes on: each answer and what came of its calls are added to it. */
export function talk(model: Model, came: (call: ToolCallPart) => Came, tools = TOOLS, { system = "" } = {}) {
  const messages: ModelMessage[] = [];
  async function say(content: string): Promise<string> {
    messages.push(user(content));
    for (;;) {
      const { text, calls } = await answerOf(model, messages, { tools, system });
      const said = text === "" ? [] : [{ type: "text" as const, text }];
      messages.push({ role: "assistant", content: [...said, ...calls] });
      if (calls.length === 0) return text;
      messages.push({ role: "tool", content: calls.map((call) => resultFor(call, came(call))) });
    }
  }
  /** The calls so far, step by step, without their ids. */
  const steps = () =>
    messages
      .map((message) => (message.role === "assistant" ? message.content : []))
      .map((parts) => parts.filter((part) => part.type === "tool-call"))
      .filter((calls) => calls.length > 0)
      .map((calls) => calls.map(({ name, input }) => ({ name, input })));
  return { messages, say, steps };
}

function resultFor({ id, name }: ToolCallPart, came: Came) {
  const success = typeof came === "string";
  return { type: "tool-result" as const, id, name, success, result: success ? came : came.failed };
}

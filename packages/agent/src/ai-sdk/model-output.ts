/** What a tool's result looks like to the model, in the AI SDK's words. */
interface ModelOutput {
  readonly type: string;
  readonly value?: unknown;
}

export type ToModelOutput = (given: {
  readonly toolCallId: string;
  readonly output: unknown;
}) => ModelOutput | PromiseLike<ModelOutput>;

/** As the SDK does it for a tool that says nothing about it. */
const plainOutput: ToModelOutput = ({ output }) =>
  typeof output === "string" ? { type: "text", value: output } : { type: "json", value: output ?? null };

/**
 * The tool's own way, and behind it the words of hooks about that call. The result itself stays as it is: a program that
 * reads it finds what the tool gave.
 */
export function outputWithWords(
  own: ToModelOutput | undefined,
  words: ReadonlyMap<string, string>,
): ToModelOutput {
  return async (given) => {
    const output = await (own ?? plainOutput)(given);
    const added = words.get(given.toolCallId);
    if (added === undefined) return output;
    if (output.type === "content" && Array.isArray(output.value))
      return { ...output, value: [...output.value, { type: "text", text: added }] };
    return { type: "text", value: `${textOf(output.value)}\n${added}` };
  };
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

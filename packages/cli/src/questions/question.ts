import { isObject } from "@belay/core/internal";
import type { OpenQuestion } from "@belay/inspector/api";
import type { AskedCall } from "./denied.ts";

/** A relay's question as a chat would put it. */
export function questionOf(call: AskedCall): Omit<OpenQuestion, "id" | "timestamp"> {
  const { tool, event, input, updatedInput, reason, hook } = call;
  return {
    toolName: tool === "" ? event : tool,
    toolInput: asObject(input),
    ...(updatedInput !== undefined && { updatedInput: asObject(updatedInput) }),
    ...(reason !== undefined && { reason }),
    ...(hook !== undefined && { hook }),
    rules: [],
    kinds: ["once", "deny"],
  };
}

function asObject(input: unknown): Readonly<Record<string, unknown>> {
  return isObject(input) ? input : { prompt: input };
}

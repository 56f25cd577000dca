import { messageOf } from "@belay/core";
import type { ToolResult } from "./tool.ts";

export function succeeded(content: string, response?: ToolResult["response"]): ToolResult {
  return { content, success: true, ...(response && { response }) };
}

export function failed(content: string): ToolResult {
  return { content, success: false };
}

/** What the model wrote, read; or why it cannot be read. */
export async function orReason<T>(what: string, read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    return `${what} cannot be read: ${messageOf(error)}`;
  }
}

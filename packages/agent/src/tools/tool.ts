import { didYouMean, messageOf } from "@belay/core/internal";
import type { Variables } from "@belay/engine";
import * as z from "zod";
import type { TurnEnd } from "../types.ts";

/**
 * What a tool does to the world: permission modes look at this.
 * read: nothing changes. edit: files change. execute: anything. agent: it calls tools that are asked for one by one.
 */
export type ToolKind = "read" | "edit" | "execute" | "agent";

export interface Tool<I extends Record<string, unknown> = Record<string, unknown>> {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  readonly kind: ToolKind;
  /** Also validates what hooks put in place of an input. */
  readonly schema: z.ZodType<I>;
  /** What the patterns of permission rules are held against, and what a line about the call shows: a command, a path, a pattern. */
  subject(input: I): string;
  /** Files and folders that the call reads or writes, as given; those outside of the working folder are asked about. */
  paths(input: I): readonly string[];
  /** Never rejects for what the model did wrong: that is a result without success. Rejects when the signal aborts. */
  run(input: I, context: ToolContext): Promise<ToolResult>;
}

export type ReadingOf = (path: string) => "deny" | "ask" | undefined;

export interface ToolContext {
  /** The working folder; relative paths start here. */
  readonly cwd: string;
  readonly env: Variables;
  readonly signal: AbortSignal;
  /** Aborts with the signal, and when another call has ended the turn: what runs may end, nothing new begins. */
  readonly closed?: AbortSignal;
  /** What the user's rules say of reading a file, where they restrict it. Absent: there are no rules. */
  readonly readingOf?: ReadingOf;
  /** Shows a warning to the user. */
  warn(content: string): void;
  /** The call's own id. */
  readonly id: string;
}

export interface ToolResult {
  /** What the model reads. */
  readonly content: string;
  readonly success: boolean;
  /** `tool_response` of hooks, where it is more than the content. */
  readonly response?: Readonly<Record<string, unknown>>;
  /** The turn is over with it: what a subagent was stopped by holds for the agent, too. */
  readonly end?: TurnEnd;
  /** It has no result yet, and waits for a session with somebody to ask. */
  readonly isOpen?: boolean;
}

/** The input of a tool. An unknown field is refused: a misspelt `timeout` must not be a call without a limit. */
export function toolInput<S extends z.ZodRawShape>(tool: string, shape: S): z.ZodObject<S, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown field ${issue.keys.map((key) => `${key}${didYouMean(key, known)}`).join(", ")}: ${tool} takes ${known.join(", ")}`
        : undefined,
  });
}

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

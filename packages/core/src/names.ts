import * as v from "valibot";
import { decisionWords } from "./event-row.ts";
import type { EVENTS, EventName } from "./events.ts";
import { type COMMON_INPUT, EVENT_NAMES, eventRow, isEventName } from "./events.ts";
import { ANSWER_FIELDS, type AnswerField, behaviorAnswer, type COMMON_FIELDS } from "./fields.ts";
import type { Action } from "./kinds.ts";

/*
 * The words of the seeds, and the types that hook authors and agent builders write against. All of them are derived
 * from the tables; nothing here adds a fact.
 */

export type HookEventName = EventName;

type Rows = typeof EVENTS;
type Values<Fields extends { readonly [name: string]: v.GenericSchema }> = {
  [Name in keyof Fields]?: v.InferOutput<Fields[Name]>;
};
type Payload<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>;
type DecisionOf<E extends EventName> = Rows[E]["decisions"] extends "behavior"
  ? v.InferOutput<typeof behaviorAnswer>
  : Rows[E]["decisions"] extends readonly (infer Word)[]
    ? Word
    : "block";
type Given<E extends EventName> =
  | (Rows[E]["answers"][number] & AnswerField)
  | ([DecisionOf<E>] extends [never] ? never : "decision" | "reason");
/** Fields the event cannot honour are `never`: a callback's result is not checked for fields that are merely unknown. */
type Answers<E extends EventName> = Omit<Values<Pick<typeof ANSWER_FIELDS, Given<E>>>, "decision"> & {
  decision?: DecisionOf<E>;
} & { [Other in Exclude<AnswerField, Given<E> | "decision">]?: never };
type TopLevel<E extends EventName> = [DecisionOf<E>] extends [never]
  ? { decision?: never; reason?: never }
  : { decision?: DecisionOf<E>; reason?: string };

/** What a hook may put into hookSpecificOutput for one event. */
export type HookSpecificOutput<E extends EventName = EventName> = E extends EventName
  ? { hookEventName: E } & Answers<E>
  : never;

/** The JSON a hook may answer with. Fields the event cannot honour do not compile. */
export type HookJsonOutput<E extends EventName = EventName> = E extends EventName
  ? Values<typeof COMMON_FIELDS> & TopLevel<E> & { hookSpecificOutput?: HookSpecificOutput<E> }
  : never;

/** The payload of an event. */
export type HookInput<E extends EventName = EventName> = E extends EventName
  ? Payload<typeof COMMON_INPUT> & Payload<Rows[E]["input"]>
  : never;

/** The result of running a hook, as seed 000 §1 describes it. */
export interface HookOutputResult {
  exitCode: number;
  stdout: string;
  stderr: string;
  executionTime: number;
  hookEvent: HookEventName;
}

const hookOutputResult = v.object({
  exitCode: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255)),
  stdout: v.string(),
  stderr: v.string(),
  executionTime: v.pipe(v.number(), v.minValue(0)),
  hookEvent: v.picklist(EVENT_NAMES),
});

export function isHookOutputResult(value: unknown): value is HookOutputResult {
  return v.is(hookOutputResult, value);
}

/** Whether a value is a sound hookSpecificOutput of this event. */
export function isOutputFor<E extends EventName>(event: E, value: unknown): value is HookSpecificOutput<E> {
  if (typeof value !== "object" || value === null) return false;
  const given = value as { [field: string]: unknown };
  if (given.hookEventName !== event) return false;
  return ANSWER_NAMES.every((field) => given[field] === undefined || isAnswer(event, field, given[field]));
}

const ANSWER_NAMES = Object.keys(ANSWER_FIELDS) as AnswerField[];

function isAnswer(event: EventName, field: AnswerField, value: unknown): boolean {
  const { answers } = eventRow(event);
  const words = decisionWords(eventRow(event));
  if (field === "decision") {
    if (words === "behavior") return v.is(behaviorAnswer, value);
    return typeof value === "string" && (words as readonly string[]).includes(value);
  }
  const isGiven = answers.includes(field) || (field === "reason" && words.length > 0);
  return isGiven && v.is(ANSWER_FIELDS[field], value);
}

type Guards = { readonly [E in EventName]: (value: unknown) => value is HookSpecificOutput<E> };

/** A type guard per event: `guards.PreToolUse(value)`. */
export const guards = Object.fromEntries(
  EVENT_NAMES.map((event) => [event, (value: unknown) => isOutputFor(event, value)]),
) as unknown as Guards;

export interface TextBlock {
  type: "text";
  content: string;
}

export interface ErrorBlock {
  type: "error";
  content: string;
}

export interface ToolBlock {
  type: "tool";
  content: string;
  success?: boolean;
}

/** A warning for people, from a hook, a tool or the agent. */
export interface WarnBlock {
  type: "warn";
  content: string;
}

/** A hook's words for the agent. */
export interface HookBlock {
  type: "hook";
  hookEvent: HookEventName;
  content: string;
  metadata?: Record<string, unknown>;
}

export type MessageBlock = TextBlock | ErrorBlock | ToolBlock | WarnBlock | HookBlock;

export function isWarnBlock(value: unknown): value is WarnBlock {
  return isBlock(value, "warn");
}

export function isHookBlock(value: unknown): value is HookBlock {
  if (!isBlock(value, "hook")) return false;
  const { hookEvent, metadata } = value as Partial<HookBlock>;
  const soundMetadata = metadata === undefined || isPlainObject(metadata);
  return typeof hookEvent === "string" && isEventName(hookEvent) && soundMetadata;
}

function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isBlock(value: unknown, type: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  const block = value as Partial<MessageBlock>;
  return block.type === type && typeof block.content === "string" && block.content.trim() !== "";
}

/** The user's answer to a question a hook raised. */
export interface PermissionDecision {
  decision: "allow" | "deny";
  toolName: string;
  reason?: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** True for an allow: the agent goes on. */
  shouldContinueRecursion: boolean;
}

export interface PendingPermission {
  id: string;
  toolName: string;
  toolInput: Record<string, unknown>;
  /** Set when a hook rewrote the input; this is what an allow will run. */
  updatedInput?: Record<string, unknown>;
  reason?: string;
  /** The hook that asked. */
  hook?: string;
  timestamp: number;
}

export interface HookExecutionRecord {
  id: string;
  hookEvent: HookEventName;
  hook: string;
  exitCode?: number;
  executionTime: number;
  decision: string;
  timestamp: number;
}

/** How much of the hooks a user wants to see. */
export interface HookUserPreferences {
  showHookOutput: "all" | "decisions" | "none";
  notify: boolean;
  historyMinutes: number;
}

const userPreferences = v.strictObject({
  showHookOutput: v.optional(v.picklist(["all", "decisions", "none"])),
  notify: v.optional(v.boolean()),
  historyMinutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1440))),
});

/** Whether these are sound preferences, some or all; unknown names are refused. */
export function areUserPreferences(value: unknown): value is Partial<HookUserPreferences> {
  return isPlainObject(value) && v.is(userPreferences, value);
}

export interface AIManagerCallbacks {
  pauseRecursion(): void;
  resumeRecursion(decision: PermissionDecision): void;
  abortRecursion(reason: string): void;
}

export interface HookEventContext {
  pendingPermissions: readonly PendingPermission[];
  hookExecutionHistory: readonly HookExecutionRecord[];
  userPreferences: HookUserPreferences;
  isAwaitingPermission: boolean;
  aiManagerCallbacks: AIManagerCallbacks;
  addPendingPermission(permission: PendingPermission): void;
  resolvePendingPermission(id: string, decision: PermissionDecision): void;
  clearHookHistory(): void;
  updateUserPreferences(preferences: Partial<HookUserPreferences>): void;
}

/** Seed 003's name for a run. `success` is exit 0 and no fault. */
export interface HookExecutionResult {
  success: boolean;
  exitCode?: number;
  stdout?: string;
  stderr?: string;
  duration: number;
  timedOut: boolean;
}

export type MessageOperation = Exclude<keyof MessageManager, "removeLastUserMessage">;

export interface HookProcessingResult {
  action: Action;
  metadata: {
    exitCode?: number;
    event: HookEventName;
    blocked: boolean;
    /** The first operation that added or changed a block; the removal of a prompt is not one. */
    messageOperationUsed: MessageOperation | "none";
  };
}

/** The conversation as Belay needs it: an agent implements these six. */
export interface MessageManager {
  /** Text for the agent, in the user's role. */
  addUserMessage(content: string): void;
  /** An error for the user alone. */
  addErrorBlock(content: string): void;
  updateToolBlock(update: { toolId?: string; result: string; success: boolean }): void;
  removeLastUserMessage(): void;
  addWarnBlock(content: string, to?: "user" | "agent"): void;
  addHookBlock(block: HookBlock): void;
}

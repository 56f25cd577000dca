import * as v from "valibot";
import { isObject, type JsonObject } from "../json.ts";
import { type Field, misfit } from "../schema/field.ts";
import {
  decisionWords,
  EVENT_NAMES,
  type EventName,
  eventRow,
  isEventName,
  takesDecision,
} from "../tables/events.ts";
import { type AnswerField, behaviorAnswer } from "../tables/fields.ts";
import { furtherFields } from "../tables/rules.ts";
import type {
  HookBlock,
  HookOutputResult,
  HookSpecificOutput,
  HookUserPreferences,
  MessageBlock,
  PermissionDecision,
  WarnBlock,
} from "./types.ts";

/* Type guards for what comes from outside, by the validation rules of the seeds. */

const hookOutputResult = v.object({
  exitCode: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255)),
  stdout: v.string(),
  stderr: v.string(),
  executionTime: v.pipe(v.number(), v.finite(), v.minValue(0)),
  hookEvent: v.picklist(EVENT_NAMES),
});

export function isHookOutputResult(value: unknown): value is HookOutputResult {
  return v.is(hookOutputResult, value);
}

/** Whether a value is a sound hookSpecificOutput of this event; a block gives its reason. */
export function isOutputFor<E extends EventName>(event: E, value: unknown): value is HookSpecificOutput<E> {
  if (!isObject(value) || value.hookEventName !== event) return false;
  if (value.decision === "block" && !isWords(value.reason)) return false;
  const known: Readonly<Record<string, Field>> = furtherFields(eventRow(event));
  return Object.entries(known).every(
    ([name, field]) =>
      value[name] === undefined || isSoundAnswer(event, name as AnswerField, field, value[name]),
  );
}

function isSoundAnswer(event: EventName, name: AnswerField, field: Field, value: unknown): boolean {
  const { answers, further = [] } = eventRow(event);
  const words = decisionWords(eventRow(event));
  if (name === "decision") {
    if (words === "behavior") return misfit(behaviorAnswer, value) === undefined;
    return typeof value === "string" && (words as readonly string[]).includes(value);
  }
  const isGiven = [...answers, ...further].includes(name) || (name === "reason" && takesDecision(words));
  return isGiven && misfit(field, value) === undefined;
}

type Guards = { readonly [E in EventName]: (value: unknown) => value is HookSpecificOutput<E> };

/** A type guard per event: `guards.PreToolUse(value)`. */
export const guards = Object.fromEntries(
  EVENT_NAMES.map((event) => [event, (value: unknown) => isOutputFor(event, value)]),
) as unknown as Guards;

export function isWarnBlock(value: unknown): value is WarnBlock {
  return isBlock(value, "warn");
}

export function isHookBlock(value: unknown): value is HookBlock {
  if (!isBlock(value, "hook")) return false;
  const { hookEvent, metadata } = value;
  const soundMetadata = metadata === undefined || isObject(metadata);
  return typeof hookEvent === "string" && isEventName(hookEvent) && soundMetadata;
}

function isBlock(value: unknown, type: MessageBlock["type"]): value is JsonObject {
  return isObject(value) && value.type === type && isWords(value.content);
}

function isWords(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

/** The last millisecond that a date can name. */
const MAX_TIME = 8.64e15;

const permissionDecision = v.pipe(
  v.object({
    decision: v.picklist(["allow", "deny"]),
    toolName: v.string(),
    reason: v.optional(v.string()),
    timestamp: v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_TIME)),
    shouldContinueRecursion: v.boolean(),
    remember: v.optional(v.picklist(["session", "always"])),
  }),
  v.check(({ decision, shouldContinueRecursion }) => shouldContinueRecursion === (decision === "allow")),
);

/** Whether a value is a sound decision of the user: an allow goes on, a deny does not (seed 000 §6). */
export function isPermissionDecision(value: unknown): value is PermissionDecision {
  return v.is(permissionDecision, value);
}

const userPreferences = v.strictObject({
  showHookOutput: v.optional(v.picklist(["all", "decisions", "none"])),
  notify: v.optional(v.boolean()),
  historyMinutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1440))),
});

/** Whether these are sound preferences, some or all; unknown names are refused. */
export function areUserPreferences(value: unknown): value is Partial<HookUserPreferences> {
  return isObject(value) && v.is(userPreferences, value);
}

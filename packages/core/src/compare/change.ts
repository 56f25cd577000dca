import { inOrder, isObject } from "../json.ts";
import { type DecisionKind, isRefused } from "../tables/kinds.ts";
import type { Block, Outcome } from "../types.ts";

/** What can become of an event when hooks are changed, the gravest first. */
export const CHANGES = [
  "allowed",
  "asked",
  "denied",
  "refusal",
  "undecided",
  "rewrite",
  "context",
  "reason",
  "fault",
  "slower",
] as const;
/**
 * allowed: a refusal or a question is gone, or nobody is asked any more. asked, denied: they are new. refusal: still refused, in
 * another way. undecided: an allow is gone. rewrite, reason: another one. context: see agentTold. fault: a hook gave no answer
 * that gave one before; of hooks of one name, more gave none. slower: see isSlower.
 */
export type Change = (typeof CHANGES)[number];

/** The parts of an outcome that are compared. */
export interface Settled
  extends Pick<
    Outcome,
    "decision" | "blocked" | "updatedInput" | "updatedPrompt" | "updatedToolOutput" | "messages"
  > {
  /** Names of the hooks that gave no answer (whyNoAnswer), each as often as a hook of that name gave none. */
  readonly faults: readonly string[];
  /** Milliseconds that its slowest hook took; absent where none ran. */
  readonly slowest?: number;
}

export interface Difference {
  readonly changes: readonly Change[];
  /** Something gets through that did not, or that was rewritten before. */
  readonly loosened: boolean;
}

/**
 * How much a decision keeps from happening. Not the order of the fold (isStricter), which asks who is heard: what is allowed
 * goes through unasked, and where nothing is decided the user's own rules may still ask.
 */
const KEEPS_BACK: Record<DecisionKind, number> = { allow: 0, none: 1, ask: 2, deny: 3, block: 3, stop: 4 };

/** Compares two outcomes of one payload. */
export function differenceOf(
  recorded: Settled,
  decided: Settled,
  payload: Readonly<Record<string, unknown>>,
): Difference {
  const before = withoutIdleRewrites(recorded, payload);
  const after = withoutIdleRewrites(decided, payload);
  const changes = new Set<Change>();
  const kind = decisionChange(before, after);
  if (kind) changes.add(kind);
  if (!kind && before.decision.reason !== after.decision.reason) changes.add("reason");
  const carries = !isRefused(after.decision.kind) && !isRefused(before.decision.kind);
  const { updatedToolOutput: output } = after;
  if ((carries && !sameRewrites(before, after)) || !isSame(before.updatedToolOutput, output))
    changes.add("rewrite");
  if (isRefused(after.decision.kind) === isRefused(before.decision.kind) && !isToldTheSame(before, after))
    changes.add("context");
  if (beyond(after.faults, before.faults, (hook) => hook).length > 0) changes.add("fault");
  if (isSlower(before, after)) changes.add("slower");
  return {
    changes: CHANGES.filter((change) => changes.has(change)),
    loosened: isLoosened(before, after, payload),
  };
}

/** Drops rewrites that equal the original: many hooks answer with the input that they were given. */
function withoutIdleRewrites(
  { updatedInput, updatedPrompt, updatedToolOutput: output, ...rest }: Settled,
  { tool_input: input, tool_response: response, prompt }: Readonly<Record<string, unknown>>,
): Settled {
  return {
    ...rest,
    ...(updatedInput !== undefined && !isSame(updatedInput, input) && { updatedInput }),
    ...(updatedPrompt !== undefined && updatedPrompt !== prompt && { updatedPrompt }),
    ...(output !== undefined && !isSame(output, response) && { updatedToolOutput: output }),
  };
}

function decisionChange(before: Settled, after: Settled): Change | undefined {
  const { decision: was } = before;
  const { decision: is } = after;
  if (isUnblocked(before, after)) return is.kind === "ask" ? "asked" : "allowed";
  if (isRefused(is.kind) && isRefused(was.kind)) {
    const keepsAsMuch = KEEPS_BACK[is.kind] === KEEPS_BACK[was.kind] && stopsAll(is) === stopsAll(was);
    return keepsAsMuch ? undefined : "refusal";
  }
  if (is.kind === was.kind) return undefined;
  if (isRefused(is.kind)) return "denied";
  if (is.kind === "ask") return "asked";
  return KEEPS_BACK[is.kind] < KEEPS_BACK[was.kind] ? "allowed" : "undecided";
}

/** By `blocked`, not by kind: a kind may block in a record of another version and not here. */
function isUnblocked(before: Settled, after: Settled): boolean {
  return before.blocked && !after.blocked;
}

/** Decisions of one kind can loosen too: a refusal no longer interrupts the agent, or a rewrite is gone. */
function isLoosened(before: Settled, after: Settled, payload: Readonly<Record<string, unknown>>): boolean {
  const kept = KEEPS_BACK[before.decision.kind] - KEEPS_BACK[after.decision.kind];
  const goesOn = kept === 0 && stopsAll(before.decision) && !stopsAll(after.decision);
  return isUnblocked(before, after) || kept > 0 || goesOn || lostRewrite(before, after, payload);
}

function stopsAll({ interrupt = false }: Outcome["decision"]): boolean {
  return interrupt;
}

/** True if the original input, or a part of it, gets through that a hook had rewritten. */
function lostRewrite(
  before: Settled,
  after: Settled,
  { tool_input: input, tool_response: response }: Readonly<Record<string, unknown>>,
): boolean {
  const { updatedToolOutput: output } = before;
  // The agent reads a result, whatever is refused after it.
  if (output !== undefined && isReverted(output, after.updatedToolOutput ?? response, response)) return true;
  if (isRefused(after.decision.kind)) return false;
  if (before.updatedPrompt !== undefined && after.updatedPrompt === undefined) return true;
  const { updatedInput: was } = before;
  return was !== undefined && isReverted(was, after.updatedInput ?? input, input);
}

function sameRewrites(before: Settled, after: Settled): boolean {
  return before.updatedPrompt === after.updatedPrompt && isSame(before.updatedInput, after.updatedInput);
}

/** What the agent reads, without refusals: their words are the reason of the decision. */
export function agentTold({ messages }: Pick<Outcome, "messages">): string[] {
  return messages
    .filter(({ to, block }) => to === "agent" && !isRefusal(block))
    .map(({ block }) => block.content);
}

function isRefusal({ type, metadata }: Block): boolean {
  return type === "tool" || String(metadata?.kind).startsWith("refusal-");
}

function isToldTheSame(before: Settled, after: Settled): boolean {
  return isSame(agentTold(before), agentTold(after));
}

/** More than twice the time, and by more than anyone would overlook. */
const SLOWER_TIMES = 2;
const SLOWER_MS = 50;

/** Where no hook ran there is nothing to be slower than. */
function isSlower({ slowest: before }: Settled, { slowest: after }: Settled): boolean {
  if (before === undefined || after === undefined) return false;
  return after > SLOWER_TIMES * before && after - before > SLOWER_MS;
}

/**
 * True if a rewrite was changed back to the original input, whole or in a part at any depth. An addition of the rewrite that
 * is gone counts as well; another change in its place does not. A text that differs in white space alone is the same.
 */
export function isReverted(was: unknown, is: unknown, original: unknown): boolean {
  if (isSame(was, original)) return false;
  if (isSame(is, original)) return true;
  if (typeof is === "string" && typeof original === "string")
    return words(is) === words(original) && words(was) !== words(original);
  if (Array.isArray(is) && Array.isArray(original))
    return isListReverted(Array.isArray(was) ? was : [], is, original);
  if (!isObject(is) || !isObject(original)) return false;
  const before = isObject(was) ? was : {};
  return Object.keys({ ...original, ...before }).some((name) =>
    isReverted(own(before, name), own(is, name), own(original, name)),
  );
}

/** Items of a list move when one before them goes: their places count only if all lists have one length. */
function isListReverted(
  was: readonly unknown[],
  is: readonly unknown[],
  original: readonly unknown[],
): boolean {
  const more = (some: readonly unknown[], others: readonly unknown[]) => beyond(some, others, sameJson);
  const [removed, removedNow] = [more(original, was), more(original, is)];
  if (more(removed, removedNow).length > 0) return true;
  const [added, addedNow] = [more(was, original), more(is, original)];
  if (more(added, addedNow).length > 0 && more(addedNow, added).length === 0) return true;
  const isInPlace = was.length === original.length && is.length === original.length;
  return isInPlace && original.some((thing, index) => isReverted(was[index], is[index], thing));
}

function words(text: unknown): unknown {
  return typeof text === "string" ? text.trim().replaceAll(/\s+/g, " ") : text;
}

/** True if two values are equal as JSON, in any order of keys. An absent field equals an undefined one. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(own(a, name), own(b, name)));
}

/** Equal strings for values that are the same. */
function sameJson(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? "";
}

function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The items of `after` that `before` lacks; items of one key cancel each other out, one by one. */
export function beyond<T>(after: readonly T[], before: readonly T[], keyOf: (thing: T) => string): T[] {
  const left = new Map<string, number>();
  for (const key of before.map(keyOf)) left.set(key, (left.get(key) ?? 0) + 1);
  return after.filter((thing) => {
    const key = keyOf(thing);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

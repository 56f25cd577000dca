import { isObject } from "../json.ts";
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

/** What is compared of an event that was decided twice. */
export interface Settled
  extends Pick<Outcome, "decision" | "blocked" | "updatedInput" | "updatedPrompt" | "messages"> {
  /** Names of the hooks that gave no answer (whyNoAnswer), each as often as a hook of that name gave none. */
  readonly faults: readonly string[];
  /** Milliseconds that its slowest hook took; absent where none ran. */
  readonly slowest?: number;
}

export interface Difference {
  readonly changes: readonly Change[];
  /** Something gets through that did not, or gets through as it was where it was rewritten. */
  readonly loosened: boolean;
}

/**
 * How much a decision keeps from happening. Not the order of the fold (isStricter), which asks who is heard: what is allowed
 * goes through unasked, and where nothing is decided the user's own rules may still ask.
 */
const KEEPS_BACK: Record<DecisionKind, number> = { allow: 0, none: 1, ask: 2, deny: 3, block: 3, stop: 4 };

/** `payload` is what came, the same both times. */
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
  if (!sameRewrites(before, after) && !isRefused(after.decision.kind) && !isRefused(before.decision.kind))
    changes.add("rewrite");
  if (isRefused(after.decision.kind) === isRefused(before.decision.kind) && !isToldTheSame(before, after))
    changes.add("context");
  if (beyond(after.faults, before.faults, (hook) => hook).length > 0) changes.add("fault");
  if (isSlower(before, after)) changes.add("slower");
  return {
    changes: CHANGES.filter((change) => changes.has(change)),
    loosened: isLoosened(before, after, payload.tool_input),
  };
}

/** A rewrite to what came is none: many a hook answers with the input it was given. */
function withoutIdleRewrites(
  { updatedInput, updatedPrompt, ...rest }: Settled,
  { tool_input: input, prompt }: Readonly<Record<string, unknown>>,
): Settled {
  return {
    ...rest,
    ...(updatedInput !== undefined && !isSame(updatedInput, input) && { updatedInput }),
    ...(updatedPrompt !== undefined && updatedPrompt !== prompt && { updatedPrompt }),
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

/** Whatever the kinds are called: a record of another version may block by one that does not here. */
function isUnblocked(before: Settled, after: Settled): boolean {
  return before.blocked && !after.blocked;
}

/** Also of the same kind: a refusal that no longer interrupts the agent, a rewrite that is gone. */
function isLoosened(before: Settled, after: Settled, input: unknown): boolean {
  const kept = KEEPS_BACK[before.decision.kind] - KEEPS_BACK[after.decision.kind];
  const goesOn = kept === 0 && stopsAll(before.decision) && !stopsAll(after.decision);
  return isUnblocked(before, after) || kept > 0 || goesOn || lostRewrite(before, after, input);
}

function stopsAll({ interrupt = false }: Outcome["decision"]): boolean {
  return interrupt;
}

/** What a hook had changed now gets through as it came, whole or in part, also what did not come at all. */
function lostRewrite(before: Settled, after: Settled, input: unknown): boolean {
  if (isRefused(after.decision.kind)) return false;
  if (before.updatedPrompt !== undefined && after.updatedPrompt === undefined) return true;
  const { updatedInput: was } = before;
  return was !== undefined && isUndone(was, after.updatedInput ?? input, input);
}

function sameRewrites(before: Settled, after: Settled): boolean {
  return before.updatedPrompt === after.updatedPrompt && isSame(before.updatedInput, after.updatedInput);
}

/** What the agent is told besides a refusal, whose words are the reason of the decision. */
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
 * Whether something that was made another than what came is what came again: whole, or a part of it at any depth. What was
 * added to it and is gone counts as well; another change in its place does not. White space makes no other text of one that
 * was another.
 */
export function isUndone(was: unknown, is: unknown, came: unknown): boolean {
  if (isSame(was, came)) return false;
  if (isSame(is, came)) return true;
  if (typeof is === "string" && typeof came === "string")
    return words(is) === words(came) && words(was) !== words(came);
  if (Array.isArray(is) && Array.isArray(came)) return isListUndone(Array.isArray(was) ? was : [], is, came);
  if (!isObject(is) || !isObject(came)) return false;
  const before = isObject(was) ? was : {};
  return Object.keys({ ...came, ...before }).some((name) =>
    isUndone(own(before, name), own(is, name), own(came, name)),
  );
}

/** Things of a list move when one before them goes: where they stand counts only in lists of one length. */
function isListUndone(was: readonly unknown[], is: readonly unknown[], came: readonly unknown[]): boolean {
  const more = (some: readonly unknown[], others: readonly unknown[]) => beyond(some, others, sameJson);
  const [removed, removedNow] = [more(came, was), more(came, is)];
  if (more(removed, removedNow).length > 0) return true;
  const [added, addedNow] = [more(was, came), more(is, came)];
  if (more(added, addedNow).length > 0 && more(addedNow, added).length === 0) return true;
  const isInPlace = was.length === came.length && is.length === came.length;
  return isInPlace && came.some((thing, index) => isUndone(was[index], is[index], thing));
}

function words(text: unknown): unknown {
  return typeof text === "string" ? text.trim().replaceAll(/\s+/g, " ") : text;
}

/** Whether two values say the same in JSON; the order of keys says nothing, and an absent field is an undefined one. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(own(a, name), own(b, name)));
}

/** JSON that is equal for values which say the same. */
function sameJson(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? "";
}

/** With the keys of every object in the order of the alphabet. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key])]));
}

function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** What `after` has more of than `before`: things of one key cancel each other out, one by one. */
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

import type { DecisionKind } from "./kinds.ts";
import { beyond, isSame } from "./same.ts";
import { isRefused } from "./strict.ts";
import type { Block, Outcome } from "./types.ts";
import { isUndone } from "./undone.ts";

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

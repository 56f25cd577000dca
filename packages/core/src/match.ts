import { takesCondition } from "./config/condition.ts";
import type { Hook } from "./config/hook.ts";
import { type EventName, eventRow } from "./tables/events.ts";
import { quote } from "./text.ts";

/** Whether one hook fires for one event, and why or why not. */
export interface Match {
  readonly hook: Hook;
  readonly fires: boolean;
  readonly because: "fires" | "other-event" | "disabled" | "matcher" | "if" | "once" | "duplicate";
  /** In a sentence, for `why`. */
  readonly explanation: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The hooks that fire, in configured order. */
export function match(hooks: readonly Hook[], event: EventName, payload: Fields): Hook[] {
  return withoutDoubles(matching(hooks, event, payload).matched);
}

/** What the stage found. */
export interface Matching {
  /** The hooks that match, in configured order; of equal handlers, each. */
  readonly matched: readonly Hook[];
  /** Those whose matcher fits and whose `if` does not. */
  readonly heldBack: ReadonlySet<Hook>;
}

/** Tests every matcher of the event once, and every `if` behind one that fits. */
export function matching(hooks: readonly Hook[], event: EventName, payload: Fields): Matching {
  const value = matchedValue(event, payload);
  const fitting = hooks.filter((hook) => hook.event === event && hook.enabled && matches(hook, value));
  const heldBack = new Set(fitting.filter(({ condition }) => condition?.fits(payload) === false));
  const matched = heldBack.size === 0 ? fitting : fitting.filter((hook) => !heldBack.has(hook));
  return { matched, heldBack };
}

/** The first of equal handlers, which run once. */
export function withoutDoubles(hooks: readonly Hook[]): Hook[] {
  const seen = new Set<string>();
  return hooks.filter((hook) => {
    // In a sequential group a hook sees what the hooks before it left, so an equal handler elsewhere cannot replace it.
    const key = hook.sequential ? `${hook.group} ${hook.identity}` : hook.identity;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** Every hook with the reason it fires or does not. */
export function explain(hooks: readonly Hook[], event: EventName, payload: Fields): Match[] {
  const { matched, heldBack } = matching(hooks, event, payload);
  const found = { matched: new Set(matched), heldBack, firing: new Set(withoutDoubles(matched)) };
  return hooks.map((hook) => explainMatch(hook, event, payload, found));
}

/** What matching found, so that nothing is tested again to explain it. */
export interface Found {
  readonly matched: ReadonlySet<Hook>;
  readonly heldBack: ReadonlySet<Hook>;
  /** Those of `matched` that run: equal handlers once. */
  readonly firing: ReadonlySet<Hook>;
}

/** Why one hook fires or does not. */
export function explainMatch(hook: Hook, event: EventName, payload: Fields, found: Found): Match {
  const no = (because: Match["because"], explanation: string): Match => ({
    hook,
    fires: false,
    because,
    explanation,
  });
  if (hook.event !== event) return no("other-event", `it waits for ${hook.event}`);
  if (hook.hasRun) return no("once", "it says once, and ran in this session already");
  if (!hook.enabled)
    return no("disabled", hook.offAt ? `disableAllHooks is true in ${hook.offAt}` : "enabled is false");
  const field = eventRow(event).matcher;
  const value = matchedValue(event, payload);
  if (found.heldBack.has(hook)) return no("if", whyHeldBack(hook, value));
  if (!found.matched.has(hook)) return no("matcher", whyNot(hook, field, value));
  if (!found.firing.has(hook)) return no("duplicate", "the same handler is configured earlier and runs once");
  return { hook, fires: true, because: "fires", explanation: whyItFires(hook, field, value) };
}

function whyItFires(hook: Hook, field: string | undefined, value: string | undefined): string {
  const { condition } = hook;
  const why = whyMatcherFits(hook, field, value);
  if (condition === undefined) return why;
  const { text, problem } = condition;
  return `${why}; ${problem === undefined ? `if ${text} fits` : `its if ${text} cannot be tested (${problem}), so it runs`}`;
}

function whyHeldBack({ condition, event }: Hook, tool = "the call"): string {
  if (condition?.problem !== undefined)
    return `its matcher fits, and its if ${condition.text} is no rule (${condition.problem}), which fits no call`;
  return takesCondition(event)
    ? `its matcher fits, and if ${condition?.text} does not fit this call of ${tool}`
    : `it has an if, which is about the call of a tool: on ${event} it never runs`;
}

function whyMatcherFits({ matcher }: Hook, field: string | undefined, value = ""): string {
  if (matcher.source === "*") return `${quote(matcher.source)}: every time`;
  if (matcher.kind === "all" || field === undefined) return "no matcher: every time";
  return matcher.gaveUp
    ? `${quote(matcher.source)} took too long on ${field} ${quote(value)}, which counts as a match`
    : `${quote(matcher.source)} matches ${field} ${quote(value)}`;
}

function whyNot(hook: Hook, field: string | undefined, value: string | undefined): string {
  const { matcher } = hook;
  if (value === undefined) return `the payload has no ${field}, so ${quote(matcher.source)} cannot match`;
  const how = matcher.kind === "names" ? "is none of" : "is not matched by the pattern";
  const near = matcher.names?.find((name) => name.toLowerCase() === value.toLowerCase());
  return `${field} ${quote(value)} ${how} ${quote(matcher.source)}${near ? " (names are case-sensitive)" : ""}`;
}

function matches(hook: Hook, value: string | undefined): boolean {
  if (hook.matcher.kind === "all" || eventRow(hook.event).matcher === undefined) return true;
  return value !== undefined && hook.matcher.test(value);
}

/** What the matchers of an event are tested against. */
export function matchedValue(event: EventName, payload: Fields): string | undefined {
  const { matcher: field, matchesBaseName } = eventRow(event);
  const value = field === undefined ? undefined : payload[field];
  if (typeof value !== "string") return undefined;
  return matchesBaseName ? value.replace(/^.*[/\\]/s, "") : value;
}

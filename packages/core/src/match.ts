import type { Hook } from "./config/hook.ts";
import { type EventName, eventRow } from "./tables/events.ts";
import { quote } from "./text.ts";

/** Whether one hook fires for one event, and why or why not. */
export interface Match {
  readonly hook: Hook;
  readonly fires: boolean;
  readonly because: "fires" | "other-event" | "disabled" | "matcher" | "duplicate";
  /** In a sentence, for `why`. */
  readonly explanation: string;
}

/** The hooks that fire, in configured order. */
export function match(hooks: readonly Hook[], event: EventName, payload: Record<string, unknown>): Hook[] {
  return withoutDoubles(matching(hooks, event, payload));
}

/** The hooks that match, in configured order, with duplicates. */
export function matching(hooks: readonly Hook[], event: EventName, payload: Record<string, unknown>): Hook[] {
  const value = matchedValue(event, payload);
  return hooks.filter((hook) => hook.event === event && hook.enabled && matches(hook, value));
}

/** Equal handlers run once: the first of them. */
export function withoutDoubles(hooks: readonly Hook[]): Hook[] {
  const seen = new Set<string>();
  return hooks.filter((hook) => {
    // In a sequential group a hook sees the input that the one before it left, so that a copy elsewhere is another hook.
    const key = hook.sequential ? `${hook.group} ${hook.identity}` : hook.identity;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** Every hook with the reason it fires or does not. */
export function explain(hooks: readonly Hook[], event: EventName, payload: Record<string, unknown>): Match[] {
  const value = matchedValue(event, payload);
  const firing = new Set(match(hooks, event, payload));
  return hooks.map((hook) => explainOne(hook, event, value, firing));
}

function explainOne(hook: Hook, event: EventName, value: string | undefined, firing: Set<Hook>): Match {
  const no = (because: Match["because"], explanation: string): Match => ({
    hook,
    fires: false,
    because,
    explanation,
  });
  if (hook.event !== event) return no("other-event", `it waits for ${hook.event}`);
  if (!hook.enabled)
    return no("disabled", hook.offAt ? `disableAllHooks is true in ${hook.offAt}` : "enabled is false");
  const field = eventRow(event).matcher;
  if (!matches(hook, value)) return no("matcher", whyNot(hook, field, value));
  if (!firing.has(hook)) return no("duplicate", "the same handler is configured earlier and runs once");
  return { hook, fires: true, because: "fires", explanation: whyItFires(hook, field, value) };
}

function whyItFires({ matcher }: Hook, field: string | undefined, value = ""): string {
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

function matchedValue(event: EventName, payload: Record<string, unknown>): string | undefined {
  const field = eventRow(event).matcher;
  const value = field === undefined ? undefined : payload[field];
  return typeof value === "string" ? value : undefined;
}

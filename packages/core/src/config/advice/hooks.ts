import { parse } from "../../read/verdict.ts";
import { diagnose, type Where } from "../../tables/diagnostics/index.ts";
import { eventRow } from "../../tables/events.ts";
import { ruleFor } from "../../tables/rules.ts";
import { asGuess, nearest, quote } from "../../text.ts";
import type { Diagnostic } from "../../types.ts";
import { whatRuns } from "../entry.ts";
import { type Hook, placeOf, whereOf } from "../hook.ts";
import { compileMatcher, type Matcher, type PatternEngine } from "../matcher.ts";
import { OWN_TYPES } from "../schema.ts";
import { unfilledHeaders } from "../unread-fields.ts";
import { adviseOnOtherReaders, adviseOnOtherSyntax } from "./other-agents.ts";
import { ANY_EVENT, adviseOnScript } from "./scripts.ts";

export { DEFAULT_TIMEOUT_SECONDS } from "../../tables/dialects.ts";
export { ANY_EVENT, adviseOnOtherSyntax, adviseOnScript };

/**
 * What is valid in a config and still not what its author meant. Runs nothing. Hooks that are switched off are left alone,
 * unless another agent runs them.
 */
export function adviseOnHooks(hooks: readonly Hook[], patterns?: PatternEngine): Diagnostic[] {
  const enabled = hooks.filter((hook) => hook.enabled);
  const firstOfGroup = new Map(enabled.toReversed().map((hook) => [hook.group, hook]));
  const groups = enabled.filter((hook) => firstOfGroup.get(hook.group) === hook);
  return [
    ...groups.flatMap((hook) => adviseOnMatcher(hook, patterns)),
    ...enabled.flatMap((hook) => [
      ...timeoutUnit(hook),
      ...noEffect(hook),
      ...fixedAnswer(hook),
      ...unfilledHeaders(hook),
      ...inlineCommand(hook),
      ...needsModel(hook),
    ]),
    ...duplicates(enabled),
    ...adviseOnOtherReaders(hooks),
  ];
}

/** Nobody waits 5000 or 30000 seconds for a hook; 1800 or 3600 may be meant. */
function timeoutUnit(hook: Hook): Diagnostic[] {
  const seconds = hook.timeoutMs / 1000;
  if (seconds < 1000 || (seconds % 500 !== 0 && seconds <= 7200)) return [];
  return [diagnose("config-timeout-unit", { seconds, human: human(seconds) }, whereOf(hook))];
}

function human(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return [hours > 0 && `${hours} h`, minutes % 60 > 0 && `${minutes % 60} min`].filter(Boolean).join(" ");
}

function noEffect(hook: Hook): Diagnostic[] {
  const { event, dialect, simulated, onFailure } = hook;
  if (onFailure !== "block" || ruleFor(event, dialect, simulated).refusal !== undefined) return [];
  const why = "nothing can be refused there";
  return [diagnose("config-no-effect", { where: `on ${event}`, why }, whereOf(hook))];
}

/** A json hook always gives the same answer, so that its problems are known before it fires. */
function fixedAnswer(hook: Hook): Diagnostic[] {
  const { handler } = hook;
  if (handler.type !== "json") return [];
  const run = {
    exitCode: handler.exitcode,
    stdout: JSON.stringify(handler.json),
    stderr: "",
    executionTime: 0,
    timedOut: false,
    truncated: false,
  };
  const rule = ruleFor(hook.event, hook.dialect, hook.simulated);
  const found = parse(hook, run, rule).diagnostics.map((one) => ({ ...one, ...whereOf(hook) }));
  if (handler.exitcode !== 2 || rule.refusal !== undefined) return found;
  return [...found, diagnose("script-exit-2", { script: "the hook", event: hook.event }, whereOf(hook))];
}

/** A command is a small script itself. */
function inlineCommand(hook: Hook): Diagnostic[] {
  const { handler, source } = hook;
  if (handler.type !== "command") return [];
  const found = adviseOnScript({ file: source.file, shown: "the command" }, whatRuns(handler), [hook]);
  return found.map((diagnostic) => ({ ...diagnostic, ...whereOf(hook) }));
}

function needsModel(hook: Hook): Diagnostic[] {
  const { type } = hook.handler;
  if (!OWN_TYPES.includes(type)) return [diagnose("config-elsewhere", { type }, whereOf(hook))];
  return type === "prompt" ? [diagnose("prompt-needs-model", {}, whereOf(hook))] : [];
}

function duplicates(hooks: readonly Hook[]): Diagnostic[] {
  const seen = new Map<string, Hook[]>();
  return hooks.flatMap((hook) => {
    const key = `${hook.event} ${hook.identity}`;
    const earlier = seen.get(key) ?? [];
    seen.set(key, [...earlier, hook]);
    const twin = earlier.find((other) => overlap(other, hook));
    return twin ? [diagnose("config-duplicate", { other: placeOf(twin.source) }, whereOf(hook))] : [];
  });
}

/** Whether two matchers of one event can fire for the same value. */
function overlap(a: Hook, b: Hook): boolean {
  if (a.matcher.kind === "all" || b.matcher.kind === "all" || a.matcher.source === b.matcher.source)
    return true;
  if (a.matcher.kind === "unsafe-pattern" || b.matcher.kind === "unsafe-pattern") return false;
  const values = [
    ...(a.matcher.names ?? []),
    ...(b.matcher.names ?? []),
    ...(eventRow(a.event).matcherValues ?? []),
  ];
  return values.some((value) => a.matcher.test(value) && b.matcher.test(value));
}

/** What a matcher does that its author probably did not mean. */
function adviseOnMatcher(hook: Hook, patterns?: PatternEngine): Diagnostic[] {
  const { event, matcher } = hook;
  if (matcher.kind === "all") return [];
  const where = whereOf(hook);
  if (eventRow(event).matcher === undefined) {
    return [diagnose("config-matcher-ignored", { event, matcher: quote(matcher.source) }, where)];
  }
  const known = eventRow(event).matcherValues;
  // A pattern that needs backtracking is not tried: it could hang.
  if (known === undefined || matcher.kind === "unsafe-pattern") return [];
  return [...matchesNothing(hook, known, where), ...catchesMore(matcher, known, patterns, where)];
}

function matchesNothing({ event, matcher }: Hook, known: readonly string[], where: Where): Diagnostic[] {
  const field = eventRow(event).matcher ?? "";
  const report = (what: string, { guess, advice }: Guess) =>
    diagnose("config-matcher-matches-nothing", { matcher: what, field, event, guess, advice }, where);
  if (matcher.kind === "names") {
    const names = matcher.names ?? [];
    const within = names.length > 1 ? ` in ${quote(matcher.source)}` : "";
    return names
      .filter((name) => !known.includes(name) && !isRemoteTool(name, field))
      .map((name) => report(quote(name) + within, guessName(name, known)));
  }
  if (known.some((name) => matcher.test(name)) || (field === "tool_name" && /mcp/.test(matcher.source)))
    return [];
  return [report(quote(matcher.source), guessPattern(matcher.source, known, field))];
}

/** mcp__server__tool: a name made by the user's own servers. */
function isRemoteTool(name: string, field: string): boolean {
  return field === "tool_name" && /^mcp__.+__.+/.test(name);
}

interface Guess {
  readonly guess: string;
  readonly advice: string;
}

function guessName(name: string, known: readonly string[]): Guess {
  if (name.startsWith("mcp__")) {
    return { guess: " (a server is no tool)", advice: `Write "${name.replace(/_+$/, "")}__.*".` };
  }
  const meant = nearest(name, known);
  if (meant === undefined) return { guess: "", advice: `Known: ${known.join(", ")}.` };
  const note = meant.toLowerCase() === name.toLowerCase() ? "; names are case-sensitive" : "";
  return { guess: asGuess(meant), advice: `Write ${quote(meant)}${note}.` };
}

/** Bash(git push:*) is a permission rule; as a matcher it is a pattern that no tool's name fits. */
function guessPattern(source: string, known: readonly string[], field: string): Guess {
  if (source.startsWith("!"))
    return {
      guess: " (a matcher cannot say not)",
      advice: `Leave the matcher out, and let the hook look at ${field}.`,
    };
  const tool = /^(\w+)\(/.exec(source)?.[1];
  if (tool === undefined || !known.includes(tool)) return guessName(source.replaceAll(/\W/g, ""), known);
  return {
    guess: " (a permission rule is no matcher)",
    advice: `Write ${quote(tool)}, and let the hook look at tool_input.`,
  };
}

/** Names that only an unanchored reading catches. `^Edit` and `Edit$` are meant as they are written; `^A|B$` is not. */
function catchesMore(
  matcher: Matcher,
  known: readonly string[],
  patterns: PatternEngine | undefined,
  where: Where,
): Diagnostic[] {
  const { source, kind } = matcher;
  const halves = Number(source.startsWith("^")) + Number(source.endsWith("$"));
  if (kind !== "pattern" || halves === 1) return [];
  const bare = source.replace(/^\^/, "").replace(/\$$/, "");
  const anchored = namesInBrackets(bare) ?? `^(${bare.replace(/^\(([^()]*)\)$/, "$1")})$`;
  const whole = compileMatcher(anchored, patterns);
  if (!known.some((name) => whole.test(name))) return [];
  const extra = known.filter((name) => matcher.test(name) && !whole.test(name));
  if (extra.length === 0) return [];
  return [
    diagnose(
      "config-matcher-catches-more",
      { matcher: quote(source), names: extra.join(", "), anchored: quote(anchored) },
      where,
    ),
  ];
}

/** [Bash, Edit]: to a pattern any one of these letters, to its author a list. */
function namesInBrackets(source: string): string | undefined {
  return /^\[[\w\s,|"']+\]$/.test(source) ? source.match(/\w+/g)?.join("|") : undefined;
}

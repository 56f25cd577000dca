import { diagnose, type Where } from "../../tables/diagnostics/index.ts";
import { type EventName, eventRow } from "../../tables/events.ts";
import { asGuess, nearest, quote } from "../../text.ts";
import type { Diagnostic } from "../../types.ts";
import { type Hook, whereOf } from "../hook.ts";
import { compileMatcher, type Matcher, type PatternEngine } from "../matcher.ts";

/** The values that agents send in the field of a matcher; undefined if any value may come. */
export function knownValues(event: EventName): readonly string[] | undefined {
  return eventRow(event).matcherValues;
}

/** What a matcher does that its author probably did not mean. */
export function adviseOnMatcher(hook: Hook, patterns?: PatternEngine): Diagnostic[] {
  const { event, matcher } = hook;
  if (matcher.kind === "all") return [];
  const where = whereOf(hook);
  if (eventRow(event).matcher === undefined) {
    return [diagnose("config-matcher-ignored", { event, matcher: quote(matcher.source) }, where)];
  }
  const known = knownValues(event);
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

import type { JsonObject } from "../json.ts";
import { diagnose } from "../tables/diagnostics/index.ts";
import type { Dialect } from "../tables/dialects.ts";
import { quote } from "../text.ts";
import type { Diagnostic } from "../types.ts";
import { HEADER_VARIABLE, type Hook, whereOf } from "./hook.ts";

/* What an entry says that Belay does not do, and what the author is told when such a hook runs. */

interface UnreadField {
  /** Values that change nothing here; `false` if absent. Only then the field may be one that is read. */
  readonly unless?: readonly unknown[];
  /** The dialects in which it is not read; absent: all, where the type of hook does not have it. */
  isUnreadIn?(dialect: Dialect): boolean;
  /** What happens instead. */
  readonly instead: string;
  readonly advice: string;
}

const IN_THE_BACKGROUND: UnreadField = {
  instead: "work waits for the hook, and its answer counts",
  advice: "Let the command start what takes long in the background.",
};
const LEAVE_TO_OTHERS = "Remove it, unless another agent reads it.";

/** Fields of other systems that would change when, where or how a hook runs. */
const TABLE: Readonly<Record<string, UnreadField>> = {
  async: IN_THE_BACKGROUND,
  asyncRewake: IN_THE_BACKGROUND,
  once: {
    isUnreadIn: ({ onceCounts }) => !onceCounts,
    instead: "Claude Code reads it in skills alone, and the hook runs every time",
    advice: "Let the hook remember that it has run.",
  },
  shell: {
    unless: ["sh", "bash"],
    instead: "`sh -c` runs the command",
    advice: "Call that shell in the command.",
  },
  cwd: { instead: "the hook runs in the event's working folder", advice: "Begin the command with a cd." },
  env: { instead: "the hook runs without these variables", advice: "Set them in the command." },
  failClosed: { instead: "a fault lets work go on", advice: 'Write "onFailure": "block".' },
  model: { instead: "the agent's own model is asked", advice: LEAVE_TO_OTHERS },
  continueOnBlock: { instead: "a no is read as exit 2", advice: LEAVE_TO_OTHERS },
};

export const UNREAD_FIELDS: readonly string[] = Object.keys(TABLE);

/** The fields of an entry that would change how it runs, and are not read here. */
export function unreadIn(entry: JsonObject, known: readonly string[], dialect: Dialect): string[] {
  return UNREAD_FIELDS.filter((name) => {
    const row = TABLE[name];
    if (row === undefined || !Object.hasOwn(entry, name)) return false;
    const isRead = row.isUnreadIn ? !row.isUnreadIn(dialect) : known.includes(name) && !row.unless;
    return !isRead && !(row.unless ?? [false]).includes(entry[name]);
  });
}

/** The values of the diagnostic about such a field. */
export function unreadValues(field: string): { field: string; instead: string; advice: string } {
  const { instead = "", advice = "" } = TABLE[field] ?? {};
  return { field, instead, advice };
}

/** What the author of a hook is told each time it has run, because it did not run as its entry says. */
export function remarksOn(hook: Hook): Diagnostic[] {
  const { problem: detail, text: rule = "" } = hook.condition ?? {};
  return [
    ...(detail === undefined ? [] : [diagnose("if-not-tested", { rule, detail }, whereOf(hook))]),
    ...hook.ignored.map((field) => diagnose("config-ignored-field", unreadValues(field), whereOf(hook))),
    ...unfilledHeaders(hook),
  ];
}

/** Hooks whose matcher gave up its last test. A later event overwrites this: ask before it is matched. */
export function matchersGivenUp(matched: readonly Hook[]): Diagnostic[] {
  return matched
    .filter(({ matcher }) => matcher.gaveUp)
    .map((hook) =>
      diagnose("matcher-gave-up", { matcher: quote(hook.matcher.source), hook: hook.name }, whereOf(hook)),
    );
}

/** Headers that name a variable which allowedEnvVars does not list. */
export function unfilledHeaders(hook: Hook): Diagnostic[] {
  const { handler } = hook;
  if (handler.type !== "http") return [];
  return Object.entries(handler.headers).flatMap(([header, value]) =>
    [...value.matchAll(HEADER_VARIABLE)]
      .map(([, braced, bare]) => braced ?? bare ?? "")
      .filter((variable) => !handler.allowedEnvVars.includes(variable))
      .map((variable) => diagnose("http-variable", { header, variable }, whereOf(hook))),
  );
}

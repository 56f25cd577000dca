import type { JsonObject } from "../json.ts";
import { diagnose } from "../tables/diagnostics/index.ts";
import { quote } from "../text.ts";
import type { Diagnostic } from "../types.ts";
import { HEADER_VARIABLE, type Hook, whereOf } from "./hook.ts";

/* What an entry says that Belay does not do, and what the author is told when such a hook runs. */

interface UnreadField {
  /** Values that change nothing here; `false` if absent. */
  readonly unless?: readonly unknown[];
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
  once: { instead: "the hook runs every time", advice: "Let the hook remember that it has run." },
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
export function unreadIn(entry: JsonObject): string[] {
  return UNREAD_FIELDS.filter((name) => {
    const { unless = [false] } = TABLE[name] ?? {};
    return Object.hasOwn(entry, name) && !unless.includes(entry[name]);
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

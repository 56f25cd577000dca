import { diagnose } from "../tables/diagnostics/index.ts";
import { quote } from "../text.ts";
import type { Diagnostic } from "../types.ts";
import { ignoredValues } from "./entry.ts";
import { HEADER_VARIABLE, type Hook, whereOf } from "./hook.ts";

/** What the author of a hook should know each time it has run: it did not run as its entry says. */
export function remarksOn(hook: Hook): Diagnostic[] {
  return [
    ...hook.ignored.map((field) => diagnose("config-ignored-field", ignoredValues(field), whereOf(hook))),
    ...unfilledHeaders(hook),
  ];
}

/** Matchers that were not tested to their end; to be asked before the next event is matched. */
export function matchersGivenUp(matched: readonly Hook[]): Diagnostic[] {
  return matched
    .filter(({ matcher }) => matcher.gaveUp)
    .map((hook) =>
      diagnose("matcher-gave-up", { matcher: quote(hook.matcher.source), hook: hook.name }, whereOf(hook)),
    );
}

/** Headers that name a variable which they may not hold. */
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

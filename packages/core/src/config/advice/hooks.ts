import { parse } from "../../read/verdict.ts";
import { diagnose } from "../../tables/diagnostics/index.ts";
import { ruleFor } from "../../tables/rules.ts";
import type { Diagnostic } from "../../types.ts";
import { whatRuns } from "../entry.ts";
import { type Hook, placeOf, whereOf } from "../hook.ts";
import type { PatternEngine } from "../matcher.ts";
import { unfilledHeaders } from "../unread-fields.ts";
import { adviseOnMatcher, knownValues } from "./matchers.ts";
import { adviseOnOtherReaders, adviseOnOtherSyntax, otherReaderOf } from "./other-agents.ts";
import { ANY_EVENT, adviseOnScript } from "./scripts.ts";

export { DEFAULT_TIMEOUT_SECONDS } from "../schema.ts";
export { ANY_EVENT, adviseOnOtherSyntax, adviseOnScript, otherReaderOf };

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
  const { event, dialect, onFailure } = hook;
  if (onFailure !== "block" || ruleFor(event, dialect).refusal !== undefined) return [];
  return [diagnose("config-no-effect", { event }, whereOf(hook))];
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
  const rule = ruleFor(hook.event, hook.dialect);
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
  return hook.handler.type === "prompt" ? [diagnose("prompt-needs-model", {}, whereOf(hook))] : [];
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
  const values = [...(a.matcher.names ?? []), ...(b.matcher.names ?? []), ...(knownValues(a.event) ?? [])];
  return values.some((value) => a.matcher.test(value) && b.matcher.test(value));
}

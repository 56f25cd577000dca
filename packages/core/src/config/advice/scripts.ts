import { insteadOf, meantByDecision } from "../../read/answer.ts";
import { diagnose } from "../../tables/diagnostics/index.ts";
import { type EventName, isEventName } from "../../tables/events.ts";
import { PERMISSIONS } from "../../tables/fields.ts";
import { type Rule, ruleFor } from "../../tables/rules.ts";
import type { Diagnostic } from "../../types.ts";
import type { Hook } from "../hook.ts";
import { adviseOnAnswers } from "./answers.ts";

/**
 * What can be told from a script's text alone: guesses on words, so that only one of them is an error. `hooks` are all
 * the hooks that run this script; an answer that one of their events accepts is fine in a script that can tell which
 * event it was given. `shown` is the file as messages name it.
 */
export function adviseOnScript(
  { file, shown }: { file: string; shown: string },
  text: string,
  hooks: readonly Hook[],
): Diagnostic[] {
  const [first] = hooks;
  if (first === undefined) return [];
  const code = withoutComments(text);
  const rules = hooks.map(({ event, dialect }) => ruleFor(event, dialect));
  const together = tellsApart(code, hooks) ? [rules] : rules.map((rule) => [rule]);
  const atLine = (line: number, rule?: Rule) => ({
    hook: hooks.find((_, at) => rules[at] === rule)?.name ?? first.name,
    path: `${file}:${line}`,
  });
  const at = (index: number) => atLine(lineOf(code, index));
  const known = [
    ...unsetVariables(shown, code, at),
    ...eventName(shown, code, rules, at),
    ...wrongEvent(shown, code, rules, at),
    ...cannotAnswer(shown, code, together, at),
    ...badDecision(shown, code, rules, at),
    ...badPermission(shown, code, rules, at),
    ...topLevel(shown, code, rules, at),
    ...exitOne(shown, code, hooks, rules, at),
    ...exitTwo(shown, code, together, at),
  ];
  const answers = adviseOnAnswers(shown, code, together, atLine);
  return [...known, ...answers.filter(({ path }) => known.every((problem) => problem.path !== path))];
}

/** In place of an event's name, where a script is run at several. */
export const ANY_EVENT = "<Event>";

type At = (index: number) => { hook: string; path: string };

/** Variables that hooks are said to have and that no agent sets, and what is meant in the payload. */
const UNSET = {
  TOOL_NAME: ".tool_name",
  CLAUDE_TOOL_NAME: ".tool_name",
  TOOL_INPUT: ".tool_input",
  CLAUDE_TOOL_INPUT: ".tool_input",
  CLAUDE_TOOL_FILE_PATH: ".tool_input.file_path",
  CLAUDE_SESSION_ID: ".session_id",
};

/** In shell, Python and Node. A script that sets the variable itself may read it; so may one that has another value for it. */
function unsetVariables(script: string, code: string, at: At): Diagnostic[] {
  return Object.entries(UNSET).flatMap(([name, field]) => {
    const read = new RegExp(
      `\\$(?:${name}\\b|\\{${name}\\})|env(?:iron)?(?:\\.|\\.get\\(|\\[|\\()["']?${name}\\b`,
    );
    const set = new RegExp(`\\b${name}\\s*=(?!=)|\\b(?:read|for|local)\\b.{0,200}\\b${name}\\b`);
    const found = set.test(code) ? null : read.exec(code);
    if (found === null) return [];
    return [diagnose("script-unset-variable", { script, variable: `$${name}`, field }, at(found.index))];
  });
}

function eventName(script: string, code: string, rules: readonly Rule[], at: At): Diagnostic[] {
  const index = unnamedObject(code);
  const [rule, ...others] = rules.filter(({ dialect }) => dialect.eventNameRequired);
  if (index === -1 || rule === undefined) return [];
  const event = others.every((other) => other.event === rule.event) ? rule.event : ANY_EVENT;
  const values = { script, dialect: rule.dialectName, event };
  return [diagnose("script-no-event-name", values, at(index))];
}

/** Where an object is written out as hookSpecificOutput without the name of its event, or -1. */
function unnamedObject(code: string): number {
  if (/hookSpecificOutput\\?["']?\]?(?:\.|\[\\?["'])hookEventName/.test(code)) return -1; // set later
  const starts = [...code.matchAll(/hookSpecificOutput\\?["']?\s*:\s*\{/g)];
  const bare = starts.find(({ index, 0: start }) => {
    const object = objectAt(code, index + start.length);
    const mayBeMixedIn = /[{,]\s*(?:\.\.\.|\*\*|\$)/.test(`{${object}`);
    return !object.includes("hookEventName") && !mayBeMixedIn;
  });
  return bare?.index ?? -1;
}

/** The text up to the brace that closes what was opened before `from`; nobody writes an answer longer than this. */
function objectAt(code: string, from: number): string {
  const text = code.slice(from, from + 4000);
  let depth = 1;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return text.slice(0, at);
  }
  return text;
}

/** hookEventName: "…" or defineHook("…") with the name of an event this script is never run for. */
function wrongEvent(script: string, code: string, rules: readonly Rule[], at: At): Diagnostic[] {
  const events = eventsOf(rules);
  const named = [
    ...code.matchAll(/hookEventName\\?["']?\]?\s*[:=]\s*\\?["'](\w+)|defineHook\(\s*["'](\w+)/g),
  ].map((match) => ({ index: match.index, name: match[1] ?? match[2] ?? "" }));
  const [first] = named;
  if (first === undefined || named.some(({ name }) => !isEventName(name) || events.includes(name))) return [];
  const values = { script, got: first.name, event: events.join(", ") };
  return [diagnose("script-wrong-event", values, at(first.index))];
}

/** Fields whose name gives them away, and how a script writes them. */
const TELLTALE = [
  { field: "permissionDecision", pattern: /\bpermissionDecision\b/ },
  { field: "updatedInput", pattern: /\bupdatedInput\b/ },
  { field: "updatedPrompt", pattern: /\bupdatedPrompt\b/ },
  { field: "additionalContext", pattern: /\badditionalContext\b/ },
  { field: "decision", pattern: /\bdecision\\?["']?\]?\s*[:=]\s*\\?["'](?:block|approve)\b/ },
] as const;

/** Whether a script can know which of its events it was given: it looks, or its hooks do not run the same. */
function tellsApart(code: string, hooks: readonly Hook[]): boolean {
  if (/\b(?:hook_event_name|BELAY_EVENT)\b/.test(code)) return true;
  return new Set(hooks.map(({ handler }) => JSON.stringify(handler))).size > 1;
}

/** `together`: rules of which one is enough to accept an answer. */
function cannotAnswer(
  script: string,
  code: string,
  together: readonly (readonly Rule[])[],
  at: At,
): Diagnostic[] {
  return TELLTALE.flatMap(({ field, pattern }) => {
    const found = pattern.exec(code);
    const rules = together.filter((some) => !some.some((rule) => accepts(rule, field))).flat();
    if (found === null || rules.length === 0) return [];
    const denies = rules.find(({ refusal }) => refusal === "deny");
    if (denies && /block$/.test(found[0]))
      return [diagnose("script-block-as-deny", { script, event: denies.event }, at(found.index))];
    const answers = [...new Set(rules.flatMap((rule) => rule.answers))];
    const advice = insteadOf(/\w+$/.exec(found[0])?.[0] ?? "", answers);
    const values = { script, field, event: eventsOf(rules).join(", "), advice };
    return [diagnose("script-cannot-answer", values, at(found.index))];
  });
}

/** A permission's word in the field that has other words, in a script that never writes the right field. */
function badDecision(script: string, code: string, rules: readonly Rule[], at: At): Diagnostic[] {
  const found = /\bdecision\\?["']?\s*:\s*\\?["'](allow|deny|ask)\b/.exec(code);
  const [rule] = rules;
  if (found === null || rule === undefined || /\b(?:permissionDecision|behavior)\b/.test(code)) return [];
  const word = found[1] ?? "";
  const advice = meantByDecision(rule, word).advice ?? insteadOf(word, rule.answers);
  const values = { script, field: "decision", word, event: eventsOf(rules).join(", "), advice };
  return [diagnose("script-bad-decision", values, at(found.index))];
}

/** A word in the right field that is no permission: the engine sets the whole answer aside, and the call goes through. */
function badPermission(script: string, code: string, rules: readonly Rule[], at: At): Diagnostic[] {
  const asking = rules.filter((rule) => accepts(rule, "permissionDecision"));
  const written = [...code.matchAll(/\bpermissionDecision\\?["']?\]?\s*(?::|=(?!=))\s*\\?["'](\w+)\\?["']/g)];
  const found = written.find(([, word]) => !(PERMISSIONS as readonly unknown[]).includes(word));
  if (found === undefined || asking.length === 0) return [];
  const [, word = ""] = found;
  const advice = `Write one of ${PERMISSIONS.map((name) => `"${name}"`).join(", ")}.`;
  const values = { script, field: "permissionDecision", word, event: eventsOf(asking).join(", "), advice };
  return [diagnose("script-bad-decision", values, at(found.index))];
}

function accepts({ answers, decisions }: Rule, field: (typeof TELLTALE)[number]["field"]): boolean {
  if (field === "decision" && decisions === "behavior") return false;
  return answers.includes(field);
}

/** Answers that count inside hookSpecificOutput and nowhere else, whatever the form of the rest. */
const NESTED: readonly string[] = ["permissionDecision", "additionalContext"];

/** Such an answer in a script that never writes hookSpecificOutput. */
function topLevel(script: string, code: string, rules: readonly Rule[], at: At): Diagnostic[] {
  if (code.includes("hookSpecificOutput")) return [];
  return TELLTALE.flatMap(({ field, pattern }) => {
    const rule = rules.find((candidate) => accepts(candidate, field));
    const found = NESTED.includes(field) ? pattern.exec(code) : null;
    if (found === null || rule === undefined) return [];
    return [diagnose("script-top-level", { script, field, event: rule.event }, at(found.index))];
  });
}

/** An exit code of 1, in shell, Python and Node. */
const EXIT_1 = /(?:\bexit +1\b|(?:\b|_|System)[eE]xit\(\s*1\s*\)|\bexitCode\s*=\s*1\b)/;
/** Another way to refuse: an exit code of 2 or one that is computed, or an answer. */
const REFUSES =
  /\bexit +["']?[2$]|(?:\b|_|System)[eE]xit\(\s*(?:2|[a-z])|\bexitCode\s*=(?!\s*1\b)|\bpermissionDecision\b|\bdecision\\?["']?\]?\s*[:=](?!=)/;

/** The most common misunderstanding of all: exit 1 refuses nothing. */
function exitOne(
  script: string,
  code: string,
  hooks: readonly Hook[],
  rules: readonly Rule[],
  at: At,
): Diagnostic[] {
  const found = EXIT_1.exec(code);
  const refuses = rules.some(({ refusal }) => refusal !== undefined);
  if (found === null || !refuses || hooks.some(({ onFailure }) => onFailure === "block")) return [];
  if (REFUSES.test(code)) return [];
  return [diagnose("script-exit-1", { script }, at(found.index))];
}

/** An exit code of 2; a number before `>` is a stream. */
const EXIT_2 = /(?:\bexit +2\b(?!>)|(?:\b|_|System)[eE]xit\(\s*2\s*\)|\bexitCode\s*=\s*2\b)/;

/** A refusal at an event that has none. `together`: rules of which one is enough to make it one. */
function exitTwo(script: string, code: string, together: readonly (readonly Rule[])[], at: At): Diagnostic[] {
  const found = EXIT_2.exec(code);
  const rules = together.filter((some) => !some.some(({ refusal }) => refusal !== undefined)).flat();
  if (found === null || rules.length === 0) return [];
  return [diagnose("script-exit-2", { script, event: eventsOf(rules).join(", ") }, at(found.index))];
}

function eventsOf(rules: readonly Rule[]): EventName[] {
  return [...new Set(rules.map(({ event }) => event))];
}

/** Comment lines emptied, so that lines keep their numbers. */
function withoutComments(text: string): string {
  return text.replaceAll(/^[ \t]*(?:#|\/\/|\*|\/\*).*$/gm, "");
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

import { isObject, type JsonObject } from "../../json.ts";
import { insteadOf, meantByDecision, readAnswer } from "../../read/answer.ts";
import { MAX_DEPTH } from "../../read/output.ts";
import { findObjects } from "../../read/scan.ts";
import { type DiagnosticCode, diagnose, type Filling } from "../../tables/diagnostics/index.ts";
import { type EventName, isEventName } from "../../tables/events.ts";
import { type Rule, ruleFor } from "../../tables/rules.ts";
import type { Diagnostic } from "../../types.ts";
import type { Hook } from "../hook.ts";

/** A script, and the events at which it runs. */
interface Script {
  /** Without comments; lines keep their numbers. */
  readonly code: string;
  readonly hooks: readonly Hook[];
  readonly rules: readonly Rule[];
  /** A diagnostic about a line, or about the line of what was found. */
  tell<Code extends DiagnosticCode>(
    at: number | { readonly index: number },
    code: Code,
    values: Omit<Filling<Code>, "script">,
  ): Diagnostic;
}

/**
 * What the text of a script tells by itself: guesses from words, so that only one of them is an error. `hooks` are all hooks
 * that run the script; what one of their events accepts is fine. `shown` is the file as messages name it.
 */
export function adviseOnScript(
  { file, shown }: { file: string; shown: string },
  text: string,
  hooks: readonly Hook[],
): Diagnostic[] {
  const [first] = hooks;
  if (first === undefined) return [];
  const code = text.replaceAll(/^[ \t]*(?:#|\/\/|\*|\/\*).*$/gm, "");
  const script: Script = {
    code,
    hooks,
    rules: hooks.map(({ event, dialect, simulated }) => ruleFor(event, dialect, simulated)),
    tell: (at, name, values) => {
      const line = typeof at === "number" ? at : code.slice(0, at.index).split("\n").length;
      const filled = { script: shown, ...values } as Filling<typeof name>;
      return diagnose(name, filled, { hook: first.name, path: `${file}:${line}` });
    },
  };
  const known = [
    ...unsetVariables(script),
    ...unnamedEvent(script),
    ...wrongEvent(script),
    ...cannotAnswer(script),
    ...wrongWords(script),
    ...topLevel(script),
    ...exitOne(script),
    ...exitTwo(script),
  ];
  const answers = adviseOnAnswers(script);
  return [...known, ...answers.filter(({ path }) => known.every((problem) => problem.path !== path))];
}

/** Stands for an event's name where a script is run at several. */
export const ANY_EVENT = "<Event>";

/** Variables that hooks are said to have and that no agent sets, and the field of the payload that is meant. */
const UNSET = {
  TOOL_NAME: ".tool_name",
  CLAUDE_TOOL_NAME: ".tool_name",
  TOOL_INPUT: ".tool_input",
  CLAUDE_TOOL_INPUT: ".tool_input",
  CLAUDE_TOOL_FILE_PATH: ".tool_input.file_path",
  CLAUDE_SESSION_ID: ".session_id",
};

/** In shell, Python and Node. A script that sets the variable, or has another value for it, may read it. */
function unsetVariables({ code, tell }: Script): Diagnostic[] {
  return Object.entries(UNSET).flatMap(([name, field]) => {
    const read = new RegExp(
      `\\$(?:${name}\\b|\\{${name}\\})|env(?:iron)?(?:\\.|\\.get\\(|\\[|\\()["']?${name}\\b`,
    );
    const set = new RegExp(`\\b${name}\\s*=(?!=)|\\b(?:read|for|local)\\b.{0,200}\\b${name}\\b`);
    const found = set.test(code) ? null : read.exec(code);
    return found ? [tell(found, "script-unset-variable", { variable: `$${name}`, field })] : [];
  });
}

/** A hookSpecificOutput that is written out without the name of its event. */
function unnamedEvent({ code, rules, tell }: Script): Diagnostic[] {
  const [rule, ...others] = rules.filter(({ dialect }) => dialect.eventNameRequired);
  const isSetLater = /hookSpecificOutput\\?["']?\]?(?:\.|\[\\?["'])hookEventName/.test(code);
  if (rule === undefined || isSetLater) return [];
  const unnamed = [...code.matchAll(/hookSpecificOutput\\?["']?\s*:\s*\{/g)].find(({ index, 0: start }) => {
    const object = objectAt(code, index + start.length);
    const mayBeMixedIn = /[{,]\s*(?:\.\.\.|\*\*|\$)/.test(`{${object}`);
    return !object.includes("hookEventName") && !mayBeMixedIn;
  });
  const event = others.every((other) => other.event === rule.event) ? rule.event : ANY_EVENT;
  return unnamed ? [tell(unnamed, "script-no-event-name", { dialect: rule.dialectName, event })] : [];
}

/** The text up to the brace that closes what was opened before `from`; no answer in a script is longer than this. */
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

/** hookEventName: "…" or defineHook("…") with the name of an event at which the script never runs. */
function wrongEvent({ code, rules, tell }: Script): Diagnostic[] {
  const events = eventsOf(rules);
  const pattern = /hookEventName\\?["']?\]?\s*[:=]\s*\\?["'](\w+)|defineHook\(\s*["'](\w+)/g;
  const named = [...code.matchAll(pattern)].map(({ index, 1: field = "", 2: name = field }) => ({
    index,
    name,
  }));
  const [first] = named;
  if (first === undefined || named.some(({ name }) => !isEventName(name) || events.includes(name))) return [];
  return [tell(first, "script-wrong-event", { got: first.name, event: events.join(", ") })];
}

/** Fields whose name shows that an answer is written, and how a script writes them. */
const ANSWERS = [
  { field: "permissionDecision", pattern: /\bpermissionDecision\b/ },
  { field: "updatedInput", pattern: /\bupdatedInput\b/ },
  { field: "updatedPrompt", pattern: /\bupdatedPrompt\b/ },
  { field: "additionalContext", pattern: /\badditionalContext\b/ },
  { field: "decision", pattern: /\bdecision\\?["']?\]?\s*[:=]\s*\\?["'](?:block|approve)\b/ },
] as const;

function accepts({ answers, decisions }: Rule, field: (typeof ANSWERS)[number]["field"]): boolean {
  if (field === "decision" && decisions === "behavior") return false;
  return answers.includes(field);
}

function cannotAnswer({ code, rules, tell }: Script): Diagnostic[] {
  return ANSWERS.flatMap(({ field, pattern }) => {
    const found = pattern.exec(code);
    if (found === null || rules.some((rule) => accepts(rule, field))) return [];
    const denies = rules.find(({ refusal }) => refusal === "deny");
    if (denies && found[0].endsWith("block"))
      return [tell(found, "script-block-as-deny", { event: denies.event })];
    const answers = [...new Set(rules.flatMap((rule) => rule.answers))];
    const advice = insteadOf(/\w+$/.exec(found[0])?.[0] ?? "", answers);
    return [tell(found, "script-cannot-answer", { field, event: eventsOf(rules).join(", "), advice })];
  });
}

/** A word that `permissionDecision` does not take; or one that only it takes, in a script that writes `decision` alone. */
function wrongWords({ code, rules, tell }: Script): Diagnostic[] {
  const asking = rules.filter((rule) => accepts(rule, "permissionDecision"));
  const permissions = [
    ...code.matchAll(/\bpermissionDecision\\?["']?\]?\s*(?::|=(?!=))\s*\\?["'](\w+)\\?["']/g),
  ];
  const taken = [...new Set(asking.flatMap(({ permissions }) => permissions))];
  const unknown = permissions.find(([, word = ""]) => !taken.includes(word));
  if (unknown && asking.length > 0) {
    const advice = `Write one of ${taken.map((name) => `"${name}"`).join(", ")}.`;
    const values = { field: "permissionDecision", word: unknown[1] ?? "", advice };
    return [tell(unknown, "script-bad-decision", { ...values, event: eventsOf(asking).join(", ") })];
  }
  const decision = /\bdecision\\?["']?\s*:\s*\\?["'](allow|deny|ask)\b/.exec(code);
  const [rule] = rules;
  if (decision === null || rule === undefined || /\b(?:permissionDecision|behavior)\b/.test(code)) return [];
  const word = decision[1] ?? "";
  const advice = meantByDecision(rule, word).advice ?? insteadOf(word, rule.answers);
  const values = { field: "decision", word, event: eventsOf(rules).join(", "), advice };
  return [tell(decision, "script-bad-decision", values)];
}

/** Answers that count inside hookSpecificOutput alone, whatever the form of the rest. */
const NESTED: readonly string[] = ["permissionDecision", "additionalContext"];

/** Such an answer in a script that never writes hookSpecificOutput. */
function topLevel({ code, rules, tell }: Script): Diagnostic[] {
  if (code.includes("hookSpecificOutput")) return [];
  return ANSWERS.flatMap(({ field, pattern }) => {
    const rule = rules.find((candidate) => accepts(candidate, field));
    const found = NESTED.includes(field) ? pattern.exec(code) : null;
    return found && rule ? [tell(found, "script-top-level", { field, event: rule.event })] : [];
  });
}

/** An exit code in shell, Python and Node; a number before `>` is a stream. */
const exitWith = (code: number) =>
  new RegExp(
    `\\bexit +${code}\\b(?!>)|(?:\\b|_|System)[eE]xit\\(\\s*${code}\\s*\\)|\\bexitCode\\s*=\\s*${code}\\b`,
  );

/** Another way to refuse: an exit code of 2 or one that is computed, or an answer. */
const REFUSES =
  /\bexit +["']?[2$]|(?:\b|_|System)[eE]xit\(\s*(?:2|[a-z])|\bexitCode\s*=(?!\s*1\b)|\bpermissionDecision\b|\bdecision\\?["']?\]?\s*[:=](?!=)/;

/** The most common misunderstanding of all: exit 1 refuses nothing. */
function exitOne({ code, hooks, rules, tell }: Script): Diagnostic[] {
  const found = exitWith(1).exec(code);
  const isGuard = rules.some(({ refusal }) => refusal !== undefined) && !REFUSES.test(code);
  if (found === null || !isGuard || hooks.some(({ onFailure }) => onFailure === "block")) return [];
  return [tell(found, "script-exit-1", {})];
}

/** A refusal where nothing can be refused. */
function exitTwo({ code, rules, tell }: Script): Diagnostic[] {
  const found = exitWith(2).exec(code);
  if (found === null || rules.some(({ refusal }) => refusal !== undefined)) return [];
  return [tell(found, "script-exit-2", { event: eventsOf(rules).join(", ") })];
}

function eventsOf(rules: readonly Rule[]): EventName[] {
  return [...new Set(rules.map(({ event }) => event))];
}

/* Answers that a script writes out. */

/** Problems that are certain in an answer that a script writes out. Others are told from words, or may be meant. */
const CERTAIN = ["output-missing", "output-invalid", "output-misspelt-field", "output-wrong-event"];
/** The same for an answer whose values are filled in later: only its names are certain. */
const CERTAIN_OF_NAMES = ["output-misspelt-field"];

const NO_FLAWS = { tooDeep: false, isCut: false };

/** Answers that a script writes out, as `echo '{"decision":"block"}'` does, read as the engine would read them. */
function adviseOnAnswers(script: Script): Diagnostic[] {
  const told = new Map<string, Diagnostic>();
  for (const { object, line } of writtenObjects(script.code))
    for (const { message, fix } of problemsOf(object, script)) {
      const diagnostic = script.tell(line, "script-answer", { problem: message, advice: fix });
      told.set(`${diagnostic.path} ${message}`, diagnostic);
    }
  return [...told.values()];
}

/** The problems by the first event; none if an event of the script accepts the answer. An object with fields of others is no answer. */
function problemsOf(object: JsonObject, { rules, code }: Script): Diagnostic[] {
  const certain = isFilledIn(object) ? CERTAIN_OF_NAMES : CERTAIN;
  const perRule = rules.map((rule) => {
    const { diagnostics } = readAnswer(object, rule, "", NO_FLAWS, new Map());
    if (diagnostics.some(({ code: problem }) => problem === "output-unknown-field")) return [];
    return diagnostics.filter((one) => certain.includes(one.code) && !mayBeMeant(one, object, code));
  });
  return perRule.some((problems) => problems.length === 0) ? [] : (perRule[0] ?? []);
}

/** True if a value stands for another: "$D", "%s", "${d}", "@D@", "DECISION". */
function isFilledIn(object: JsonObject): boolean {
  return Object.values(object).some((value) =>
    isObject(value) ? isFilledIn(value) : typeof value === "string" && /[$`%{}@'"]|^[A-Z_]{2,}$/.test(value),
  );
}

/** A field that is missing in the object may be set elsewhere; a `decision` of another kind may stand beside the answer. */
function mayBeMeant({ code: problem, path, message }: Diagnostic, object: JsonObject, code: string): boolean {
  const mentions = (name: string) => new RegExp(`\\b${name}\\b`).test(code);
  switch (problem) {
    case "output-invalid":
      return path === "decision" && (mentions("permissionDecision") || mentions("behavior"));
    case "output-wrong-event":
      return !JSON.stringify(object).includes("hookEventName");
    case "output-missing": {
      const field = /`(\w+)`/.exec(message)?.[1];
      return field !== undefined && mentions(field);
    }
    default:
      return false;
  }
}

/** No script holds more answers; a script that was made to be slow may. */
const MAX_OBJECTS = 200;

/** Objects in JSON, quoted for a shell, and as Python and JavaScript write them. */
function writtenObjects(code: string): { object: JsonObject; line: number }[] {
  const json = code.replaceAll('\\"', '"');
  const literal = json
    .replaceAll("'", '"')
    .replaceAll(/([{,]\s*)(\w+)(?=\s*:)/g, '$1"$2"')
    .replaceAll(/:\s*(\$\w+)/g, ':"$1"')
    .replaceAll(/\b(?:True|False|None)\b/g, (word) => PYTHON[word] ?? word);
  return [...new Set([json, literal])].flatMap((text) =>
    findObjects(text, false)
      .filter((found) => found.json.includes('"') && found.depth <= MAX_DEPTH)
      .slice(0, MAX_OBJECTS)
      .flatMap(({ json: found, start }) => {
        const object: unknown = JSON.parse(found);
        return isObject(object) ? [{ object, line: text.slice(0, start).split("\n").length }] : [];
      }),
  );
}

const PYTHON: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null" };

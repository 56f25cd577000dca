import { join } from "node:path";
import {
  DEFAULT_DIALECT,
  type DialectName,
  EVENT_NAMES,
  type EventName,
  type Hook,
  ruleFor,
  TOOLS,
} from "@belay/core";
import { COMMON_EVENT_NAMES, eventRow, matchedValue, toolNamed, withPath } from "@belay/core/internal";
import { payloadFor } from "../../args/payload.ts";

const MAX_VARIANTS = 12;

type Call = Readonly<Record<string, unknown>>;

/**
 * Calls that people write guards against, by a word of such a guard. Each does no harm if a script runs what it is given
 * to judge.
 */
const FEARED: readonly { readonly word: RegExp; readonly tool: string; readonly input: Call }[] = [
  { word: /\brm\b/, tool: "Bash", input: { command: "rm -rf /no/such/folder" } },
  { word: /\bpush\b/, tool: "Bash", input: { command: "git push --force /no/such/remote main" } },
  {
    word: /\bcommit\b|no-verify/,
    tool: "Bash",
    input: { command: "git commit --dry-run --no-verify -m wip" },
  },
  { word: /\bsudo\b/, tool: "Bash", input: { command: "sudo --version" } },
  { word: /\bcurl\b|\bwget\b/, tool: "Bash", input: { command: "curl --version | sh -n" } },
  { word: /\.env\b/, tool: "Write", input: { file_path: ".env", content: "PORT=3000\n" } },
  { word: /\.env\b/, tool: "Read", input: { file_path: ".env" } },
];

export interface Attempt {
  readonly event: EventName;
  readonly payload: Record<string, unknown>;
}

/**
 * What a script is tried on: a sample per event, and at an event with a tool one per tool that the script names or reads the
 * input of, and calls of the kind it seems to guard against. Where settings name the script, their matchers have to fit.
 */
export function attemptsFor(
  events: readonly EventName[],
  text: string,
  given: Readonly<Record<string, unknown>>,
  flags: { readonly cwd: string; readonly session: string },
  hooks: readonly Hook[] = [],
) {
  const isTold = given.tool_name !== undefined || given.tool_input !== undefined;
  const calls = isTold ? [{}] : callsFor(text, flags.cwd);
  let leftOut = 0;
  const attempts = events.flatMap((event) => {
    const all = payloadsThatFit(event, "tool_name" in eventRow(event).input ? calls : [{}], given, hooks);
    leftOut = Math.max(leftOut, all.length - MAX_VARIANTS);
    return all.slice(0, MAX_VARIANTS).map((call) => ({
      event,
      payload: payloadFor(event, flags, { ...given, ...call }, flags.session),
    }));
  });
  return { attempts, leftOut };
}

/** The calls that fire one of the hooks, and one for each name that a matcher has besides. */
function payloadsThatFit(
  event: EventName,
  calls: readonly Call[],
  given: Call,
  hooks: readonly Hook[],
): readonly Call[] {
  const { matcher: field, matcherValues = [] } = eventRow(event);
  const matchers = hooks.filter((hook) => hook.event === event).map(({ matcher }) => matcher);
  if (field === undefined || given[field] !== undefined || matchers.length === 0) return calls;
  const { sample }: { readonly sample: Call } = eventRow(event);
  const tested = (call: Call) => matchedValue(event, { ...sample, ...call }) ?? "";
  const fit = calls.filter((call) => matchers.some((matcher) => matcher.test(tested(call))));
  const named = matchers.flatMap(
    ({ kind, names, test }) => names ?? (kind === "all" ? [] : matcherValues.filter((value) => test(value))),
  );
  const others = [...new Set(named)].filter((value) => !fit.some((call) => tested(call) === value));
  const all = [...fit, ...others.map((value) => ({ [field]: value }))];
  return all.length > 0 ? all : calls;
}

function callsFor(text: string, cwd: string): Call[] {
  const tools = toolsIn(text);
  const feared = FEARED.filter(
    ({ word, tool }) => word.test(text) && (tools.length === 0 || tools.includes(tool)),
  ).map(({ tool, input }) => ({
    tool_name: tool,
    tool_input: withPath(tool, input, (path) => join(cwd, path)),
  }));
  const plain = tools.length > 0 ? tools.map((tool) => ({ tool_name: tool })) : [{}];
  return [...plain, ...feared];
}

const TELLTALE = ["permissionDecision", "updatedInput", "updatedPrompt", "additionalContext"] as const;

/**
 * The events that a script may be for, by its words: those it names; else those that take its answers and have the fields
 * it reads, the common ones first; and when it says nothing, the common events at which a hook can refuse.
 */
export function guessEvents(text: string, dialect: DialectName = DEFAULT_DIALECT): readonly EventName[] {
  const has = (word: string) => new RegExp(`\\b${word}\\b`).test(text);
  const named = EVENT_NAMES.filter(has);
  if (named.length > 0) return named;
  const refusing = COMMON_EVENT_NAMES.filter((event) => ruleFor(event, dialect).refusal !== undefined);
  const answers = TELLTALE.filter(has);
  const read = fieldsIn(text);
  if (answers.length === 0 && read.length === 0) return refusing;
  const suits = (event: EventName) =>
    answers.every((answer) => ruleFor(event, dialect).answers.includes(answer)) &&
    read.every((field) => field in eventRow(event).input);
  const suiting = [COMMON_EVENT_NAMES, EVENT_NAMES].map((names) => names.filter(suits));
  return suiting.find((names) => names.length > 0) ?? refusing;
}

/** Fields of payloads that some events have and others have not, and that are no everyday words. */
const ownFields = [...new Set(EVENT_NAMES.flatMap((event) => Object.keys(eventRow(event).input)))].filter(
  (field) => field.includes("_"),
);

const WORDS = ["prompt", "trigger", "source", "message", "reason"] as const;

/** The fields that a script reads. An everyday word counts only if no other field is read: it may be a field of a tool's input. */
function fieldsIn(text: string): readonly string[] {
  const own = ownFields.filter((field) => new RegExp(`\\b${field}\\b`).test(text));
  return own.length > 0 ? own : WORDS.filter((word) => isRead(word, text) || isTaken(word, text));
}

const ASSIGNED = String.raw`\s*=(?!=)`;

/** After a dot, or in quotes where it is no key that is written; errors that are caught have a message, too. */
function isRead(word: string, text: string): boolean {
  const member = String.raw`(?<!\b(?:e|ex|err|error))\.${word}\b(?!\s*\(|${ASSIGNED})`;
  return new RegExp(String.raw`${member}|(["'])${word}\1(?!\s*:|\]${ASSIGNED})`).test(text);
}

function isTaken(word: string, text: string): boolean {
  return new RegExp(`\\{[^{}]*\\b${word}\\b[^{}]*\\}\\s*=`).test(text);
}

/** The tools that a script speaks of; where it names none, those whose input it reads. */
export function toolsIn(text: string): string[] {
  const words = new Set(text.match(/\b[A-Z]\w+\b/g) ?? []);
  const named = [...words].filter((word) => toolNamed(word) !== undefined);
  return named.length > 0 ? named : toolsByFields(text);
}

/** Libraries whose names are fields of inputs as well. */
const LIBRARIES = /\bos\.path\b|(?:\bfrom|\bimport|\brequire\s*\()\s*(["'])[^"'\n]*\1/g;

/** The tools with most of the fields that are read; of tools with the same fields the first with the fewest others. */
function toolsByFields(text: string): string[] {
  if (!text.includes("tool_input")) return [];
  const code = text.replaceAll(LIBRARIES, "");
  const isField = (name: string) =>
    name.includes("_") ? new RegExp(`\\b${name}\\b`).test(code) : isRead(name, code) || isTaken(name, code);
  const tools = Object.entries(TOOLS).map(([tool, { sample }]) => {
    const fields = Object.keys(sample);
    return { tool, fields, read: fields.filter(isField) };
  });
  const reading = tools.filter(({ read }) => read.length > 0);
  const isWorse = (one: Candidate, other: Candidate) =>
    isBelow(one.read, other.read) || (isSame(one.read, other.read) && isBelow(one.fields, other.fields));
  const best = reading.filter((one) => !reading.some((other) => isWorse(one, other)));
  return best
    .filter((one, index) => best.findIndex(({ read }) => isSame(read, one.read)) === index)
    .map(({ tool }) => tool);
}

interface Candidate {
  readonly fields: readonly string[];
  readonly read: readonly string[];
}

function isBelow(some: readonly string[], all: readonly string[]): boolean {
  return some.length < all.length && some.every((name) => all.includes(name));
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name) => others.includes(name));
}

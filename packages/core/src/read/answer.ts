import { isObject, type JsonObject } from "../json.ts";
import { expectedBy, type Field, type Fields, type Misfit, misfit, type Sound } from "../schema/field.ts";
import { DIAGNOSTICS, type DiagnosticCode, diagnose, type Filling } from "../tables/diagnostics/index.ts";
import { DEFAULT_DIALECT } from "../tables/dialects.ts";
import {
  ANSWER_FIELDS,
  ANYWHERE_FIELDS,
  BEHAVIOR_FIELDS,
  COMMON_FIELDS,
  MISPLACED_FIELDS,
  PERMISSIONS,
  TOP_NAMES,
} from "../tables/fields.ts";
import { isRestriction, isStricter, type VerdictKind } from "../tables/kinds.ts";
import type { Rule } from "../tables/rules.ts";
import { asGuess, brief, nearest } from "../text.ts";
import type { Diagnostic } from "../types.ts";
import { type Flaws, MAX_DEPTH } from "./output.ts";

/** What one JSON object says, field by field, judged by an event's rule. */
export interface Answer {
  /** "abstain" with `speaks`: an approval. "abstain" without: nothing about the decision. */
  readonly kind: VerdictKind;
  readonly speaks: boolean;
  readonly reason?: string | undefined;
  readonly interrupt?: boolean | undefined;
  readonly systemMessage?: string | undefined;
  readonly context?: string | undefined;
  readonly updatedInput?: JsonObject | undefined;
  readonly updatedPrompt?: string | undefined;
  readonly suppressOutput: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** It breaks a rule of DESIGN §4.2: only its restricting parts may count. */
  readonly invalid: boolean;
  /** hookSpecificOutput was meant for another event: a fault, while the common fields hold. */
  readonly setAside: boolean;
}

const SPECIFIC_NAMES = ["hookEventName", ...Object.keys(ANSWER_FIELDS)];
const MISPLACED_NAMES = [...TOP_NAMES, ...Object.keys(MISPLACED_FIELDS)];

/** Reads one object. Objects of one run share a tally. */
export function readAnswer(object: JsonObject, rule: Rule, hook: string, flaws: Flaws, tally: Tally): Answer {
  const { isCut, tooDeep, repeated } = flaws;
  // What a cut object lacks may have been cut off: it is unusable, not missing.
  const unsound = isCut ? ["reason", "stopReason", "hookEventName"] : [];
  const reading: AnswerReading = {
    rule,
    hook,
    diagnostics: [],
    tally,
    unsound,
    invalid: false,
    meantToRestrict: false,
  };
  if (tooDeep)
    remark(reading, "output-invalid", {
      path: "(all of it)",
      expected: `at most ${MAX_DEPTH} levels`,
      got: "more",
    });
  if (repeated !== undefined)
    remark(reading, "output-invalid", { path: repeated, expected: "each field once", got: "it twice" });
  const common = take(reading, object, "", COMMON_FIELDS);
  const { specific, setAside } = takeSpecific(reading, object);
  const isMisplaced = restrictsHere(rule, object.permissionDecision);
  const top = takeLevel(reading, object, "", isMisplaced ? MISPLACED_FIELDS : ANYWHERE_FIELDS);
  reportUnknown(reading, object, "", isMisplaced ? MISPLACED_NAMES : TOP_NAMES);
  const read = readStop(reading, common) ?? readStep(reading, top, specific);
  const step = reading.meantToRestrict && !isRestriction(read.kind) ? SILENT : read;
  const context = readContext(reading, specific);
  const updatedInput = readInput(reading, specific, read.updatedInput);
  const updatedPrompt = readPrompt(reading, specific);
  // Every field is named, absent or not: an output may hold thousands of objects, and spreads are slow.
  return {
    kind: step.kind,
    speaks: step.speaks,
    reason: step.reason,
    interrupt: step.interrupt,
    systemMessage: common.systemMessage,
    context,
    updatedInput,
    updatedPrompt,
    suppressOutput: common.suppressOutput === true,
    diagnostics: reading.diagnostics,
    invalid: reading.invalid,
    setAside,
  };
}

type Behavior = Sound<typeof BEHAVIOR_FIELDS>;
type Decisive = Sound<typeof ANSWER_FIELDS>;
/** The answer fields of one level. */
type Level = Omit<Decisive, "decision"> & { decision?: Decisive["decision"] | Misplaced | Behavior };

/** What restricts a call in a place that is not its own; an allow does not count there. */
type Misplaced = "deny" | "ask";

function restrictsHere({ misplacedRestricts }: Rule, word: unknown): word is Misplaced {
  return misplacedRestricts && (word === "deny" || word === "ask");
}

/** hookSpecificOutput when it is meant for this event; set aside otherwise (DESIGN §4.3). */
function takeSpecific(reading: AnswerReading, object: JsonObject): { specific: Level; setAside: boolean } {
  const raw = present(object, "hookSpecificOutput");
  if (raw === undefined) return { specific: {}, setAside: false };
  if (!isObject(raw)) {
    remark(reading, "output-invalid", {
      path: "hookSpecificOutput",
      expected: "an object",
      got: brief(raw),
    });
    return { specific: {}, setAside: false };
  }
  const { event, dialect } = reading.rule;
  const named = present(raw, "hookEventName");
  const isRequired = dialect.eventNameRequired && !reading.unsound.includes("hookEventName");
  if (named !== undefined ? named !== event : isRequired) {
    const got = named === undefined ? "missing" : brief(named);
    remark(reading, "output-wrong-event", { got }, "hookSpecificOutput.hookEventName");
    return { specific: {}, setAside: true };
  }
  reportUnknown(reading, raw, "hookSpecificOutput.", SPECIFIC_NAMES);
  return { specific: takeLevel(reading, raw, "hookSpecificOutput.", ANSWER_FIELDS), setAside: false };
}

/**
 * Answer fields of one level. Where the event takes the long permission form, a `decision` object is read as one; where a
 * permission's word restricts in the wrong place, a `decision` may be one.
 */
function takeLevel(
  reading: AnswerReading,
  from: JsonObject,
  prefix: string,
  fields: typeof ANSWER_FIELDS | typeof ANYWHERE_FIELDS,
): Level {
  const { rule } = reading;
  const said = from.decision;
  const isWord = restrictsHere(rule, said);
  const isLong = rule.decisions === "behavior" && isObject(said);
  if (!isWord && !isLong) return take(reading, from, prefix, fields);
  const { decision: _, ...words } = fields;
  if (isWord) return { ...take(reading, from, prefix, words), decision: said };
  const path = `${prefix}decision.`;
  reportUnknown(reading, said, path, Object.keys(BEHAVIOR_FIELDS));
  return { ...take(reading, from, prefix, words), decision: take(reading, said, path, BEHAVIOR_FIELDS) };
}

/** Every field is named, as in an Answer. */
interface Step {
  readonly kind: VerdictKind;
  readonly speaks: boolean;
  readonly reason: string | undefined;
  readonly interrupt: true | undefined;
  readonly updatedInput: JsonObject | undefined;
}

const SILENT: Step = {
  kind: "abstain",
  speaks: false,
  reason: undefined,
  interrupt: undefined,
  updatedInput: undefined,
};

function spoken(kind: VerdictKind, reason?: string): Step {
  return { kind, speaks: true, reason, interrupt: undefined, updatedInput: undefined };
}

function readStop(reading: AnswerReading, common: Sound<typeof COMMON_FIELDS>): Step | undefined {
  const reason = common.stopReason;
  if (common.continue !== false) {
    if (reason !== undefined) remarkUnused(reading, "stopReason", "continue", '"continue": false');
    return undefined;
  }
  if (
    reason === undefined &&
    reading.rule.dialect.stopReasonRequired &&
    !reading.unsound.includes("stopReason")
  ) {
    remark(reading, "output-missing", { field: "stopReason", when: "with continue: false" }, "stopReason");
    return undefined;
  }
  return spoken("stop", reason);
}

/** Permission answers and block answers; where both places speak, the stricter one counts (DESIGN §4.5). */
function readStep(reading: AnswerReading, top: Level, specific: Level): Step {
  const inner = specific.reason;
  const outer = top.reason;
  const hasWords = (inner ?? outer) !== undefined;
  if (hasWords && (specific.decision ?? top.decision ?? top.permissionDecision) === undefined)
    remarkUnused(reading, "reason", "decision", "a decision");
  const candidates = [
    readPermission(reading, specific),
    readMisplaced(reading, top, outer),
    readDecision(reading, specific, inner ?? outer, "hookSpecificOutput.decision"),
    readDecision(reading, top, outer ?? inner, "decision"),
  ];
  const step = candidates.reduce((a, b) => (isStricter(b.kind, a.kind) || (!a.speaks && b.speaks) ? b : a));
  if (hasWords && isApproval(step)) remarkUnusedByApprove(reading);
  const alike = candidates.filter(({ kind, speaks }) => kind === step.kind && speaks === step.speaks);
  const reason = alike.find((candidate) => candidate.reason !== undefined)?.reason;
  const interrupts = alike.some(({ interrupt }) => interrupt);
  // A rewrite loosens nothing: the input that a hook wanted changed must not run because it answered twice.
  const updatedInput = candidates.find((candidate) => candidate.updatedInput)?.updatedInput;
  const { kind, speaks } = step;
  return { kind, speaks, reason, interrupt: interrupts ? true : undefined, updatedInput };
}

function isApproval({ kind, speaks }: Step): boolean {
  return kind === "abstain" && speaks;
}

/** Words that another field has to go with; one that is there but unsound is spoken of already. */
function remarkUnused(reading: AnswerReading, path: string, field: string, needs: string): void {
  if (reading.unsound.includes(field)) return;
  remark(reading, "output-words-unused", { path, when: `without ${needs}`, advice: `Add ${needs}` });
}

function remarkUnusedByApprove(reading: AnswerReading): void {
  const values = { path: "reason", when: "with an approve", advice: "Leave it out" };
  remark(reading, "output-words-unused", values);
}

function readPermission(reading: AnswerReading, specific: Level): Step {
  const said = specific.permissionDecision;
  const reason = specific.permissionDecisionReason;
  if (said === undefined) {
    if (reason !== undefined)
      remarkUnused(reading, "permissionDecisionReason", "permissionDecision", "a permissionDecision");
    return SILENT;
  }
  if (reading.rule.answers.includes("permissionDecision")) return spoken(said, reason);
  remarkCannotAnswer(reading, "hookSpecificOutput.permissionDecision", said, reason);
  return SILENT;
}

/** A permission at the top level, which is taken from there only where it restricts. */
function readMisplaced(reading: AnswerReading, top: Level, reason: string | undefined): Step {
  const said = top.permissionDecision;
  if (said === undefined) return SILENT;
  remark(reading, "output-misplaced-restriction", { path: "permissionDecision", said });
  return spoken(said, top.permissionDecisionReason ?? reason);
}

function readDecision(reading: AnswerReading, from: Level, reason: string | undefined, path: string): Step {
  const word = from.decision;
  if (word === undefined) return SILENT;
  if (typeof word === "object") return readBehavior(reading, word, reason, path);
  const { decisions, refusal } = reading.rule;
  if (decisions !== "behavior" && (decisions as readonly string[]).includes(word)) {
    return word === "approve" ? spoken("abstain") : readBlock(reading, reason, path);
  }
  // No answer here, but close enough to be taken as what it means.
  if (refusal === "deny" && word !== "approve") {
    if (word === "block") remark(reading, "output-block-as-deny", {}, path);
    else remark(reading, "output-misplaced-restriction", { path, said: word });
    return spoken(word === "block" ? refusal : word, reason);
  }
  remarkCannotAnswer(reading, path, word, reason);
  return SILENT;
}

function readBlock(reading: AnswerReading, reason: string | undefined, path: string): Step {
  if (
    reason === undefined &&
    reading.rule.dialect.blockReasonRequired &&
    !reading.unsound.includes("reason")
  ) {
    remark(reading, "output-missing", { field: "reason", when: "with a block" }, path);
    return SILENT;
  }
  return spoken("block", reason);
}

function readBehavior(
  reading: AnswerReading,
  said: Behavior,
  reason: string | undefined,
  path: string,
): Step {
  const { behavior: kind, message, updatedInput, interrupt } = said;
  if (kind === undefined) {
    if (!reading.unsound.includes("behavior")) {
      const values = { field: "behavior", when: "in a decision object" };
      remark(reading, "output-missing", values, `${path}.behavior`);
    }
    return SILENT;
  }
  return {
    kind,
    speaks: true,
    reason: message ?? reason,
    interrupt: kind === "deny" && interrupt === true ? true : undefined,
    updatedInput: kind === "deny" ? undefined : updatedInput,
  };
}

function readContext(reading: AnswerReading, specific: Level): string | undefined {
  const context = specific.additionalContext;
  if (context === undefined || reading.rule.context !== "refused") return context;
  remarkCannotAnswer(reading, "hookSpecificOutput.additionalContext", context);
  return undefined;
}

function readInput(reading: AnswerReading, specific: Level, long?: JsonObject): JsonObject | undefined {
  const input = long ?? specific.updatedInput;
  if (!input || reading.rule.answers.includes("updatedInput")) return input;
  remarkCannotAnswer(reading, "hookSpecificOutput.updatedInput", input);
  return undefined;
}

function readPrompt(reading: AnswerReading, specific: Level): string | undefined {
  const prompt = specific.updatedPrompt;
  if (prompt === undefined || reading.rule.answers.includes("updatedPrompt")) return prompt;
  remarkCannotAnswer(reading, "hookSpecificOutput.updatedPrompt", prompt);
  return undefined;
}

/** How often each problem came up in one run's output, which may hold thousands of objects. */
export type Tally = Map<DiagnosticCode, number>;

/** Problems of one kind that are listed per run; the first of each kind always is. The rest is a number. */
const MAX_LISTED = 10;

/** A guess takes work, and there may be thousands of names that nobody knows. */
const MAX_GUESSES = 50;

/** One reading of one object: problems are collected while fields are taken one by one. */
interface AnswerReading {
  readonly rule: Rule;
  readonly hook: string;
  readonly diagnostics: Diagnostic[];
  readonly tally: Tally;
  /** Fields that were given but unsound: they are not missing, only unusable. */
  readonly unsound: string[];
  /** The object breaks a rule of DESIGN §4.2. */
  invalid: boolean;
  /** It restricts at a place where that does not count; nothing else in it may loosen then. */
  meantToRestrict: boolean;
}

/** What fills a row besides what is known anyway: the event, the dialect, the usual advice. */
type Words<Code extends DiagnosticCode> = Omit<
  Filling<Code>,
  "event" | "dialect" | (Code extends "output-invalid" ? "advice" : never)
>;

/** Counts a problem, and lists it while there is room; words that take work to find are a function. */
function remark<Code extends DiagnosticCode>(
  reading: AnswerReading,
  code: Code,
  words: Words<Code> | (() => Words<Code>),
  at?: string,
): void {
  if (code === "output-invalid" || code === "output-missing") reading.invalid = true;
  if (!hasRoom(reading, code)) return;
  const values = typeof words === "function" ? words() : words;
  const path = at ?? ("path" in values ? String(values.path) : undefined);
  const { event, dialectName: dialect } = reading.rule;
  const filled = {
    event,
    dialect,
    ...(code === "output-invalid" && { advice: correct(path, reading.rule) }),
    ...values,
  };
  const where = { hook: reading.hook, ...(path !== undefined && { path }) };
  reading.diagnostics.push(diagnose(code, filled as Filling<Code>, where));
}

function correct(path: string | undefined, { event, dialectName }: Rule): string {
  const dialect = dialectName === DEFAULT_DIALECT ? "" : ` --dialect ${dialectName}`;
  return `Correct \`${path}\`; \`belay schema ${event} --output${dialect}\` prints what is accepted.`;
}

function hasRoom({ tally }: AnswerReading, code: DiagnosticCode): boolean {
  const count = (tally.get(code) ?? 0) + 1;
  tally.set(code, count);
  return count <= MAX_LISTED;
}

export function errorsIn(tally: Tally): number {
  let errors = 0;
  for (const [code, times] of tally) if (DIAGNOSTICS[code].severity === "error") errors += times;
  return errors;
}

/** What a run's list of problems leaves out, in one diagnostic. */
export function unlisted(tally: Tally, hook: string): Diagnostic[] {
  const count = [...tally.values()].reduce((sum, times) => sum + Math.max(0, times - MAX_LISTED), 0);
  return count === 0 ? [] : [diagnose("output-more-problems", { count }, { hook })];
}

/** The sound fields of one level. null and a string without words count as absent; a wrong type or value is noted and left out. */
function take<F extends Fields>(
  reading: AnswerReading,
  from: JsonObject,
  prefix: string,
  fields: F,
): Sound<F> {
  const values: Record<string, unknown> = {};
  for (const name in from) {
    if (!Object.hasOwn(fields, name)) continue;
    const value = present(from, name);
    if (value === undefined) continue;
    const field = fields[name] as Field;
    const wrong = misfit(field, value);
    if (!wrong) values[name] = value;
    else {
      reading.unsound.push(name);
      remark(reading, "output-invalid", () => invalid(reading, field, wrong, value, prefix + name));
    }
  }
  return values as Sound<F>;
}

function invalid({ rule }: AnswerReading, field: Field, wrong: Misfit, value: unknown, path: string) {
  return {
    path: [path, ...wrong.path].join("."),
    expected: expectedBy(wrong),
    got: brief(wrong.got),
    ...(field === ANSWER_FIELDS.decision && meantByDecision(rule, value)),
  };
}

function present(from: JsonObject, name: string): unknown {
  const value = Object.hasOwn(from, name) ? from[name] : undefined;
  return value === null || (typeof value === "string" && value.trim() === "") ? undefined : value;
}

/** An answer the event cannot give: ignored, said, and its words shown to the user. */
function remarkCannotAnswer(reading: AnswerReading, path: string, value: unknown, words?: string): void {
  const values = {
    field: path.split(".").at(-1) as string,
    value: brief(value),
    words: words === undefined ? "" : `. Its words: ${words}`,
    advice: insteadOf(value, reading.rule.answers),
  };
  remark(reading, "output-cannot-answer", values, path);
}

/** What restricts, by field: each loosens nothing where it stands, and lets nothing else loosen. */
const RESTRICTIONS: Readonly<Record<string, readonly unknown[]>> = {
  continue: [false],
  decision: ["block"],
  permissionDecision: ["deny", "ask"],
};

/** Ignored fields: known ones at the wrong level, and names nobody knows. */
function reportUnknown(
  reading: AnswerReading,
  object: JsonObject,
  prefix: string,
  known: readonly string[],
): void {
  for (const key of Object.keys(object)) {
    if (known.includes(key)) continue;
    if (Object.hasOwn(COMMON_FIELDS, key) || Object.hasOwn(ANSWER_FIELDS, key)) {
      remark(reading, "output-misplaced-field", () => misplaced(key, prefix, reading.rule.event));
      reading.meantToRestrict ||= RESTRICTIONS[key]?.includes(object[key]) ?? false;
    } else reportStranger(reading, key, prefix, known);
  }
}

function misplaced(field: string, prefix: string, event: string) {
  const isTop = prefix === "";
  return {
    path: prefix + field,
    field,
    home: isTop ? "inside hookSpecificOutput" : "at the top level",
    beside: isTop ? `, beside "hookEventName": "${event}"` : "",
  };
}

/** A name that is close to one of ours was probably meant to decide something; others may be anybody's. */
function reportStranger(reading: AnswerReading, key: string, prefix: string, known: readonly string[]): void {
  const { tally } = reading;
  const strangers = (tally.get("output-unknown-field") ?? 0) + (tally.get("output-misspelt-field") ?? 0);
  const meant = strangers < MAX_GUESSES ? nearest(key, known) : undefined;
  const path = prefix + key;
  if (meant === undefined)
    remark(reading, "output-unknown-field", () => ({ path, guess: "", advice: "Remove it." }));
  else
    remark(reading, "output-misspelt-field", () => ({
      path,
      guess: asGuess(meant),
      advice: `Rename it to \`${meant}\`.`,
    }));
}

/** What to answer instead of what an event cannot answer. */
export function insteadOf(value: unknown, answers: readonly string[]): string {
  if (value === "approve" && answers.includes("permissionDecision"))
    return 'To allow, answer with hookSpecificOutput.permissionDecision "allow".';
  return `Use one of: ${[...answers, ...Object.keys(COMMON_FIELDS)].join(", ")}.`;
}

/** For a `decision` that is none: what this event takes instead, and the next thing to write where it is not that word itself. */
export function meantByDecision(rule: Rule, value: unknown): { expected: string; advice?: string } {
  const { decisions, answers, event } = rule;
  if (answers.includes("permissionDecision")) {
    const words = (PERMISSIONS as readonly unknown[]).includes(value) ? [value] : PERMISSIONS;
    const quoted = words.map((word) => `"${word}"`).join(", ");
    const listed = quoted.replace(/, ("\w+")$/, " or $1");
    return {
      expected: "hookSpecificOutput.permissionDecision instead",
      advice: `Answer with hookSpecificOutput.permissionDecision ${listed}.`,
    };
  }
  if (decisions === "behavior" || decisions.length === 0)
    return { expected: `no decision on ${event}`, advice: insteadOf("", answers) };
  const words = decisions.map((word) => `"${word}"`).join(" | ");
  return {
    expected: decisions.length > 1 ? `(${words})` : words,
    ...(value === "deny" && { advice: 'Answer with decision "block".' }),
  };
}

import { isObject, type JsonObject } from "../json.ts";
import { expectedBy, type Field, type Fields, type Misfit, misfit, type Sound } from "../schema/field.ts";
import { type DiagnosticCode, diagnose, type Filling } from "../tables/diagnostics/index.ts";
import { DEFAULT_DIALECT } from "../tables/dialects.ts";
import {
  ANSWER_FIELDS,
  ANYWHERE_FIELDS,
  type AnswerField,
  COMMON_FIELDS,
  type FurtherField,
  IDLE,
  MISPLACED_FIELDS,
  PERMISSIONS,
  READ_AS,
} from "../tables/fields.ts";
import { isRestriction, isStricter, type VerdictKind } from "../tables/kinds.ts";
import type { KnownFields, Rule } from "../tables/rules.ts";
import { alternatives, asGuess, brief, nearest, oneOf, quote } from "../text.ts";
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
  readonly updatedToolOutput?: unknown;
  readonly updatedMCPToolOutput?: unknown;
  readonly suppressOutput: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** The object breaks a rule of design §4.2: only its restricting parts may count. */
  readonly invalid: boolean;
  /** hookSpecificOutput was meant for another event: a fault, while the common fields hold. */
  readonly setAside: boolean;
}

/** One reading of one object: problems are collected while fields are taken one by one. */
interface AnswerReading {
  readonly rule: Rule;
  readonly hook: string;
  readonly diagnostics: Diagnostic[];
  readonly tally: Tally;
  /** Fields that were given but unsound: they are not missing, only unusable. */
  readonly unsound: string[];
  /** The object breaks a rule of design §4.2. */
  invalid: boolean;
  /** The object restricts at a place where that does not count; nothing else in it may loosen then. */
  meantToRestrict: boolean;
}

/** Reads one object. Objects of one run share a tally. */
export function readAnswer(object: JsonObject, rule: Rule, hook: string, flaws: Flaws, tally: Tally): Answer {
  const { isCut, tooDeep, repeated } = flaws;
  // What a cut object lacks may have been cut off: it is unusable, not missing.
  const unsound = isCut ? ["reason", "stopReason", "hookEventName"] : [];
  const diagnostics: Diagnostic[] = [];
  const reading = { rule, hook, diagnostics, tally, unsound, invalid: false, meantToRestrict: false };
  if (tooDeep) {
    const values = { path: "(all of it)", expected: `at most ${MAX_DEPTH} levels`, got: "more" };
    remark(reading, "output-invalid", values);
  }
  if (repeated !== undefined)
    remark(reading, "output-invalid", { path: repeated, expected: "each field once", got: "it twice" });
  const { fields } = rule;
  const common = takeCommon(reading, object);
  const { specific, setAside } = takeSpecific(reading, object);
  const isMisplaced = restrictsHere(rule, object.permissionDecision);
  const atTop = isMisplaced ? MISPLACED_FIELDS : ANYWHERE_FIELDS;
  const top = takeLevel(reading, object, "", atTop);
  reportUnknown(reading, object, "", ["hookSpecificOutput"], fields.common, atTop);
  const read = readStop(reading, common) ?? readStep(reading, top, specific);
  const step = reading.meantToRestrict && !isRestriction(read.kind) ? SILENT : read;
  return {
    kind: step.kind,
    speaks: step.speaks,
    reason: step.reason,
    interrupt: step.interrupt,
    systemMessage: common.systemMessage,
    context: accepted(reading, "additionalContext", specific.additionalContext),
    updatedInput: accepted(reading, "updatedInput", read.updatedInput ?? specific.updatedInput),
    updatedPrompt: accepted(reading, "updatedPrompt", specific.updatedPrompt),
    updatedToolOutput: specific.updatedToolOutput,
    updatedMCPToolOutput: specific.updatedMCPToolOutput,
    suppressOutput: common.suppressOutput === true,
    diagnostics,
    invalid: reading.invalid,
    setAside,
  };
}

type Behavior = Sound<KnownFields["behavior"]>;
type Decisive = Sound<Required<KnownFields["specific"]>>;
/** The answer fields of one level. */
type Level = Omit<Decisive, "decision"> & { decision?: Decisive["decision"] | Misplaced | Behavior };

/** A permission that restricts in a place that is not its own; an allow does not count there. */
type Misplaced = "deny" | "ask";

function restrictsHere({ misplacedRestricts }: Rule, word: unknown): word is Misplaced {
  return misplacedRestricts && (word === "deny" || word === "ask");
}

/** The fields that every event has, but for events at which the system that is simulated reads none of them. */
function takeCommon(reading: AnswerReading, object: JsonObject): Sound<KnownFields["common"]> {
  const { fields, unread } = reading.rule;
  if (!unread.includes("common fields")) return take(reading, object, "", fields.common);
  remarkUnread(reading, object, "", Object.keys(fields.common));
  return {};
}

function remarkUnread(
  reading: AnswerReading,
  from: JsonObject,
  prefix: string,
  fields: readonly string[],
): void {
  for (const field of fields)
    if (present(from, field) !== undefined) remark(reading, "output-unread", { path: prefix + field });
}

/** hookSpecificOutput when it is meant for this event; set aside otherwise (design §4.3). */
function takeSpecific(reading: AnswerReading, object: JsonObject): { specific: Level; setAside: boolean } {
  const path = "hookSpecificOutput";
  const raw = given(reading, object, path);
  if (raw === undefined) return { specific: {}, setAside: false };
  if (!isObject(raw)) {
    remark(reading, "output-invalid", { path, expected: "an object", got: brief(raw) });
    return { specific: {}, setAside: false };
  }
  const { event, dialect } = reading.rule;
  const named = present(raw, "hookEventName");
  const isRequired = dialect.eventNameRequired && !reading.unsound.includes("hookEventName");
  if (named !== undefined ? named !== event : isRequired) {
    const got = named === undefined ? "missing" : brief(named);
    remark(reading, "output-wrong-event", { got }, `${path}.hookEventName`);
    return { specific: {}, setAside: true };
  }
  const fields = reading.rule.fields.specific;
  reportUnknown(reading, raw, `${path}.`, ["hookEventName"], fields);
  return { specific: takeLevel(reading, raw, `${path}.`, fields), setAside: false };
}

/**
 * Answer fields of one level. Where the event takes the long permission form, a `decision` object is read as one; where a
 * permission's word restricts in the wrong place, a `decision` may be one.
 */
function takeLevel(
  reading: AnswerReading,
  from: JsonObject,
  prefix: string,
  fields: KnownFields["specific"] | typeof ANYWHERE_FIELDS,
): Level {
  const { rule } = reading;
  if (!rule.dialect.decisionsAnywhere && (prefix === "") === (rule.decisions === "behavior")) {
    const { decision: _, reason: __, ...others } = fields;
    remarkUnread(reading, from, prefix, ["decision"]);
    return take(reading, from, prefix, others);
  }
  const { decision: said } = from;
  const isWord = restrictsHere(rule, said);
  const isLong = rule.decisions === "behavior" && isObject(said);
  if (!isWord && !isLong) return take(reading, from, prefix, fields);
  const { decision: _, ...others } = fields;
  if (isWord) return { ...take(reading, from, prefix, others), decision: said };
  const path = `${prefix}decision.`;
  const { behavior } = rule.fields;
  reportUnknown(reading, said, path, [], behavior);
  return { ...take(reading, from, prefix, others), decision: take(reading, said, path, behavior) };
}

/** What one field says about the step. */
interface Step {
  readonly kind: VerdictKind;
  readonly speaks: boolean;
  readonly reason?: string | undefined;
  readonly interrupt?: boolean;
  readonly updatedInput?: JsonObject | undefined;
}

const SILENT: Step = { kind: "abstain", speaks: false };

function spoken(kind: VerdictKind, reason?: string): Step {
  return { kind, speaks: true, reason };
}

function readStop(reading: AnswerReading, common: Sound<typeof COMMON_FIELDS>): Step | undefined {
  const reason = common.stopReason;
  if (common.continue !== false) {
    if (reason !== undefined) remarkUnused(reading, "stopReason", "continue", '"continue": false');
    return undefined;
  }
  const { stopReasonRequired } = reading.rule.dialect;
  if (reason === undefined && stopReasonRequired && !reading.unsound.includes("stopReason")) {
    remark(reading, "output-missing", { field: "stopReason", when: "with continue: false" }, "stopReason");
    return undefined;
  }
  return spoken("stop", reason);
}

/** Permission answers and block answers; where both places speak, the stricter one counts (design §4.5). */
function readStep(reading: AnswerReading, top: Level, specific: Level): Step {
  const inner = specific.reason;
  const outer = top.reason;
  const hasWords = (inner ?? outer) !== undefined;
  const decided = specific.decision ?? top.decision ?? top.permissionDecision ?? specific.action;
  if (hasWords && decided === undefined) remarkUnused(reading, "reason", "decision", "a decision");
  const candidates = [
    readPermission(reading, specific),
    readMisplaced(reading, top, outer),
    readAction(reading, specific.action, inner ?? outer),
    readDecision(reading, specific, inner ?? outer, "hookSpecificOutput.decision"),
    readDecision(reading, top, outer ?? inner, "decision"),
  ];
  const { kind, speaks } = candidates.reduce((a, b) =>
    isStricter(b.kind, a.kind) || (!a.speaks && b.speaks) ? b : a,
  );
  const isApproval = kind === "abstain" && speaks;
  if (hasWords && isApproval)
    remark(reading, "output-words-unused", {
      path: "reason",
      when: "with an approve",
      advice: "Leave it out",
    });
  const alike = candidates.filter((other) => other.kind === kind && other.speaks === speaks);
  return {
    kind,
    speaks,
    reason: alike.find(({ reason }) => reason !== undefined)?.reason,
    interrupt: alike.some(({ interrupt }) => interrupt),
    // A rewrite loosens nothing: the input that a hook wanted changed must not run because it answered twice.
    updatedInput: candidates.find(({ updatedInput }) => updatedInput)?.updatedInput,
  };
}

function readPermission(reading: AnswerReading, specific: Level): Step {
  const { permissionDecision, permissionDecisionReason: reason } = specific;
  if (permissionDecision === undefined && reason !== undefined)
    remarkUnused(reading, "permissionDecisionReason", "permissionDecision", "a permissionDecision");
  const said = accepted(reading, "permissionDecision", permissionDecision, reason);
  if (said === undefined) return SILENT;
  return spoken(said === "defer" ? readAs(reading, "permissionDecision", said) : said, reason);
}

/** The answer to an MCP server: one that gives it nothing refuses the step. */
function readAction(reading: AnswerReading, said: Decisive["action"], reason: string | undefined): Step {
  if (said === undefined || said === "accept") return SILENT;
  return spoken(readAs(reading, "action", said), reason);
}

function readAs(reading: AnswerReading, field: FurtherField, said: keyof typeof READ_AS): VerdictKind {
  const kind = READ_AS[said];
  remark(reading, "output-read-as", { path: `hookSpecificOutput.${field}`, said, kind });
  return kind;
}

/** A permission at the top level, which counts there only where it restricts. */
function readMisplaced(reading: AnswerReading, top: Level, reason: string | undefined): Step {
  const said = top.permissionDecision;
  if (said === undefined || said === "defer") return SILENT;
  remark(reading, "output-misplaced-restriction", { path: "permissionDecision", said });
  return spoken(said, top.permissionDecisionReason ?? reason);
}

function readDecision(reading: AnswerReading, from: Level, reason: string | undefined, path: string): Step {
  const word = from.decision;
  if (word === undefined) return SILENT;
  if (typeof word === "object") return readBehavior(reading, word, reason, path);
  const { decisions, refusal } = reading.rule;
  if (decisions !== "behavior" && (decisions as readonly string[]).includes(word)) {
    if (word !== "approve") return readBlock(reading, reason, path);
    return refusal === "deny" ? spoken("allow", reason) : spoken("abstain");
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
  const { refusal = "block", dialect } = reading.rule;
  if (reason !== undefined || !dialect.blockReasonRequired || reading.unsound.includes("reason"))
    return spoken(refusal, reason);
  remark(reading, "output-missing", { field: "reason", when: "with a block" }, path);
  return SILENT;
}

function readBehavior(
  reading: AnswerReading,
  { behavior: kind, message, updatedInput, interrupt = false }: Behavior,
  reason: string | undefined,
  path: string,
): Step {
  if (kind !== undefined) {
    const said = spoken(kind, message ?? reason);
    return kind === "deny" ? { ...said, interrupt } : { ...said, updatedInput };
  }
  if (!reading.unsound.includes("behavior")) {
    const values = { field: "behavior", when: "in a decision object" };
    remark(reading, "output-missing", values, `${path}.behavior`);
  }
  return SILENT;
}

/** A value of hookSpecificOutput, if the event accepts the field; `words` are the reason that goes with it. */
function accepted<Value>(
  reading: AnswerReading,
  field: AnswerField,
  value: Value | undefined,
  words?: string,
): Value | undefined {
  if (value === undefined || reading.rule.answers.includes(field)) return value;
  remarkCannotAnswer(reading, `hookSpecificOutput.${field}`, value, words);
  return undefined;
}

/** How often each problem came up in one run's output, which may hold thousands of objects. */
export type Tally = Map<DiagnosticCode, number>;

/** At most so many problems of one kind are listed per run; the rest are counted. */
const MAX_LISTED = 10;

/** A guess takes work, and an output may hold thousands of unknown names. */
const MAX_GUESSES = 50;

/** The values of a row, without those that every row gets: the event, the dialect, the usual advice. */
type Words<Code extends DiagnosticCode> = Omit<
  Filling<Code>,
  "event" | "dialect" | (Code extends "output-invalid" ? "advice" : never)
>;

/** Counts a problem, and lists it while there is room. Values that take work to find are a function. */
function remark<Code extends DiagnosticCode>(
  reading: AnswerReading,
  code: Code,
  words: Words<Code> | (() => Words<Code>),
  at?: string,
): void {
  if (code === "output-invalid" || code === "output-missing") reading.invalid = true;
  const { rule, hook, tally } = reading;
  const count = (tally.get(code) ?? 0) + 1;
  tally.set(code, count);
  if (count > MAX_LISTED) return;
  const values = typeof words === "function" ? words() : words;
  const path = at ?? ("path" in values ? String(values.path) : undefined);
  const filled = {
    event: rule.event,
    dialect: rule.dialectName,
    ...(code === "output-invalid" && { advice: correct(path, rule) }),
    ...values,
  };
  const where = { hook, ...(path !== undefined && { path }) };
  reading.diagnostics.push(diagnose(code, filled as Filling<Code>, where));
}

function correct(path: string | undefined, { event, dialectName }: Rule): string {
  const dialect = dialectName === DEFAULT_DIALECT ? "" : ` --dialect ${dialectName}`;
  return `Correct \`${path}\`; \`belay schema ${event} --output${dialect}\` prints what is accepted.`;
}

/** How many problems of a run are not listed, in one diagnostic. */
export function unlisted(tally: Tally, hook: string): Diagnostic[] {
  const count = [...tally.values()].reduce((sum, times) => sum + Math.max(0, times - MAX_LISTED), 0);
  return count === 0 ? [] : [diagnose("output-more-problems", { count }, { hook })];
}

/** A text that says nothing without another field. If that field is there but unsound, it has a remark of its own. */
function remarkUnused(reading: AnswerReading, path: string, field: string, needs: string): void {
  if (reading.unsound.includes(field)) return;
  remark(reading, "output-words-unused", { path, when: `without ${needs}`, advice: `Add ${needs}` });
}

/** An answer that the event cannot give is ignored, and its words are shown to the user. */
function remarkCannotAnswer(reading: AnswerReading, path: string, value: unknown, words?: string): void {
  const values = {
    field: path.split(".").at(-1) as string,
    value: brief(value),
    words: words === undefined ? "" : `. Its words: ${words}`,
    advice: insteadOf(value, reading.rule.answers),
  };
  remark(reading, "output-cannot-answer", values, path);
}

/** The sound fields of one level. A string without words counts as absent, and so does null, but to the letter; a wrong type or value is noted and left out. */
function take<F extends Fields>(
  reading: AnswerReading,
  from: JsonObject,
  prefix: string,
  fields: F,
): Sound<F> {
  const values: Record<string, unknown> = {};
  for (const name in from) {
    const value = Object.hasOwn(fields, name) ? given(reading, from, name) : undefined;
    if (value === undefined) continue;
    const field = fields[name] as Field;
    const wrong = misfit(field, value);
    if (!wrong) {
      values[name] = value;
      if (isIdle(field, value)) remark(reading, "output-not-acted-on", { path: prefix + name });
    } else {
      reading.unsound.push(name);
      remark(reading, "output-invalid", () => invalid(reading, field, wrong, value, prefix + name));
    }
  }
  return values as Sound<F>;
}

/** A further field of which nothing comes here. Its false says nothing, and a word that refuses has a remark of its own. */
function isIdle(field: Field, value: unknown): boolean {
  return IDLE.has(field) && value !== false && !(typeof value === "string" && Object.hasOwn(READ_AS, value));
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

/** As present; where JSON counts as a whole or not at all, null is a value, and a wrong one. */
function given({ rule }: AnswerReading, from: JsonObject, name: string): unknown {
  const isNull = rule.dialect.wholeJsonOnly && Object.hasOwn(from, name) && from[name] === null;
  return isNull ? null : present(from, name);
}

/** The values that restrict, by field. At the wrong level they do not count, and still let nothing loosen. */
const RESTRICTIONS: Readonly<Record<string, readonly unknown[]>> = {
  continue: [false],
  decision: ["block"],
  permissionDecision: ["deny", "ask", "defer"],
  action: ["decline", "cancel"],
};

/** Reports fields that are ignored: known ones at the wrong level, and unknown ones. */
function reportUnknown(
  reading: AnswerReading,
  object: JsonObject,
  prefix: string,
  names: readonly string[],
  ...known: readonly Fields[]
): void {
  const { common, specific } = reading.rule.fields;
  for (const key of Object.keys(object)) {
    if (names.includes(key) || known.some((fields) => Object.hasOwn(fields, key))) continue;
    if (Object.hasOwn(common, key) || Object.hasOwn(specific, key)) {
      remark(reading, "output-misplaced-field", () => misplaced(key, prefix, reading.rule.event));
      reading.meantToRestrict ||= RESTRICTIONS[key]?.includes(object[key]) ?? false;
    } else reportUnknownName(reading, key, prefix, [...names, ...known.flatMap(Object.keys)]);
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
function reportUnknownName(
  reading: AnswerReading,
  key: string,
  prefix: string,
  known: readonly string[],
): void {
  const { tally } = reading;
  const before = (tally.get("output-unknown-field") ?? 0) + (tally.get("output-misspelt-field") ?? 0);
  const meant = before < MAX_GUESSES ? nearest(key, known) : undefined;
  remark(reading, meant === undefined ? "output-unknown-field" : "output-misspelt-field", () => ({
    path: prefix + key,
    guess: asGuess(meant),
    advice: meant === undefined ? "Remove it." : `Rename it to \`${meant}\`.`,
  }));
}

/** What to answer instead of what an event cannot answer. */
export function insteadOf(value: unknown, answers: readonly string[]): string {
  if (value === "approve" && answers.includes("permissionDecision"))
    return 'To allow, answer with hookSpecificOutput.permissionDecision "allow".';
  return `Use one of: ${[...answers, ...Object.keys(COMMON_FIELDS)].join(", ")}.`;
}

/** For a `decision` with a wrong value: what this event takes, and the next thing to write if that is another field. */
export function meantByDecision(rule: Rule, value: unknown): { expected: string; advice?: string } {
  const { decisions, answers, event } = rule;
  if (answers.includes("permissionDecision")) {
    const words = PERMISSIONS.filter((word) => word === value);
    const quoted = (words.length > 0 ? words : PERMISSIONS).map(quote);
    return {
      expected: "hookSpecificOutput.permissionDecision instead",
      advice: `Answer with hookSpecificOutput.permissionDecision ${oneOf(quoted)}.`,
    };
  }
  if (decisions === "behavior" || decisions.length === 0)
    return { expected: `no decision on ${event}`, advice: insteadOf("", answers) };
  return {
    expected: decisions.length > 1 ? `(${alternatives(decisions)})` : alternatives(decisions),
    ...(value === "deny" && { advice: 'Answer with decision "block".' }),
  };
}

import {
  type AnswerReading,
  present,
  remark,
  remarkCannotAnswer,
  reportUnknown,
  type Tally,
  take,
} from "./answer-reading.ts";
import type { Sound } from "./field.ts";
import {
  ANSWER_FIELDS,
  ANYWHERE_FIELDS,
  BEHAVIOR_FIELDS,
  COMMON_FIELDS,
  MISPLACED_FIELDS,
  TOP_NAMES,
} from "./fields.ts";
import { isObject, type JsonObject } from "./json-object.ts";
import type { VerdictKind } from "./kinds.ts";
import { type Flaws, MAX_DEPTH } from "./output.ts";
import type { Rule } from "./rules.ts";
import { isRestriction, isStricter } from "./strict.ts";
import type { Diagnostic } from "./types.ts";
import { brief } from "./wording.ts";

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

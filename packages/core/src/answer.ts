import * as v from "valibot";
import { type DiagnosticCode, diagnose } from "./diagnostics.ts";
import { ANSWER_FIELDS, ANYWHERE_FIELDS, behaviorAnswer, COMMON_FIELDS, type Permission } from "./fields.ts";
import type { JsonObject } from "./output.ts";
import type { Rule } from "./rules.ts";
import { isStricter } from "./strict.ts";
import { nearest } from "./suggest.ts";
import type { Diagnostic, VerdictKind } from "./types.ts";

/** What one JSON object says, field by field, judged by an event's rule. */
export interface Answer {
  /** "abstain" with `speaks`: an approval. "abstain" without: nothing about the decision. */
  readonly kind: VerdictKind;
  readonly speaks: boolean;
  readonly reason?: string;
  readonly interrupt?: boolean;
  readonly systemMessage?: string;
  readonly context?: string;
  readonly updatedInput?: JsonObject;
  readonly updatedPrompt?: string;
  readonly suppressOutput: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** It breaks a rule of DESIGN §4.2: only its restricting parts may count. */
  readonly invalid: boolean;
  /** hookSpecificOutput was meant for another event: a fault, while the common fields hold. */
  readonly setAside: boolean;
}

type Values = Partial<Record<string, unknown>>;

/** One reading: collects problems while fields are taken one by one. */
interface Reading {
  readonly rule: Rule;
  readonly hook: string;
  readonly diagnostics: Diagnostic[];
  invalid: boolean;
}

export function readAnswer(object: JsonObject, rule: Rule, hook: string, tooDeep: boolean): Answer {
  const reading: Reading = { rule, hook, diagnostics: [], invalid: false };
  if (tooDeep) {
    note(reading, "output-invalid", {
      path: "(the whole object)",
      expected: "at most 100 levels",
      got: "more",
    });
  }
  const common = take(reading, object, "", COMMON_FIELDS);
  const { specific, setAside } = takeSpecific(reading, object);
  const top = takeAnywhere(reading, object);
  const stop = readStop(reading, common);
  const step = stop ?? readStep(reading, top, specific);
  reportUnknown(reading, object, "", [
    ...Object.keys(COMMON_FIELDS),
    ...ANYWHERE_FIELDS,
    "hookSpecificOutput",
  ]);
  const context = readContext(reading, specific);
  const asBlock = rule.context === "block" && context !== undefined && step.kind === "abstain";
  return {
    ...(asBlock ? { kind: "block", speaks: true, reason: context } : step),
    ...text("systemMessage", common.systemMessage),
    ...(context !== undefined && !asBlock && { context }),
    ...readRewrites(reading, specific, step.updatedInput),
    suppressOutput: common.suppressOutput === true,
    diagnostics: reading.diagnostics,
    invalid: reading.invalid,
    setAside,
  };
}

function note(
  reading: Reading,
  code: DiagnosticCode,
  values: Record<string, string>,
  path = values.path,
): void {
  if (code === "output-invalid" || code === "output-missing") reading.invalid = true;
  const filled = { event: reading.rule.event, dialect: reading.rule.dialectName, ...values };
  reading.diagnostics.push(
    diagnose(code, filled, { hook: reading.hook, ...(path !== undefined && { path }) }),
  );
}

/** The sound fields of one level. null and "" count as absent; a wrong type or value is noted and left out. */
function take(
  reading: Reading,
  from: JsonObject,
  prefix: string,
  fields: Record<string, v.GenericSchema>,
): Values {
  const values: Values = {};
  for (const [name, schema] of Object.entries(fields)) {
    const value = present(from, name);
    if (value === undefined) continue;
    const result = v.safeParse(schema, value);
    if (result.success) values[name] = value;
    else {
      const [issue] = result.issues;
      const path = prefix + [name, ...(issue.path ?? []).map((item) => String(item.key))].join(".");
      note(reading, "output-invalid", {
        path,
        expected: issue.expected ?? issue.message,
        got: issue.received,
      });
    }
  }
  return values;
}

function present(from: JsonObject, name: string): unknown {
  const value = Object.hasOwn(from, name) ? from[name] : undefined;
  return value === null || value === "" ? undefined : value;
}

function takeAnywhere(reading: Reading, object: JsonObject): Values {
  const decision =
    reading.rule.decisions === "behavior" && isObject(object.decision) ? behaviorAnswer : undefined;
  return take(reading, object, "", {
    decision: decision ?? ANSWER_FIELDS.decision,
    reason: ANSWER_FIELDS.reason,
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** hookSpecificOutput when it is meant for this event; set aside otherwise (DESIGN §4.3). */
function takeSpecific(reading: Reading, object: JsonObject): { specific: Values; setAside: boolean } {
  const raw = present(object, "hookSpecificOutput");
  if (raw === undefined) return { specific: {}, setAside: false };
  if (!isObject(raw)) {
    note(reading, "output-invalid", { path: "hookSpecificOutput", expected: "an object", got: typeof raw });
    return { specific: {}, setAside: false };
  }
  const { event, dialect, decisions } = reading.rule;
  const named = present(raw, "hookEventName");
  if (named !== undefined ? named !== event : dialect.eventNameRequired) {
    const got = named === undefined ? "missing" : JSON.stringify(named);
    note(reading, "output-wrong-event", { got, path: "hookSpecificOutput.hookEventName" });
    return { specific: {}, setAside: true };
  }
  reportUnknown(reading, raw, "hookSpecificOutput.", ["hookEventName", ...Object.keys(ANSWER_FIELDS)]);
  const long = decisions === "behavior" && isObject(raw.decision);
  const fields = long ? { ...ANSWER_FIELDS, decision: behaviorAnswer } : ANSWER_FIELDS;
  return { specific: take(reading, raw, "hookSpecificOutput.", fields), setAside: false };
}

interface Step {
  readonly kind: VerdictKind;
  readonly speaks: boolean;
  readonly reason?: string;
  readonly interrupt?: boolean;
  readonly updatedInput?: JsonObject;
}

const SILENT: Step = { kind: "abstain", speaks: false };

function readStop(reading: Reading, common: Values): Step | undefined {
  if (common.continue !== false) return undefined;
  const reason = asText(common.stopReason);
  if (reason === undefined && reading.rule.dialect.stopReasonRequired && !isNoted(reading, "stopReason")) {
    note(reading, "output-missing", { field: "stopReason", when: "with continue: false" }, "stopReason");
    return undefined;
  }
  return { kind: "stop", speaks: true, ...text("reason", reason) };
}

/** Permission answers, then block answers; the stricter place wins (DESIGN §4.5). */
function readStep(reading: Reading, top: Values, specific: Values): Step {
  const candidates = [
    readPermission(reading, specific),
    readDecision(
      reading,
      specific,
      asText(specific.reason) ?? asText(top.reason),
      "hookSpecificOutput.decision",
    ),
    readDecision(reading, top, asText(top.reason) ?? asText(specific.reason), "decision"),
  ];
  return candidates.reduce((a, b) => (isStricter(b.kind, a.kind) || (!a.speaks && b.speaks) ? b : a));
}

function readPermission(reading: Reading, specific: Values): Step {
  const said = specific.permissionDecision as Permission | undefined;
  const reason = asText(specific.permissionDecisionReason);
  if (said === undefined) return SILENT;
  if (!reading.rule.answers.includes("permissionDecision")) {
    refuse(reading, "permissionDecision", said, reason);
    return SILENT;
  }
  return { kind: said, speaks: true, ...text("reason", reason) };
}

function readDecision(reading: Reading, from: Values, reason: string | undefined, path: string): Step {
  const said = from.decision;
  if (said === undefined) return SILENT;
  const { decisions, blockIsDeny, dialect } = reading.rule;
  if (isObject(said)) return readBehavior(said);
  const word = said as "block" | "approve";
  if (decisions !== "behavior" && decisions.includes(word)) {
    if (word === "approve") return { kind: "abstain", speaks: true };
    if (reason === undefined && dialect.blockReasonRequired && !isNoted(reading, "reason")) {
      note(reading, "output-missing", { field: "reason", when: "with a block" }, path);
      return SILENT;
    }
    return { kind: "block", speaks: true, ...text("reason", reason) };
  }
  if (word === "block" && blockIsDeny) {
    note(reading, "output-block-as-deny", {}, path);
    return { kind: "deny", speaks: true, ...text("reason", reason) };
  }
  refuse(reading, path, word, reason);
  return SILENT;
}

function readBehavior(said: JsonObject): Step {
  const { behavior, message, updatedInput, interrupt } = said as v.InferOutput<typeof behaviorAnswer>;
  return {
    kind: behavior,
    speaks: true,
    ...text("reason", message),
    ...(behavior === "deny" && interrupt === true && { interrupt }),
    ...(behavior !== "deny" && updatedInput !== undefined && { updatedInput }),
  };
}

/** Whether a field was given but was unsound: then it is not missing, only unusable. */
function isNoted(reading: Reading, field: string): boolean {
  return reading.diagnostics.some((d) => d.code === "output-invalid" && d.path?.split(".").at(-1) === field);
}

function readContext(reading: Reading, specific: Values): string | undefined {
  const context = asText(specific.additionalContext);
  if (context === undefined) return undefined;
  if (reading.rule.context !== "refused") return context;
  refuse(reading, "additionalContext", "context", undefined);
  return undefined;
}

function readRewrites(reading: Reading, specific: Values, long: JsonObject | undefined) {
  const { answers } = reading.rule;
  const input = long ?? (specific.updatedInput as JsonObject | undefined);
  const prompt = asText(specific.updatedPrompt);
  if (input && !answers.includes("updatedInput")) refuse(reading, "updatedInput", "a new input", undefined);
  if (prompt !== undefined && !answers.includes("updatedPrompt"))
    refuse(reading, "updatedPrompt", "a new prompt", undefined);
  return {
    ...(input && answers.includes("updatedInput") && { updatedInput: input }),
    ...(prompt !== undefined && answers.includes("updatedPrompt") && { updatedPrompt: prompt }),
  };
}

/** An answer the event cannot give: ignored, said, and its words shown to the user. */
function refuse(reading: Reading, field: string, value: string, words: string | undefined): void {
  const { answers } = reading.rule;
  note(
    reading,
    "output-cannot-answer",
    {
      field: field.split(".").at(-1) as string,
      value: JSON.stringify(value),
      words: words === undefined ? "" : `. Its words: ${words}`,
      accepted: [...answers, ...Object.keys(COMMON_FIELDS)].join(", "),
    },
    field,
  );
}

/** Ignored fields: known ones at the wrong level, and names nobody knows. */
function reportUnknown(reading: Reading, object: JsonObject, prefix: string, known: readonly string[]): void {
  const home = prefix === "" ? "inside hookSpecificOutput" : "at the top level";
  for (const key of Object.keys(object)) {
    if (known.includes(key)) continue;
    const path = prefix + key;
    if (Object.hasOwn(COMMON_FIELDS, key) || Object.hasOwn(ANSWER_FIELDS, key)) {
      note(reading, "output-misplaced-field", { path, field: key, home });
      continue;
    }
    const meant = nearest(key, known);
    note(reading, "output-unknown-field", {
      path,
      guess: meant ? ` (did you mean ${meant}?)` : "",
      advice: meant ? `Rename it to \`${meant}\`.` : "Remove it.",
    });
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function text<K extends string>(key: K, value: unknown): { [key in K]?: string } {
  return (typeof value === "string" ? { [key]: value } : {}) as { [key in K]?: string };
}

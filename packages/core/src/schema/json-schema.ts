import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { ENTRY_FIELDS, FILE_FIELDS, GROUP_FIELDS, HANDLER_TYPES, TYPE_FIELDS } from "../config/schema.ts";
import { DEFAULT_DIALECT, type DialectName } from "../tables/dialects.ts";
import { COMMON_INPUT, EVENT_NAMES, type EventName, eventRow } from "../tables/events.ts";
import { ANSWER_FIELDS, longForm } from "../tables/fields.ts";
import { type Rule, ruleFor } from "../tables/rules.ts";
import { type Bound, type Field, type Fields, optional, words } from "./field.ts";
import { outcomeSchema } from "./outcome.ts";
import { recordOf } from "./record.ts";
import { caseFileSchema } from "./test-cases.ts";

/** A field as a valibot schema: for JSON Schemas, and for the test that compares misfit with it. */
export function schemaOf(field: Field): v.GenericSchema {
  const about = field.description === undefined ? [] : [v.description(field.description)];
  const items = [...(field.bounds ?? []).map(boundOf), ...about];
  const bounded = items.length > 0 ? pipe(kindOf(field), ...(items as unknown as Item[])) : kindOf(field);
  const nullable = field.isNullable ? v.nullable(bounded) : bounded;
  return field.isOptional ? v.optional(nullable) : nullable;
}

type Item = v.PipeItem<unknown, unknown, v.BaseIssue<unknown>>;
/** valibot's types count the items one by one; these come from data. */
const pipe = v.pipe as unknown as (schema: v.GenericSchema, ...items: Item[]) => v.GenericSchema;

export function schemasOf(fields: Fields): v.ObjectEntries {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
}

function kindOf(field: Field): v.GenericSchema {
  switch (field.kind) {
    case "string":
      return v.string();
    case "boolean":
      return v.boolean();
    case "number":
      return v.number();
    case "anything":
      return v.unknown();
    case "words":
      return v.picklist(field.words);
    case "flag or words":
      return v.union([v.boolean(), v.picklist(field.words)]);
    case "list":
      return v.array(schemaOf(field.of));
    case "record":
      return recordOf(schemaOf(field.of));
    case "shape":
      return field.loose ? v.looseObject(schemasOf(field.fields)) : v.object(schemasOf(field.fields));
  }
}

function boundOf(bound: Bound) {
  const { says } = bound;
  if ("integer" in bound) return v.integer(says);
  if ("least" in bound) return v.minValue(bound.least, says);
  if ("most" in bound) return v.maxValue(bound.most, says);
  return v.regex(bound.pattern, says);
}

export {
  CASE_FIELDS,
  CASE_FILE_FIELDS,
  type CaseData,
  type CaseFileData,
  caseFileSchema,
  EXPECT_FIELDS,
  type Expectation,
  SHARED_FIELDS,
} from "./test-cases.ts";

/** JSON Schemas, derived from the tables: for editors, for `belay schema`, and for other programs. */
export type JsonSchema = ReturnType<typeof toJsonSchema>;

/** `definitions` are written once and named where they are used. */
function convert(
  schema: v.GenericSchema,
  title: string,
  definitions: Record<string, v.GenericSchema> = {},
): JsonSchema {
  return { ...toJsonSchema(schema, { typeMode: "output", definitions }), title };
}

export function inputSchema(event: EventName): JsonSchema {
  return convert(
    v.looseObject(schemasOf({ ...COMMON_INPUT, ...eventRow(event).input })),
    `${event}: what a hook reads on stdin`,
  );
}

/**
 * What a hook may print, in one dialect. Whatever it accepts, the engine takes whole. It is stricter than the engine in
 * two places: null and blank words count as absent there, and beside a stop no decision is read.
 */
export function outputSchema(event: EventName, dialect: DialectName = DEFAULT_DIALECT): JsonSchema {
  const rule = ruleFor(event, dialect);
  const decision = decisionField(rule);
  const decided: v.ObjectEntries = decision ? allOptional({ decision, reason: ANSWER_FIELDS.reason }) : {};
  const known: Fields = rule.fields.specific;
  const answers = Object.fromEntries(
    rule.answers.flatMap((name) => (known[name] ? [[name, known[name]]] : [])),
  );
  const name = v.literal(event);
  const specific: v.ObjectEntries = {
    hookEventName: rule.dialect.eventNameRequired ? name : v.optional(name),
    ...allOptional(answers),
    ...decided,
  };
  const top: v.ObjectEntries = { ...allOptional(rule.fields.common), ...decided };
  const { $schema: _, title: __, ...inside } = convert(v.looseObject(specific), "");
  const outside = convert(v.looseObject(top), `${event}: what a hook may print (dialect ${dialect})`);
  return {
    ...outside,
    properties: {
      ...outside.properties,
      hookSpecificOutput: { ...inside, properties: { ...inside.properties, ...refused(rule, specific) } },
      ...refused(rule, top),
    },
    ...required(rule),
  };
}

/** Known names that mean nothing beside these are refused; unknown ones are not. */
function refused({ fields }: Rule, accepted: v.ObjectEntries): Record<string, false> {
  const known = [...Object.keys(fields.common), ...Object.keys(fields.specific)];
  return Object.fromEntries(known.filter((name) => !(name in accepted)).map((name) => [name, false]));
}

const WORDS: JsonSchema = { type: "string", pattern: "\\S" };

/** What the dialect requires beside a stop and beside a block. */
function required({ decisions, dialect }: Rule): JsonSchema {
  const blocks = decisions !== "behavior" && decisions.includes("block");
  const stop = needs(has("continue", { const: false }), has("stopReason", WORDS));
  const block = needs(inEither(has("decision", { const: "block" })), inEither(has("reason", WORDS)));
  const conditions = [
    ...(dialect.stopReasonRequired ? [stop] : []),
    ...(dialect.blockReasonRequired && blocks ? [block] : []),
  ];
  return conditions.length > 0 ? { allOf: conditions } : {};
}

function needs(first: JsonSchema, second: JsonSchema): JsonSchema {
  return { anyOf: [{ not: first }, second] };
}

function has(name: string, schema: JsonSchema): JsonSchema {
  return { type: "object", properties: { [name]: schema }, required: [name] };
}

/** At the top level or in hookSpecificOutput. */
function inEither(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, has("hookSpecificOutput", schema)] };
}

function allOptional(fields: Fields): v.ObjectEntries {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(optional(field))]));
}

function decisionField({ decisions, fields }: Rule): Field | undefined {
  if (decisions === "behavior") return longForm(fields.behavior);
  return decisions.length > 0 ? words(decisions, "Whether the step is refused.") : undefined;
}

export function configSchema(): JsonSchema {
  const entry = v.union(
    HANDLER_TYPES.map((type) =>
      v.object({ type: v.literal(type), ...schemasOf({ ...TYPE_FIELDS[type], ...ENTRY_FIELDS }) }),
    ),
  );
  const groups = v.array(v.object({ ...schemasOf(GROUP_FIELDS), hooks: v.array(entry) }));
  const hooks = v.strictObject(
    Object.fromEntries(EVENT_NAMES.map((event) => [event, v.optional(groups)] as const)),
  );
  const file = v.looseObject({ ...schemasOf(FILE_FIELDS), hooks: v.optional(hooks) });
  return convert(file, "Belay: a settings file with hooks", { groups });
}

export function outcomeJsonSchema(): JsonSchema {
  return convert(outcomeSchema, "Belay: the outcome of one fired event");
}

export function testCasesSchema(): JsonSchema {
  return convert(caseFileSchema, "Belay: test cases of hooks");
}

import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { ENTRY_FIELDS, FILE_FIELDS, GROUP_FIELDS, HANDLER_TYPES, TYPE_FIELDS } from "./config-schema.ts";
import { decisionWords } from "./event-row.ts";
import { COMMON_INPUT, EVENT_NAMES, type EventName, eventRow } from "./events.ts";
import { ANSWER_FIELDS, behaviorAnswer, COMMON_FIELDS } from "./fields.ts";
import { outcomeSchema } from "./outcome-schema.ts";

/** JSON Schemas, derived from the tables: for editors, for `belay schema`, and for other programs. */
export type JsonSchema = ReturnType<typeof toJsonSchema>;

function convert(schema: v.GenericSchema, title: string): JsonSchema {
  // Hand-written checks (an object is no array) have no JSON Schema counterpart and need none: "type" says it.
  return { ...toJsonSchema(schema, { errorMode: "ignore", typeMode: "output" }), title };
}

export function inputSchema(event: EventName): JsonSchema {
  return convert(
    v.looseObject({ ...COMMON_INPUT, ...eventRow(event).input }),
    `${event}: what a hook reads on stdin`,
  );
}

export function outputSchema(event: EventName): JsonSchema {
  const decision = decisionSchema(event);
  const decided: v.ObjectEntries = decision ? optional({ decision, reason: ANSWER_FIELDS.reason }) : {};
  const answers = Object.fromEntries(eventRow(event).answers.map((field) => [field, ANSWER_FIELDS[field]]));
  const specific: v.ObjectEntries = { hookEventName: v.literal(event), ...optional(answers), ...decided };
  const output: v.ObjectEntries = {
    ...optional(COMMON_FIELDS),
    ...decided,
    hookSpecificOutput: v.optional(v.looseObject(specific)),
  };
  return convert(v.looseObject(output), `${event}: what a hook may print`);
}

function optional(fields: { readonly [name: string]: v.GenericSchema }): v.ObjectEntries {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, v.optional(field)]));
}

function decisionSchema(event: EventName): v.GenericSchema | undefined {
  const words = decisionWords(eventRow(event));
  if (words === "behavior") return behaviorAnswer;
  return words.length > 0
    ? v.pipe(v.picklist(words), v.description("Whether the step is refused."))
    : undefined;
}

export function configSchema(): JsonSchema {
  const entry = v.union(
    HANDLER_TYPES.map((type) => v.object({ type: v.literal(type), ...TYPE_FIELDS[type], ...ENTRY_FIELDS })),
  );
  const group = v.object({ ...GROUP_FIELDS, hooks: v.array(entry) });
  const groups = EVENT_NAMES.map((event) => [event, v.optional(v.array(group))] as const);
  const hooks = v.strictObject(Object.fromEntries(groups));
  return convert(
    v.looseObject({ ...FILE_FIELDS, hooks: v.optional(hooks) }),
    "Belay: a settings file with hooks",
  );
}

export function outcomeJsonSchema(): JsonSchema {
  return convert(outcomeSchema, "Belay: the outcome of one fired event");
}

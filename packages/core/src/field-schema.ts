import * as v from "valibot";
import type { Bound, Field, Fields } from "./field.ts";

/** A field as a schema: for JSON Schemas, and for what a test holds the check of misfit.ts to. */
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
      // The check comes first: valibot's record takes a list as well, and gives back an object.
      return v.pipe(
        v.unknown(),
        v.check((value) => !Array.isArray(value), "an object"),
        v.record(v.string(), schemaOf(field.of)),
      );
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

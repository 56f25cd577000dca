import { EVENTS, type Field, type Fields } from "@belay/core";
import { expectedBy, misfit } from "@belay/core/internal";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { ENTRY_FIELDS, FILE_FIELDS, GROUP_FIELDS, TYPE_FIELDS } from "../src/config/schema.ts";
import { schemaOf } from "../src/schema/json-schema.ts";
import {
  ANSWER_FIELDS,
  BEHAVIOR_FIELDS,
  behaviorAnswer,
  COMMON_FIELDS,
  FURTHER_BEHAVIOR_FIELDS,
  FURTHER_FIELDS,
} from "../src/tables/fields.ts";

/* A value is checked without the schema library; the schemas that are printed must say the same. */

const TABLES: Record<string, Fields> = {
  entry: ENTRY_FIELDS,
  ...Object.fromEntries(Object.entries(TYPE_FIELDS).map(([type, fields]) => [`${type} hook`, fields])),
  group: GROUP_FIELDS,
  file: FILE_FIELDS,
  common: COMMON_FIELDS,
  answer: ANSWER_FIELDS,
  further: { ...FURTHER_FIELDS, ...FURTHER_BEHAVIOR_FIELDS },
  behavior: { ...BEHAVIOR_FIELDS, decision: behaviorAnswer },
  ...Object.fromEntries(Object.entries(EVENTS).map(([event, { input }]) => [`${event} payload`, input])),
};
const ROWS = Object.entries(TABLES).flatMap(([table, fields]) =>
  Object.entries(fields).map(([name, field]): [string, Field] => [`${name} of ${table}`, field]),
);

const text = fc.oneof(fc.string(), fc.constantFrom("", "https://a", "HTTP://b", "ftp://c"));
const count = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 0.001, 255, 256, 86_400, 86_401));
const name = fc.oneof(fc.string(), fc.constantFrom("__proto__", "prototype", "constructor"));

/** What such a field may hold, if nothing is wrong inside. */
function near(field: Field): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case "string":
      return text;
    case "boolean":
      return fc.boolean();
    case "number":
      return count;
    case "words":
      return fc.constantFrom(...field.words);
    case "flag or words":
      return fc.constantFrom(true, false, ...field.words);
    case "list":
      return fc.array(nearOrFar(field.of));
    case "record":
      return fc.dictionary(name, nearOrFar(field.of));
    case "shape":
      return fc.record(
        Object.fromEntries(Object.entries(field.fields).map(([key, inside]) => [key, nearOrFar(inside)])),
        { requiredKeys: [] },
      );
    case "anything":
      return fc.anything();
  }
}

const far = fc.oneof(
  fc.constantFrom(undefined, null, Number.NaN, [], {}, [1], ["a"], { a: 1 }, { a: "b" }),
  text,
  count,
  fc.boolean(),
  fc.anything({ key: name }),
);

function nearOrFar(field: Field): fc.Arbitrary<unknown> {
  return fc.oneof(near(field), far);
}

describe("a field without its schema", () => {
  it.each(ROWS)("takes what its schema takes, and says the same of the rest: %s", (_, field) => {
    const schema = schemaOf(field);
    fc.assert(
      fc.property(nearOrFar(field), (value) => {
        const wrong = misfit(field, value);
        const { issues, output } = v.safeParse(schema, value);
        expect(wrong?.path).toEqual(issues?.[0].path?.map(({ key }) => key) ?? (issues && []));
        // A shape is taken or refused as a whole: nobody is told why, and valibot leaves out what is not in it.
        if (field.kind === "shape") return;
        expect(wrong && { expected: expectedBy(wrong), got: wrong.got }).toEqual(issues && said(issues[0]));
        if (!issues) expect(output).toEqual(value);
      }),
    );
  });
});

/** Bounds say what they want in their message, types in `expected`. */
function said({ kind, expected, message, input }: v.BaseIssue<unknown>) {
  return { expected: kind === "schema" ? expected?.replace("Object", "an object") : message, got: input };
}

import * as v from "valibot";
import { isObject } from "../json.ts";

/**
 * An object of any names. valibot's own record leaves out `__proto__`, `constructor` and `prototype` without a word, and
 * takes a list. The values are given back as they came: no schema here changes a value.
 */
export function recordOf<T extends v.GenericSchema>(
  value: T,
): v.RecordSchema<v.StringSchema<undefined>, T, undefined> {
  const base = v.record(v.string(), value);
  return {
    ...base,
    "~run": (dataset, config) => {
      const input = dataset.value;
      if (!isObject(input)) {
        v._addIssue(base, "type", dataset, config);
        return dataset as never;
      }
      const issues = Object.entries(input).flatMap(([key, item]) => {
        const at: v.ObjectPathItem = { type: "object", origin: "value", input, key, value: item };
        const inside = value["~run"]({ value: item }, config).issues ?? [];
        return inside.map((issue) => ({ ...issue, path: [at, ...(issue.path ?? [])] }));
      });
      return { typed: issues.length === 0, value: input, ...(issues.length > 0 && { issues }) } as never;
    },
  };
}

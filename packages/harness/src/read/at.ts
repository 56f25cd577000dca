import { isObject } from "@belay/core/internal";

/** The value at a path of names with dots between them; undefined if there is none. */
export function at(fields: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = fields;
  for (const name of path.split("."))
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

import * as v from "valibot";

/** Names that valibot's record leaves out, without a word, lest somebody assigns them. A file may have them. */
const LEFT_OUT = ["__proto__", "constructor", "prototype"];

type Names = v.StringSchema<undefined>;
type Key = v.ObjectPathItem;

/** valibot's record, with every name that is there. Whoever copies such an object by assignment loses `__proto__`. */
export function recordOf<T extends v.GenericSchema>(value: T): v.RecordSchema<Names, T, undefined> {
  const base = v.record(v.string(), value);
  return {
    ...base,
    "~run": (dataset, config) => {
      const given = dataset.value;
      const read = base["~run"](dataset, config);
      for (const name of LEFT_OUT) {
        if (typeof given !== "object" || given === null || !Object.hasOwn(given, name)) continue;
        const input = given as Record<string, unknown>;
        const item = value["~run"]({ value: input[name] }, config);
        const key: Key = { type: "object", origin: "value", input, key: name, value: input[name] };
        const issues = item.issues?.map((issue) => ({ ...issue, path: [key, ...(issue.path ?? [])] }));
        const all = [...(read.issues ?? []), ...(issues ?? [])];
        Object.assign(read, all.length > 0 && { issues: all }, { typed: read.typed && item.typed });
        Object.defineProperty(read.value, name, { ...PLAIN, value: item.value });
      }
      return read;
    },
  };
}

const PLAIN = { configurable: true, enumerable: true, writable: true };

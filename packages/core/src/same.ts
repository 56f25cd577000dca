import { isObject } from "./json-object.ts";

/** Whether two values say the same in JSON; the order of keys says nothing, and an absent field is an undefined one. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(own(a, name), own(b, name)));
}

/** JSON that is equal for values which say the same. */
export function sameJson(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? "";
}

/** With the keys of every object in the order of the alphabet. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key])]));
}

export function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** What `after` has more of than `before`: things of one key cancel each other out, one by one. */
export function beyond<T>(after: readonly T[], before: readonly T[], keyOf: (thing: T) => string): T[] {
  const left = new Map<string, number>();
  for (const key of before.map(keyOf)) left.set(key, (left.get(key) ?? 0) + 1);
  return after.filter((thing) => {
    const key = keyOf(thing);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

import { isObject } from "@belay/core";

/** The same value with every string in it changed. */
export function mapText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapText(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapText(item, change)]));
}

/** The folders of a case, by the names under which a case file speaks of them. */
export interface Places {
  readonly cwd: string;
  readonly home: string;
}

/** {cwd} and {home}, filled in. */
export function fillIn<T>(value: T, { cwd, home }: Places): T {
  return mapText(value, (text) => text.replaceAll("{cwd}", cwd).replaceAll("{home}", home)) as T;
}

/** The way back: a case must not depend on the folder it ran in. */
export function takeOut<T>(value: T, { cwd, home }: Places): T {
  return mapText(value, (text) => text.replaceAll(cwd, "{cwd}").replaceAll(home, "{home}")) as T;
}

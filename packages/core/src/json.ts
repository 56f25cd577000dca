export type JsonObject = Record<string, unknown>;

/** An object in the sense of JSON: a list is none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export type JsonObject = Record<string, unknown>;

/** True for an object in the sense of JSON, which an array is not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import type { Bound, Field, Fields } from "./field.ts";

/** Where a value does not fit its field. */
export interface Misfit {
  /** Inside the value. */
  readonly path: readonly (string | number)[];
  readonly wanted: Field | Bound;
  readonly got: unknown;
}

/** The first thing that does not fit, or undefined. */
export function misfit(field: Field, value: unknown): Misfit | undefined {
  if (value === undefined && field.isOptional) return undefined;
  if (value === null && field.isNullable) return undefined;
  if (!isKind(field, value)) return { path: [], wanted: field, got: value };
  const beyond = field.bounds?.find((bound) => !isWithin(bound, value));
  if (beyond) return { path: [], wanted: beyond, got: value };
  if (field.kind === "list" || field.kind === "record") return misfitOfItems(field.of, value as object);
  return field.kind === "shape" ? misfitOfFields(field.fields, value as Record<string, unknown>) : undefined;
}

/** What was expected there, in a few words. */
export function expectedBy({ wanted, got }: Misfit): string {
  if ("says" in wanted) return wanted.says;
  switch (wanted.kind) {
    case "words":
    case "flag or words": {
      const words = wanted.words.map((word) => JSON.stringify(word));
      if (wanted.kind === "flag or words") words.unshift("boolean");
      return words.length === 1 ? String(words[0]) : `(${words.join(" | ")})`;
    }
    case "list":
      return "Array";
    case "record":
      return Array.isArray(got) ? "an object" : "Object";
    case "shape":
      return "Object";
    default:
      return wanted.kind;
  }
}

function isKind(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case "anything":
      return true;
    case "words":
      return (field.words as readonly unknown[]).includes(value);
    case "flag or words":
      return typeof value === "boolean" || (field.words as readonly unknown[]).includes(value);
    case "list":
      return Array.isArray(value);
    case "record":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "shape":
      return typeof value === "object" && value !== null;
    case "number":
      return typeof value === "number" && !Number.isNaN(value);
    default:
      return typeof value === field.kind;
  }
}

function isWithin(bound: Bound, value: unknown): boolean {
  if ("integer" in bound) return Number.isInteger(value);
  if ("least" in bound) return (value as number) >= bound.least;
  if ("most" in bound) return (value as number) <= bound.most;
  return bound.pattern.test(value as string);
}

function misfitOfItems(of: Field, items: object): Misfit | undefined {
  if (of.kind === "anything") return undefined;
  for (const [key, item] of Object.entries(items)) {
    const inside = misfit(of, item);
    if (inside) return below(Array.isArray(items) ? Number(key) : key, inside);
  }
  return undefined;
}

function misfitOfFields(fields: Fields, object: Record<string, unknown>): Misfit | undefined {
  for (const [name, field] of Object.entries(fields)) {
    const inside = misfit(field, object[name]);
    if (inside) return below(name, inside);
  }
  return undefined;
}

function below(key: string | number, inside: Misfit): Misfit {
  return { ...inside, path: [key, ...inside.path] };
}

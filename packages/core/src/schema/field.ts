import { isObject, type JsonObject } from "../json.ts";
import { alternatives } from "../text.ts";

/*
 * What a field may hold, as data. From it come the check (misfit), the type (ValueOf) and the JSON Schema (json-schema.ts).
 * The check needs no schema library: whoever runs a hook loads none.
 */

declare const held: unique symbol;

/** A bound on a value of the right type, and what it says of a value beyond. */
export type Bound = { readonly says: string } & (
  | { readonly integer: true }
  | { readonly least: number }
  | { readonly most: number }
  | { readonly pattern: RegExp }
);

type Kind =
  | { readonly kind: "string" | "boolean" | "number" | "anything" }
  | { readonly kind: "words" | "flag or words"; readonly words: readonly string[] }
  | { readonly kind: "list" | "record"; readonly of: Field }
  /** Other fields may stand beside these; `loose` says so in its schema. */
  | { readonly kind: "shape"; readonly fields: Fields; readonly loose: boolean };

export type Field<Value = unknown> = Kind & {
  readonly description?: string;
  readonly bounds?: readonly Bound[];
  readonly isOptional?: true;
  readonly isNullable?: true;
  /** Never set: carries the type. */
  readonly [held]?: Value;
};

type OptionalField<Value> = Field<Value> & { readonly isOptional: true };

/** Fields by name, each with what it may hold. */
export type Fields = Readonly<Record<string, Field>>;

export type ValueOf<F extends Field> = F extends { readonly [held]?: infer Value } ? Value : never;

/** The values of the sound fields. */
export type Sound<F extends Fields> = { [Name in keyof F]?: ValueOf<F[Name]> | undefined };

type OptionalNames<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { readonly isOptional: true } ? Name : never;
}[keyof F];

/** An object with all fields. */
export type Shape<F extends Fields> = {
  -readonly [Name in Exclude<keyof F, OptionalNames<F>>]: ValueOf<F[Name]>;
} & { -readonly [Name in OptionalNames<F>]?: ValueOf<F[Name]> | undefined };

export function text(description: string, ...bounds: readonly Bound[]): Field<string> {
  return { kind: "string", description, bounds };
}

export function flag(description: string): Field<boolean> {
  return { kind: "boolean", description };
}

export function number(description: string, ...bounds: readonly Bound[]): Field<number> {
  return { kind: "number", description, bounds };
}

export function words<const Word extends string>(of: readonly Word[], description?: string): Field<Word> {
  return { kind: "words", words: of, ...(description !== undefined && { description }) };
}

export function flagOr<const Word extends string>(
  of: readonly Word[],
  description: string,
): Field<boolean | Word> {
  return { kind: "flag or words", words: of, description };
}

export function list<Value>(of: Field<Value>, description: string): Field<Value[]> {
  return { kind: "list", of, description };
}

export function record<Value>(of: Field<Value>, description: string): Field<{ [name: string]: Value }> {
  return { kind: "record", of, description };
}

export function anything(description?: string): Field {
  return { kind: "anything", ...(description !== undefined && { description }) };
}

export function object(description: string): Field<{ [name: string]: unknown }> {
  return record(anything(), description);
}

export function shape<const F extends Fields>(
  fields: F,
  description: string,
  { loose = false } = {},
): Field<Shape<F>> {
  return { kind: "shape", fields, loose, description };
}

export function optional<Value>(field: Field<Value>): OptionalField<Value> {
  return { ...field, isOptional: true };
}

export function nullable<Value>(field: Field<Value>): Field<Value | null> {
  return { ...field, isNullable: true };
}

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
  return field.kind === "shape" ? misfitOfFields(field.fields, value as JsonObject) : undefined;
}

/** What was expected there, in a few words. */
export function expectedBy({ wanted }: Misfit): string {
  if ("says" in wanted) return wanted.says;
  switch (wanted.kind) {
    case "words":
      return wanted.words.length === 1 ? alternatives(wanted.words) : `(${alternatives(wanted.words)})`;
    case "flag or words":
      return `(boolean | ${alternatives(wanted.words)})`;
    case "list":
      return "Array";
    case "record":
    case "shape":
      return "an object";
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
      return isObject(value);
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

function misfitOfFields(fields: Fields, object: JsonObject): Misfit | undefined {
  for (const [name, field] of Object.entries(fields)) {
    const inside = misfit(field, object[name]);
    if (inside) return below(name, inside);
  }
  return undefined;
}

function below(key: string | number, inside: Misfit): Misfit {
  return { ...inside, path: [key, ...inside.path] };
}

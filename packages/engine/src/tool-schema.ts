import { messageOf } from "@belay/core/internal";
import { UsageError } from "./options.ts";

/** Any Standard Schema (zod, valibot, arktype …): https://standardschema.dev */
export interface InputSchema {
  readonly "~standard": {
    readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult>;
  };
}

type SchemaResult = {
  readonly issues?:
    | readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[]
    | undefined;
};

/** Refuses what is no such schema before anything runs: every rewrite would be denied for it, and no one told why. */
export function checkSchema(schema: unknown): void {
  if (schema === undefined) return;
  const standard = (schema as Partial<InputSchema> | null)?.["~standard"];
  if (typeof standard?.validate !== "function")
    throw new UsageError(
      "toolSchema is no Standard Schema: give one of zod, valibot or arktype; a JSON Schema is none, so wrap it in a validator",
    );
}

/** Why a value does not fit a schema: its first issue, with the path. One that takes its time is waited for until an abort. */
export async function misfitOf(
  schema: InputSchema,
  value: unknown,
  signal: AbortSignal,
): Promise<string | undefined> {
  let issues: SchemaResult["issues"];
  try {
    ({ issues } = await untilAborted(Promise.resolve(schema["~standard"].validate(value)), signal));
  } catch (error) {
    // Not known to fit is not fit: the input the hook wanted changed is never run instead.
    return `its schema failed: ${messageOf(error)}`;
  }
  const [first] = issues ?? [];
  if (!first) return undefined;
  const keys = (first.path ?? []).map(keyOf);
  return keys.length > 0 ? `${keys.join(".")}: ${first.message}` : first.message;
}

/** A path segment is a key, or an object that holds one. */
function keyOf(part: unknown): string {
  return String(typeof part === "object" && part !== null && "key" in part ? part.key : part);
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Error("the event was aborted"));
    const leave = () => signal.removeEventListener("abort", onAbort);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    work.then(resolve, reject).finally(leave);
  });
}

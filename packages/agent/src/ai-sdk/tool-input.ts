import type { InputSchema } from "@belay/engine";

/** What a check comes to; the value may be another one, with defaults filled in. */
type Checked = { readonly value: unknown } | { readonly issues: readonly { readonly message: string }[] };

/** A tool's own idea of its input, in whichever of the AI SDK's ways it was given. */
export interface ToolInput {
  /** For the engine, which checks a hook's rewrite by it. */
  readonly schema: InputSchema;
  /** The input as the tool expects it. */
  parsed(value: unknown): Promise<unknown>;
}

/**
 * By shape, not by class: any version of the SDK will do. A Standard Schema (zod, valibot …), the SDK's own schema, or a
 * function that gives one; a JSON Schema without a validator accepts anything, as it does in the SDK.
 */
export function toolInput(inputSchema: unknown): ToolInput {
  return {
    schema: {
      "~standard": {
        validate: async (value) => {
          const checked = await check(inputSchema, value);
          return "issues" in checked ? checked : {};
        },
      },
    },
    parsed: async (value) => {
      const checked = await check(inputSchema, value);
      return "issues" in checked ? value : checked.value;
    },
  };
}

async function check(schema: unknown, value: unknown): Promise<Checked> {
  const { "~standard": standard, validate } = Object(schema) as Shape;
  if (standard) {
    const result = await standard.validate(value);
    return result.issues ? { issues: result.issues } : { value: result.value };
  }
  if (validate) {
    const result = await validate(value);
    return result.success ? { value: result.value } : { issues: [result.error] };
  }
  return typeof schema === "function" ? check(schema(), value) : { value };
}

interface Shape {
  readonly "~standard"?: {
    validate(
      value: unknown,
    ): Awaitable<{ value?: unknown; issues?: readonly { message: string }[] | undefined }>;
  };
  readonly validate?: (
    value: unknown,
  ) => Awaitable<{ success: true; value: unknown } | { success: false; error: Error }>;
}

type Awaitable<T> = T | PromiseLike<T>;

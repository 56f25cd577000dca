import { didYouMean } from "@belay/core";
import * as z from "zod";

/** The input of a tool. An unknown field is refused: a misspelt `timeout` must not be a call without a limit. */
export function toolInput<S extends z.ZodRawShape>(tool: string, shape: S): z.ZodObject<S, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown field ${issue.keys.map((key) => `${key}${didYouMean(key, known)}`).join(", ")}: ${tool} takes ${known.join(", ")}`
        : undefined,
  });
}

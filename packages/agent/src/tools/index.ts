import * as z from "zod";
import type { ToolSpec } from "../models/model.ts";
import { bash } from "./bash.ts";
import { edit } from "./edit.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { read } from "./read.ts";
import type { Tool } from "./tool.ts";
import { write } from "./write.ts";

/** The tools that need nothing but the working folder. */
export function builtInTools(): readonly Tool[] {
  return [bash, read, write, edit, glob, grep];
}

/** A tool as a model sees it. */
export function toolSpec({ name, description, schema }: Tool): ToolSpec {
  const { $schema, ...inputSchema } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
  return { name, description, inputSchema };
}

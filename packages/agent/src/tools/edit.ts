import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { plural } from "@belay/core";
import { targetOf, writeWhole } from "@belay/engine/tools";
import * as z from "zod";
import { editText, LONGEST } from "./edit-text.ts";
import { inTurn } from "./files/in-turn.ts";
import { NotAFile, type Place, placeOf, withFile } from "./files/place.ts";
import { toolInput } from "./input.ts";
import { failed, succeeded } from "./results.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";

const schema = toolInput("Edit", {
  file_path: z.string().min(1).describe("The file"),
  old_string: z
    .string()
    .min(1, "is empty: give the text to replace, or create a file with Write")
    .describe("The text to replace, exactly as it is in the file, without line numbers"),
  new_string: z.string().describe("What to put in its place"),
  replace_all: z
    .boolean()
    .optional()
    .describe("Replace it wherever it is; else it must be there exactly once"),
});

type Input = z.infer<typeof schema>;

export const edit: Tool<Input> = {
  name: "Edit",
  description:
    "Replaces a text in a file by another. The text must be there exactly once, unless replace_all is set. " +
    "Line ends and encoding of the file are kept.",
  kind: "edit",
  schema,
  subject: ({ file_path }) => file_path,
  paths: ({ file_path }) => [file_path],
  run: async (input, context) => {
    if (input.old_string === input.new_string)
      return failed("old_string and new_string are the same: nothing to change");
    const place = placeOf(input.file_path, context);
    return withFile(place, context, "edit", async () => {
      const target = await targetOf(place.full);
      return inTurn(target, () => editFile(target, place, input, context));
    });
  },
};

async function editFile(
  target: string,
  place: Place,
  input: Input,
  { signal }: ToolContext,
): Promise<ToolResult> {
  const { given } = place;
  const stats = await stat(target);
  if (stats.isDirectory()) return failed(`cannot edit ${given}: it is a folder`);
  if (!stats.isFile()) throw new NotAFile("it is a pipe, a socket or a device, not a file");
  const bytes = stats.size > LONGEST ? undefined : await readUpTo(LONGEST, target, signal);
  if (bytes === undefined)
    return failed(
      `cannot edit ${given}: it is longer than ${LONGEST / 1024 / 1024} MB; change it by a command in Bash`,
    );
  const text = decoded(bytes);
  if (text === undefined) return failed(`cannot edit ${given}: it is no text in UTF-8, and would be damaged`);
  const edited = editText(text, {
    old: input.old_string,
    new: input.new_string,
    all: input.replace_all ?? false,
  });
  if ("problem" in edited) return failed(`cannot edit ${given}: ${edited.problem}`);
  await writeWhole(target, edited.text, signal);
  const { places, line } = edited;
  return succeeded(
    `updated ${given}: ${plural(places, "replacement")}, ${places > 1 ? "the first " : ""}at line ${line}`,
    {
      filePath: place.full,
      replacements: places,
    },
  );
}

/** undefined for what has more bytes, whatever size it says it has: files of the kernel say none. */
async function readUpTo(most: number, file: string, signal: AbortSignal): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of createReadStream(file, { signal }) as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A BOM stays in the text and goes back into the file. */
function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

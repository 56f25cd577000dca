import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { plural } from "@belay/core/internal";
import { targetOf, writeWhole } from "@belay/engine/internal";
import * as z from "zod";
import { NOT_A_FILE, type Place, withFile } from "./files/place.ts";
import { oneAtATime } from "./files/walk.ts";
import { failed, succeeded, type Tool, type ToolContext, type ToolResult, toolInput } from "./tool.ts";

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
    return withFile(input.file_path, context, "edit", async (place) => {
      const target = targetOf(place.full);
      return oneAtATime(target, () => editFile(target, place, input, context));
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
  if (!stats.isFile()) return failed(`cannot edit ${given}: ${NOT_A_FILE}`);
  const bytes = stats.size > LONGEST ? undefined : await readUpTo(LONGEST, target, signal);
  if (bytes === undefined)
    return failed(
      `cannot edit ${given}: it is longer than ${LONGEST / 1024 / 1024} MB; change it by a command in Bash`,
    );
  const text = decoded(bytes);
  if (text === undefined) return failed(`cannot edit ${given}: it is no text in UTF-8, and would be damaged`);
  const edited = editText(text, input);
  if ("problem" in edited) return failed(`cannot edit ${given}: ${edited.problem}`);
  await writeWhole(target, edited.text, signal);
  const { places, line } = edited;
  const where = `${places > 1 ? "the first " : ""}at line ${line}`;
  const response = { filePath: place.full, replacements: places };
  return succeeded(`updated ${given}: ${plural(places, "replacement")}, ${where}`, response);
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

type Edited =
  | { readonly text: string; readonly places: number; readonly line: number }
  | { readonly problem: string };

/** Characters of the longest text that is edited, before and after. */
const LONGEST = 20 * 1024 * 1024;

/**
 * Replaces text by text; nothing in either is a pattern. The model sees and writes LF: where a file's lines end in CRLF,
 * what is looked for and what is put there do so too.
 */
function editText(text: string, { old_string, new_string, replace_all = false }: Input): Edited {
  const isCrlf = mostlyCrlf(text);
  const old = text.includes(old_string) || !isCrlf ? old_string : crlf(old_string);
  const put = isCrlf ? crlf(new_string) : new_string;
  const pieces = text.split(old);
  const places = pieces.length - 1;
  if (places === 0) return { problem: `old_string is not in the file${hint(text, old_string)}` };
  if (places > 1 && !replace_all)
    return {
      problem: `old_string is in the file ${places} times (lines ${linesOf(pieces, old)}): give more of the text around the one that is meant, or set replace_all`,
    };
  if (text.length + places * (put.length - old.length) > LONGEST)
    return {
      problem: `the file would be longer than ${LONGEST / 1024 / 1024} MB after ${plural(places, "replacement")}`,
    };
  return { text: pieces.join(put), places, line: lineEnds(pieces[0] ?? "") + 1 };
}

function crlf(text: string): string {
  return text.replaceAll(/\r?\n/g, "\r\n");
}

function mostlyCrlf(text: string): boolean {
  return text.includes("\r\n") && text.split("\r\n").length * 2 > text.split("\n").length;
}

function lineEnds(text: string): number {
  return text.split("\n").length - 1;
}

const SHOWN_LINES = 5;

function linesOf(pieces: readonly string[], old: string): string {
  const lines: number[] = [];
  let line = 1;
  for (const piece of pieces.slice(0, Math.min(pieces.length - 1, SHOWN_LINES))) {
    line += lineEnds(piece);
    lines.push(line);
    line += lineEnds(old);
  }
  return `${lines.join(", ")}${pieces.length - 1 > SHOWN_LINES ? " …" : ""}`;
}

/** Why a text is not found that the model believes is there. */
function hint(text: string, old: string): string {
  if (old.split("\n").every((line) => line === "" || /^ *\d+\t/.test(line)))
    return ": leave out the line numbers that Read puts before each line";
  const line = lineWithOtherSpace(text, old);
  if (line !== undefined)
    return `, but it is at line ${line} with other whitespace: copy it exactly, with its indentation and line ends`;
  return ": read the file again, it may have changed";
}

function lineWithOtherSpace(text: string, old: string): number | undefined {
  const wanted = withoutSpace(old);
  const lines = text.split("\n").map(withoutSpace);
  const at = wanted === "" ? -1 : lines.join("").indexOf(wanted);
  if (at < 0) return undefined;
  let before = 0;
  return (
    1 +
    lines.findIndex((line) => {
      before += line.length;
      return before > at;
    })
  );
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

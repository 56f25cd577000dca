import { stat } from "node:fs/promises";
import { plural } from "@belay/core/internal";
import * as z from "zod";
import { eachLine } from "./files/lines.ts";
import { NOT_A_FILE, type Place, withFile } from "./files/place.ts";
import { failed, succeeded, type Tool, type ToolContext, type ToolResult, toolInput } from "./tool.ts";

const LINES = 2000;
const LINE_CHARACTERS = 2000;
/** Of one answer, numbers included. */
const CHARACTERS = 200_000;
const MOST = 1_000_000_000;

const schema = toolInput("Read", {
  file_path: z.string().min(1).describe("The file"),
  offset: z.int().min(1).max(MOST).optional().describe("The first line to read, from 1"),
  limit: z.int().min(1).max(MOST).optional().describe(`How many lines to read, ${LINES} if not given`),
});

type Input = z.infer<typeof schema>;

export const read: Tool<Input> = {
  name: "Read",
  description:
    "Reads a text file. Each line comes with its number and a tab before it, which are not part of the file. " +
    `Lines of more than ${LINE_CHARACTERS} characters are cut. For a long file, give offset and limit.`,
  kind: "read",
  schema,
  subject: ({ file_path }) => file_path,
  paths: ({ file_path }) => [file_path],
  run: (input, context) =>
    withFile(input.file_path, context, "read", (place) => readLines(place, input, context)),
};

async function readLines(
  place: Place,
  { offset = 1, limit = LINES }: Input,
  context: ToolContext,
): Promise<ToolResult> {
  const stats = await stat(place.full);
  if (stats.isDirectory()) return failed(`${place.given} is a folder: list it with Glob, or with ls in Bash`);
  if (!stats.isFile()) return failed(`cannot read ${place.given}: ${NOT_A_FILE}`);
  const lines: string[] = [];
  let [number, characters, cutLines] = [0, 0, 0];
  const end = await eachLine(place.full, { signal: context.signal, keep: LINE_CHARACTERS }, (text, isCut) => {
    number += 1;
    if (number < offset) return true;
    const line = `${String(number).padStart(6)}\t${text}${isCut ? "…" : ""}`;
    lines.push(line);
    characters += line.length + 1;
    cutLines += isCut ? 1 : 0;
    return lines.length < limit && characters <= CHARACTERS;
  });
  if (end === "binary")
    return failed(`${place.given} is no text: a binary file of ${plural(stats.size, "byte")}`);
  if (number === 0) return succeeded("[the file is empty]");
  if (lines.length === 0)
    return failed(`${place.given} has no line ${offset}: it has ${plural(number, "line")}`);
  const next = offset + lines.length;
  const notes = [
    cutLines > 0 && `[${plural(cutLines, "line")} cut at ${LINE_CHARACTERS} characters]`,
    end === "stopped" && `[lines ${offset} to ${next - 1}; the file goes on: read it with offset ${next}]`,
  ];
  return succeeded([...lines, ...notes.filter((note) => note !== false)].join("\n"));
}

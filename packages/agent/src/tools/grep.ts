import { stat } from "node:fs/promises";
import { plural } from "@belay/core";
import * as z from "zod";
import { globTest } from "./files/glob-pattern.ts";
import { type Place, placeOf, withFile } from "./files/place.ts";
import { lineTest } from "./grep-pattern.ts";
import { type Found, LINE_CHARACTERS, type Mode, search } from "./grep-search.ts";
import { toolInput } from "./input.ts";
import { failed, orReason, succeeded } from "./results.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";

const DEFAULT_LIMIT = 250;
const SEARCH_MS = 20_000;

const schema = toolInput("Grep", {
  pattern: z
    .string()
    .min(1)
    .max(1000)
    .describe("A regular expression, held against each line; no lookaround, no back-references"),
  path: z
    .string()
    .min(1)
    .optional()
    .describe("The file or folder to search, the working folder if not given"),
  glob: z.string().min(1).max(1000).optional().describe("Only files whose path matches: *.ts, src/**/*.md"),
  output_mode: z
    .enum(["content", "files_with_matches", "count"])
    .optional()
    .describe(
      "The matching lines, only the files' names (if not given), or how many lines of each file match",
    ),
  "-i": z.boolean().optional().describe("Upper and lower case are the same"),
  "-n": z.boolean().optional().describe("Line numbers in content, true if not given"),
  head_limit: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe(`At most so many lines or files, ${DEFAULT_LIMIT} if not given`),
});

type Input = z.infer<typeof schema>;

export const grep: Tool<Input> = {
  name: "Grep",
  description:
    "Searches files for lines that match a regular expression. Binary files, links, .git and node_modules are left out.",
  kind: "read",
  schema,
  subject: ({ pattern }) => pattern,
  paths: ({ path = "." }) => [path],
  run: (input, context) => {
    const place = placeOf(input.path ?? ".", context);
    return withFile(place, context, "search", () => grepIn(place, input, context));
  },
};

async function grepIn(place: Place, input: Input, context: ToolContext): Promise<ToolResult> {
  const matches = await orReason(`the pattern ${input.pattern}`, () =>
    lineTest(input.pattern, input["-i"] ?? false),
  );
  if (typeof matches === "string") return failed(matches);
  const { glob } = input;
  const isWanted = glob === undefined ? () => true : await orReason(`the glob ${glob}`, () => fileTest(glob));
  if (typeof isWanted === "string") return failed(isWanted);
  const stats = await stat(place.full);
  if (!stats.isFile() && !stats.isDirectory()) return failed(`${place.given} is neither a file nor a folder`);
  const mode = input.output_mode ?? "files_with_matches";
  const found = await search({
    root: place.full,
    isFile: stats.isFile(),
    cwd: context.cwd,
    signal: context.signal,
    matches,
    isWanted,
    mode,
    hasNumbers: input["-n"] ?? true,
    limit: input.head_limit ?? DEFAULT_LIMIT,
    limitMs: SEARCH_MS,
  });
  return resultOf(found, input, place, mode);
}

function resultOf(found: Found, { pattern }: Input, { given }: Place, mode: Mode): ToolResult {
  const { entries, files, isCut, isLate, longLines, unreadable } = found;
  const notes = [
    entries.length === 0 && `no line matches ${pattern} in ${given}`,
    isCut && `[the first ${plural(entries.length, mode === "content" ? "line" : "file")}; there are more]`,
    longLines > 0 && `[${plural(longLines, "line")} searched only up to ${LINE_CHARACTERS} characters]`,
    isLate && `[ended after ${SEARCH_MS / 1000} s, before everything was seen: give a narrower path or glob]`,
    unreadable > 0 && `[could not be read: ${plural(unreadable, "file")}, folders included]`,
  ].filter((note) => note !== false);
  return succeeded([...entries, ...notes].join("\n"), { mode, numFiles: files, truncated: isCut || isLate });
}

/** As ignore files have it: without a slash it is about names, in whatever folder. */
async function fileTest(glob: string): Promise<(path: string) => boolean> {
  const test = await globTest(glob.replace(/^\//, ""));
  return glob.includes("/") ? test : (path) => test(path.slice(path.lastIndexOf("/") + 1));
}

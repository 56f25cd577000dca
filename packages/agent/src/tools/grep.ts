import { stat } from "node:fs/promises";
import { basename, relative, sep } from "node:path";
import { loadPatternEngine } from "@belay/core";
import { messageOf, plural } from "@belay/core/internal";
import * as z from "zod";
import { cutAt, eachLine } from "./files/lines.ts";
import { type Place, shown, withFile } from "./files/place.ts";
import { globTest, walk } from "./files/walk.ts";
import {
  failed,
  orReason,
  succeeded,
  type Tool,
  type ToolContext,
  type ToolResult,
  toolInput,
} from "./tool.ts";

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
  run: (input, context) =>
    withFile(input.path ?? ".", context, "search", (place) => search(place, input, context)),
};

/** Of each line, so that a line of a hundred megabytes neither fills memory nor blocks the event loop. */
const LINE_CHARACTERS = 20_000;
/** Of a line that is shown. */
const SHOWN_CHARACTERS = 500;
/** Of all that is shown. */
const CHARACTERS = 30_000;

export async function search(
  { full, given }: Place,
  {
    pattern,
    glob,
    output_mode: mode = "files_with_matches",
    head_limit: limit = DEFAULT_LIMIT,
    ...flags
  }: Input,
  { cwd, signal }: Pick<ToolContext, "cwd" | "signal">,
  limitMs = SEARCH_MS,
): Promise<ToolResult> {
  const { "-i": ignoresCase = false, "-n": hasNumbers = true } = flags;
  const matches = await orReason(`the pattern ${pattern}`, () => lineTest(pattern, ignoresCase));
  if (typeof matches === "string") return failed(matches);
  const isWanted = glob === undefined ? () => true : await orReason(`the glob ${glob}`, () => fileTest(glob));
  if (typeof isWanted === "string") return failed(isWanted);
  const stats = await stat(full);
  if (!stats.isFile() && !stats.isDirectory()) return failed(`${given} is neither a file nor a folder`);

  const deadline = performance.now() + limitMs;
  const isLate = () => performance.now() > deadline;
  const entries: string[] = [];
  let [characters, matchingFiles, isCut, longLines, unreadable] = [0, 0, false, 0, 0];

  /** False if the entry does not fit any more. */
  const add = (entry: string): boolean => {
    isCut = entries.length >= limit || characters + entry.length > CHARACTERS;
    if (isCut) return false;
    entries.push(entry);
    characters += entry.length + 1;
    return true;
  };

  const searchFile = async (file: string): Promise<void> => {
    const name = shown(file, cwd);
    let [number, matching] = [0, 0];
    await eachLine(file, { signal, keep: LINE_CHARACTERS }, (line, isLong) => {
      number += 1;
      longLines += isLong ? 1 : 0;
      if (!matches(line)) return !isLate();
      matching += 1;
      if (mode === "count") return !isLate();
      if (mode === "files_with_matches") return false;
      return add(`${name}:${hasNumbers ? `${number}:` : ""}${part(line, matches)}`);
    });
    if (matching === 0) return;
    matchingFiles += 1;
    if (mode !== "content") add(mode === "count" ? `${name}:${matching}` : name);
  };

  for await (const { files, isReadable } of stats.isFile()
    ? [{ files: [full], isReadable: true }]
    : walk(full, signal)) {
    if (!isReadable) unreadable += 1;
    for (const file of files) {
      if (isCut || isLate()) break;
      if (!isWanted(stats.isFile() ? basename(file) : relative(full, file).split(sep).join("/"))) continue;
      await searchFile(file).catch(() => {
        signal.throwIfAborted();
        unreadable += 1;
      });
    }
    if (isCut || isLate()) break;
  }
  const wasLate = isLate();
  const notes = [
    entries.length === 0 && `no line matches ${pattern} in ${given}`,
    isCut && `[the first ${plural(entries.length, mode === "content" ? "line" : "file")}; there are more]`,
    longLines > 0 && `[${plural(longLines, "line")} searched only up to ${LINE_CHARACTERS} characters]`,
    wasLate && `[ended after ${limitMs / 1000} s, before everything was seen: give a narrower path or glob]`,
    unreadable > 0 && `[could not be read: ${plural(unreadable, "file")}, folders included]`,
  ].filter((note) => note !== false);
  const response = { mode, numFiles: matchingFiles, truncated: isCut || wasLate };
  return succeeded([...entries, ...notes].join("\n"), response);
}

/** As ignore files have it: without a slash it is about names, in whatever folder. */
async function fileTest(glob: string): Promise<(path: string) => boolean> {
  const test = await globTest(glob.replace(/^\//, ""));
  return glob.includes("/") ? test : (path) => test(path.slice(path.lastIndexOf("/") + 1));
}

/** Repeats are written out by the engine: more than so many would make each character dear. */
const REPEATS = 1000;

/** A test for lines, in linear time. Throws with a reason for what is no pattern, or would be too dear. */
async function lineTest(pattern: string, ignoresCase: boolean): Promise<(line: string) => boolean> {
  // Most patterns are plain words, and those are found many times faster.
  if (!ignoresCase && !/[\\^$.*+?()[\]{}|]/.test(pattern)) return (line) => line.includes(pattern);
  const repeats = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)];
  const total = repeats.reduce((sum, [, least, most]) => sum + Math.max(Number(least), Number(most ?? 0)), 0);
  if (total > REPEATS) throw new Error(`its repeats add up to more than ${REPEATS}`);
  const engine = await loadPatternEngine();
  try {
    const tester = engine.linear(ignoresCase ? `(?i)${pattern}` : pattern);
    return (line) => tester.test(line);
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(/\(\?[=!<]/.test(pattern) ? `${reason} (lookaround is not available)` : reason);
  }
}

/** The part of a long line in which the match is. */
function part(line: string, matches: (line: string) => boolean): string {
  if (line.length <= SHOWN_CHARACTERS) return line;
  for (let from = 0; from < line.length; from += SHOWN_CHARACTERS / 2) {
    const piece = line.slice(from, from + SHOWN_CHARACTERS);
    if (matches(piece)) return `${from > 0 ? "…" : ""}${piece}…`;
  }
  return `${cutAt(line, SHOWN_CHARACTERS)}…`;
}

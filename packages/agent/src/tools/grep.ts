import { stat } from "node:fs/promises";
import { basename, relative, sep } from "node:path";
import { loadPatternEngine } from "@belay/core";
import { messageOf, plural } from "@belay/core/internal";
import * as z from "zod";
import { cutAt, eachLine } from "./files/lines.ts";
import { type Place, placeOf, shown, withFile } from "./files/place.ts";
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

type Mode = "content" | "files_with_matches" | "count";

export interface Search {
  readonly root: string;
  /** The root is one file, not a folder of them. */
  readonly isFile: boolean;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly matches: (line: string) => boolean;
  /** Given the path from the root, with `/` between its parts. */
  readonly isWanted: (path: string) => boolean;
  readonly mode: Mode;
  readonly hasNumbers: boolean;
  readonly limit: number;
  readonly limitMs: number;
}

export interface Found {
  /** What is shown: a line of a file, a file, or a file with its count. */
  readonly entries: readonly string[];
  readonly files: number;
  /** There are more than are shown. */
  readonly isCut: boolean;
  /** The time was up before everything was seen. */
  readonly isLate: boolean;
  /** Lines that were too long to be searched to their end. */
  readonly longLines: number;
  readonly unreadable: number;
}

/** Of each line: so that one line of a hundred megabytes neither fills memory nor keeps the loop. */
const LINE_CHARACTERS = 20_000;
/** Of a line that is shown. */
const SHOWN_CHARACTERS = 500;
/** Of all that is shown. */
const CHARACTERS = 30_000;

export async function search(options: Search): Promise<Found> {
  const deadline = performance.now() + options.limitMs;
  const isLate = () => performance.now() > deadline;
  const entries: string[] = [];
  let [characters, files, isCut, longLines, unreadable] = [0, 0, false, 0, 0];
  /** False when it does not fit any more. */
  const add = (entry: string): boolean => {
    isCut = entries.length >= options.limit || characters + entry.length > CHARACTERS;
    if (isCut) return false;
    entries.push(entry);
    characters += entry.length + 1;
    return true;
  };
  for await (const file of filesOf(options, () => (unreadable += 1))) {
    const result = await searchFile(file, options, add, isLate);
    if (result === undefined) unreadable += 1;
    else {
      files += result.matching > 0 ? 1 : 0;
      longLines += result.longLines;
    }
    if (isCut || isLate()) break;
  }
  return { entries, files, isCut, isLate: isLate(), longLines, unreadable };
}

async function* filesOf(
  { root, isFile, isWanted, signal }: Search,
  onUnreadable: () => void,
): AsyncGenerator<string> {
  if (isFile) {
    if (isWanted(basename(root))) yield root;
    return;
  }
  for await (const { files, isReadable } of walk(root, signal)) {
    if (!isReadable) onUnreadable();
    for (const file of files) if (isWanted(relative(root, file).split(sep).join("/"))) yield file;
  }
}

/** Undefined for a file that cannot be read. */
async function searchFile(
  file: string,
  { mode, matches, hasNumbers, cwd, signal }: Search,
  add: (entry: string) => boolean,
  isLate: () => boolean,
): Promise<{ readonly matching: number; readonly longLines: number } | undefined> {
  const name = shown(file, cwd);
  let [number, matching, longLines] = [0, 0, 0];
  try {
    await eachLine(file, { signal, keep: LINE_CHARACTERS }, (line, isCut) => {
      number += 1;
      longLines += isCut ? 1 : 0;
      if (!matches(line)) return !isLate();
      matching += 1;
      if (mode === "count") return !isLate();
      if (mode === "files_with_matches") return false;
      return add(`${name}:${hasNumbers ? `${number}:` : ""}${part(line, matches)}`);
    });
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
  if (mode === "files_with_matches" && matching > 0) add(name);
  if (mode === "count" && matching > 0) add(`${name}:${matching}`);
  return { matching, longLines };
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

import { stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { plural } from "@belay/core/internal";
import * as z from "zod";
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

const MOST = 200;
const SEARCH_MS = 20_000;

const schema = toolInput("Glob", {
  pattern: z
    .string()
    .min(1)
    .max(1000)
    .describe("For example src/**/*.{ts,tsx}, from the folder given by path"),
  path: z.string().min(1).optional().describe("The folder to look in, the working folder if not given"),
});

type Input = z.infer<typeof schema>;

export const glob: Tool<Input> = {
  name: "Glob",
  description:
    `Finds files by a pattern of their paths (*, **, ?, [a-z], {a,b}), at most ${MOST}, the last changed first. ` +
    ".git and node_modules are left out unless the pattern or the path begins below them.",
  kind: "read",
  schema,
  subject: ({ pattern }) => pattern,
  paths: (input) => [startOf(input)],
  run: (input, context) =>
    withFile(startOf(input), context, "look into", (place) => find(place, input, context)),
};

/** So many are held before the oldest are let go: memory stays flat in the largest tree. */
const HELD = 1000;

/** The last changed of the files below a folder whose path from there matches. */
export async function find(
  { full, given }: Place,
  { pattern }: Input,
  context: Pick<ToolContext, "cwd" | "signal" | "readingOf">,
  limitMs = SEARCH_MS,
): Promise<ToolResult> {
  const { rest } = splitGlob(pattern);
  const matches = await orReason(`the pattern ${pattern}`, () => globTest(rest));
  if (typeof matches === "string") return failed(matches);
  if (!(await stat(full)).isDirectory()) return failed(`${given} is a file, not a folder`);
  const deadline = performance.now() + limitMs;
  let newest: Timed[] = [];
  const cutBack = () => {
    newest = newest.sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1)).slice(0, MOST);
  };
  let [total, unreadable, isLate] = [0, 0, false];
  for await (const { files, links, isReadable } of walk(full, context.signal, levelsOf(rest))) {
    if (!isReadable) unreadable += 1;
    const wanted = [...files, ...links].filter((file) => matches(relative(full, file).split(sep).join("/")));
    const found = (await Promise.all(wanted.map(timed))).filter((file) => file !== undefined);
    total += found.length;
    newest = [...newest, ...found];
    if (newest.length > HELD) cutBack();
    isLate = performance.now() > deadline;
    if (isLate) break;
  }
  cutBack();
  const open = newest.map(({ file }) => file).filter(isShown(full, context));
  const leftOut = newest.length - open.length;
  const filenames = open.map((file) => shown(file, context.cwd));
  const notes = [
    total === 0 && `no file matches ${pattern} in ${given}`,
    total > MOST && `[the ${MOST} last changed of ${total}: give a narrower pattern for others]`,
    leftOut > 0 &&
      `[${plural(leftOut, "file")} left out: a rule is about reading ${leftOut === 1 ? "it" : "them"}]`,
    isLate && `[ended after ${limitMs / 1000} s, before everything was seen: give a narrower path]`,
    unreadable > 0 && `[${plural(unreadable, "folder")} could not be read]`,
  ].filter((note) => note !== false);
  const response = { filenames, numFiles: total - leftOut, truncated: total > MOST || isLate };
  return succeeded([...filenames, ...notes].join("\n"), response);
}

interface Timed {
  readonly file: string;
  readonly time: number;
}

/** A link counts by what it leads to; one to a folder, or to nothing, is no file. */
async function timed(file: string): Promise<Timed | undefined> {
  try {
    const stats = await stat(file);
    return stats.isFile() ? { file, time: stats.mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}

/** What may not be read is not named either; what asks is named after the user was asked about the folder. */
function isShown(
  folder: string,
  { readingOf = () => undefined }: Pick<ToolContext, "readingOf">,
): (file: string) => boolean {
  const wasAsked = readingOf(folder) === "ask";
  return (file) => {
    const reading = readingOf(file);
    return reading === undefined || (reading === "ask" && wasAsked);
  };
}

/** Nothing outside of this folder is looked at, whatever the pattern says after it. */
function startOf({ pattern, path = "." }: Input): string {
  const { folder } = splitGlob(pattern);
  if (folder === "") return path;
  return isAbsolute(folder) ? folder : join(path, folder);
}

/** The folder in which every match is, and the pattern from there: `src/a/*.ts` is `*.ts` in `src/a`. */
function splitGlob(pattern: string): { readonly folder: string; readonly rest: string } {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => /[\\*?[\]{}()]/.test(part));
  const fixed = first < 0 ? parts.length - 1 : Math.min(first, parts.length - 1);
  const folder = parts.slice(0, fixed).join("/");
  return {
    folder: folder === "" && pattern.startsWith("/") ? "/" : folder,
    rest: parts.slice(fixed).join("/"),
  };
}

/** How deep a match can be: without `**` no deeper than the pattern, so that `/*.conf` does not walk a whole disk. */
function levelsOf(pattern: string): number {
  return pattern.includes("**") ? Infinity : pattern.split("/").length;
}

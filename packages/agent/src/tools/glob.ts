import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { plural } from "@belay/core/internal";
import * as z from "zod";
import { placeOf, shown, withFile } from "./files/place.ts";
import { findNewest, globTest, levelsOf, splitGlob } from "./files/walk.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { failed, orReason, succeeded, toolInput } from "./tool.ts";

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
  run: (input, context) => {
    const place = placeOf(startOf(input), context);
    return withFile(place, context, "look into", async () => {
      const matches = await orReason(`the pattern ${input.pattern}`, () =>
        globTest(splitGlob(input.pattern).rest),
      );
      if (typeof matches === "string") return failed(matches);
      if (!(await stat(place.full)).isDirectory()) return failed(`${place.given} is a file, not a folder`);
      const { files, total, unreadable, isLate } = await findNewest(place.full, matches, {
        levels: levelsOf(splitGlob(input.pattern).rest),
        signal: context.signal,
        most: MOST,
        limitMs: SEARCH_MS,
      });
      const open = files.filter(isShown(place.full, context));
      const leftOut = files.length - open.length;
      const filenames = open.map((file) => shown(file, context.cwd));
      const notes = [
        total === 0 && `no file matches ${input.pattern} in ${place.given}`,
        total > MOST && `[the ${MOST} last changed of ${total}: give a narrower pattern for others]`,
        leftOut > 0 &&
          `[${plural(leftOut, "file")} left out: a rule is about reading ${leftOut === 1 ? "it" : "them"}]`,
        isLate && `[ended after ${SEARCH_MS / 1000} s, before everything was seen: give a narrower path]`,
        unreadable > 0 && `[${plural(unreadable, "folder")} could not be read]`,
      ].filter((note) => note !== false);
      return succeeded([...filenames, ...notes].join("\n"), {
        filenames,
        numFiles: total - leftOut,
        truncated: total > MOST || isLate,
      });
    });
  },
};

/** What may not be read is not named either; what asks is named after the user was asked about the folder. */
function isShown(folder: string, { readingOf = () => undefined }: ToolContext): (file: string) => boolean {
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

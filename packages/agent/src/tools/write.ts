import { plural } from "@belay/core/internal";
import { targetOf, writeWhole } from "@belay/engine/internal";
import * as z from "zod";
import { withFile } from "./files/place.ts";
import { oneAtATime } from "./files/walk.ts";
import { succeeded, type Tool, toolInput } from "./tool.ts";

const schema = toolInput("Write", {
  file_path: z.string().min(1).describe("The file; folders on the way are made"),
  content: z.string().describe("Its whole content"),
});

export const write: Tool<z.infer<typeof schema>> = {
  name: "Write",
  description: "Creates a file, or replaces the whole content of one. To change a part of a file, use Edit.",
  kind: "edit",
  schema,
  subject: ({ file_path }) => file_path,
  paths: ({ file_path }) => [file_path],
  run: ({ file_path, content }, context) =>
    withFile(file_path, context, "write", async ({ full }) => {
      const target = targetOf(full);
      const type = await oneAtATime(target, () => writeWhole(target, content, context.signal));
      const lines = linesIn(content);
      return succeeded(`${type} ${file_path} (${plural(lines, "line")})`, {
        filePath: full,
        type,
        lines,
      });
    }),
};

/** A last line need not end. */
function linesIn(content: string): number {
  if (content === "") return 0;
  return content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
}

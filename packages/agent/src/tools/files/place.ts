import { readdir } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { didYouMean } from "@belay/core/internal";
import { failed, type ToolContext, type ToolResult } from "../tool.ts";

/** A file as a tool's input names it, and where that is. */
export interface Place {
  readonly given: string;
  readonly full: string;
}

/** A path as the model is shown it: from the working folder where it is below, on one line whatever its name holds. */
export function shown(file: string, cwd: string): string {
  const below = relative(cwd, file);
  const path = below === "" || below.startsWith("..") || isAbsolute(below) ? file : below;
  const plain = sep === "\\" ? path.replaceAll("\\", "/") : path;
  return /[\x00-\x1f\x7f]/.test(plain) ? JSON.stringify(plain) : plain;
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is a file, not a folder",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  ENOSPC: "no space is left on the disk",
  EROFS: "the disk is read-only",
  ERR_INVALID_ARG_VALUE: "it is no path: it holds a NUL character",
};

/** Opening one could wait or go on for ever. */
export const NOT_A_FILE = "it is a pipe, a socket or a device, not a file";

/** Does something with a file; what the system refuses becomes a result without success. An abort still rejects. */
export async function withFile(
  given: string,
  { cwd, signal }: ToolContext,
  verb: string,
  task: (place: Place) => Promise<ToolResult>,
): Promise<ToolResult> {
  const place = { given, full: resolve(cwd, given) };
  try {
    signal.throwIfAborted();
    return await task(place);
  } catch (error) {
    signal.throwIfAborted();
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") return failed(await missing(place));
    if (code === "") throw error;
    return failed(`cannot ${verb} ${given}: ${REASONS[code] ?? (error as Error).message}`);
  }
}

async function missing({ given, full }: Place): Promise<string> {
  const folder = dirname(full);
  try {
    return `${given} does not exist${didYouMean(basename(full), await readdir(folder))}`;
  } catch {
    return `${given} does not exist, and neither does its folder ${folder}`;
  }
}

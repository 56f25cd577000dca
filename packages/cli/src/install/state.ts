import { join } from "node:path";
import { isObject, messageOf } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { belayFolder, readText, writeWholeSync } from "@belay/engine/internal";
import type { Piece } from "./format.ts";
import type { Scope } from "./place.ts";

/** What install wrote into one file. */
export interface Written {
  readonly agent: string;
  readonly scope: Scope;
  /** The project, in the project's scope. */
  readonly project?: string;
  /** SHA-256 of the file as it was written. */
  readonly hash: string;
  /** Without these the file is what it was. */
  readonly pieces: readonly Piece[];
  readonly made: readonly (readonly string[])[];
  /** There was no such file, nor these folders. */
  readonly created: boolean;
  readonly folders: readonly string[];
}

export type Installed = Readonly<Record<string, Written>>;

function stateFile(home: string): string {
  return join(belayFolder(home), "installed.json");
}

/** By the path of the file. Throws a UsageError where that cannot be told. */
export function readInstalled(home: string): Installed {
  const file = stateFile(home);
  try {
    const read: unknown = JSON.parse(readText(file, { max: 32 * 1024 * 1024 }));
    if (isObject(read) && isObject(read.files)) return read.files as Installed;
    throw new Error("it holds no list of files");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new UsageError(
      `what is installed stands in ${file}, which cannot be read: ${messageOf(error)}`,
      "move it away: entries of ours are then found by their command",
    );
  }
}

export function writeInstalled(home: string, files: Installed): void {
  writeWholeSync(stateFile(home), `${JSON.stringify({ files }, null, 2)}\n`, 0o600);
}

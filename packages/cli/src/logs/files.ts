import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { messageOf } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { homeFolder } from "@belay/engine/internal";
import type { LoggingAgent } from "@belay/harness";
import type { LeftOut } from "./entries.ts";

/** A session log, as it was found. */
export interface LogFile {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds: when it was written last. */
  readonly changed: number;
}

/** Where an agent's session logs are. */
export interface LogPlace {
  readonly folders: readonly string[];
  readonly files: readonly LogFile[];
  /** Folders that cannot be read. */
  readonly unread: readonly LeftOut[];
}

type Folder = LoggingAgent["log"]["folders"][number];

/** A variable that is set but empty names no folder. */
function folderOf({ variable, home, below }: Folder): string {
  return join(process.env[variable] || join(homeFolder(), home), below);
}

/** False where the agent has left no logs at all. */
export function hasLogs({ log }: LoggingAgent): boolean {
  return log.folders.some((folder) => {
    try {
      return statSync(folderOf(folder), { throwIfNoEntry: false }) !== undefined;
    } catch (error) {
      // Below a file there is nothing. Of anything else it is not known what is there, and reading it tells why.
      return codeOf(error) !== "ENOTDIR";
    }
  });
}

/** The session logs of an agent, those that were written first in front. A file that was not written to since says nothing. */
export function findLogs(agent: LoggingAgent, since: Date | undefined): LogPlace {
  const { log, title } = agent;
  if (!hasLogs(agent)) {
    const [first] = log.folders as [Folder];
    throw new UsageError(
      `${title} has left no session logs: there is no ${folderOf(first)}`,
      `if they are elsewhere, set ${first.variable} to the folder that holds ${first.below}`,
    );
  }
  const folders = log.folders.map(folderOf);
  const unread: LeftOut[] = [];
  const leaveOut = (path: string, error: unknown) => {
    if (codeOf(error) !== "ENOENT") unread.push({ path, why: messageOf(error) });
  };
  const paths = new Set(
    folders.flatMap((folder) =>
      pathsBelow(folder, leaveOut).filter((path) => log.isLog(relative(folder, path))),
    ),
  );
  // While a compressed log is written to again, it stands beside itself.
  const files = [...paths]
    .filter((path) => !(path.endsWith(COMPRESSED) && paths.has(path.slice(0, -COMPRESSED.length))))
    .flatMap((path) => statOfLog(path) ?? []);
  const least = since?.getTime() ?? 0;
  return {
    folders,
    unread,
    files: files
      .filter(({ changed }) => changed >= least)
      .sort((a, b) => a.changed - b.changed || (a.path < b.path ? -1 : 1)),
  };
}

const COMPRESSED = ".zst";

/** Links are not followed: a folder may lead to itself. */
function pathsBelow(folder: string, leaveOut: (path: string, error: unknown) => void): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? pathsBelow(path, leaveOut) : entry.isFile() ? [path] : [];
    });
  } catch (error) {
    leaveOut(folder, error);
    return [];
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Undefined if it was removed meanwhile. */
function statOfLog(path: string): LogFile | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && { path, bytes: stat.size, changed: stat.mtimeMs };
}

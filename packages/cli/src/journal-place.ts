import { resolve } from "node:path";
import { type EventRecord, UsageError } from "@belay/engine";
import { findProject, journalFolder, linesFromEnd, statOf } from "@belay/engine/tools";
import { workingFolder } from "./config-args.ts";
import { BELAY } from "./next.ts";

/** Where records are, and which of them are meant before any filter. */
export interface JournalPlace {
  /** A folder, or one file of it. */
  readonly place: string;
  isMeant(record: EventRecord): boolean;
}

/** A journal's file, its folder, or a session of this project's journal; without a name that journal as a whole. */
export function journalPlace(named: string | undefined, cwd: string | undefined): JournalPlace {
  const own = journalFolder(findProject(workingFolder(cwd)));
  if (named === undefined) return { place: own, isMeant: () => true };
  const path = resolve(named);
  const stat = statOf(path);
  const isFolder = stat?.isDirectory() ?? false;
  if (stat && !(isFolder && linesFromEnd(path).next().done)) return { place: path, isMeant: () => true };
  const isMeant = ({ session }: EventRecord) => session === named;
  for (const line of linesFromEnd(own))
    if ("record" in line && isMeant(line.record)) return { place: own, isMeant };
  throw isFolder
    ? new UsageError(
        `${JSON.stringify(named)} is a folder without a journal, and no session of this project`,
        "--cwd names a folder of another project",
      )
    : new UsageError(
        `${JSON.stringify(named)} is no file, no folder and no session of this project`,
        `${BELAY} tail --json shows the sessions there are`,
      );
}

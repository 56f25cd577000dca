import { resolve } from "node:path";
import { clean, oneLine } from "@belay/core/clean";
import { shellWord } from "@belay/core/internal";
import { type EventRecord, UsageError } from "@belay/engine";
import { findProject, journalFolder, linesFromEnd, statOf } from "@belay/engine/internal";
import { workingFolder } from "../args/config.ts";
import { nothingText, nothingYet } from "./nothing-found.ts";

/** Where records are, and which of them are meant before any filter. */
export interface JournalPlace {
  /** A folder, or one file of it. */
  readonly place: string;
  /** What was named, if anything was. */
  readonly named?: string;
  /** The session, if it was one. */
  readonly session?: string;
  isMeant(record: EventRecord): boolean;
}

/** A journal's file, its folder, or a session of this project's journal; without a name that journal as a whole. */
export function journalPlace(named: string | undefined, cwd: string | undefined): JournalPlace {
  const own = journalFolder(findProject(workingFolder(cwd)));
  if (named === undefined) return { place: own, isMeant: () => true };
  const path = resolve(named);
  const stat = statOf(path);
  const isFolder = stat?.isDirectory() ?? false;
  if (stat && !(isFolder && linesFromEnd(path).next().done))
    return { place: path, named, isMeant: () => true };
  const isMeant = ({ session }: EventRecord) => session === named;
  const others = new Set<string>();
  for (const line of linesFromEnd(own)) {
    if (!("record" in line)) continue;
    if (isMeant(line.record)) return { place: own, named, session: named, isMeant };
    if (others.size < MAX_NAMED) others.add(line.record.session);
  }
  throw isFolder
    ? new UsageError(
        `${JSON.stringify(named)} is a folder without a journal, and no session of this project`,
        `if its project is meant: --cwd ${shellWord(clean(named))}`,
      )
    : noSession(named, [...others], nothingText(nothingYet(own, cwd)));
}

/** Sessions that a message names. */
const MAX_NAMED = 3;

function noSession(named: string, others: readonly string[], nothing: string): UsageError {
  const given = JSON.stringify(named);
  return others.length === 0
    ? new UsageError(`${given} is no file and no folder, and there are no sessions: ${nothing}`)
    : new UsageError(
        `${given} is no file, no folder and no session of this project`,
        `its last sessions: ${others.map(oneLine).join(", ")}`,
      );
}

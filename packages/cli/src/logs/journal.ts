import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plural } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { openJournal } from "@belay/engine/internal";
import type { Io } from "../io.ts";
import { nothingText, recordFilter } from "../records/journal.ts";
import { progressLine } from "../render/progress.ts";
import { type FromValues, findNamed, leftOutSayer, wantedBy, whyNoEntry } from "./from.ts";
import { logRecords } from "./records.ts";

/** Session logs as they were read once, as a journal in a folder that only the user can open. */
export interface LogJournal {
  readonly folder: string;
  readonly agents: readonly { readonly name: string; readonly title: string }[];
  /** ISO 8601: when they were read. */
  readonly read: string;
  /** How many of the oldest events there is no room for. */
  readonly dropped: number;
  /** How many files and lines could not be read. */
  readonly unread: number;
  /** Removes the folder. */
  close(): void;
}

/** A temporary folder may be kept in memory. */
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Reads the logs that are meant into a scratch journal, without secrets: what is held in memory does not grow with the logs,
 * and whoever reads a journal reads them. Undefined when it was interrupted.
 */
export async function openLogJournal(
  values: FromValues,
  io: Io,
  signal: AbortSignal,
  maxBytes = MAX_BYTES,
): Promise<LogJournal | undefined> {
  const wanted = wantedBy(values, false);
  const { matches } = recordFilter(values);
  const found = findNamed(values, wanted);
  const leftOut = leftOutSayer();
  let unread = 0;
  const leaveOut: typeof leftOut.add = (what) => {
    unread += 1;
    leftOut.add(what);
  };
  const folder = mkdtempSync(join(tmpdir(), "belay-inspect-"));
  const close = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", close);
  const journal = openJournal(folder, { journalBytes: maxBytes, journalDays: Number.POSITIVE_INFINITY });
  const read = new Date().toISOString();
  let written = 0;
  const progress = progressLine(
    io,
    () => `reading the logs: ${plural(written, "event")} …   Ctrl-C ends it; --since 7d reads less`,
  );
  try {
    for await (const record of logRecords(found, wanted, leaveOut, false).all(matches)) {
      if (signal.aborted) break;
      const why = journal.write(record);
      if (why === undefined) written += 1;
      else leaveOut({ path: String(record.payload.transcript_path), why });
    }
  } catch (error) {
    close();
    throw error;
  } finally {
    journal.close();
    progress.wipe();
  }
  leftOut.say(io);
  if (signal.aborted) {
    close();
    return undefined;
  }
  if (written === 0) {
    close();
    const nothing = found.map((one) => nothingText(whyNoEntry("inspect", one, values)));
    throw new UsageError(nothing.join("\n"));
  }
  const dropped = written - linesIn(folder);
  if (dropped > 0)
    io.err(`belay: of ${plural(written, "event")} the oldest ${dropped} have no room and are not shown\n`);
  const agents = found.map(({ agent: { name, title } }) => ({ name, title }));
  return { folder, agents, read, dropped, unread, close };
}

/** How many lines the files of a folder have; none is large. */
function linesIn(folder: string): number {
  let count = 0;
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) count += 1;
  }
  return count;
}

const LINE_END = 10;

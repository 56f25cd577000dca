import { sep } from "node:path";
import { messageOf } from "@belay/core/internal";
import { type LogEntry, type LoggingAgent, underOurNames } from "@belay/harness";
import { linesOf, PAUSE } from "./lines.ts";

/** Which entries are meant. */
export interface Wanted {
  readonly since?: Date | undefined;
  /** Of sessions in these folders, and below: one folder, by all its names. */
  readonly projects?: readonly string[] | undefined;
  /** Results of calls that succeeded are not needed. */
  readonly skims: boolean;
}

/** What was left out, and why. */
export interface LeftOut {
  readonly path: string;
  readonly line?: number;
  readonly why: string;
}

const WHY = {
  torn: "it was not written to its end",
  foreign: "its format is not known",
  long: "it is longer than 16 MB",
} as const;

/** Both ends: 52 bits, which is what a number holds, and in one of them is chance in every kind of id. */
const UUID = /^([\da-f]{8})-(?:[\da-f]{4}-){3}[\da-f]{7}([\da-f]{5})$/i;

/**
 * Reads the logs of one agent, file by file. A session that was forked begins with copies of another's lines: they are known
 * again by their ids, of which the reader keeps a number each.
 */
export function entryReader(agent: LoggingAgent, wanted: Wanted, leaveOut: (what: LeftOut) => void) {
  const { log } = agent;
  const named = underOurNames(agent.tools);
  const isMeant = filterFor(wanted);
  const known = new Set<number>();

  const isCopy = (id: string | undefined) => {
    if (id === undefined) return false;
    const [, first = "", last = ""] = UUID.exec(id) ?? [];
    if (first === "") return false;
    const { size } = known;
    return known.add(Number.parseInt(first + last, 16)).size === size;
  };

  return function* entriesOf(path: string): Generator<LogEntry | typeof PAUSE> {
    const read = log.reader(path);
    try {
      for (const line of linesOf(path, (raw) => log.matters(raw, wanted.skims))) {
        if (line === PAUSE) {
          yield PAUSE;
          continue;
        }
        const entries = "flaw" in line ? [{ kind: "flaw" as const, why: line.flaw }] : read(line.text);
        const [first] = entries;
        if (first && first.kind !== "flaw" && isCopy(first.line)) continue;
        for (const entry of entries) {
          if (entry.kind === "flaw") leaveOut({ path, line: line.number, why: WHY[entry.why] });
          else if (isMeant(entry)) yield named(entry);
        }
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      leaveOut({ path, why: messageOf(error) });
    }
  };
}

function filterFor({ since, projects }: Wanted): (entry: LogEntry) => boolean {
  const least = since?.toISOString();
  const isIn = (cwd: string) => projects?.some((folder) => cwd === folder || cwd.startsWith(folder + sep));
  return ({ time, cwd }) =>
    (least === undefined || time >= least) &&
    (projects === undefined || (cwd !== undefined && isIn(cwd) === true));
}

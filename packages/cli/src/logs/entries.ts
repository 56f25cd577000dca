import { sep } from "node:path";
import { messageOf } from "@belay/core/internal";
import { type LogEntry, type LogFlaw, type LoggingAgent, logReader, type RawLine } from "@belay/harness";
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
  /** What stands before was read. */
  readonly isRest?: boolean;
  readonly why: string;
}

const WHY = {
  torn: "it was not written to its end",
  foreign: "its format is not known",
  long: "it is longer than 16 MB",
} as const;

/** 52 bits of a text, which is what a number holds: two halves, each mixed by a multiplication that is prime to the other's. */
function numberOf(text: string): number {
  let high = 0;
  let low = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  return (high >>> 6) * 0x4000000 + (low >>> 6);
}

/**
 * Reads the logs of one agent, file by file. A session that was forked begins with copies of another's lines: they are known
 * again by their ids, of which the reader keeps a number each.
 */
export function entryReader(agent: LoggingAgent, wanted: Wanted, leaveOut: (what: LeftOut) => void) {
  const { log } = agent;
  const isMeant = filterFor(wanted);
  const known = new Set<number>();

  const isCopy = (id: string | undefined) => {
    if (id === undefined) return false;
    const { size } = known;
    return known.add(numberOf(id)).size === size;
  };

  /** Lines that were looked at, and those of them that may say something. */
  const seen = { lines: 0, telling: 0 };
  const matters = (raw: RawLine) => {
    const isTelling = log.matters(raw, wanted.skims);
    seen.lines += 1;
    if (isTelling) seen.telling += 1;
    return isTelling;
  };

  function* entriesOf(path: string): Generator<LogEntry | typeof PAUSE> {
    const read = logReader(agent, path);
    let isBegun = false;
    try {
      for (const line of linesOf(path, matters)) {
        if (line === PAUSE) {
          yield PAUSE;
          continue;
        }
        isBegun = true;
        const entries =
          "flaw" in line ? [{ kind: "flaw" as const, why: line.flaw }] : readLine(read, line.text);
        const [first] = entries;
        if (first && first.kind !== "flaw" && isCopy(first.line)) continue;
        for (const entry of entries) {
          if (entry.kind === "flaw") leaveOut({ path, line: line.number, why: WHY[entry.why] });
          else if (isMeant(entry)) yield entry;
        }
      }
    } catch (error) {
      leaveOut({ path, why: messageOf(error), isRest: isBegun });
    }
  }

  return { entriesOf, seen };
}

/** A line at which its reader fails, and one that says what no agent writes, takes nothing from the others. */
function readLine(
  read: (text: string) => readonly (LogEntry | LogFlaw)[],
  text: string,
): readonly (LogEntry | LogFlaw)[] {
  try {
    const entries = read(text);
    if (entries.every(isSound)) return entries;
  } catch {
    // The same.
  }
  return [{ kind: "flaw", why: "foreign" }];
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** A payload may have a thousand levels, and this is a part of one. */
const MAX_LEVELS = 500;

function isSound(entry: LogEntry | LogFlaw): boolean {
  if (entry.kind === "flaw") return true;
  const { input, output } = entry as { readonly input?: unknown; readonly output?: unknown };
  return TIME.test(entry.time) && !isDeeper(input, MAX_LEVELS) && !isDeeper(output, MAX_LEVELS);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

function filterFor({ since, projects }: Wanted): (entry: LogEntry) => boolean {
  const least = since?.toISOString();
  const isIn = (cwd: string) => projects?.some((folder) => cwd === folder || cwd.startsWith(folder + sep));
  return ({ time, cwd }) =>
    (least === undefined || time >= least) &&
    (projects === undefined || (cwd !== undefined && isIn(cwd) === true));
}

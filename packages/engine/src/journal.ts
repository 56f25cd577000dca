import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { EventRecord } from "@belay/core";
import { homeFolder } from "./config/discover.ts";
import { shortHash } from "./ids.ts";
import { mapStrings } from "./map-strings.ts";
import { redactValue } from "./redact.ts";

/** One JSON line per fired event, in the user's own folder. */
export interface Journal {
  readonly folder: string;
  /** Writes a record; returns why it could not. Work goes on either way. */
  write(record: EventRecord): string | undefined;
}

const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_FILES = 8;
/** Longer strings of a payload are cut in the record; hooks saw them whole. */
const MAX_PAYLOAD_TEXT = 64 * 1024;

export function journalFolder(project: string, home?: string): string {
  const name = basename(project).replaceAll(/[^\w.-]/g, "_") || "root";
  const hash = shortHash(project);
  return join(homeFolder(home), ".belay", "journal", `${name}-${hash}`);
}

export function openJournal(folder: string): Journal {
  let isReady = false;
  return {
    folder,
    write: (record) => {
      try {
        if (!isReady) mkdirSync(folder, { recursive: true, mode: 0o700 });
        isReady = true;
        const file = currentFile(folder, record.time.slice(0, 10));
        appendFileSync(file, `${JSON.stringify(redactRecord(shorten(record)))}\n`, { mode: 0o600 });
        return undefined;
      } catch (error) {
        isReady = false;
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}

/** The day's newest file that has room. Starting a new one removes the oldest beyond the bound. */
function currentFile(folder: string, day: string): string {
  for (let part = 0; ; part += 1) {
    const file = join(folder, part === 0 ? `${day}.jsonl` : `${day}.${String(part).padStart(4, "0")}.jsonl`);
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) prune(folder);
    if (size === undefined || size < MAX_FILE_BYTES) return file;
  }
}

function prune(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort();
  for (const name of files.slice(0, Math.max(0, files.length - MAX_FILES + 1)))
    rmSync(join(folder, name), { force: true });
}

function shorten(record: EventRecord): EventRecord {
  const payload = mapStrings(record.payload, (text) =>
    text.length > MAX_PAYLOAD_TEXT ? `${text.slice(0, MAX_PAYLOAD_TEXT)}…` : text,
  ) as EventRecord["payload"];
  return payload === record.payload ? record : { ...record, payload, shortened: true };
}

/** Redacts every string of a record; kinds, codes and names of ours hold no secret and stay what they are. */
export function redactRecord(record: EventRecord): EventRecord {
  const redacted = redactValue(record) as EventRecord;
  return redacted === record ? record : { ...redacted, redacted: true };
}

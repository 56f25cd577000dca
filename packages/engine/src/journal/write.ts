import { closeSync, constants, fstatSync, lstatSync, openSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { EventRecord } from "@belay/core";
import { messageOf, shorten } from "@belay/core/internal";
import { belayFolder, homeFolder } from "../config/discover.ts";
import type { Variables } from "../environment.ts";
import { NO_WAIT } from "../files/read.ts";
import { closeFileToOthers, closeFolderToOthers, makeFolder } from "../files/write.ts";
import { shortHash } from "../ids.ts";
import { DEFAULT_LIMITS, type Limits } from "../options.ts";
import { textOf } from "../payload.ts";
import {
  dayOf,
  isTorn,
  type JournalBound,
  journalBound,
  journalFiles,
  journalsBeside,
  noteDays,
  partOf,
  removeOutlived,
  sizeOf,
} from "./files.ts";
import { mayHoldSecret, redactRecord, type Secrets, secretValues } from "./redact.ts";

/** One JSON line per fired event, in the user's own folder. */
export interface Journal {
  readonly folder: string;
  /** Writes a record without its secrets and what the user's patterns match; returns why it could not. */
  write(record: EventRecord, patterns?: Secrets["patterns"]): string | undefined;
  close(): void;
}

/** No secret that is known by its shape is longer. */
const MAX_SECRET = 4096;
/** Longer strings of a payload are cut in the record; hooks saw them whole. */
const MAX_PAYLOAD_TEXT = 64 * 1024;
/** A payload whose JSON is longer than this is cut field by field. */
const MAX_PAYLOAD = 1024 * 1024;

export function journalFolder(project: string, home?: string): string {
  const name = basename(project).replaceAll(/[^\w.-]/g, "_") || "root";
  const hash = shortHash(project);
  return join(belayFolder(homeFolder(home)), "journal", `${name}-${hash}`);
}

/** The folders of a journal that nobody but us has made. That of a host is the host's to open or close. */
export function ownFolders(folder: string): string[] {
  return [dirname(folder), folder];
}

/** `own`: the folders that are closed to others, should they be found open. `env`: what hooks get besides the process's own variables. */
export function openJournal(
  folder: string,
  { journalBytes, journalDays }: Pick<Limits, "journalBytes" | "journalDays"> = DEFAULT_LIMITS,
  own: readonly string[] = [],
  env: Variables = {},
): Journal {
  const bound = journalBound(journalBytes, journalDays);
  const place = { folder, own, bound };
  const secrets: Secrets = { values: [process.env, env].flatMap(secretValues), patterns: [] };
  /** Kept open: finding and opening it for each event would take longer than the record itself. */
  let file: OpenFile | undefined;

  function close(): void {
    if (file) closeSync(file.descriptor);
    file = undefined;
  }

  return {
    folder,
    write: (record, patterns = []) => {
      const day = record.time.slice(0, 10);
      try {
        const line = `${redactedJson(shortenPayload(record), { ...secrets, patterns })}\n`;
        if (file && !canGoOn(file, day, bound)) close();
        file ??= openFile(place, day);
        append(file.descriptor, file.isTorn ? `\n${line}` : line);
        file.isTorn = false;
        return undefined;
      } catch (error) {
        close();
        return messageOf(error);
      }
    },
    close,
  };
}

interface Place {
  readonly folder: string;
  readonly own: readonly string[];
  readonly bound: JournalBound;
}

interface OpenFile {
  readonly descriptor: number;
  readonly day: string;
  /** It ends in the middle of a line. */
  isTorn: boolean;
}

const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | NO_WAIT;
/** Windows has no such flag. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;

function openFile(place: Place, day: string): OpenFile {
  makeFolder(place.folder);
  for (const one of place.own) closeFolderToOthers(one);
  const path = currentFile(place, day);
  const behind = statSync(path, { throwIfNoEntry: false });
  if (behind?.isFIFO()) throw new Error(`${path} is a pipe, not a file`);
  // Somebody who could write here may have made it lead to any file of ours; a device (/dev/null) is none.
  const mayBeLink = behind?.isCharacterDevice() ?? false;
  if (!mayBeLink && isLink(path)) throw new Error(`${path} is a link, not a file`);
  const torn = isTorn(path);
  const descriptor = openSync(path, mayBeLink ? APPEND : APPEND | NO_LINK, 0o600);
  closeFileToOthers(descriptor);
  return { isTorn: torn, descriptor, day };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** In one call, which takes half the time of appendFileSync. A disk that is nearly full takes a part of it. */
function append(descriptor: number, text: string): void {
  if (writeSync(descriptor, text) < Buffer.byteLength(text)) throw new Error("no space left on the device");
}

/** Not when the day is over, the file is full, or someone has removed it. */
function canGoOn({ descriptor, day }: OpenFile, today: string, { fileBytes }: JournalBound): boolean {
  const { size, nlink } = fstatSync(descriptor);
  return day === today && size < fileBytes && nlink > 0;
}

/**
 * The newest file if it has room, else the next one. Starting a file removes those beyond the bound. Of several writers
 * that find it full at once, each comes to the same next one.
 */
function currentFile({ folder, own, bound }: Place, day: string): string {
  const newest = journalFiles(folder).findLast((name) => dayOf(name) === day);
  if (newest !== undefined && sizeOf(join(folder, newest)) < bound.fileBytes) return join(folder, newest);
  const isOurs = own.length > 0;
  if (isOurs) noteDays(folder, bound.days);
  removeOutlived(folder, day, bound, isOurs ? journalsBeside(folder) : []);
  if (newest === undefined) return join(folder, `${day}.jsonl`);
  return join(folder, `${day}.part-${String(partOf(newest) + 1).padStart(4, "0")}.jsonl`);
}

/** Cuts what is long in a payload. What the hooks answered stays whole: a replay needs it. */
function shortenPayload(record: EventRecord): EventRecord {
  if (textOf(record.payload).length <= MAX_PAYLOAD_TEXT) return record;
  let isShortened = false;
  const read = JSON.parse(textOf(record.payload), (_, value: unknown) => {
    if (typeof value !== "string" || value.length <= MAX_PAYLOAD_TEXT) return value;
    isShortened = true;
    return cutText(value);
  }) as EventRecord["payload"];
  const payload = shortJsons(read);
  return isShortened || payload !== read ? { ...record, payload, shortened: true } : record;
}

/** Cut before the word that its end falls into: half a secret is not known for one. */
function cutText(text: string): string {
  const end = text.slice(MAX_PAYLOAD_TEXT - MAX_SECRET, MAX_PAYLOAD_TEXT);
  const { length } = /[^\s"',;]*$/.exec(end)?.[0] ?? "";
  return shorten(text, length < MAX_SECRET ? MAX_PAYLOAD_TEXT - length : MAX_PAYLOAD_TEXT);
}

/** A field that is long by its many parts is kept as the beginning of its JSON. */
function shortJsons(payload: EventRecord["payload"]): EventRecord["payload"] {
  if (JSON.stringify(payload).length <= MAX_PAYLOAD) return payload;
  const shortJson = (value: unknown) => {
    const text = JSON.stringify(value) ?? "";
    return text.length > MAX_PAYLOAD_TEXT ? cutText(text) : value;
  };
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, shortJson(value)]));
}

/** The payload stands there as hooks read it: its owner may have changed it since. */
function redactedJson(record: EventRecord, secrets: Secrets): string {
  const rest = JSON.stringify({ ...record, payload: undefined });
  const json = `${rest.slice(0, -1)},"payload":${textOf(record.payload)}}`;
  if (!mayHoldSecret(json, secrets)) return json;
  return JSON.stringify(redactRecord(JSON.parse(json) as EventRecord, secrets));
}

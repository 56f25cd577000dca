import type { Hook } from "@belay/core";
import type { Folders } from "../environment.ts";
import { contentOf, type Stamp, stampOf } from "../files/read.ts";
import { sha256 } from "../ids.ts";
import { coveredFiles, type FolderMemo } from "./covered-files.ts";

/** What the trust in one hook is about. */
export interface Fingerprint extends Stamp {
  /** "<entry>.<whole>": the entry alone, then the entry with the content of every covered file. */
  readonly print: string;
  /** SHA-256 of each covered file, by its path. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Why the hook cannot be trusted as it is. */
  readonly refusal?: string;
}

interface ReadFile extends Stamp {
  readonly hash: string;
  readonly refusal?: string;
}

/** What was read for one hook, kept for the others that are looked at together with it. */
export interface Memo {
  readonly folders: FolderMemo;
  readonly files: Map<string, ReadFile>;
}

export function openMemo(): Memo {
  return { folders: new Map(), files: new Map() };
}

const entries = new WeakMap<Hook, string>();

/** The first part of a hook's print, with the dot: an edit of a script leaves it alone. */
export function entryPrint(hook: Hook): string {
  const known = entries.get(hook) ?? `${sha256(entryText(hook)).slice(0, 16)}.`;
  entries.set(hook, known);
  return known;
}

/** Event, matcher and every field of the entry, normalised. */
function entryText({ event, matcher, sequential, identity }: Hook): string {
  return JSON.stringify([event, matcher.source, sequential, identity]);
}

/** The first part of any print, with the dot. */
export function entryOf(print: string): string {
  return print.slice(0, print.indexOf(".") + 1);
}

/** Where the words of an entry are looked up; `more` are folders besides the project that count as its own. */
interface Place extends Folders {
  readonly more?: readonly string[];
}

/** Takes the fingerprint of a hook as it is now. Reads every covered file, or none where they are too many. */
export function fingerprint(hook: Hook, place: Place, memo = openMemo()): Fingerprint {
  const { files, tooMuch } = coveredFiles(hook, place, place.more, memo.folders);
  const read = (tooMuch === undefined ? files : []).map((file) => ({ file, ...readOnce(file, memo) }));
  const refusal = tooMuch ?? read.find((one) => one.refusal !== undefined)?.refusal;
  const whole = sha256(JSON.stringify([entryText(hook), read.map((one) => [one.file, one.hash])]));
  return {
    print: entryPrint(hook) + (refusal === undefined ? whole : "refused"),
    scripts: Object.fromEntries(read.map((one) => [one.file, one.hash])),
    stamp: tooMuch === undefined ? read.map(({ stamp }) => stamp).join("\n") : stampsOf(files),
    isFresh: read.some(({ isFresh }) => isFresh),
    ...(refusal !== undefined && { refusal }),
  };
}

/** True while no covered file was written since a fingerprint was taken, and none came or went. */
export function isUntouched(hook: Hook, before: Fingerprint, place: Place): boolean {
  const { files } = coveredFiles(hook, place, place.more);
  if (stampsOf(files) !== before.stamp) return false;
  return !before.isFresh || fingerprint(hook, place).print === before.print;
}

function stampsOf(files: readonly string[]): string {
  return files.map((file) => stampOf(file).stamp).join("\n");
}

function readOnce(file: string, { files }: Memo): ReadFile {
  const known = files.get(file);
  if (known) return known;
  // Before the file is read: a write after that changes the stamp.
  const stamp = stampOf(file);
  let refusal: string | undefined;
  const content = contentOf(file, (why) => {
    refusal ??= why;
  });
  const read = { ...stamp, hash: sha256(content), ...(refusal !== undefined && { refusal }) };
  files.set(file, read);
  return read;
}

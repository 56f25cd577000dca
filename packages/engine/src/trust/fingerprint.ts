import { statSync } from "node:fs";
import type { Hook } from "@belay/core";
import type { Folders } from "../environment.ts";
import { contentOf } from "../files/read.ts";
import { sha256 } from "../ids.ts";
import { coveredFiles, type FolderMemo } from "./covered-files.ts";

/** What the trust in one hook is about. */
export interface Fingerprint {
  /** "<entry>.<whole>": the entry alone, then the entry with the content of every covered file. */
  readonly print: string;
  /** SHA-256 of each covered file, by its path. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Changes with every write to a covered file, even to one that is put back as it was. */
  readonly stamp: string;
  /** A covered file was written so lately that its next write may bear the same time. */
  readonly isFresh: boolean;
  /** Why the hook cannot be trusted as it is. */
  readonly refusal?: string;
}

/** What was read for one hook, kept for the others that are looked at together with it. */
export interface Memo {
  readonly folders: FolderMemo;
  readonly hashes: Map<string, { readonly hash: string; readonly refusal?: string }>;
}

export function openMemo(): Memo {
  return { folders: new Map(), hashes: new Map() };
}

const entries = new WeakMap<Hook, string>();

/** The part of a print that an edit of a script leaves alone, up to the dot. */
export function entryPrint(hook: Hook): string {
  const known = entries.get(hook) ?? `${hash(entryText(hook)).slice(0, 16)}.`;
  entries.set(hook, known);
  return known;
}

/** Event, matcher and every field of the entry, normalised. */
function entryText({ event, matcher, sequential, identity }: Hook): string {
  return JSON.stringify([event, matcher.source, sequential, identity]);
}

/** The part of any print up to its dot. */
export function entryOf(print: string): string {
  return print.slice(0, print.indexOf(".") + 1);
}

/** Takes the fingerprint of a hook as it is now. Reads every covered file. */
export function fingerprint(hook: Hook, folders: Folders, memo = openMemo()): Fingerprint {
  // Before the files are read: a write after that changes the stamp.
  const { stamp, isFresh, files, tooMuch } = stampOf(hook, folders, memo);
  const read = files.map((file) => [file, readOnce(file, memo)] as const);
  const scripts = Object.fromEntries(read.map(([file, { hash: one }]) => [file, one]));
  const refusal = tooMuch ?? read.find(([, one]) => one.refusal !== undefined)?.[1].refusal;
  const whole = hash(JSON.stringify([entryText(hook), read.map(([file, one]) => [file, one.hash])]));
  return {
    print: entryPrint(hook) + (refusal === undefined ? whole : "refused"),
    scripts,
    stamp,
    isFresh,
    ...(refusal !== undefined && { refusal }),
  };
}

/** True while no covered file was written since a fingerprint was taken, and none came or went. */
export function isUntouched(hook: Hook, before: Fingerprint, folders: Folders): boolean {
  if (stampOf(hook, folders, openMemo()).stamp !== before.stamp) return false;
  return !before.isFresh || fingerprint(hook, folders).print === before.print;
}

/** Clocks of file systems tick every few milliseconds. */
const TICK_MS = 50;

function stampOf(hook: Hook, folders: Folders, memo: Memo) {
  const covered = coveredFiles(hook, folders, [], memo.folders);
  const since = BigInt(Date.now() - TICK_MS) * 1_000_000n;
  let isFresh = false;
  const stamps = covered.files.map((file) => {
    try {
      const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
      if (ctimeNs > since) isFresh = true;
      return `${file} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
    } catch {
      return `${file} missing`;
    }
  });
  return { ...covered, stamp: stamps.join("\n"), isFresh };
}

function readOnce(file: string, { hashes }: Memo) {
  const known = hashes.get(file);
  if (known) return known;
  let refusal: string | undefined;
  const content = contentOf(file, (why) => {
    refusal ??= why;
  });
  const read = { hash: hash(content), ...(refusal !== undefined && { refusal }) };
  hashes.set(file, read);
  return read;
}

function hash(content: string | Buffer): string {
  return sha256().update(content).digest("hex");
}

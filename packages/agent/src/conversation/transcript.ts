import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PendingPermission } from "@belay/core";
import { applyChange, type Change } from "./changes.ts";
import type { Message } from "./message.ts";

/** One line of a transcript. */
export type Entry =
  | {
      readonly type: "session";
      readonly version: 1;
      readonly id: string;
      readonly cwd: string;
      readonly time: string;
    }
  | Change
  /** The user is being asked; `decided` says that the question is no longer open. */
  | { readonly type: "asking"; readonly pending: PendingPermission }
  | { readonly type: "decided"; readonly id: string; readonly decision: "allow" | "deny" };

export interface Transcript {
  readonly path: string;
  /** Is in the file when it returns: a killed process loses at most the line that it was writing. */
  write(entry: Entry): void;
  close(): void;
  /** Closes it, and nothing remains of it: there is nothing to go on with. */
  discard(): void;
}

/** Opens a session's transcript to add to it. A line that a killed process left unfinished is closed off. */
export function openTranscript(path: string): Transcript {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "a+", 0o600);
  if (endsTorn(path)) writeSync(file, "\n");
  return {
    path,
    write: (entry) => writeWhole(file, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(file),
    discard: () => {
      closeSync(file);
      rmSync(path, { force: true });
    },
  };
}

function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function endsTorn(path: string): boolean {
  const content = readFileSync(path);
  return content.length > 0 && content.at(-1) !== 10;
}

/** A session as its transcript tells it. */
export interface PastSession {
  readonly id: string;
  readonly cwd: string;
  readonly messages: readonly Message[];
  /** Questions that nobody has answered. */
  readonly pending: readonly PendingPermission[];
  /** Lines that could not be read. */
  readonly broken: number;
}

export function readTranscript(path: string): PastSession {
  let session = { id: basename(path, ".jsonl"), cwd: "" };
  let messages: readonly Message[] = [];
  const pending = new Map<string, PendingPermission>();
  const accepted = new Set<string>();
  let broken = 0;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line === "") continue;
    const entry = parsed(line);
    if (entry === undefined) broken += 1;
    else if (entry.type === "session") session = { id: entry.id, cwd: entry.cwd };
    else if (entry.type === "asking") pending.set(entry.pending.id, entry.pending);
    else if (entry.type === "decided") pending.delete(entry.id);
    else {
      if (entry.type === "accepted") accepted.add(entry.message);
      messages = applyChange(messages, entry);
    }
  }
  // A prompt that hooks were still looking at when the process ended has not passed them.
  const passed = messages.filter(({ id, source }) => source !== "prompt" || accepted.has(id));
  return { ...session, messages: passed, pending: [...pending.values()], broken };
}

const TYPES: readonly Entry["type"][] = [
  "session",
  "asking",
  "decided",
  "message",
  "block",
  "tool",
  "prompt",
  "accepted",
  "remove",
  "reset",
];

function parsed(line: string): Entry | undefined {
  try {
    const entry = JSON.parse(line) as Entry;
    return TYPES.includes(entry.type) ? entry : undefined;
  } catch {
    return undefined;
  }
}

export function transcriptPath(folder: string, sessionId: string): string {
  return join(folder, `${sessionId}.jsonl`);
}

/** The newest session of a folder, or the one whose id begins so. */
export function findTranscript(folder: string, beginning = ""): string | undefined {
  const names = listed(folder).filter((name) => name.endsWith(".jsonl") && name.startsWith(beginning));
  const byAge = names
    .map((name) => join(folder, name))
    .map((path) => ({ path, time: statSync(path).mtimeMs }));
  return byAge.sort((a, b) => b.time - a.time)[0]?.path;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

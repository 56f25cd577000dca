import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PendingPermission } from "@belay/core";
import { UsageError } from "@belay/engine";
import { holderName, livingHolder, makeFolder, readText } from "@belay/engine/internal";
import * as z from "zod";
import { applyChange, type Change } from "./conversation.ts";
import type { Message } from "./message.ts";

/** What a session was guarded by when it was started last. */
export interface InForce {
  readonly hooks: readonly { readonly event: string; readonly name: string; readonly source: string }[];
  /** What the command that started it was given. */
  readonly flags: string;
}

/** One line of a transcript. */
type Entry =
  | {
      readonly type: "session";
      readonly version: 1;
      readonly id: string;
      readonly cwd: string;
      readonly time: string;
      /** Absent in the first line of a session, which comes before its hooks are read. */
      readonly inForce?: InForce;
    }
  | Change
  /** More of an answer that still comes. The block that it becomes at its end stands for all of it. */
  | { readonly type: "draft"; readonly text: string }
  /** The agent has begun to work, or has come to an end of it, whichever. */
  | { readonly type: "turn"; readonly is: "begun" | "ended" }
  /** In the conversation of a subagent; `task` is the call that began it. */
  | { readonly type: "subagent"; readonly task: string; readonly change: Change }
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

/** Opens a session's transcript to add to it; throws a UsageError when another process has it. A line that a killed process left unfinished is closed off. */
export function openTranscript(path: string): Transcript {
  makeFolder(dirname(path));
  const unlock = lockTranscript(path);
  const file = openSync(path, "a+", 0o600);
  if (endsTorn(path)) writeSync(file, "\n");
  return {
    path,
    write: (entry) => writeWhole(file, `${JSON.stringify(entry)}\n`),
    close: () => {
      closeSync(file);
      unlock();
    },
    discard: () => {
      closeSync(file);
      unlock();
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
  /** Conversations of its subagents, by the call that began each. */
  readonly subagents: ReadonlyMap<string, readonly Message[]>;
  /** Questions that nobody has answered. */
  readonly pending: readonly PendingPermission[];
  /** What had come of an answer when the process ended. */
  readonly draft: string;
  /** The process ended in the middle of a turn. */
  readonly isCutOff: boolean;
  /** Lines that could not be read. */
  readonly broken: number;
  readonly inForce?: InForce;
}

export function readTranscript(path: string): PastSession {
  let session: Pick<PastSession, "id" | "cwd" | "inForce"> = { id: basename(path, ".jsonl"), cwd: "" };
  let messages: readonly Message[] = [];
  const subagents = new Map<string, readonly Message[]>();
  const pending = new Map<string, PendingPermission>();
  const accepted = new Set<string>();
  let draft = "";
  let isCutOff = false;
  let broken = 0;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line === "") continue;
    const entry = parsed(line);
    if (entry === undefined) broken += 1;
    else if (entry.type === "session")
      session = { ...session, cwd: entry.cwd, ...(entry.inForce && { inForce: entry.inForce }) };
    else if (entry.type === "asking") pending.set(entry.pending.id, entry.pending);
    else if (entry.type === "decided") pending.delete(entry.id);
    else if (entry.type === "draft") draft += entry.text;
    else if (entry.type === "turn") isCutOff = entry.is === "begun";
    else if (entry.type === "subagent")
      subagents.set(entry.task, applyChange(subagents.get(entry.task) ?? [], entry.change));
    else {
      if (entry.type === "accepted") accepted.add(entry.message);
      if (endsDraft(entry)) draft = "";
      messages = applyChange(messages, entry);
    }
  }
  // A prompt that hooks were still looking at when the process ended has not passed them.
  const passed = messages.filter(({ id, source }) => source !== "prompt" || accepted.has(id));
  return {
    ...session,
    messages: passed,
    subagents,
    pending: [...pending.values()],
    draft,
    isCutOff,
    broken,
  };
}

/** Words of hooks may come while an answer does: they are messages of their own, and do not end it. */
function endsDraft(change: Change): boolean {
  if (change.type === "message") return change.message.source === "model";
  return change.type === "block" || change.type === "reset";
}

const TEXT = z.string();
const OBJECT = z.looseObject({});
const BLOCK = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("tool"), id: TEXT, name: TEXT, input: OBJECT }),
  z.looseObject({ type: z.enum(["text", "warn"]), content: TEXT, to: z.array(TEXT) }),
  z.looseObject({ type: z.enum(["error", "hook"]), content: TEXT }),
]);
const MESSAGE = z.looseObject({
  id: TEXT,
  role: z.enum(["user", "assistant"]),
  source: z.enum(["prompt", "model", "hook", "summary"]),
  blocks: z.array(BLOCK),
});
const CHANGE = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("message"), message: MESSAGE }),
  z.looseObject({ type: z.literal("block"), message: TEXT, block: BLOCK }),
  z.looseObject({ type: z.literal("tool"), id: TEXT, patch: OBJECT }),
  z.looseObject({ type: z.literal("prompt"), message: TEXT, content: TEXT }),
  z.looseObject({ type: z.enum(["accepted", "remove"]), message: TEXT }),
  z.looseObject({ type: z.literal("reset"), messages: z.array(MESSAGE) }),
]);
const IN_FORCE = z.looseObject({
  flags: TEXT,
  hooks: z.array(z.looseObject({ event: TEXT, name: TEXT, source: TEXT })),
});

/** Checks all that the fold reads: a foreign line must not break a session. */
const ENTRY = z.discriminatedUnion("type", [
  CHANGE,
  z.looseObject({ type: z.literal("session"), id: TEXT, cwd: TEXT, inForce: IN_FORCE.optional() }),
  z.looseObject({ type: z.literal("subagent"), task: TEXT, change: CHANGE }),
  z.looseObject({ type: z.literal("asking"), pending: z.looseObject({ id: TEXT, toolInput: OBJECT }) }),
  z.looseObject({ type: z.literal("decided"), id: TEXT }),
  z.looseObject({ type: z.literal("draft"), text: TEXT }),
  z.looseObject({ type: z.literal("turn"), is: z.enum(["begun", "ended"]) }),
]);

function parsed(line: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return ENTRY.safeParse(entry).success ? (entry as Entry) : undefined;
  } catch {
    return undefined;
  }
}

/** Sessions of a folder whose id begins so, the newest first. */
export function findTranscripts(folder: string, beginning: string): string[] {
  const names = listed(folder).filter((name) => name.endsWith(".jsonl") && name.startsWith(beginning));
  const byAge = names
    .map((name) => join(folder, name))
    .flatMap((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat?.isFile() ? [{ path, time: stat.mtimeMs }] : []; // a pipe would be waited for
    });
  return byAge.sort((a, b) => b.time - a.time).map(({ path }) => path);
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Locks a transcript by a file beside it: two processes would write into each other's turns. Throws a UsageError if another
 * process has the lock, which it may have taken since the transcript was read.
 */
function lockTranscript(transcript: string): () => void {
  const file = `${transcript}.lock`;
  const content = holderName(process.pid);
  try {
    writeFileSync(file, content, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const owner = ownerOf(transcript);
    if (owner !== undefined) throw taken({ id: basename(transcript, ".jsonl"), process: owner });
    writeFileSync(file, content, { mode: 0o600 });
  }
  return () => rmSync(file, { force: true });
}

/** A session that another process has open. */
export interface OpenElsewhere {
  readonly id: string;
  readonly process: number;
}

export function taken({ id, process: owner }: OpenElsewhere): UsageError {
  return new UsageError(`session ${id} is open in process ${owner}; end that one first`);
}

/**
 * The other process that has a session open. A lock of a dead process does not count, even if its number belongs to another
 * process by now.
 */
export function ownerOf(transcript: string): number | undefined {
  const pid = livingHolder(contentOf(`${transcript}.lock`));
  return pid === process.pid ? undefined : pid;
}

function contentOf(file: string): string {
  try {
    return readText(file);
  } catch {
    return "";
  }
}

import { randomInt } from "node:crypto";
import { chmodSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inOrder, isObject } from "@belay/core/internal";
import {
  belayFolder,
  homeFolder,
  makeFolder,
  randomId,
  readText,
  sha256,
  writeWholeSync,
} from "@belay/engine/internal";

/*
 * Calls that were denied because nobody answered, and what a person has allowed since: files in a folder that is closed to
 * other users. Of a code the folder holds a hash alone, so that an agent that reads the folder has no code. Whatever counts
 * once is taken by a rename, which one process alone can do.
 */

/** The call of a relay that a question is about. */
export interface AskedCall {
  /** The agent's name, and how it is written for people. */
  readonly agent: string;
  readonly title: string;
  readonly session: string;
  readonly project: string;
  /** The agent's own name. */
  readonly event: string;
  readonly tool: string;
  /** As the agent wants it; a text is a prompt. */
  readonly input: unknown;
  /** As a hook has rewritten it. */
  readonly updatedInput?: unknown;
  readonly reason?: string;
  readonly hook?: string;
}

export interface DeniedCall extends AskedCall {
  /** Tells the call from all others. */
  readonly print: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** How long a denied call can still be allowed, a code counts, and what was allowed waits for its call. */
export const COUNTS_MS = 10 * 60_000;
const MAX_DENIED = 100;
const MAX_INPUT = 256 * 1024;

const DENIED = "denied-";
const CODE = "code-";
const ALLOWED = "allowed-";
const TAKEN = "taken-";
const OURS = [DENIED, CODE, ALLOWED, TAKEN];

function folderOf(home?: string): string {
  return join(belayFolder(homeFolder(home)), "questions");
}

/** The same for the same agent, project, event, tool and input alone. */
export function printOf({ agent, project, event, tool, input, updatedInput = null }: AskedCall): string {
  return sha256(JSON.stringify(inOrder([agent, project, event, tool, input, updatedInput])));
}

/** Keeps a call that was denied, so that a person can allow it later. One whose input no person could read whole is not kept. */
export function keepDenied(call: AskedCall, home?: string): void {
  const kept: DeniedCall = { ...call, print: printOf(call), time: Date.now() };
  const text = JSON.stringify(kept);
  if (text.length > MAX_INPUT) return;
  const folder = folderOf(home);
  makeFolder(folder);
  chmodSync(folder, 0o700);
  const [oldest, ...others] = deniedCalls(home);
  if (oldest && others.length >= MAX_DENIED - 1) rmSync(fileOf(DENIED, oldest.print, home), { force: true });
  writeWholeSync(fileOf(DENIED, kept.print, home), text, 0o600);
}

/** The calls that can still be allowed, the oldest first. Removes what is over. */
export function deniedCalls(home?: string): DeniedCall[] {
  const found = namesIn(folderOf(home))
    .filter((name) => OURS.some((kind) => name.startsWith(kind)))
    .map((name) => ({ name, kept: readKept(join(folderOf(home), name)) }));
  const now = Date.now();
  for (const { name, kept } of found)
    if (!counts(kept, now)) rmSync(join(folderOf(home), name), { force: true });
  return found
    .flatMap(({ name, kept }) => (name.startsWith(DENIED) && counts(kept, now) && isDenied(kept) ? kept : []))
    .sort((a, b) => a.time - b.time);
}

/** No 0 or 1, I, L or O. Twelve of them are 59 bits: nobody finds one by its hash while it counts. */
const LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

/** Makes a code for a denied call. It is told to a person alone. */
export function makeCode({ print }: Pick<DeniedCall, "print">, home?: string): string {
  const letters = Array.from({ length: 12 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  const text = JSON.stringify({ time: Date.now(), print });
  writeWholeSync(fileOf(CODE, sha256(letters), home), text, 0o600);
  return letters.replaceAll(/.{4}(?=.)/g, "$&-");
}

/** Allows the call that a code stands for, once. Returns it, or undefined if the code does not count. */
export function allowByCode(code: string, home?: string): DeniedCall | undefined {
  const letters = code.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
  const kept = take(CODE, sha256(letters), home);
  return typeof kept?.print === "string" ? allowDenied(kept.print, home) : undefined;
}

/** Allows a denied call, once. Returns it, or undefined if it is not there any more. */
export function allowDenied(print: string, home?: string): DeniedCall | undefined {
  const kept = take(DENIED, print, home);
  if (!isDenied(kept)) return undefined;
  writeWholeSync(fileOf(ALLOWED, print, home), JSON.stringify({ time: Date.now() }), 0o600);
  return kept;
}

/** Forgets a denied call. Returns false if it was gone already. */
export function dropDenied(print: string, home?: string): boolean {
  return take(DENIED, print, home) !== undefined;
}

/** True, once, if a person has allowed this call. */
export function takeAllowed(call: AskedCall, home?: string): boolean {
  return take(ALLOWED, printOf(call), home) !== undefined;
}

/** Takes a file away for good: of several processes one gets what it holds, if it still counts. */
function take(kind: string, print: string, home: string | undefined): Record<string, unknown> | undefined {
  const taken = fileOf(TAKEN, randomId(), home);
  try {
    renameSync(fileOf(kind, print, home), taken);
  } catch {
    return undefined;
  }
  const kept = readKept(taken);
  rmSync(taken, { force: true });
  return counts(kept, Date.now()) ? kept : undefined;
}

function fileOf(kind: string, print: string, home: string | undefined): string {
  return join(folderOf(home), `${kind}${/^[\w-]+$/.test(print) ? print : "none"}`);
}

function counts(kept: Record<string, unknown> | undefined, now: number): boolean {
  const age = typeof kept?.time === "number" ? now - kept.time : Number.NaN;
  return age >= 0 && age < COUNTS_MS;
}

function isDenied(kept: object | undefined): kept is DeniedCall {
  const texts: (keyof DeniedCall)[] = ["agent", "title", "session", "project", "event", "tool", "print"];
  return kept !== undefined && texts.every((name) => typeof (kept as DeniedCall)[name] === "string");
}

function readKept(file: string): Record<string, unknown> | undefined {
  try {
    const kept: unknown = JSON.parse(readText(file));
    return isObject(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DECISION_KINDS } from "@belay/core";
import { isObject } from "@belay/core/internal";
import {
  belayFolder,
  holderName,
  homeFolder,
  livingHolder,
  randomId,
  readText,
  sha256,
} from "@belay/engine/internal";
import type { Told } from "@belay/harness";

/*
 * What one call of the relay leaves to the next ones of its session: files in a folder of the session, closed to other users.
 * Each counts once, by a rename or a link, which one process alone can do. Without the folder nothing is left to the next.
 */

export interface RelaySession {
  /** What was noted, for the engine: `has` is false before the first `add`. */
  has(what: string): boolean;
  add(what: string): void;
  /** Keeps context for an answer that can carry it. Returns false if there is no room. */
  keep(text: string): boolean;
  hasKept(): boolean;
  takeKept(): string[];
  /** Why the turn has to end; undefined from the next prompt on. */
  stopped(): string | undefined;
  stop(reason: string): void;
  goOn(): void;
  /** The first with a call gets the right to answer it; others that wait get what was told. */
  claim(call: Claimed): Promise<Claim>;
}

/** One call of a hook: two with the same text are the same. */
export interface Claimed {
  readonly text: string;
  /** The agent has numbered its calls: the same text is the same call, also when the first was answered already. */
  readonly isNumbered: boolean;
  readonly waitMs: number;
}

export interface Claim {
  /** What was told to the first; absent for the first itself. */
  readonly before?: Told;
  /** Lets others have the answer; without an answer they find their own. */
  end(told?: Told): void;
}

const MAX_KEPT = 20;
const MAX_TEXT = 16 * 1024;
/** A turn that no prompt is seen to end is over after this. */
const STOPPED_MS = 10 * 60_000;
/** How long an answer is the answer to the same call. */
const ANSWERED_MS = 10_000;
const LOOK_MS = 20;
/** So long files of calls may lie about, and so often they are looked through. */
const SWEEP_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

const FREE: Claim = { end: () => {} };
const NOTHING: RelaySession = {
  has: () => false,
  add: () => {},
  keep: () => false,
  hasKept: () => false,
  takeKept: () => [],
  stopped: () => undefined,
  stop: () => {},
  goOn: () => {},
  claim: async () => FREE,
};

export function relaySession(session: string | undefined, home?: string): RelaySession {
  if (session === undefined || session === "") return NOTHING;
  try {
    return openSession(openFolder(hashOf(session), home));
  } catch {
    return NOTHING;
  }
}

function openFolder(name: string, home: string | undefined): string {
  const all = join(belayFolder(homeFolder(home)), "relay");
  const folder = join(all, name);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return folder;
    mkdirSync(all, { mode: 0o700, recursive: true });
    chmodSync(all, 0o700);
    mkdirSync(folder, { mode: 0o700, recursive: true });
  }
  for (const other of namesIn(all)) if (ageOf(join(all, other)) > DAY_MS) remove(join(all, other));
  return folder;
}

function openSession(folder: string): RelaySession {
  const file = (name: string) => join(folder, name);
  const kept = () =>
    namesIn(folder)
      .filter((name) => name.startsWith("later-"))
      .sort();
  return {
    has: (what) => ageOf(file(`noted-${hashOf(what)}`)) !== Number.POSITIVE_INFINITY,
    add: (what) => attempt(() => writeFileSync(file(`noted-${hashOf(what)}`), "", { mode: 0o600 })),
    keep: (text) => {
      if (text.length > MAX_TEXT || kept().length >= MAX_KEPT) return false;
      return attempt(() => put(file(`later-${Date.now()}-${randomId()}`), text));
    },
    hasKept: () => kept().length > 0,
    takeKept: () => kept().flatMap((name) => take(file(name), file(`taken-${randomId()}`)) ?? []),
    stopped: () => (ageOf(file("stopped")) < STOPPED_MS ? read(file("stopped")) : undefined),
    stop: (reason) => void attempt(() => put(file("stopped"), reason.slice(0, MAX_TEXT))),
    goOn: () => remove(file("stopped")),
    claim: (call) => claimIn(file("calls"), call).catch(() => FREE),
  };
}

async function claimIn(folder: string, { text, isNumbered, waitMs }: Claimed): Promise<Claim> {
  attempt(() => mkdirSync(folder, { mode: 0o700 }));
  const file = join(folder, `call-${hashOf(text)}`);
  const token = randomId();
  const until = performance.now() + waitMs;
  for (let first = true; ; first = false) {
    if (attempt(() => link(file, `${holderName(process.pid)}\n${token}`))) return owned(folder, file, token);
    const [holder = "", theirs = ""] = read(file)?.split("\n") ?? [];
    const answer = join(folder, `told-${theirs}`);
    const told = answerIn(answer);
    if (told && (isNumbered || !first)) return { before: told, end: () => {} };
    const isOver = ageOf(answer) !== Number.POSITIVE_INFINITY || livingHolder(holder) === undefined;
    // Its holder is done, dead or gone: this call is answered anew, and is the one that others wait for.
    if (isOver) {
      remove(file);
      if (first) continue;
    }
    if (isOver || performance.now() > until) return FREE;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function owned(folder: string, file: string, token: string): Claim {
  const swept = join(folder, "swept");
  // What goes here while it is open is asked anew.
  if (ageOf(swept) > SWEEP_MS && attempt(() => writeFileSync(swept, "", { mode: 0o600 })))
    for (const name of namesIn(folder)) if (ageOf(join(folder, name)) > SWEEP_MS) remove(join(folder, name));
  return {
    end: (told) => {
      const text = told && JSON.stringify({ time: Date.now(), told });
      const isKept =
        text !== undefined &&
        text.length <= MAX_TEXT * 16 &&
        attempt(() => put(join(folder, `told-${token}`), text));
      if (!isKept) remove(file);
    },
  };
}

/** A file that is there with all its text, or not at all. What a power cut takes is of no use after it: no disk is waited for. */
function put(file: string, text: string): void {
  renameSync(draftOf(file, text), file);
}

function draftOf(file: string, text: string): string {
  const draft = `${file}-${randomId()}`;
  writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
  return draft;
}

/** The same. Throws where there is one already. */
function link(file: string, text: string): void {
  const draft = draftOf(file, text);
  try {
    linkSync(draft, file);
  } finally {
    remove(draft);
  }
}

function answerIn(file: string): Told | undefined {
  try {
    const kept: unknown = JSON.parse(read(file) ?? "");
    if (!isObject(kept) || !isTold(kept.told)) return undefined;
    const age = typeof kept.time === "number" ? Date.now() - kept.time : Number.NaN;
    return age >= 0 && age < ANSWERED_MS ? kept.told : undefined;
  } catch {
    return undefined;
  }
}

/** A decision that nobody knows would refuse nothing. */
function isTold(told: unknown): told is Told {
  if (!isObject(told) || !isObject(told.decision) || !Array.isArray(told.messages)) return false;
  return DECISION_KINDS.some((kind) => isObject(told.decision) && told.decision.kind === kind);
}

function hashOf(text: string): string {
  return sha256(text).slice(0, 32);
}

/** What a file holds, for one of those who take it. */
function take(file: string, taken: string): string | undefined {
  try {
    renameSync(file, taken);
  } catch {
    return undefined;
  }
  const text = read(taken);
  remove(taken);
  return text;
}

function attempt(change: () => void): boolean {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}

function read(file: string): string | undefined {
  try {
    return readText(file);
  } catch {
    return undefined;
  }
}

function remove(path: string): void {
  attempt(() => rmSync(path, { force: true, recursive: true }));
}

function ageOf(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

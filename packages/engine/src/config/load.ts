import { lstatSync, statSync } from "node:fs";
import { type Config, type Diagnostic, type DialectName, diagnose, type Hook, readConfig } from "@belay/core";
import { hooksOf, LAYERS, lacksPatterns, messageOf, plural } from "@belay/core/internal";
import { fileInTheWay, readText, stampOf } from "../files/read.ts";
import type { ConfigPlace } from "./discover.ts";
import type { TimedPatterns } from "./patterns.ts";

/** All layers read: the hooks in force, in configured order. */
export interface Loaded {
  readonly hooks: readonly Hook[];
  readonly dialect: DialectName | undefined;
  readonly allowedHttpHookUrls: readonly string[] | undefined;
  readonly redact: Config["redact"];
  readonly configs: readonly Config[];
  /** Problems that came up since the last load; each is told once. */
  readonly fresh: readonly Diagnostic[];
}

/** What a loader knows of one file. */
interface Slot {
  /** Equal as long as the file is. */
  readonly version: string;
  stamp: string | undefined;
  /** The last version that could be read as a whole. It stays known while the file is gone: the file may come back broken. */
  readonly last: Config | undefined;
}

function configInForce(slot: Slot | undefined): Config | undefined {
  return slot?.version === MISSING ? undefined : slot?.last;
}

/** Reads config files and reads them again when they change. A broken edit keeps the last good version in force. */
export interface ConfigLoader {
  load(places: readonly ConfigPlace[]): Loaded | Promise<Loaded>;
}

export function configLoader({ reload = true }: { readonly reload?: boolean } = {}): ConfigLoader {
  const memory: Memory = { reload, slots: new Map(), changes: 0, kept: new WeakMap(), patterns: undefined };
  // One load after another: events at the same time must not tell the same problem twice.
  let last: Promise<unknown> = Promise.resolve();
  return {
    load: (places) => {
      const kept = keptOf(memory, places);
      if (kept) return kept;
      const loading = last.then(() => loadAll(memory, places));
      last = loading.catch(() => {});
      return loading;
    },
  };
}

/** What a loader knows from one load to the next. */
interface Memory {
  /** false: what a file said once stays in force. */
  readonly reload: boolean;
  readonly slots: Map<string, Slot>;
  /** How often a slot was filled anew. */
  changes: number;
  /** What places gave when they were last read: nearly every event finds all files as they were. */
  readonly kept: WeakMap<readonly ConfigPlace[], { readonly loaded: Loaded; readonly changes: number }>;
  /** Loaded with the first matcher that needs it. */
  patterns: TimedPatterns | undefined;
}

function keptOf(memory: Memory, places: readonly ConfigPlace[]): Loaded | undefined {
  const last = memory.kept.get(places);
  if (last === undefined || (memory.reload && !isInForce(memory, last.changes, places))) return undefined;
  memory.patterns?.renew();
  return last.loaded;
}

/** True if nothing was read anew since `changes`, and no file has changed. */
function isInForce(memory: Memory, changes: number, places: readonly ConfigPlace[]): boolean {
  return (
    changes === memory.changes &&
    places.every(({ file }) => memory.slots.get(file)?.stamp === stampOf(file).stamp)
  );
}

async function loadAll(memory: Memory, places: readonly ConfigPlace[]): Promise<Loaded> {
  const fresh: Diagnostic[] = [];
  memory.patterns?.renew();
  for (const place of places) {
    const known = new Set(fresh.map(told)); // one file may be in the way of several
    fresh.push(...(await refresh(memory, place)).filter((problem) => !known.has(told(problem))));
  }
  const configs = places
    .map(({ file }) => configInForce(memory.slots.get(file)))
    .filter((config) => config !== undefined);
  const loaded: Loaded = {
    hooks: hooksOf(configs),
    dialect: configs.find(({ layer }) => LAYERS[layer].namesDialect)?.dialect,
    allowedHttpHookUrls: configs.find(({ layer }) => LAYERS[layer].allowsUrls)?.allowedHttpHookUrls,
    redact: configs.find(({ layer }) => LAYERS[layer].allowsUrls)?.redact,
    configs,
    fresh: [],
  };
  memory.kept.set(places, { loaded, changes: memory.changes });
  return { ...loaded, fresh };
}

/** Reads a file again if it has changed; returns what the user must be told of it. */
async function refresh(memory: Memory, place: ConfigPlace): Promise<readonly Diagnostic[]> {
  const slot = memory.slots.get(place.file);
  if (slot && !memory.reload) return [];
  const seen = look(place, slot);
  const { version, stamp } = seen;
  if (slot?.version === version) {
    slot.stamp = stamp ?? slot.stamp;
    return [];
  }
  const { config, problems } = await read(memory, place, seen);
  const last = config ?? slot?.last;
  memory.changes += 1;
  memory.slots.set(place.file, { version, stamp, last });
  const before = configInForce(slot);
  if (version === MISSING) return [...problems, ...(before ? goneHooks(before) : [])];
  if (config || !last) return problems;
  return [...problems, diagnose("config-kept-last-good", { file: place.file })];
}

async function read(
  memory: Memory,
  place: ConfigPlace,
  { version, text, error }: Seen,
): Promise<{ config?: Config; problems: readonly Diagnostic[] }> {
  if (version === MISSING && !place.required) return { problems: [] };
  if (text === undefined) return { problems: [unreadable(place, error ?? NOT_THERE)] };
  let config = readConfig({ ...place, text }, memory.patterns);
  if (lacksPatterns(config, memory.patterns)) {
    const { loadPatterns } = await import("./patterns.ts");
    memory.patterns = await loadPatterns();
    config = readConfig({ ...place, text }, memory.patterns);
  }
  return config.broken ? { problems: config.problems } : { config, problems: config.problems };
}

const MISSING = "missing";

function told({ path, message }: Diagnostic): string {
  return `${path} ${message}`;
}

/** A file that goes takes its guards with it; some editors remove it for a moment while they save. */
function goneHooks({ file, hooks }: Config): Diagnostic[] {
  const count = plural(hooks.length, "hook");
  return hooks.length === 0 ? [] : [diagnose("config-removed", { file, count }, { path: file })];
}

const NOT_THERE = "there is no such file";
const FOLDER = "it is a folder";
const NO_TARGET = "it is a link to a file that is not there";
const IN_THE_WAY = "it is a file where a folder is expected";

function whyUnreadable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EISDIR") return FOLDER;
  return code === "ENOTDIR" ? IN_THE_WAY : messageOf(error);
}

/** Names the file that is in the way, if there is one. */
function unreadable({ file, layer, required }: ConfigPlace, detail: string): Diagnostic {
  const advice: Record<string, string> = {
    [NOT_THERE]: "Correct the path.",
    [NO_TARGET]: "Mend the link, or remove it.",
    [FOLDER]: layer === "config" ? "Name a file in it." : "Move it away: a file is expected there.",
    [IN_THE_WAY]: required ? "Correct the path." : "Move it away.",
  };
  const path = detail === IN_THE_WAY ? (fileInTheWay(file) ?? file) : file;
  return diagnose(
    "config-unreadable",
    { file: path, detail, advice: advice[detail] ?? "Make it readable, or remove it." },
    { path },
  );
}

/** Throws for a link to nothing: somebody means hooks to be there. */
function missing(file: string): Seen {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error(NO_TARGET);
  return { version: MISSING, stamp: stampOf(file).stamp };
}

interface Seen {
  readonly version: string;
  /** Says that a file is unchanged; absent while an edit could still come within the same tick of the clock. */
  readonly stamp?: string;
  readonly text?: string;
  readonly error?: string;
}

/**
 * A file's version is its text: two edits within one tick of the file system's clock differ in nothing else. A pipe
 * (`--config <(…)`) can be read only once, and keeps its first version. A pipe or a device is read only where the user named
 * it: a project's link to a device would never come to an end.
 */
function look({ file, required }: ConfigPlace, known: Slot | undefined): Seen {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return missing(file);
    const isPipe = stat.isFIFO() || stat.isCharacterDevice();
    if (!required && !stat.isFile() && !stat.isDirectory()) throw new Error("it is no plain file");
    if (isPipe && known && configInForce(known)) return { version: known.version };
    const { stamp, isFresh } = stampOf(file);
    if (known?.stamp === stamp) return { version: known.version, stamp };
    const text = readText(file, { waits: required });
    return { version: `text: ${text}`, text, ...(!isFresh && { stamp }) };
  } catch (error) {
    const why = whyUnreadable(error);
    return { version: `unreadable: ${why}`, error: why };
  }
}

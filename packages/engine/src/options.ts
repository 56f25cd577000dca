import { resolve } from "node:path";
import { DEFAULT_CAP, DIALECT_NAMES, isDialectName } from "@belay/core";
import { brief, didYouMean, isObject } from "@belay/core/internal";
import { statOf } from "./files/read.ts";
import { LAUNCHER_MODES } from "./launcher/launch.ts";
import type { EngineOptions } from "./types.ts";

/** Thrown for mistakes of the caller: an unknown event, a payload that is no object, a closed engine. One clear sentence. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  constructor(
    message: string,
    /** What to do about it, if the message does not say so. */
    readonly next?: string,
  ) {
    super(message);
  }
}

/** What an option may hold, and how that reads. */
type Kind = readonly [says: string, fits: (value: unknown) => boolean];

const isText = (value: unknown) => typeof value === "string";
const TEXT: Kind = ["a string", isText];
const TEXTS: Kind = [
  "an array with nothing but strings in it",
  (value) => Array.isArray(value) && value.every(isText),
];
const FLAG: Kind = ["true or false", (value) => typeof value === "boolean"];
const OBJECT: Kind = ["an object", isObject];
const FUNCTION: Kind = ["a function", (value) => typeof value === "function"];

const OPTIONS: Record<keyof EngineOptions, Kind> = {
  cwd: TEXT,
  sessionId: TEXT,
  configFiles: TEXTS,
  pluginDirs: TEXTS,
  reload: FLAG,
  dialect: TEXT,
  simulate: FLAG,
  untrustedRefuse: FLAG,
  home: TEXT,
  env: OBJECT,
  journal: [
    "true, false or a folder",
    (value) => typeof value === "boolean" || (isText(value) && value !== ""),
  ],
  limits: OBJECT,
  typedIn: TEXT,
  kept: OBJECT,
  program: TEXT,
  launcher: TEXT,
  handleSignals: FLAG,
  onHook: FUNCTION,
  ask: FUNCTION,
  memory: OBJECT,
};

/** With a wrong dialect or folder no hook would be found, and an engine without hooks lets everything through. */
export function checkOptions(options: EngineOptions): void {
  const given: unknown = options;
  if (!isObject(given)) throw new UsageError(`options must be an object, not ${brief(given)}`);
  const { dialect, launcher, cwd } = options;
  refuseUnknown(options, OPTIONS, "option");
  for (const [name, [says, fits]] of Object.entries(OPTIONS)) {
    const value: unknown = options[name as keyof EngineOptions];
    if (value !== undefined && !fits(value))
      throw new UsageError(`${name} must be ${says}, not ${brief(value)}`);
  }
  if (dialect !== undefined && !isDialectName(dialect))
    throw new UsageError(`there is no dialect ${dialect}${didYouMean(dialect, DIALECT_NAMES)}`);
  if (launcher !== undefined && !LAUNCHER_MODES.includes(launcher))
    throw new UsageError(`launcher must be one of ${LAUNCHER_MODES.join(", ")}, not ${String(launcher)}`);
  if (cwd !== undefined && !statOf(resolve(cwd))?.isDirectory())
    throw new UsageError(`the working folder ${resolve(cwd)} is no folder`);
}

/** A misspelt name would be as if nothing had been given: `confgFiles` reads other files than its caller thinks. */
export function refuseUnknown(given: object, known: Readonly<Record<string, unknown>>, what: string): void {
  const names = Object.keys(known);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue;
    const guess = didYouMean(name, names) || `; there are ${names.join(", ")}`;
    throw new UsageError(`there is no ${what} ${name}${guess}`);
  }
}

/** Every bound of the engine, with its default. */
export interface Limits {
  /** Bytes kept per output stream. */
  readonly outputCap: number;
  /** Milliseconds from TERM to KILL. */
  readonly killGraceMs: number;
  /** Hooks running at once. */
  readonly maxParallel: number;
  /** Milliseconds that the thread of a module hook may take to start, besides the hook's own time. */
  readonly moduleStartMs: number;
  /** Milliseconds after which the process of a warm hook that nobody asks is ended. */
  readonly warmIdleMs: number;
  /** Blocks of a stop in a row before it goes through; Infinity never lets it. */
  readonly stopCap: number;
  /** Bytes that a project's journal may take; the oldest file of it goes when there are more. */
  readonly journalBytes: number;
  /** A file that is so many days older than the third newest day with records goes when another is begun; Infinity keeps it. */
  readonly journalDays: number;
}

export const DEFAULT_LIMITS: Limits = {
  outputCap: DEFAULT_CAP,
  killGraceMs: 200,
  maxParallel: 64,
  moduleStartMs: 10_000,
  warmIdleMs: 300_000,
  stopCap: 8,
  journalBytes: 64 * 1024 * 1024,
  journalDays: 30,
};

/** The longest time that a timer can wait. With a longer one it would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** What each limit may be, from and to. */
const RANGES: Record<keyof Limits, readonly [least: number, most: number]> = {
  outputCap: [0, Number.MAX_SAFE_INTEGER],
  killGraceMs: [0, MAX_TIMER_MS],
  maxParallel: [1, Number.POSITIVE_INFINITY],
  moduleStartMs: [0, MAX_TIMER_MS],
  warmIdleMs: [0, MAX_TIMER_MS],
  stopCap: [0, Number.POSITIVE_INFINITY],
  journalBytes: [64 * 1024, Number.MAX_SAFE_INTEGER],
  journalDays: [1, Number.POSITIVE_INFINITY],
};

/** The given limits over the defaults. Throws a UsageError for a value that would be no limit. */
export function completeLimits(given: Partial<Limits> = {}): Limits {
  const limits: { -readonly [Name in keyof Limits]: number } = { ...DEFAULT_LIMITS };
  refuseUnknown(given, RANGES, "limit");
  for (const name of Object.keys(RANGES) as (keyof Limits)[]) {
    const [least, most] = RANGES[name];
    const value: unknown = given[name];
    if (value === undefined) continue;
    if (typeof value !== "number" || !(value >= least && value <= most))
      throw new UsageError(`limits.${name} must be a number from ${least} to ${most}, not ${String(value)}`);
    limits[name] = value;
  }
  return limits;
}

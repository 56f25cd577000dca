import { resolve } from "node:path";
import { DIALECT_NAMES, isDialectName } from "@belay/core";
import { brief, didYouMean, isObject } from "@belay/core/internal";
import { UsageError } from "./errors.ts";
import { statOf } from "./files/read.ts";
import { LAUNCHER_MODES } from "./launcher/launch.ts";
import type { EngineOptions } from "./types.ts";

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
  home: TEXT,
  env: OBJECT,
  journal: [
    "true, false or a folder",
    (value) => typeof value === "boolean" || (isText(value) && value !== ""),
  ],
  limits: OBJECT,
  program: TEXT,
  launcher: TEXT,
  handleSignals: FLAG,
  onHook: FUNCTION,
  ask: FUNCTION,
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

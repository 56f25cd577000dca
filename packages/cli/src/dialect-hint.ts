import { basename, dirname, resolve } from "node:path";
import {
  DEFAULT_DIALECT,
  DIALECT_NAMES,
  DIALECTS,
  type Dialect,
  type DialectName,
  readConfig,
} from "@belay/core";
import { oneLine } from "@belay/core/clean";
import { readText } from "@belay/engine/tools";
import type { FlagValues } from "./args.ts";
import type { CONFIG_FLAGS } from "./flags.ts";
import type { Io } from "./io.ts";

/** What a file of another system would be read as there, and what it is read as here. */
export interface Misread {
  readonly home: DialectName;
  readonly now: DialectName;
}

/** A file of another system is read as ours when it is named by --config; that is said unless somebody chose it. */
export function hintAtDialects({ config = [], dialect }: FlagValues<typeof CONFIG_FLAGS>, io: Io): void {
  if (dialect === undefined) for (const file of config) tellMisread(file, misreadConfig(file), io);
}

export function tellMisread(file: string, as: Misread | undefined, io: Io): void {
  if (as) io.err(`belay: warning: ${sayMisread(file, as)}; add --dialect ${as.home} to read it as there\n`);
}

export function sayMisread(file: string, { home, now }: Misread): string {
  return `${oneLine(file)} stands in a folder of ${DIALECTS[home].title}, and is read as ${now}`;
}

/** Not where the file itself names its dialect. */
export function misreadConfig(file: string): Misread | undefined {
  const home = dialectOfFolder(basename(dirname(resolve(file))));
  if (home === undefined) return undefined;
  try {
    const source = { file, layer: "config", text: readText(file) } as const;
    const now = readConfig(source).dialect;
    const isUnsaid = readConfig({ ...source, fallbackDialect: home }).dialect === home;
    return isUnsaid && now !== home ? { home, now } : undefined;
  } catch {
    return undefined; // Whoever loads it says so.
  }
}

/** A script stands in the folder of its settings, or in one for scripts there. */
export function misreadScript(file: string): Misread | undefined {
  const folder = dirname(resolve(file));
  const home = dialectOfFolder(basename(folder)) ?? dialectOfFolder(basename(dirname(folder)));
  return home === undefined || home === DEFAULT_DIALECT ? undefined : { home, now: DEFAULT_DIALECT };
}

function dialectOfFolder(folder: string): DialectName | undefined {
  return DIALECT_NAMES.find((name) => {
    const row: Dialect = DIALECTS[name];
    return row.files === "settings" && row.folder === folder;
  });
}

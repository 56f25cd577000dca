import { basename, dirname, resolve } from "node:path";
import { DEFAULT_DIALECT, DIALECTS, type DialectName, dialectOfFolder, readConfig } from "@belay/core";
import { oneLine } from "@belay/core/clean";
import { readText } from "@belay/engine/tools";
import type { FlagValues } from "./args.ts";
import type { CONFIG_FLAGS } from "./flags.ts";
import type { Io } from "./io.ts";

/** A file of another system is read as ours when it is named by --config; that is said unless somebody chose it. */
export function hintAtDialects({ config = [], dialect }: FlagValues<typeof CONFIG_FLAGS>, io: Io): void {
  if (dialect === undefined) for (const file of config) tellMisread(file, homeOfConfig(file), io);
}

export function tellMisread(file: string, home: DialectName | undefined, io: Io): void {
  if (home) io.err(`belay: warning: ${sayMisread(file, home)}; add --dialect ${home} to read it as there\n`);
}

export function sayMisread(file: string, home: DialectName): string {
  return `${oneLine(file)} stands in a folder of ${DIALECTS[home].title}, and is read as ${DEFAULT_DIALECT}`;
}

/** The dialect in whose folder a config stands that is read as ours because it names none. */
export function homeOfConfig(file: string): DialectName | undefined {
  const home = otherHome(dirname(resolve(file)));
  if (home === undefined) return undefined;
  try {
    const text = readText(file);
    const { dialect } = readConfig({ file, layer: "config", text, fallbackDialect: home });
    const isUnsaid = readConfig({ file, layer: "config", text }).dialect !== dialect;
    return isUnsaid ? home : undefined;
  } catch {
    return undefined; // Whoever loads it says so.
  }
}

/** The same of a script, which stands in the folder of its settings, or in one for scripts there. */
export function homeOfScript(file: string): DialectName | undefined {
  const folder = dirname(resolve(file));
  return otherHome(folder) ?? otherHome(dirname(folder));
}

function otherHome(folder: string): DialectName | undefined {
  const home = dialectOfFolder(basename(folder));
  return home === DEFAULT_DIALECT ? undefined : home;
}

import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DEFAULT_DIALECT, DIALECTS, type DialectName, readConfig } from "@belay/core";
import { oneLine } from "@belay/core/clean";
import { dialectOfFolder } from "@belay/core/internal";
import { readText } from "@belay/engine/internal";
import type { FlagValues } from "../args/args.ts";
import type { CONFIG_FLAGS } from "../args/flags.ts";
import type { Io } from "../io.ts";

/** Warns that a file of another system, named by --config, is read as Belay's own, unless a dialect was chosen. */
export function hintAtDialects({ config = [], dialect }: FlagValues<typeof CONFIG_FLAGS>, io: Io): void {
  if (dialect !== undefined) return;
  for (const file of config) {
    const home = homeOfConfig(file);
    if (home)
      io.err(`belay: warning: ${sayMisread(file, home)}; add --dialect ${home} to read it as there\n`);
  }
}

export function sayMisread(file: string, home: DialectName): string {
  return `${oneLine(file)} stands in a folder of ${DIALECTS[home].title}, and is read as ${DEFAULT_DIALECT}`;
}

/** The dialect in whose folder a config stands, if the config is read as Belay's own for lack of a dialect. */
export function homeOfConfig(file: string): DialectName | undefined {
  const home = otherHome(dirname(resolve(file)));
  if (home === undefined) return undefined;
  try {
    const text = readText(file);
    const { dialect } = readConfig({ file, layer: "config", text, fallbackDialect: home });
    const isUnsaid = readConfig({ file, layer: "config", text }).dialect !== dialect;
    return isUnsaid ? home : undefined;
  } catch {
    return undefined; // Whoever loads the file says why.
  }
}

/** The other dialect in whose folder a script stands, at any depth within the project. */
export function homeOfScript(file: string): DialectName | undefined {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    if (dialectOfFolder(basename(folder)) !== undefined) return otherHome(folder);
    if (existsSync(join(folder, ".git")) || folder === dirname(folder)) return undefined;
  }
}

function otherHome(folder: string): DialectName | undefined {
  const home = dialectOfFolder(basename(folder));
  return home === DEFAULT_DIALECT ? undefined : home;
}

import { basename, dirname, resolve } from "node:path";
import {
  DEFAULT_DIALECT,
  DIALECT_NAMES,
  DIALECTS,
  type Dialect,
  type DialectName,
  readConfig,
} from "@belay/core";
import { readText } from "@belay/engine/tools";
import type { FlagValues } from "./args.ts";
import type { CONFIG_FLAGS } from "./flags.ts";
import type { Io } from "./io.ts";

/** What is said of a file of another system that is read as ours, and the dialect to read it by as there. */
interface DialectHint {
  readonly message: string;
  readonly dialect: DialectName;
}

/** A file of another system is read as ours when it is named by --config; that is said unless somebody chose it. */
export function hintAtDialects({ config = [], dialect }: FlagValues<typeof CONFIG_FLAGS>, io: Io): void {
  if (dialect !== undefined) return;
  for (const file of config) tellHint(hintAtConfig(file), io);
}

export function tellHint(hint: DialectHint | undefined, io: Io): void {
  if (hint) io.err(`belay: warning: ${hint.message}; add --dialect ${hint.dialect} to read it as there\n`);
}

export function hintAtConfig(file: string, shown = file): DialectHint | undefined {
  const home = dialectOfFolder(basename(dirname(resolve(file))));
  const read = home && dialectsOf(file, home);
  return read !== undefined && read.unsaid === home ? hint(shown, home, read.now) : undefined;
}

/** A script stands in the folder of its settings, or in one for scripts there. */
export function hintAtScript(file: string, shown = file): DialectHint | undefined {
  const folder = dirname(resolve(file));
  const home = dialectOfFolder(basename(folder)) ?? dialectOfFolder(basename(dirname(folder)));
  return home && hint(shown, home, DEFAULT_DIALECT);
}

function hint(file: string, home: DialectName, now: DialectName): DialectHint | undefined {
  const { title } = DIALECTS[home];
  if (now === home) return undefined;
  return { message: `${file} stands in a folder of ${title}, and is read as ${now}`, dialect: home };
}

function dialectOfFolder(folder: string): DialectName | undefined {
  return DIALECT_NAMES.find((name) => {
    const row: Dialect = DIALECTS[name];
    return row.files === "settings" && row.folder === folder;
  });
}

/** What the file is read as now, and what it would be if the folder counted where the file itself names none. */
function dialectsOf(file: string, home: DialectName) {
  try {
    const source = { file, layer: "config", text: readText(file) } as const;
    return {
      now: readConfig(source).dialect,
      unsaid: readConfig({ ...source, fallbackDialect: home }).dialect,
    };
  } catch {
    return undefined; // Whoever loads it says so.
  }
}

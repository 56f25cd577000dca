import { basename, dirname, resolve } from "node:path";
import { DIALECT_NAMES, DIALECTS, type Dialect, type DialectName, readConfig } from "@belay/core";
import { readText } from "@belay/engine/tools";
import type { FlagValues } from "./args.ts";
import type { CONFIG_FLAGS } from "./flags.ts";
import type { Io } from "./io.ts";

/** A file of another system is read as ours when it is named by --config; that is said unless somebody chose it. */
export function hintAtDialects({ config = [], dialect }: FlagValues<typeof CONFIG_FLAGS>, io: Io): void {
  if (dialect !== undefined) return;
  for (const file of config) {
    const home = dialectOfFolder(basename(dirname(resolve(file))));
    const read = home && dialectsOf(file, home);
    if (read === undefined || read.unsaid !== home || read.now === home) continue;
    io.err(
      `belay: warning: ${file} stands in a folder of ${DIALECTS[home].title}, and is read as ${read.now}; add --dialect ${home} to read it as there\n`,
    );
  }
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

import type { Config } from "./config.ts";
import { note, placeAt, type Reading } from "./config-reading.ts";
import { DIALECTS, type DialectName } from "./dialects.ts";
import { type Hook, type Layer, placeOf } from "./hook.ts";

/*
 * "disableAllHooks": true. A file that comes with a project, or was named, speaks for its own hooks; of the user's own hooks
 * only the user's file does.
 */

interface Reach {
  /** Layers it switches off besides its own file; absent: none. */
  readonly layers?: readonly Layer[];
  readonly words: string;
}

const OWN_FILE: Reach = { words: "the hooks of this file are" };

const REACH: Readonly<Record<Layer, Reach>> = {
  user: { layers: ["project", "local", "session"], words: "all hooks are" },
  local: { layers: ["project"], words: "the hooks of this file and of the project's settings.json are" },
  project: OWN_FILE,
  session: OWN_FILE,
  config: OWN_FILE,
  plugin: OWN_FILE,
};

/** Where a file says that its hooks are off, if it does and its dialect knows the field; either way it is said. */
export function readSwitch(reading: Reading, value: unknown, dialect: DialectName): string | undefined {
  if (value !== true) return undefined;
  const path = ["disableAllHooks"];
  if (!DIALECTS[dialect].filesSwitchOff) {
    note(reading, "config-switch-ignored", path, { dialect });
    return undefined;
  }
  note(reading, "config-hooks-off", path, { whose: REACH[reading.source.layer].words });
  return placeOf(placeAt(reading, path));
}

/** The hooks of all files, in configured order; those that a file switches off are not enabled. */
export function hooksOf(configs: readonly Config[]): Hook[] {
  const switches = configs.filter(({ offAt }) => offAt !== undefined);
  return configs.flatMap(({ file, layer, hooks }) => {
    const found = switches.find((by) => by.file === file || REACH[by.layer].layers?.includes(layer));
    const offAt = found?.offAt;
    return offAt === undefined ? hooks : hooks.map((hook) => ({ ...hook, enabled: false, offAt }));
  });
}

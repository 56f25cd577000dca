import { statSync } from "node:fs";
import { type Config, type ConfigFile, readConfig } from "@belay/core";
import { readText } from "@belay/engine/tools";

/** A settings file as it is now. */
export interface SettingsFile {
  readonly place: Place;
  /** The last version that could be read as a whole; absent when there has been none. */
  readonly config?: Config;
}

type Place = Pick<ConfigFile, "file" | "layer" | "pluginRoot">;

interface Slot {
  readonly text?: string;
  readonly stamp?: string;
  readonly config?: Config;
}

/** A file that changed longer ago than this gets another time stamp with its next change, on any file system. */
const SETTLED_MS = 3000;

/** Reads settings files, and reads again those that changed since. Files that are not there are left out. */
export function settingsFiles(): (places: readonly Place[]) => SettingsFile[] {
  const slots = new Map<string, Slot>();
  return (places) =>
    places.flatMap((place) => {
      const slot = look(place, slots.get(place.file));
      if (slot) slots.set(place.file, slot);
      else slots.delete(place.file);
      return slot ? [{ place, ...(slot.config && { config: slot.config }) }] : [];
    });
}

function look(place: Place, known: Slot | undefined): Slot | undefined {
  try {
    const stat = statSync(place.file, { throwIfNoEntry: false });
    if (!stat) return undefined;
    if (!stat.isFile()) return { ...(known?.config && { config: known.config }) };
    const stamp = `${stat.ctimeMs} ${stat.size} ${stat.ino}`;
    if (known?.stamp === stamp) return known;
    const text = readText(place.file);
    const isSettled = Date.now() - stat.ctimeMs > SETTLED_MS;
    const read = text === known?.text ? known.config : (sound(place, text) ?? known?.config);
    return { text, ...(isSettled && { stamp }), ...(read && { config: read }) };
  } catch {
    return { ...(known?.config && { config: known.config }) };
  }
}

/** Never by a dialect that was asked for: what its files restrict counts, and is written as in Belay's own. */
function sound({ file, layer, pluginRoot }: Place, text: string): Config | undefined {
  const config = readConfig({ file, layer, text, ...(pluginRoot !== undefined && { pluginRoot }) });
  return config.broken ? undefined : config;
}

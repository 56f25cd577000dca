import { type FSWatcher, watch } from "node:fs";
import { basename, join } from "node:path";
import { isCaseFile, isPassedOver, type Searched, search } from "./find-files.ts";

/** More folders than this are not watched for new files: systems count what is watched. */
const MAX_FOLDERS = 1000;

/** Says when a case file comes to these folders, or to one that comes there. What cannot be watched is left out. */
export function watchSearched({ folders }: Searched, soon: () => void): { close(): void } {
  const watchers = new Map<string, FSWatcher>();
  const start = (folder: string) => {
    if (watchers.size >= MAX_FOLDERS) return;
    try {
      const watcher = watch(folder, (_kind, name) => {
        if (name !== null) look(join(folder, name));
      });
      watcher.on("error", () => {});
      watchers.set(folder, watcher);
    } catch {
      // It is gone, or there are too many.
    }
  };
  const look = (path: string) => {
    if (isCaseFile(path)) return soon();
    if (isPassedOver(basename(path))) return;
    const inside = search([path]);
    if (inside.folders.length === 0) forget(path);
    if (inside.folders.length === 0 || watchers.has(path)) return;
    for (const folder of inside.folders) start(folder);
    if (inside.files.length > 0) soon();
  };
  const forget = (path: string) => {
    watchers.get(path)?.close();
    watchers.delete(path);
  };
  for (const folder of folders) start(folder);
  return {
    close: () => {
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { plural } from "@belay/core";
import type { Io } from "../io.ts";
import { paintFor } from "../render/text.ts";

/** An editor saves in several steps. */
const SETTLE_MS = 100;
/** The screen is emptied, and what stood there can be scrolled back to. */
const CLEAR = "\u001b[2J\u001b[H";

/**
 * Runs a task now, and again whenever one of the files that it names changes; never two at a time. Ends when the signal is
 * aborted, with what the last one gave.
 */
export async function again(
  task: () => Promise<{ readonly code: number; readonly files: readonly string[] }>,
  signal: AbortSignal,
  io: Io,
): Promise<number> {
  let code = 0;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    if (!isFirst && io.isTerminal) io.out(CLEAR);
    const { code: last, files } = await task();
    code = last;
    if (signal.aborted) break;
    const change = changeOf(files, signal);
    io.out(paintFor(io).dim(`\nwatching ${plural(new Set(files).size, "file")}; Ctrl-C ends it\n`));
    await change;
  }
  return code;
}

/** Folders are watched, not files: an editor may put a new file in the place of the old one. */
function changeOf(files: readonly string[], signal: AbortSignal): Promise<void> {
  const folders = new Map<string, string[]>();
  for (const file of files) folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file]);
  return new Promise((resolve) => {
    const watchers: FSWatcher[] = [];
    let timer: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      signal.removeEventListener("abort", end);
      resolve();
    };
    signal.addEventListener("abort", end);
    for (const [folder, own] of folders) {
      const names = new Set(own.map((file) => basename(file)));
      try {
        const watcher = watch(folder, (_kind, name) => {
          // Some systems do not say which file it was.
          if (name !== null && !names.has(name)) return;
          clearTimeout(timer);
          timer = setTimeout(end, SETTLE_MS);
        });
        watcher.on("error", () => {});
        watchers.push(watcher);
      } catch {
        // A folder that is gone has nothing to say.
      }
    }
  });
}

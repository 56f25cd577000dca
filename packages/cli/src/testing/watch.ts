import { existsSync, type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { plural } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { coveredFiles, findProject, homeFolder } from "@belay/engine/internal";
import type { Io } from "../io.ts";
import { paintFor } from "../render/text.ts";
import type { CaseFile } from "./read/case-file.ts";
import { isCaseFile, isPassedOver, type Searched, search } from "./read/find-files.ts";
import type { Suite } from "./run/run-cases.ts";

/** An editor saves in several steps. */
const SETTLE_MS = 100;
/** The screen is emptied, and what stood there can be scrolled back to. */
const CLEAR = "\u001b[2J\u001b[H";

/** What a run came to, and the files whose change asks for another. */
export interface Watched {
  readonly code: number;
  readonly files: readonly string[];
  /** When it had written its own changes to them; saves before do not count. When it began, if absent. */
  readonly since?: number;
  /** Looks where files may come that another run would take. */
  readonly look?: () => Searched;
}

/**
 * Runs a task now, and again whenever one of the files that it names changes, also while it runs; never two at a time. Ends
 * when the signal is aborted, with what the last one gave.
 */
export async function again(task: () => Promise<Watched>, signal: AbortSignal, io: Io): Promise<number> {
  let last: Watched = { code: 0, files: [] };
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    if (!isFirst && io.isTerminal) io.out(CLEAR);
    const began = Date.now();
    last = await task().catch((error: unknown) => {
      // Without files to wait for there is nothing to watch.
      if (!(error instanceof UsageError) || last.files.length === 0) throw error;
      sayMistake(error, io);
      return { code: 1, files: last.files, ...(last.look && { look: last.look }) };
    });
    if (signal.aborted) break;
    const { files, since = began, look } = last;
    const searched = look?.() ?? { folders: [], files: [] };
    const change = changeOf(files, searched, signal);
    if ([...files, ...searched.files].some((file) => savedAt(file) > since)) change.now();
    else io.out(paintFor(io).dim(`\nwatching ${plural(new Set(files).size, "file")}; Ctrl-C ends it\n`));
    await change.seen;
  }
  return last.code;
}

/** While files are being edited they may be broken or gone for a moment: that is said, and the next change is waited for. */
export function sayMistake(error: UsageError, io: Io): void {
  io.err(`belay: ${error.message}${error.next ? `; ${error.next}` : ""}\n`);
}

/** Folders are watched, not files: an editor may put a new file in the place of the old one. */
function changeOf(
  files: readonly string[],
  searched: Searched,
  signal: AbortSignal,
): { readonly seen: Promise<void>; now(): void } {
  const folders = new Map<string, string[]>();
  for (const file of files.map(firstToCome))
    folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file]);
  const watchers: { close(): void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let end = () => {};
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(end, SETTLE_MS);
  };
  const seen = new Promise<void>((resolve) => {
    end = () => {
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
          if (name === null || names.has(name)) soon();
        });
        watcher.on("error", () => {});
        watchers.push(watcher);
      } catch {
        soon(); // It went this moment: look again.
      }
    }
    watchers.push(watchSearched(searched, soon));
  });
  return { seen, now: soon };
}

/** 0 for a file that is not there. */
function savedAt(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

/** The file, or the folder above it that has to be there first. */
function firstToCome(file: string): string {
  const folder = dirname(file);
  return folder === file || existsSync(folder) ? file : firstToCome(folder);
}

/** More folders than this are not watched for new files: systems count what is watched. */
const MAX_FOLDERS = 1000;

/** Says when a case file comes to these folders, or to one that comes there. What cannot be watched is left out. */
function watchSearched({ folders }: Searched, soon: () => void): { close(): void } {
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

/** The files whose change may change a result: the cases, what they name, the settings, and the scripts of their hooks. */
export function watchedFiles(files: readonly CaseFile[], { hooks }: Suite): string[] {
  const found = files.flatMap((file) => {
    const named = file.cases.flatMap(({ record }) =>
      record === undefined ? [] : resolve(file.folder, record),
    );
    const folders = { project: findProject(file.folder), cwd: file.folder, home: homeFolder() };
    const listed = hooks.get(file) ?? [];
    // For a file that names one hook, settings are made for each run, and are gone with it.
    const settings = file.data.hook === undefined ? listed.map(({ hook }) => hook.source.file) : [];
    const scripts = listed.flatMap(({ hook }) => coveredFiles(hook, folders, [folders.home]).files);
    return [file.file, ...named, ...settings, ...scripts];
  });
  return [...new Set(found)];
}

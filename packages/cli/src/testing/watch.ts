import { statSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { plural } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { coveredFiles, findProject, homeFolder } from "@belay/engine/internal";
import type { Io } from "../io.ts";
import { paintFor } from "../render/text.ts";
import type { CaseFile } from "./read/case-file.ts";
import type { Suite } from "./run/run-cases.ts";

const EVERY_MS = 100;
/** A search for new files may take this share of the time. */
const SEARCH_SHARE = 0.05;
/** The screen is emptied, and what stood there can be scrolled back to. */
const CLEAR = "\u001b[2J\u001b[H";

export interface Watched {
  readonly code: number;
  readonly files: readonly string[];
  /** When it had written its own changes to them; saves before do not count. When it began, if absent. */
  readonly since?: number;
  readonly find?: () => readonly string[];
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
      return { code: 1, files: last.files, ...(last.find && { find: last.find }) };
    });
    if (signal.aborted) break;
    const { files, since = began, find } = last;
    // Looked at before a person reads that files are watched: the answer may be a save at once.
    const before = lookAt(last);
    if (![...files, ...(find?.() ?? [])].some((file) => savedAt(file) > since)) {
      io.out(paintFor(io).dim(`\nwatching ${plural(new Set(files).size, "file")}; Ctrl-C ends it\n`));
      await untilChanged(last, before, signal);
    }
    await pause(signal); // an editor saves in several steps
  }
  return last.code;
}

/** While files are being edited they may be broken or gone for a moment: that is said, and the next change is waited for. */
export function sayMistake(error: UsageError, io: Io): void {
  io.err(`belay: ${error.message}${error.next ? `; ${error.next}` : ""}\n`);
}

/**
 * Resolves when one of the files is saved, comes or goes, or `find` finds others. Files are looked at, not watched: an editor
 * may put a new file in place of the old one, a folder may come and go, and systems count their watchers.
 */
async function untilChanged(watched: Watched, before: Look, signal: AbortSignal): Promise<void> {
  let nextSearch = 0;
  while (!signal.aborted) {
    await pause(signal);
    if (savedTimes(watched) !== before.saved) return;
    const started = performance.now();
    if (started < nextSearch) continue;
    if (foundNames(watched) !== before.found) return;
    const ended = performance.now();
    nextSearch = ended + (ended - started) / SEARCH_SHARE;
  }
}

interface Look {
  readonly saved: string;
  readonly found: string | undefined;
}

function lookAt(watched: Watched): Look {
  return { saved: savedTimes(watched), found: foundNames(watched) };
}

const savedTimes = ({ files }: Watched) => files.map(savedAt).join();
const foundNames = ({ find }: Watched) => find?.().join("\0");

async function pause(signal: AbortSignal): Promise<void> {
  await setTimeout(EVERY_MS, undefined, { signal }).catch(() => {});
}

function savedAt(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
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

import { opendirSync } from "node:fs";
import { contentOf, type FileStat, isReadWhole, statOf } from "../file-content.ts";

/** How many names are looked up for one hook, at every event: it takes some 40 ms. */
const MAX_LOOKUPS = 10_000;
/** And how often one that is known is asked for again, is found in a list of its folder, or a word is no name. */
const MAX_ASKED = 50 * MAX_LOOKUPS;
/** Entries of a folder that are looked through. */
const MAX_ENTRIES = 2048;
/** What is read of its files. */
const MAX_MEGABYTES = 64;
/** Longer than any path that the system takes: such a name is none, and is not kept. */
const MAX_PATH = process.platform === "win32" ? 32_767 : 4096;

/**
 * The search for the files of one hook. It has bounds, and where it meets one a file may have been missed: then it says
 * why, and the hook cannot be trusted.
 */
export interface Search {
  stat(file: string): FileStat | undefined;
  /** A word that may have been a name, and was looked at for that. */
  count(): void;
  /** A file's content; each file counts once towards what is read. */
  read(file: string): string;
  /** The names in a folder, sorted, for a print is made over them; undefined where there are too many to look through. */
  entries(folder: string): readonly string[] | undefined;
  giveUp(why: string): void;
  /** Why not all files were found, if so. */
  readonly unclear: string | undefined;
}

export function openSearch(): Search {
  const known = new Map<string, FileStat | undefined>();
  let unclear: string | undefined;
  let asked = 0;
  const read = new Set<string>();
  let bytes = 0;
  const giveUp = (why: string) => {
    unclear ??= why;
  };
  const isTooMuch = (words: number, isOneMore = false) => {
    asked += words;
    const isMore = asked > MAX_ASKED || (isOneMore && known.size >= MAX_LOOKUPS);
    if (isMore) giveUp("it has too many words that may be names of files");
    return isMore;
  };
  const stat = (file: string) => {
    const isKnown = known.has(file);
    if (isTooMuch(1, !isKnown) || file.length > MAX_PATH || isKnown) return known.get(file);
    const found = statOf(file);
    known.set(file, found);
    return found;
  };
  return {
    stat,
    count: () => isTooMuch(1),
    read: (file) => {
      const found = stat(file);
      if (found && isReadWhole(found) && !read.has(file)) bytes += found.size;
      read.add(file);
      if (bytes > MAX_MEGABYTES * 1024 * 1024) giveUp(`it has files of more than ${MAX_MEGABYTES} MB in all`);
      return unclear === undefined ? contentOf(file, giveUp).toString() : "";
    },
    entries: (folder) => {
      const names = unclear === undefined ? entriesOf(folder) : [];
      isTooMuch(names?.length ?? MAX_ENTRIES);
      return names;
    },
    giveUp,
    get unclear() {
      return unclear;
    },
  };
}

/** Those of these that are files. */
export function existing(files: readonly string[], { stat }: Search): string[] {
  return files.filter((file) => stat(file)?.isFile());
}

/** What is worked out for a path once in a search. */
export function oncePerSearch<T>(work: (path: string, search: Search) => T) {
  const knownBy = new WeakMap<Search, Map<string, { value: T }>>();
  return (path: string, search: Search): T => {
    const known = knownBy.get(search) ?? new Map<string, { value: T }>();
    knownBy.set(search, known);
    const found = known.get(path) ?? { value: work(path, search) };
    known.set(path, found);
    return found.value;
  };
}

function entriesOf(folder: string): string[] | undefined {
  const names: string[] = [];
  try {
    const opened = opendirSync(folder);
    try {
      for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
        if (names.length === MAX_ENTRIES) return undefined;
        names.push(entry.name);
      }
    } finally {
      opened.closeSync();
    }
  } catch {
    return []; // none, or none that may be listed
  }
  return names.sort();
}

import { type FileStat, statOf } from "../file-content.ts";

/** How many names are looked up for one hook, at every event: it takes some 40 ms. */
const MAX_LOOKUPS = 10_000;
/** And how often one that is known is asked for again. */
const MAX_ASKED = 50 * MAX_LOOKUPS;

/**
 * The search for the files of one hook. It has bounds, and where it meets one a file may have been missed: then it says
 * why, and the hook cannot be trusted.
 */
export interface Search {
  stat(file: string): FileStat | undefined;
  giveUp(why: string): void;
  /** Why not all files were found, if so. */
  readonly unclear: string | undefined;
}

export function openSearch(): Search {
  const known = new Map<string, FileStat | undefined>();
  let unclear: string | undefined;
  let asked = 0;
  return {
    stat: (file) => {
      asked += 1;
      const isTooMuch = asked > MAX_ASKED || (known.size >= MAX_LOOKUPS && !known.has(file));
      if (isTooMuch) unclear ??= "it has too many words that may be names of files";
      if (isTooMuch || known.has(file)) return known.get(file);
      const stat = statOf(file);
      known.set(file, stat);
      return stat;
    },
    giveUp: (why) => {
      unclear ??= why;
    },
    get unclear() {
      return unclear;
    },
  };
}

/** Those of these that are files. */
export function existing(files: readonly string[], { stat }: Search): string[] {
  return files.filter((file) => stat(file)?.isFile());
}

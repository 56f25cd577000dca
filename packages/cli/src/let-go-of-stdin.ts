import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/**
 * From here on fd 0 is empty. A module hook is a thread of ours, and what it reads from fd 0 is our stdin: a terminal, or a
 * pipe that stays open, would keep it in a read that nothing ends, and our exit would wait for it. For commands that have
 * read all they want, and before a thread is there that could take the number in between.
 *
 * Only POSIX says which number an open file gets: on Windows stdin stays what it is.
 */
export function letGoOfStdin(): void {
  if (process.platform === "win32") return;
  try {
    closeSync(0);
  } catch {} // it was closed when we were started
  openSync(devNull, "r"); // takes the lowest number that is free
}

import type { Io } from "../io.ts";
import { paintFor, shorten } from "./text.ts";

const EVERY_MS = 250;
/** The cursor, and the ^C that a terminal writes before it: what wraps is not wiped. */
const BESIDE = 3;
const WIPE = "\r\u001b[2K";

/** On a terminal, a line that says how far something is, until it is wiped; `times` counts how often it was said. */
export function progressLine(io: Io, text: (times: number) => string, everyMs = EVERY_MS): { wipe(): void } {
  if (!io.isTerminal || process.env.TERM === "dumb") return { wipe: () => {} };
  let times = 0;
  const timer = setInterval(() => {
    times += 1;
    io.out(WIPE + paintFor(io).dim(shorten(text(times), io.columns - BESIDE)));
  }, everyMs);
  return {
    wipe: () => {
      clearInterval(timer);
      io.out(WIPE);
    },
  };
}

import type { Io } from "../io.ts";
import { paintFor, shorten } from "./text.ts";

const EVERY_MS = 250;
const WIPE = "\r\u001b[2K";

/** On a terminal, a line that says how far something is, until it is wiped. */
export function progressLine(io: Io, text: () => string): { wipe(): void } {
  if (!io.isTerminal || process.env.TERM === "dumb") return { wipe: () => {} };
  const timer = setInterval(() => {
    io.out(WIPE + paintFor(io).dim(shorten(text(), io.columns - 1)));
  }, EVERY_MS);
  return {
    wipe: () => {
      clearInterval(timer);
      io.out(WIPE);
    },
  };
}

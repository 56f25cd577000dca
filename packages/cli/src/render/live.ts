import type { Io } from "../io.ts";
import type { Running } from "../running.ts";
import { oneLine, paintFor, shorten } from "./text.ts";

const EVERY_MS = 1000;
const WIPE = "\r\u001b[2K";

/** On a terminal, a line that says which hooks run, from the first second on. Returns what wipes it. */
export function showRunning(running: Running, io: Io): () => void {
  if (!io.isTerminal || process.env.TERM === "dumb") return () => {};
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    const names = running.names().map(oneLine).join(", ");
    const text = `${seconds} s, running: ${names || "nothing"}   Ctrl-C ends it`;
    io.out(WIPE + paintFor(io).dim(shorten(text, io.columns - 1)));
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    io.out(WIPE);
  };
}

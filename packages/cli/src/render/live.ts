import type { Io } from "../io.ts";
import type { Running } from "../running.ts";
import { oneLine, paintFor, shorten } from "./text.ts";

const EVERY_MS = 1000;
/** The cursor, and the ^C that a terminal writes before it: what wraps is not wiped. */
const BESIDE = 3;
const WIPE = "\r\u001b[2K";

export interface LiveOptions {
  /** The seconds after which they are ended. */
  readonly limit?: number;
  /** What they run for. */
  readonly at?: string;
}

/** On a terminal, a line that says which hooks run, from the first second on. Returns what wipes it. */
export function showRunning(running: Running, io: Io, { limit, at }: LiveOptions = {}): () => void {
  if (!io.isTerminal || process.env.TERM === "dumb") return () => {};
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    const names = running.names().map(oneLine).join(", ");
    const time = limit === undefined ? `${seconds} s` : `${seconds} s of at most ${limit}`;
    const text = `${time}, running: ${names || "nothing"}${at ? ` at ${at}` : ""}   Ctrl-C ends it`;
    io.out(WIPE + paintFor(io).dim(shorten(text, io.columns - BESIDE)));
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    io.out(WIPE);
  };
}

import type { Io } from "../io.ts";
import type { Running } from "../running.ts";
import { progressLine } from "./progress.ts";
import { oneLine } from "./text.ts";

interface LiveOptions {
  /** The seconds after which they are ended. */
  readonly limit?: number;
  /** What they run for. */
  readonly at?: string;
}

/** On a terminal, a line that says which hooks run, from the first second on. Returns what wipes it. */
export function showRunning(running: Running, io: Io, { limit, at }: LiveOptions = {}): () => void {
  const text = (seconds: number) => {
    const names = running.names().map(oneLine).join(", ");
    const time = limit === undefined ? `${seconds} s` : `${seconds} s of at most ${limit}`;
    return `${time}, running: ${names || "nothing"}${at ? ` at ${at}` : ""}   Ctrl-C ends it`;
  };
  return progressLine(io, text, 1000).wipe;
}

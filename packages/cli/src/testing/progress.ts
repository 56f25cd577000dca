import type { Io } from "../io.ts";
import { paintFor, shorten } from "../render/text.ts";
import type { CaseResult } from "./run-cases.ts";

const EVERY_MS = 1000;
/** The cursor, and the ^C that a terminal writes before it: what wraps is not wiped. */
const BESIDE = 3;
const WIPE = "\r\u001b[2K";

/** On a terminal, from the first second on, how far it is. */
export function showProgress(total: number, io: Io): { done(result: CaseResult): void; end(): void } {
  let done = 0;
  let failed = 0;
  let seconds = 0;
  const timer =
    io.isTerminal && process.env.TERM !== "dumb"
      ? setInterval(() => {
          seconds += 1;
          const bad = failed > 0 ? `, ${failed} failed` : "";
          const text = `${done} of ${total} cases${bad}, ${seconds} s   Ctrl-C ends it`;
          io.out(WIPE + paintFor(io).dim(shorten(text, io.columns - BESIDE)));
        }, EVERY_MS)
      : undefined;
  return {
    done: ({ status }) => {
      done += 1;
      if (status === "fail") failed += 1;
    },
    end: () => {
      clearInterval(timer);
      if (seconds > 0) io.out(WIPE);
    },
  };
}

import type { Io } from "../../io.ts";
import { progressLine } from "../../render/progress.ts";
import type { CaseResult } from "../run/run-cases.ts";

/** On a terminal, from the first second on, how far it is. */
export function showProgress(total: number, io: Io): { done(result: CaseResult): void; end(): void } {
  let done = 0;
  let failed = 0;
  const text = (seconds: number) => {
    const bad = failed > 0 ? `, ${failed} failed` : "";
    return `${done} of ${total} cases${bad}, ${seconds} s   Ctrl-C ends it`;
  };
  return {
    done: ({ status }) => {
      done += 1;
      if (status === "fail") failed += 1;
    },
    end: progressLine(io, text, 1000).wipe,
  };
}

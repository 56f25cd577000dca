import type { HookStep } from "@belay/engine";
import type { Io } from "../io.ts";
import { oneLine, paintFor, shorten } from "./text.ts";

const EVERY_MS = 250;
/** The cursor, and the ^C that a terminal writes before it: what wraps is not wiped. */
const BESIDE = 3;
const WIPE = "\r\u001b[2K";

/**
 * On a terminal, a line that says how far something is, until it is wiped; `times` counts how often it was said. None where
 * JSON is printed.
 */
export function progressLine(
  io: Io,
  text: (times: number) => string,
  { json = false, everyMs = EVERY_MS }: { readonly json?: boolean; readonly everyMs?: number } = {},
): { wipe(): void } {
  if (json || !io.isTerminal || process.env.TERM === "dumb") return { wipe: () => {} };
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

/** On a terminal, a line that says which hooks run, from the first second on. Returns what wipes it. */
export function showRunning(
  running: Running,
  io: Io,
  { limit, at }: { readonly limit?: number; readonly at?: string } = {},
): () => void {
  const text = (seconds: number) => {
    const names = running.shown().map(oneLine).join(", ");
    const time = limit === undefined ? `${seconds} s` : `${seconds} s of at most ${limit}`;
    return `${time}, running: ${names || "nothing"}${at ? ` at ${at}` : ""}   Ctrl-C ends it`;
  };
  return progressLine(io, text, { everyMs: 1000 }).wipe;
}

export type Running = ReturnType<typeof runningHooks>;

export function interruption(hooks: readonly string[]): string {
  if (hooks.length === 0) return "interrupted";
  const [were, they] = hooks.length === 1 ? ["was", "it was"] : ["were", "they were"];
  return `interrupted while ${hooks.map(oneLine).join(", ")} ${were} running; ${they} ended, and nothing is decided`;
}

export function runningHooks() {
  const steps: HookStep[] = [];
  return {
    step: (step: HookStep) => {
      if (step.phase === "start") steps.push(step);
      else
        steps.splice(
          steps.findIndex(({ hook }) => hook === step.hook),
          1,
        );
    },
    names: () => steps.map(({ hook }) => hook),
    /** As each wants to be shown. */
    shown: () => steps.map(({ hook, status = hook }) => status),
  };
}

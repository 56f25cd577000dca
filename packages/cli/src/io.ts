import { wrap } from "./render/text.ts";

/** Where a command writes, and what the terminal there can show. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** stdout is a terminal. */
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly color: boolean;
}

type Streams = Pick<NodeJS.Process, "env"> & Record<"stdout" | "stderr", Stream>;
type Stream = Pick<NodeJS.WriteStream, "isTTY" | "columns"> & { write(text: string): unknown };

const DEFAULT_COLUMNS = 80;

/** What goes to a terminal is broken between words. */
export function processIo({ stdout, stderr, env }: Streams = process): Io {
  const isTerminal = stdout.isTTY === true;
  const forced = Boolean(env.FORCE_COLOR) && env.FORCE_COLOR !== "0";
  return {
    out: (text) => stdout.write(text),
    err: (text) =>
      stderr.write(stderr.isTTY ? wrap(text, stderr.columns || DEFAULT_COLUMNS).join("\n") : text),
    isTerminal,
    columns: Math.max(1, Math.floor(stdout.columns || Number(env.COLUMNS) || DEFAULT_COLUMNS)),
    color: !env.NO_COLOR && (forced || (isTerminal && env.TERM !== "dumb")),
  };
}

/** Resolves when stdout takes more, or never will: a reader that is slow makes the writer wait, not its memory grow. */
export function drained({ stdout } = process): Promise<void> {
  if (!stdout.writableNeedDrain || stdout.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      for (const name of ENDS) stdout.off(name, finish);
      resolve();
    };
    for (const name of ENDS) stdout.once(name, finish);
  });
}

const ENDS = ["drain", "error", "close"];

/** HUP: the terminal was closed. */
const INTERRUPTIONS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A signal that comes with Ctrl-C and the like; `done` when nobody waits for it any more. */
export function untilInterrupted(): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController();
  const end = () => controller.abort();
  for (const name of INTERRUPTIONS) process.once(name, end);
  return {
    signal: controller.signal,
    done: () => {
      for (const name of INTERRUPTIONS) process.off(name, end);
    },
  };
}

/** Comes when nobody reads stdout any more; that is known once something was written to it. */
export function untilClosed(): AbortSignal {
  const controller = new AbortController();
  const end = () => controller.abort();
  process.stdout.once("error", end).once("close", end);
  return controller.signal;
}

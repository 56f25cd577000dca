import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { wrap } from "./render/text.ts";

export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** Writes commands for GitHub's runner. The runner finds none in what `out` and `err` write. */
  command(text: string): void;
  readonly isTerminal: boolean;
  /** As wide as it is now: a terminal may be resized. */
  readonly columns: number;
  /** The width to cut lines to. A file or a pipe has none, so nothing is cut there unless COLUMNS is set. */
  readonly room: number;
  readonly color: boolean;
}

type Streams = Pick<NodeJS.Process, "env"> & Record<"stdout" | "stderr", Stream>;
type Stream = Pick<NodeJS.WriteStream, "isTTY" | "columns"> & { write(text: string): unknown };

const DEFAULT_COLUMNS = 80;

/** What goes to a terminal is broken between words. */
export function processIo({ stdout, stderr, env }: Streams = process): Io {
  const isTerminal = stdout.isTTY === true;
  const columns = () => Math.max(1, Math.floor(stdout.columns || Number(env.COLUMNS) || DEFAULT_COLUMNS));
  const forced = Boolean(env.FORCE_COLOR) && env.FORCE_COLOR !== "0";
  const safe = env.GITHUB_ACTIONS ? withoutCommands : (text: string) => text;
  return {
    out: (text) => stdout.write(safe(text)),
    err: (text) =>
      stderr.write(safe(stderr.isTTY ? wrap(text, stderr.columns || DEFAULT_COLUMNS).join("\n") : text)),
    command: (text) => stdout.write(text),
    isTerminal,
    get columns() {
      return columns();
    },
    get room() {
      return isTerminal || env.COLUMNS ? columns() : Number.POSITIVE_INFINITY;
    },
    color: !env.NO_COLOR && (forced || (isTerminal && env.TERM !== "dumb")),
  };
}

/**
 * GitHub's runner obeys a line that begins with `::`, whoever wrote it, and an old `##[` wherever it stands. Hooks are not to
 * be obeyed: such a sign becomes visible, as `clean` does it, and JSON stays the same to a parser.
 */
function withoutCommands(text: string): string {
  return text.replaceAll(/^([^\S\n]*)::/gm, "$1\\u003a:").replaceAll("##[", "##\\u005b");
}

/** Resolves when stdout takes more, or never will. Without it, a slow reader would make the writer's memory grow. */
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

/** SIGHUP says that the terminal was closed. */
export const INTERRUPTIONS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Aborts the signal on Ctrl-C and the like. `done` is called when nobody waits for it any more. */
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

/** Aborts when nobody reads stdout any more, which is known once something was written to it. */
export function untilClosed(): AbortSignal {
  const controller = new AbortController();
  const end = () => controller.abort();
  process.stdout.once("error", end).once("close", end);
  return controller.signal;
}

/**
 * Puts an empty file in place of stdin. A module hook is a thread of this process and shares its stdin: a terminal, or a pipe
 * that stays open, would keep the thread in a read that nothing ends, and the exit would wait for it. Called when a command
 * has read all it wants, and before a thread is there that could take the number in between.
 *
 * Only POSIX says which number an open file gets: on Windows stdin stays what it is.
 */
export function closeStdin(): void {
  if (process.platform === "win32") return;
  try {
    closeSync(0);
  } catch {} // it was closed when we were started
  openSync(devNull, "r"); // takes the lowest number that is free
}

/** Whether somebody is there to answer a question. */
export function canAsk({ isTerminal }: Io): boolean {
  return isTerminal && process.stdin.isTTY === true;
}

/** Asks a question that is answered with y. Anything else, Ctrl-C and Ctrl-D too, is a no, and `without` says what it means. */
export async function isAgreed(question: string, without: string, io: Io): Promise<boolean> {
  // No import: main.cjs has none for what Node brings along, and a static one is a part of every start.
  const { createInterface } = process.getBuiltinModule("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal
    .question(question)
    .catch(() => undefined)
    .finally(() => terminal.close());
  if (/^y(es)?$/i.test(answer?.trim() ?? "")) return true;
  io.out(`${answer === undefined ? "\n" : ""}${without}\n`);
  return false;
}

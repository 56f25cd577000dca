/** Where a command writes, and what the terminal there can show. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** stdout is a terminal. */
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly color: boolean;
}

const DEFAULT_COLUMNS = 80;

export function processIo(): Io {
  const { stdout, stderr, env } = process;
  const isTerminal = stdout.isTTY === true;
  const forced = Boolean(env.FORCE_COLOR) && env.FORCE_COLOR !== "0";
  return {
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    isTerminal,
    columns: Math.max(1, Math.floor(stdout.columns || Number(env.COLUMNS) || DEFAULT_COLUMNS)),
    color: !env.NO_COLOR && (forced || (isTerminal && env.TERM !== "dumb")),
  };
}

import type { Flags } from "../args/args.ts";
import type { Io } from "../io.ts";

/** A command: what its help says, and what it does. Returns the exit code. */
export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly flags: Flags;
  /** The events it takes, if it takes one. */
  readonly events?: readonly string[];
  readonly examples: readonly string[];
  run(args: readonly string[], io: Io): Promise<number>;
}

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { nearest } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import type { Io } from "../io.ts";

/** A command: what its help says, and what it does. Returns the exit code. */
export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly flags: Flags;
  readonly events?: readonly string[];
  readonly examples: readonly string[];
  run(args: readonly string[], io: Io): Promise<number>;
}

interface Flag {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  /** The placeholder of its value: FILE, JSON … */
  readonly value?: string;
  readonly help: string;
}

export type Flags = Readonly<Record<string, Flag>>;

export type FlagValues<F extends Flags> = {
  [Name in keyof F]?: F[Name]["type"] extends "boolean"
    ? boolean
    : F[Name] extends { multiple: true }
      ? string[]
      : string;
};

/** `elsewhere` says what to use instead of an option that other commands have. */
export function readFlags<F extends Flags>(
  args: readonly string[],
  flags: F,
  elsewhere: Readonly<Record<string, string>> = {},
): { values: FlagValues<F>; positionals: string[] } {
  const plain = plainly(args, flags);
  if (plain) return plain as { values: FlagValues<F>; positionals: string[] };
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short && { short }), ...(multiple && { multiple }) },
    ]),
  );
  try {
    const read = parseArgs({ args: [...args], options, allowPositionals: true, tokens: true });
    refuseRepeated(read.tokens, flags);
    return { values: read.values as FlagValues<F>, positionals: read.positionals };
  } catch (error) {
    throw error instanceof UsageError ? error : explain(error, Object.keys(flags), elsewhere);
  }
}

/** Refuses a flag that is given twice: Node would keep the last value and drop the first in silence. */
function refuseRepeated(tokens: readonly { kind: string; name?: string }[], flags: Flags): void {
  const seen = new Set<string>();
  for (const { kind, name = "" } of tokens) {
    if (kind !== "option" || flags[name]?.type !== "string" || flags[name].multiple) continue;
    if (seen.has(name))
      throw new UsageError(`--${name} is given more than once and takes one value`, "keep one of them");
    seen.add(name);
  }
}

/**
 * Reads a command line of known flags in their long form, each followed by its value, as programs write them. Returns
 * undefined for any other, which is left to Node's parser: loading that takes longer than a whole command line here.
 */
function plainly(args: readonly string[], flags: Flags) {
  const values: Record<string, string | boolean | string[]> = Object.create(null);
  const positionals: string[] = [];
  const rest = args.values();
  for (const arg of rest) {
    if (!arg.startsWith("-")) {
      positionals.push(arg);
      continue;
    }
    const name = arg.slice(2);
    const flag = arg.startsWith("--") && Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag?.type === "boolean") values[name] = true;
    else {
      const { value } = rest.next();
      if (!flag || value === undefined || value.startsWith("-")) return undefined;
      const before = values[name] as string[] | undefined;
      if (before !== undefined && !flag.multiple) return undefined;
      values[name] = flag.multiple ? [...(before ?? []), value] : value;
    }
  }
  return { values, positionals };
}

function explain(
  error: unknown,
  known: readonly string[],
  elsewhere: Readonly<Record<string, string>>,
): UsageError {
  const { code, message } = error as { code?: string; message: string };
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const given = /'(-{1,2}[^']*)'/.exec(message)?.[1] ?? "that option";
    const name = given.replace(/^-+/, "");
    const instead = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
    const guess = nearest(name, known);
    const next = guess ? `did you mean --${guess}?` : "--help lists the options";
    return new UsageError(`there is no option ${given}`, instead ?? next);
  }
  if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") {
    const [, short, option = "an option"] = /'(?:(-\w), )?(--[\w-]+)/.exec(message) ?? [];
    if (message.includes("does not take"))
      return new UsageError(`${option} takes no value`, `write ${option}`);
    return new UsageError(
      `${short ?? option} needs a value`,
      `a value that begins with a dash is written ${option}=VALUE`,
    );
  }
  return new UsageError(message.split("\n")[0] ?? message);
}

export function oneOf<T extends string>(given: string, known: readonly T[], what: string): T {
  if ((known as readonly string[]).includes(given)) return given as T;
  const guess = nearest(given, known);
  throw new UsageError(
    `there is no ${what} ${JSON.stringify(given)}`,
    guess ? `did you mean ${guess}?` : `one of: ${known.join(", ")}`,
  );
}

/** Refuses arguments that a command does not take; `next` says what was probably meant. */
export function noArguments([extra]: readonly string[], next: string): void {
  if (extra !== undefined) throw new UsageError(`${JSON.stringify(extra)} is one argument too many`, next);
}

/** The number that a flag gives; `what` is the kind of number, `next` what to write instead of another text. */
export function wholeNumber(
  flag: string,
  given: string,
  what: string,
  next: string,
  [least, most]: readonly [number, number] = [0, 999_999_999],
): number {
  const number = /^\d{1,15}$/.test(given) ? Number(given) : -1;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${flag} ${JSON.stringify(given)} is no ${what}`, next);
}

/** How many of something are under way at once; as many as there are cores if nothing is given. */
export function parallelOf(given: string | undefined, what: "cases" | "events"): number {
  if (given === undefined) return availableParallelism();
  return wholeNumber("--parallel", given, `number of ${what}`, "for example: --parallel 4", [1, 1024]);
}

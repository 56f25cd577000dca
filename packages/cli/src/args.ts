import { parseArgs } from "node:util";
import { nearest } from "@belay/core";

/** One flag of a command, as its help shows it. */
export interface Flag {
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

/** Bad usage: one clear sentence, perhaps a suggestion, exit 1. Never a stack trace. */
export class BadUsage extends Error {
  override readonly name = "BadUsage";
  constructor(
    message: string,
    readonly next?: string,
  ) {
    super(message);
  }
}

export function readFlags<F extends Flags>(
  args: readonly string[],
  flags: F,
): { values: FlagValues<F>; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short && { short }), ...(multiple && { multiple }) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { values: values as FlagValues<F>, positionals };
  } catch (error) {
    throw explain(error, Object.keys(flags));
  }
}

function explain(error: unknown, known: readonly string[]): BadUsage {
  const { code, message } = error as { code?: string; message: string };
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const given = /'(-{1,2}[^']*)'/.exec(message)?.[1] ?? "that option";
    const guess = nearest(given.replace(/^-+/, ""), known);
    return new BadUsage(
      `there is no option ${given}`,
      guess ? `did you mean --${guess}?` : "--help lists the options",
    );
  }
  if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") {
    const [, short, option = "an option"] = /'(?:(-\w), )?(--[\w-]+)/.exec(message) ?? [];
    if (message.includes("does not take")) return new BadUsage(`${option} takes no value`, `write ${option}`);
    return new BadUsage(
      `${short ?? option} needs a value`,
      `a value that begins with a dash is written ${option}=VALUE`,
    );
  }
  return new BadUsage(message.split("\n")[0] ?? message);
}

/** A positional argument that must be one of a list. */
export function oneOf<T extends string>(given: string, known: readonly T[], what: string): T {
  if ((known as readonly string[]).includes(given)) return given as T;
  const guess = nearest(given, known);
  throw new BadUsage(
    `there is no ${what} ${JSON.stringify(given)}`,
    guess ? `did you mean ${guess}?` : `one of: ${known.join(", ")}`,
  );
}

/** For commands that take options only; `next` says what was probably meant. */
export function noArguments([extra]: readonly string[], next: string): void {
  if (extra !== undefined) throw new BadUsage(`${JSON.stringify(extra)} is one argument too many`, next);
}

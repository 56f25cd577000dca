import { parseArgs } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFlags } from "../src/args/args.ts";
import { EVENT_FLAGS } from "../src/args/flags.ts";

const FLAGS = { ...EVENT_FLAGS, verbose: { type: "boolean", short: "v", help: "" } } as const;
const OPTIONS = Object.fromEntries(
  Object.entries(FLAGS).map(([name, flag]) => [
    name,
    {
      type: flag.type,
      ...("short" in flag && { short: flag.short }),
      ...("multiple" in flag && { multiple: flag.multiple }),
    },
  ]),
);

const names = Object.keys(FLAGS).map((name) => `--${name}`);
const word = fc.oneof(
  fc.constantFrom(...names, ...names.map((name) => `${name}=x`), "-v", "-", "--", "-x", "--no-verbose", ""),
  fc.string(),
);

describe("a command line", () => {
  it("is read as Node's own parser reads it, short cuts and all, and refused where one of two values would be lost", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (args) => {
        expect(attempt(() => readFlags(args, FLAGS))).toEqual(
          attempt(() => {
            const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
            return losesOne(args) ? "refused" : { values, positionals };
          }),
        );
      }),
      { numRuns: 2000 },
    );
  });
});

/** Whether Node would keep the last of several values. */
function losesOne(args: string[]): boolean {
  const every = Object.fromEntries(
    Object.entries(OPTIONS).map(([name, option]) => [name, { ...option, multiple: true }]),
  );
  const { values } = parseArgs({ args, options: every, allowPositionals: true });
  return Object.entries(OPTIONS).some(
    ([name, { type, multiple }]) =>
      type === "string" && !multiple && ((values[name] as string[] | undefined)?.length ?? 0) > 1,
  );
}

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return "refused";
  }
}

import { parseArgs } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFlags } from "../src/args.ts";
import { EVENT_FLAGS } from "../src/flags.ts";

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
  it("is read as Node's own parser reads it, short cuts and all", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (args) => {
        expect(attempt(() => readFlags(args, FLAGS))).toEqual(
          attempt(() => {
            const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
            return { values, positionals };
          }),
        );
      }),
      { numRuns: 2000 },
    );
  });
});

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return "refused";
  }
}

import { DEFAULT_DIALECT, DIALECT_NAMES, type DialectName, EVENT_NAMES, type EventName } from "@belay/core";
import { eventRow } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { type Command, oneOf, readFlags } from "../args/args.ts";
import { oneEvent } from "../args/event.ts";
import type { Io } from "../io.ts";
import { hang, paintFor } from "../render/text.ts";

const USAGE = "belay schema [Event] [--input|--output] [--dialect D] | --config | --outcome | --cases";

const FLAGS = {
  input: { type: "boolean", help: "what a hook of this event reads on stdin" },
  output: { type: "boolean", help: "what a hook of this event may print" },
  dialect: {
    type: "string",
    value: "NAME",
    help: `what it may print in this dialect, instead of ${DEFAULT_DIALECT}: ${DIALECT_NAMES.join(", ")}`,
  },
  config: { type: "boolean", help: "a settings file with hooks" },
  outcome: { type: "boolean", help: "what belay run --json prints" },
  cases: { type: "boolean", help: "a file of test cases, for belay test" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Prints JSON Schemas: of an event's input and output, of a config file, of an outcome.\nAn event alone prints both of its schemas; nothing at all prints the list of events.",
  flags: FLAGS,
  examples: [
    "belay schema PreToolUse --output",
    "belay schema Stop --output --dialect claude-code",
    "belay schema --config > settings.schema.json",
  ],
  run: printSchema,
};

async function printSchema(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const wholes = (["config", "outcome", "cases"] as const).filter((name) => values[name]);
  const sides = (["input", "output"] as const).filter((name) => values[name]);
  const [whole] = wholes;
  const dialect = values.dialect === undefined ? undefined : oneOf(values.dialect, DIALECT_NAMES, "dialect");
  if (whole !== undefined) {
    if (positionals.length > 0 || sides.length > 0 || wholes.length > 1 || dialect)
      throw new UsageError(`--${whole} stands alone`, `usage: ${USAGE}`);
    const schemas = await import("@belay/core/schema");
    const made = {
      config: schemas.configSchema,
      outcome: schemas.outcomeJsonSchema,
      cases: schemas.testCasesSchema,
    };
    print(made[whole](), io);
    return 0;
  }
  if (positionals.length === 0 && sides.length === 0 && !dialect) {
    io.out(list(io));
    return 0;
  }
  const event = oneEvent(positionals, USAGE);
  print(await eventSchemas(event, sides, dialect), io);
  return 0;
}

async function eventSchemas(event: EventName, sides: readonly ("input" | "output")[], dialect?: DialectName) {
  const { inputSchema, outputSchema } = await import("@belay/core/schema");
  const both = { input: inputSchema(event), output: outputSchema(event, dialect) };
  return sides.length === 1 && sides[0] !== undefined ? both[sides[0]] : both;
}

function print(schema: object, io: Io): void {
  io.out(`${JSON.stringify(schema, null, 2)}\n`);
}

function list(io: Io): string {
  const paint = paintFor(io);
  const wide = Math.max(...EVENT_NAMES.map((name) => name.length)) + 2;
  const row = (name: string, text: string) =>
    hang(`  ${paint.bold(name.padEnd(wide))}`, text, io.columns).join("\n");
  return `${[
    "Events:",
    ...EVENT_NAMES.map((name) => row(name, eventRow(name).when)),
    "",
    "Schemas:",
    ...[
      [
        "belay schema <Event>",
        "both schemas of an event; --input or --output for one, --dialect for another dialect",
      ],
      ["belay schema --config", "a settings file with hooks"],
      ["belay schema --outcome", "what belay run --json prints"],
      ["belay schema --cases", "a file of test cases, for belay test"],
    ].flatMap(([name = "", text = ""]) => hang(`  ${name.padEnd(24)}`, text, io.columns)),
  ].join("\n")}\n`;
}

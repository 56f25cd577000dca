import { readFileSync } from "node:fs";
import { devNull } from "node:os";
import { text as textOf } from "node:stream/consumers";
import { eventRow, isForeignEvent, samplePayload, TOOLS, whyNoEvent } from "@belay/core";
import { createEngine, type Engine, EVENT_NAMES, type EventName } from "@belay/engine";
import { BadUsage, type FlagValues, oneOf } from "./args.ts";
import { brokenConfig, CONFIG_FLAGS, configOptions, workingFolder } from "./config-args.ts";
import { BELAY } from "./next.ts";

/** Flags of every command that takes an event (DESIGN §8). */
export const EVENT_FLAGS = {
  tool: { type: "string", value: "NAME", help: "the tool's name" },
  "tool-input": { type: "string", value: "JSON", help: "the tool's input" },
  prompt: { type: "string", value: "TEXT", help: "the user's prompt" },
  input: { type: "string", value: "FILE|-", help: "a whole payload, from a file or from stdin" },
  set: {
    type: "string",
    multiple: true,
    value: "KEY=JSON",
    help: "set any field of the payload; repeatable",
  },
  ...CONFIG_FLAGS,
  session: { type: "string", value: "ID", help: "the session id" },
} as const;

export type EventFlags = FlagValues<typeof EVENT_FLAGS>;

export interface EventCall {
  readonly event: EventName;
  readonly payload: Record<string, unknown>;
  readonly engine: Engine;
}

/** Reads the event and its payload, and opens the engine; anything wrong is said before a hook runs. */
export async function openEvent(
  values: EventFlags,
  positionals: readonly string[],
  usage: string,
): Promise<EventCall> {
  const event = oneEvent(positionals, usage);
  const engine = await openEngine(values);
  const payload = { ...(await readPayload(event, values, engine)), ...readSets(values.set ?? []) };
  return { event, payload, engine };
}

/** The one event of a command line. */
export function oneEvent([name, extra]: readonly string[], usage: string): EventName {
  if (name === undefined) throw new BadUsage("an event is needed", `usage: ${usage}`);
  if (isForeignEvent(name)) throw new BadUsage(whyNoEvent(name), `${BELAY} schema lists those it does`);
  const event = oneOf(name, EVENT_NAMES, "event");
  if (extra !== undefined)
    throw new BadUsage(`${JSON.stringify(extra)} is one argument too many`, `usage: ${usage}`);
  return event;
}

/** The engine for a command line. A file that cannot be read or parsed as a whole is bad usage. */
export async function openEngine(values: EventFlags, journal = true): Promise<Engine> {
  const engine = await createEngine({
    ...configOptions(values),
    journal,
    program: BELAY,
    limits: { stopCap: Number.POSITIVE_INFINITY },
    ...(values.session !== undefined && { sessionId: values.session }),
  });
  const broken = engine.problems.filter(({ code }) => code === "config-unreadable");
  if (broken.length > 0) throw brokenConfig(broken, values);
  return engine;
}

/** The sample payload under what was given. */
async function readPayload(
  event: EventName,
  values: EventFlags,
  engine: Engine,
): Promise<Record<string, unknown>> {
  const cwd = workingFolder(values.cwd);
  const common = { session_id: engine.sessionId, cwd, transcript_path: devNull };
  const sample = samplePayload(event, common);
  const file = values.input;
  if (file === undefined) return { ...sample, ...readShortcuts(event, values) };
  const given = asObject(
    parseJson(await readInput(file), `the payload in ${file === "-" ? "stdin" : file}`, payloadHint(event)),
    "the payload",
    payloadHint(event),
  );
  const named = given.hook_event_name;
  if (named !== undefined && named !== event) {
    throw new BadUsage(`the payload is one of ${JSON.stringify(named)}, not of ${event}`, payloadHint(event));
  }
  const explicit = {
    ...(values.session !== undefined && { session_id: values.session }),
    ...(values.cwd !== undefined && { cwd }),
  };
  return { ...sample, ...given, ...readShortcuts(event, values), ...explicit };
}

function readShortcuts(event: EventName, values: EventFlags): Record<string, unknown> {
  const { input } = eventRow(event);
  const wants = (flag: string, field: string) => {
    if (!(field in input))
      throw new BadUsage(`${event} has no ${field}, so --${flag} says nothing`, "--set sets any field");
  };
  const fields: Record<string, unknown> = {};
  if (values.tool !== undefined) {
    wants("tool", "tool_name");
    fields.tool_name = values.tool;
    fields.tool_input = Object.hasOwn(TOOLS, values.tool) ? TOOLS[values.tool] : {};
  }
  if (values["tool-input"] !== undefined) {
    wants("tool-input", "tool_input");
    fields.tool_input = asObject(
      parseJson(values["tool-input"], "--tool-input", TOOL_INPUT_HINT),
      "--tool-input",
      TOOL_INPUT_HINT,
    );
  }
  if (values.prompt !== undefined) {
    wants("prompt", "prompt");
    fields.prompt = values.prompt;
  }
  return fields;
}

function readSets(sets: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    sets.map((set) => {
      const at = set.indexOf("=");
      if (at < 1)
        throw new BadUsage(
          `--set ${JSON.stringify(set)} is not KEY=JSON`,
          "for example: --set source='\"resume\"'",
        );
      const key = set.slice(0, at);
      return [key, parseJson(set.slice(at + 1), `--set ${key}`, "text needs quotes: '\"like this\"'")];
    }),
  );
}

const TOOL_INPUT_HINT = `for example: '{"command":"ls"}'`;

function payloadHint(event: EventName): string {
  return `${BELAY} schema ${event} --input says what it holds`;
}

async function readInput(file: string): Promise<string> {
  try {
    return file === "-" ? await textOf(process.stdin) : readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const known: Record<string, string> = { EISDIR: "it is a folder", ENOENT: "there is no such file" };
    throw new BadUsage(
      `${file} cannot be read: ${known[code ?? ""] ?? message}`,
      "--input takes a file, or - for stdin",
    );
  }
}

function parseJson(text: string, what: string, hint: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new BadUsage(`${what} is not JSON`, hint);
  }
}

function asObject(value: unknown, what: string, hint: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new BadUsage(`${what} must be a JSON object`, hint);
}

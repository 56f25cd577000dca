import { devNull } from "node:os";
import { join } from "node:path";
import { COMMON_INPUT, type EventName, type Fields, samplePayload } from "@belay/core";
import {
  brief,
  eventRow,
  expectedBy,
  isObject,
  misfit,
  nearest,
  toolNamed,
  withPath,
} from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { readText } from "@belay/engine/internal";
import { BELAY, type EventFlags, workingFolder } from "./flags.ts";

export type Given = Readonly<Record<string, unknown>>;

export async function readGiven({ input: file }: EventFlags, event?: EventName): Promise<Given> {
  if (file === undefined) return {};
  const isJson = file.trimStart().startsWith("{");
  const other = isJson ? "; --tool-input takes JSON, and --set any field" : "";
  return readPayload(file, `--input takes a file, or - for stdin${other}`, event);
}

/** `takes` says what the flag that was given takes. */
export async function readPayload(file: string, takes: string, event?: EventName): Promise<Given> {
  const hint = event === undefined ? `${BELAY} schema lists the events` : payloadHint(event);
  const text = await readInput(file, takes);
  const given = parseObject(text, "the payload", hint, ` in ${file === "-" ? "stdin" : file}`);
  if (event !== undefined) refuseOther(given, event);
  return given;
}

function refuseOther({ hook_event_name: named }: Given, event: EventName): void {
  if (named === undefined || named === event) return;
  throw new UsageError(`the payload is one of ${brief(named)}, not of ${event}`, payloadHint(event));
}

export function payloadFor(
  event: EventName,
  values: EventFlags,
  given: Given,
  sessionId: string,
): Record<string, unknown> {
  const cwd = workingFolder(values.cwd);
  const sample: Given = samplePayload(event, { session_id: sessionId, cwd, transcript_path: devNull });
  const explicit = {
    ...(values.session !== undefined && { session_id: values.session }),
    ...(values.cwd !== undefined && { cwd }),
  };
  const sets = readSets(values.set ?? []);
  const said = { ...given, ...readShortcuts(event, values) };
  const { tool_name: tool, cwd: folder } = sets.reduce(setIn, { cwd, ...said, ...explicit });
  const ofTool =
    typeof tool === "string" && tool !== sample.tool_name && sampleCall(tool, sample, String(folder));
  const payload = sets.reduce(setIn, { ...sample, ...ofTool, ...said, ...explicit });
  refuseOther(payload, event);
  return payload;
}

/** The fields that were said; a payload has more, from the sample. */
export function saidFields(given: Given, { set = [] }: EventFlags): string[] {
  return [...Object.keys(given), ...readSets(set).map(({ keys: [key] }) => key)];
}

/** Warnings about probable slips. The payload is handed on all the same: hosts send fields of their own. */
export function doubtsAbout(event: EventName, payload: Given, names = Object.keys(payload)): string[] {
  const fields: Fields = { ...COMMON_INPUT, ...eventRow(event).input };
  const said = new Set(names);
  // A known field that was said as well is not the one that was meant.
  const unsaid = Object.keys(fields).filter((name) => !said.has(name));
  return [...said].flatMap((name) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field) {
      const wrong = misfit(field, payload[name]);
      if (!wrong) return [];
      const said = expectedBy(wrong);
      const expected = WORDS[said] ?? said;
      return [`${name} is ${inWords(payload[name])}, where ${event} has ${expected}; ${payloadHint(event)}`];
    }
    const input = said.has("tool_input") ? payload.tool_input : undefined;
    const guess = inToolInput(name, event, input, payload.tool_name) ?? nearest(name, unsaid);
    return guess ? [`${event} has no ${name}; did you mean ${guess}?`] : [];
  });
}

/** The right path of a field of the tool's input that stands beside the input. */
function inToolInput(name: string, event: EventName, said: unknown, tool: unknown): string | undefined {
  if (!Object.hasOwn(eventRow(event).input, "tool_input")) return undefined;
  if (isObject(said) && Object.hasOwn(said, name)) return undefined;
  const { tool_input: sample }: Given = samplePayload(event, {
    session_id: "",
    cwd: "",
    transcript_path: "",
  });
  const input = (typeof tool === "string" && toolNamed(tool)?.sample) || sample;
  return isObject(input) && Object.hasOwn(input, name) ? `tool_input.${name}` : undefined;
}

/** The same where one of several events is meant: a field that any of them has is no slip. */
export function doubtsAboutAny(events: readonly EventName[], given: Given): string[] {
  const [only, ...others] = events;
  if (only !== undefined && others.length === 0) return doubtsAbout(only, given);
  const known = new Set(events.flatMap((event) => Object.keys(eventRow(event).input)));
  const isStrange = (name: string) => !known.has(name) && !Object.hasOwn(COMMON_INPUT, name);
  const strange = Object.fromEntries(Object.entries(given).filter(([name]) => isStrange(name)));
  const doubts = events.map((event) => doubtsAbout(event, strange));
  return doubts.find((found) => found.length > 0) ?? [];
}

/** The words of payloads, for those of fields. */
const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  "(string | null)": "text",
  boolean: "true or false",
  Object: "an object",
};

/** Nothing is walked: it may be nested without end. */
function inWords(value: unknown): string {
  return Array.isArray(value) ? "a list" : brief(value);
}

/** The input and the response of a tool's own sample, in place of those in the event's sample. */
function sampleCall(tool: string, sample: Given, cwd: string): Given {
  const responses = toolResponses(cwd);
  const tool_response = Object.hasOwn(responses, tool) ? responses[tool] : {};
  const tool_input = withPath(tool, toolNamed(tool)?.sample ?? {}, (path) => join(cwd, path));
  return { tool_input, ...("tool_response" in sample && { tool_response }) };
}

const SHORTCUTS = { tool: "tool_name", "tool-input": "tool_input", prompt: "prompt" } as const;

function readShortcuts(event: EventName, values: EventFlags): Given {
  const { input } = eventRow(event);
  const fields: Record<string, unknown> = {};
  for (const [flag, field] of Object.entries(SHORTCUTS)) {
    const given = values[flag as keyof typeof SHORTCUTS];
    if (given === undefined) continue;
    if (!(field in input))
      throw new UsageError(`${event} has no ${field}, so --${flag} says nothing`, "--set sets any field");
    fields[field] = flag === "tool-input" ? parseObject(given, "--tool-input", TOOL_INPUT_HINT) : given;
  }
  return fields;
}

interface Setting {
  readonly keys: readonly [string, ...string[]];
  readonly value: unknown;
}

function readSets(sets: readonly string[]): Setting[] {
  return sets.map((set) => {
    const at = set.indexOf("=");
    const path = set.slice(0, at);
    const [first = "", ...inner] = path.split(".");
    if (at < 1 || [first, ...inner].includes(""))
      throw new UsageError(
        `--set ${JSON.stringify(set)} is not KEY=JSON`,
        "for example: --set source='\"resume\"'",
      );
    const value = parseJson(set.slice(at + 1), `--set ${path}`, "text needs quotes: '\"like this\"'");
    return { keys: [first, ...inner], value };
  });
}

/** The payload with one field set; objects on the way are made where nothing is. */
function setIn(payload: Given, { keys, value }: Setting): Record<string, unknown> {
  const [key, next, ...rest] = keys;
  if (next === undefined) return { ...payload, [key]: value };
  const inner = payload[key] ?? {};
  if (!isObject(inner))
    throw new UsageError(
      `--set ${keys.join(".")}: ${key} holds no object`,
      `set it whole: --set ${key}=JSON`,
    );
  return { ...payload, [key]: setIn(inner, { keys: [next, ...rest], value }) };
}

const TOOL_INPUT_HINT = `for example: '{"command":"ls"}'`;

function payloadHint(event: EventName): string {
  return `${BELAY} schema ${event} --input says what it holds`;
}

/** More than any event holds; a device in its place must not cost all memory. */
const MAX_INPUT = 256 * 1024 * 1024;

export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > MAX_INPUT) throw new Error(`it has more than ${MAX_INPUT} bytes, and no more are read`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function readInput(file: string, takes: string): Promise<string> {
  try {
    return file === "-" ? await readStdin() : readText(file, { max: MAX_INPUT, waits: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const known: Record<string, string> = { EISDIR: "it is a folder", ENOENT: "there is no such file" };
    throw new UsageError(
      `${file === "-" ? "stdin" : file || '""'} cannot be read: ${known[code ?? ""] ?? message}`,
      takes,
    );
  }
}

function parseJson(text: string, what: string, hint: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new UsageError(`${what} is not JSON`, hint);
  }
}

/** `where` is said of text that is not JSON at all. */
export function parseObject(text: string, what: string, hint: string, where = ""): Record<string, unknown> {
  const value = parseJson(text, what + where, hint);
  if (isObject(value)) return value;
  throw new UsageError(`${what} must be a JSON object`, hint);
}

/**
 * What a tool would return to its sample input: `tool_response` of hooks. Beside the inputs it would be too much for those
 * who load core in a browser. Bash is in the event's own sample; tools that are not here return an empty object.
 */
export function toolResponses(cwd: string): Readonly<Record<string, unknown>> {
  const at = (path: string) => join(cwd, path);
  return {
    Read: { type: "text", file: { filePath: at("src/parse.ts"), content: "let a = 1;\n", numLines: 1 } },
    Write: { filePath: at("notes.txt"), success: true },
    Edit: { filePath: at("src/parse.ts"), oldString: "let a", newString: "const a" },
    MultiEdit: { filePath: at("src/parse.ts"), success: true },
    Glob: { filenames: [at("src/parse.ts")], numFiles: 1, truncated: false },
    Grep: { mode: "files_with_matches", filenames: [at("src/parse.ts")], numFiles: 1 },
    Task: { content: [{ type: "text", text: "There are two." }] },
    Agent: { content: [{ type: "text", text: "There are two." }] },
    WebFetch: { url: "https://example.com/", code: 200, result: "An example." },
    WebSearch: { query: "json grammar", results: [] },
    NotebookEdit: { notebook_path: at("notes.ipynb"), new_source: "print(1)" },
    TodoWrite: { oldTodos: [], newTodos: [{ content: "Add a test", status: "pending" }] },
  };
}

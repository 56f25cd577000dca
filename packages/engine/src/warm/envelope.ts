import type { Run } from "@belay/core";
import { isObject, shorten } from "@belay/core/internal";
import { type Decoded, decode } from "../process/capture.ts";
import { capped } from "../runners/runner.ts";

/*
 * The lines that a warm hook reads and writes. Pure: one line in, what it says out.
 *   to the hook    {"id":"7","input":{…}}
 *   from the hook  {"id":"7","output":{…} or "…","exitCode":0,"stderr":"…"}, all but the id optional
 */

/** What a hook said in one line, as a cold one says it with its streams and its exit code. */
export interface Said {
  readonly stdout?: string;
  readonly exitCode?: number;
  readonly stderr?: string;
}

export interface Line {
  readonly id?: string;
  /** Of a line that does not fit: the parts of it that are sound, or all of it. They can still restrict. */
  readonly said: Said;
  /** Why it is no answer, if it is none; in words that quote at most the name of a field. */
  readonly problem?: string;
}

/** Ends of a line to some readers of lines; JSON may have them in its strings. */
const OTHER_ENDS = /[\u0085\u2028\u2029]/g;

/** The input is a payload as hooks read it: JSON without a line end in it, whatever a language takes for one. */
export function callLine(id: string, input: string): string {
  const escaped = input.replace(OTHER_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `{"id":${JSON.stringify(id)},"input":${escaped}}\n`;
}

/** Reads one line; of one that was cut, as much as is there. */
export function readLine(text: string, cut: boolean): Line {
  const why = cut ? undefined : whyNoObject(text);
  if (why !== undefined) return { said: { stdout: text }, problem: why };
  const found = membersOf(text);
  const [id, said, problems] = [idIn(found), saidIn(found), problemsOf(found)];
  const [problem] = cut ? ["its line was cut"] : problems;
  // What was meant for stdout may be anywhere in a line without an output: all of it is looked through.
  const whole = problem !== undefined && said.stdout === undefined ? { stdout: text } : {};
  return {
    ...(id !== undefined && { id }),
    said: { ...said, ...whole },
    ...(problem !== undefined && { problem }),
  };
}

function whyNoObject(text: string): string | undefined {
  try {
    return isObject(JSON.parse(text)) ? undefined : "it printed a line that is no JSON object";
  } catch {
    return "it printed a line that is no JSON";
  }
}

interface Member {
  readonly name: string;
  /** As it is written: to parse and write it anew would hide a field that stands twice. */
  readonly raw: string;
}

/** The fields of an answer, and what makes of the text of each what it says; undefined where it does not fit. */
const FIELDS: Readonly<Record<string, { readonly expected: string; fits(raw: string): boolean }>> = {
  id: { expected: "a string", fits: isString },
  output: { expected: "an object or a string", fits: (raw) => isString(raw) || raw.startsWith("{") },
  exitCode: {
    expected: "an integer from 0 to 255",
    fits: (raw) => /^\d{1,3}$/.test(raw) && Number(raw) <= 255,
  },
  stderr: { expected: "a string", fits: isString },
};

function isString(raw: string): boolean {
  return raw.startsWith('"');
}

function problemsOf(members: readonly Member[]): string[] {
  const named = new Set<string>();
  const problems = members.flatMap(({ name, raw }) => {
    const shown = JSON.stringify(shorten(name, 40));
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    const isSecond = named.has(name);
    named.add(name);
    if (!field)
      return [
        `its line has a field ${shown}, which is none of an answer's; what the hook says goes into "output"`,
      ];
    if (isSecond) return [`${shown} stands twice in its line`];
    return raw === "null" || field.fits(raw) ? [] : [`${shown} in its line is not ${field.expected}`];
  });
  const hasId = members.some(({ name, raw }) => name === "id" && raw !== "null");
  return hasId ? problems : ['its line has no "id"', ...problems];
}

/** null counts as absent, as in a hook's own answer. */
function soundly(members: readonly Member[], wanted: string): string | undefined {
  const all = members.filter(({ name }) => name === wanted);
  const [first] = all;
  return first && all.length === 1 && FIELDS[wanted]?.fits(first.raw) ? first.raw : undefined;
}

function idIn(members: readonly Member[]): string | undefined {
  const raw = soundly(members, "id");
  return raw === undefined ? undefined : stringIn(raw);
}

function saidIn(members: readonly Member[]): Said {
  const output = soundly(members, "output");
  const exitCode = soundly(members, "exitCode");
  const stderr = soundly(members, "stderr");
  return {
    ...(output !== undefined && { stdout: isString(output) ? stringIn(output) : output }),
    ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
    ...(stderr !== undefined && { stderr: stringIn(stderr) }),
  };
}

/** Longest escape of a string: of one that was cut, so much may be no character yet. */
const ESCAPE = "\\u0000".length;

function stringIn(raw: string): string {
  for (let left = 0; left <= ESCAPE; left += 1) {
    for (const end of left === 0 ? ["", '"'] : ['"']) {
      try {
        return JSON.parse(raw.slice(0, raw.length - left) + end) as string;
      } catch {
        // Cut somewhere else than between two characters.
      }
    }
  }
  return "";
}

/** The members of one object, in one pass over its text. Of a text that was cut, the last may be no whole one. */
function membersOf(text: string): Member[] {
  const members: Member[] = [];
  const start = pastSpace(text, 0);
  if (text[start] !== "{") return members;
  for (let at = start + 1; ; ) {
    const key = pastSpace(text, at);
    if (text[key] !== '"') return members;
    const keyEnd = endOfString(text, key);
    const colon = pastSpace(text, keyEnd);
    if (text[colon] !== ":") return members;
    const value = pastSpace(text, colon + 1);
    const end = endOfValue(text, value);
    members.push({ name: stringIn(text.slice(key, keyEnd)), raw: text.slice(value, end).trimEnd() });
    at = end + 1;
  }
}

function pastSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}

/** Behind the quote that ends a string, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\") at += 1;
  }
  return text.length;
}

/** Where a value that begins here ends: at a comma or a bracket that is not its own, or with the text. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if (depth === 0 && (character === "," || character === "}")) return at;
    else if (character === "}" || character === "]") depth -= 1;
  }
  return text.length;
}

type Stream = "stdout" | "stderr";

/** How a line came: what was lost of it on the way. */
export interface Arrival {
  readonly isCut?: boolean;
  readonly isAltered?: boolean;
}

/** The facts of a run, as a cold hook that says the same would leave them; `real` is what it wrote to stderr itself. */
export function saidRun(said: Said, real: Decoded, cap: number, line: Arrival = {}): Partial<Run> {
  const between = real.text === "" || real.text.endsWith("\n") || !said.stderr ? "" : "\n";
  const texts = { stdout: said.stdout ?? "", stderr: real.text + between + (said.stderr ?? "") };
  const { cut: over = [], ...kept } = capped(texts, cap);
  const cut: Stream[] = line.isCut && !over.includes("stdout") ? ["stdout", ...over] : [...over];
  const notUtf8: Stream[] = [
    ...(line.isAltered ? ["stdout" as const] : []),
    ...(real.isAltered ? ["stderr" as const] : []),
  ];
  return {
    ...(said.exitCode !== undefined && { exitCode: said.exitCode }),
    ...kept,
    truncated: cut.length > 0,
    ...(cut.length > 0 && { cut, cap }),
    ...(notUtf8.length > 0 && { notUtf8 }),
  };
}

/** The beginning of what a process writes while a call is under way. */
export interface Kept {
  /** false when nothing more is kept. */
  add(chunk: Buffer): boolean;
  decoded(): Decoded;
}

/** One byte more than the cap: so it shows that there was more. */
export function keepFirst(cap: number): Kept {
  const chunks: Buffer[] = [];
  let room = cap + 1;
  return {
    add: (chunk) => {
      if (room === 0) return false;
      chunks.push(chunk.length > room ? Buffer.from(chunk.subarray(0, room)) : chunk);
      room -= Math.min(chunk.length, room);
      return true;
    },
    decoded: () => decode(Buffer.concat(chunks), room === 0),
  };
}

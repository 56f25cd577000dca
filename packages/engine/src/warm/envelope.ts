import type { Run } from "@belay/core";
import { isObject, shorten } from "@belay/core/internal";
import { endOfString, parsed } from "../payload.ts";
import { type Kept, keptText, outputFacts } from "../process/capture.ts";

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
  /** For a line that does not fit: the parts that are sound, or the whole line. They can still restrict. */
  readonly said: Said;
  /** Why the line is no answer. Quotes at most the name of a field. */
  readonly problem?: string;
}

/** Some readers of lines end a line at these. JSON may have them in its strings. */
const OTHER_ENDS = /[\u0085\u2028\u2029]/g;

/** One line for the hook. `input` is a payload as hooks read it: JSON on one line. */
export function callLine(id: string, input: string): string {
  const escaped = input.replace(OTHER_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `{"id":${JSON.stringify(id)},"input":${escaped}}\n`;
}

/** Reads one line. Of a line that was cut, reads as much as is there. */
export function readLine(text: string, cut: boolean): Line {
  const why = cut ? undefined : whyNoObject(text);
  if (why !== undefined) return { said: { stdout: text }, problem: why };
  const members = membersOf(text);
  const id = soundly(members, "id");
  const said = saidIn(members);
  const [problem] = cut ? ["its line was cut"] : problemsOf(members);
  // What was meant for stdout may be anywhere in a line without an output: all of it is looked through.
  const isLost = problem !== undefined && said.stdout === undefined;
  return {
    ...(id !== undefined && { id: stringIn(id) }),
    said: isLost ? { ...said, stdout: text } : said,
    ...(problem !== undefined && { problem }),
  };
}

function whyNoObject(text: string): string | undefined {
  const value = parsed(text);
  if (value === undefined) return "it printed a line that is no JSON";
  return isObject(value) ? undefined : "it printed a line that is no JSON object";
}

interface Member {
  readonly name: string;
  /** The text as it is written. Parsing and writing it anew would hide a field that stands twice. */
  readonly raw: string;
}

/** The fields of an answer, and what the text of each may be. */
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

/** The text of a field that stands once and fits. null counts as absent, as in a hook's own answer. */
function soundly(members: readonly Member[], wanted: string): string | undefined {
  const all = members.filter(({ name }) => name === wanted);
  const [first] = all;
  return first && all.length === 1 && FIELDS[wanted]?.fits(first.raw) ? first.raw : undefined;
}

function saidIn(members: readonly Member[]): Said {
  const [output, exitCode, stderr] = ["output", "exitCode", "stderr"].map((name) => soundly(members, name));
  return {
    ...(output !== undefined && { stdout: isString(output) ? stringIn(output) : output }),
    ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
    ...(stderr !== undefined && { stderr: stringIn(stderr) }),
  };
}

/** The longest escape in a string: so much may be missing of the last character of a string that was cut. */
const ESCAPE = "\\u0000".length;

function stringIn(raw: string): string {
  for (let left = 0; left <= ESCAPE; left += 1) {
    for (const end of left === 0 ? ["", '"'] : ['"']) {
      try {
        return JSON.parse(raw.slice(0, raw.length - left) + end) as string;
      } catch {
        // The string was cut inside an escape.
      }
    }
  }
  return "";
}

/** The members of one object, in one pass over its text. The last member of a text that was cut may be incomplete. */
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

/** What was lost of a line on its way. */
export interface Arrival {
  readonly isCut?: boolean;
  readonly isAltered?: boolean;
}

/** The facts of a run, as a cold hook that says the same would leave them; `real` is what it wrote to stderr itself. */
export function saidRun(said: Said, real: Kept, cap: number, line: Arrival = {}): Partial<Run> {
  const stdout = keptText(said.stdout ?? "", cap);
  const between = real.text === "" || real.text.endsWith("\n") || !said.stderr ? "" : "\n";
  const stderr = keptText(real.text + between + (said.stderr ?? ""), cap);
  return {
    ...(said.exitCode !== undefined && { exitCode: said.exitCode }),
    ...outputFacts(
      {
        stdout: { ...stdout, isCut: stdout.isCut || line.isCut === true, isAltered: line.isAltered === true },
        stderr: { ...stderr, isCut: stderr.isCut || real.isCut, isAltered: real.isAltered },
      },
      cap,
    ),
  };
}

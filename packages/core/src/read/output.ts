import { isObject, type JsonObject } from "../json.ts";
import { ANSWER_FIELDS, OUR_FIELDS, TOP_NAMES } from "../tables/fields.ts";
import type { Run, Stream } from "../types.ts";
import { type Found, findObjects, whereBroken } from "./scan.ts";

/** What is wrong with an object before its fields are read. */
export interface Flaws {
  readonly tooDeep: boolean;
  /** The end of the object is missing; a field that is absent may have been cut off. */
  readonly isCut: boolean;
  /** A field of ours that the object has twice. */
  readonly repeated?: string | undefined;
}

/**
 * The form of a hook's stdout, before its meaning. `mayHoldAnswer`: see seemsToAnswer. `lost`: why an answer among it is none
 * for a system that reads whole objects only.
 */
export type Output =
  | { readonly form: "empty"; readonly lost?: string }
  | { readonly form: "plain"; readonly text: string; readonly mayHoldAnswer: boolean; readonly lost?: string }
  | { readonly form: "json"; readonly object: JsonObject; readonly flaws: Flaws }
  | { readonly form: "malformed"; readonly problem: string }
  | Mixed;

export interface Mixed {
  readonly form: "mixed";
  readonly objects: readonly { readonly object: JsonObject; readonly flaws: Flaws }[];
  /** The text around the objects. */
  readonly text: string;
  readonly mayHoldAnswer: boolean;
  readonly why: WhyRestrictOnly;
  /** Why the output is malformed as well: it begins with `{`, and no sound object begins there. */
  readonly problem?: string;
}

export const MAX_DEPTH = 100;

/** Reads stdout by design §4.2–4.4 and §4.8. */
export function readOutput(run: Run): Output {
  const lines = withoutBlankLines(run.stdout);
  const text = lines.trim();
  if (text === "") return { form: "empty" };
  const unfinished = whyUnfinished(run);
  const found = text.includes("{") ? findObjects(text, unfinished !== undefined, OUR_FIELDS) : [];
  const [first] = found;
  const startsWhole = first?.start === 0 && first.kind === "whole";
  if (startsWhole && first.end === text.length && unfinished === undefined) {
    return { form: "json", ...objectIn(first) };
  }
  const startsCut = first?.start === 0 && first.kind === "cut";
  // A hook that was killed is a fault already.
  const cutByCap = run.cut?.includes("stdout") ? "the cap cut it" : undefined;
  const problem = startsWhole || !text.startsWith("{") ? undefined : startsCut ? cutByCap : jsonProblem(text);
  const { places, objects } = answersAmong(found);
  if (objects.length > 0) {
    const rest = around(text, places);
    return {
      form: "mixed",
      objects,
      text: withoutBlankLines(lines.slice(0, lines.indexOf(text)) + rest),
      mayHoldAnswer: seemsToAnswer(rest),
      why: unfinished ?? AMONG_OTHER,
      ...(problem !== undefined && { problem }),
    };
  }
  // One whole object without a field of ours, from a hook that did not end by itself.
  if (startsWhole && first.end === text.length) return { form: "empty" };
  if (text.startsWith("{")) return { form: "malformed", problem: problem ?? jsonProblem(text) };
  return { form: "plain", text: lines, mayHoldAnswer: seemsToAnswer(text) };
}

const NO_FLAWS: Flaws = { tooDeep: false, isCut: false };

/** Reads stdout as a system does that takes one object for the whole of it, and everything else for text (design §7). */
export function readWhole(run: Run): Output {
  const { form } = readOutput(run);
  if (form === "empty") return { form };
  const holdsAnswer = form !== "plain";
  if (run.failure !== undefined || run.timedOut || run.signal !== undefined || run.truncated)
    return { form: "empty", ...(holdsAnswer && { lost: "the hook did not come to its end" }) };
  const text = withoutBlankLines(run.stdout);
  const object = objectOf(text);
  if (object) return { form: "json", object, flaws: NO_FLAWS };
  const trimmed = text.trim();
  // What stands in braces is meant as an answer: the hook has failed, and its text is nobody's.
  if (trimmed.startsWith("{") && trimmed.endsWith("}"))
    return { form: "malformed", problem: jsonProblem(trimmed) };
  const lost = "it is no JSON object as a whole, and so all of it is text";
  return { form: "plain", text, mayHoldAnswer: false, ...(holdsAnswer && { lost }) };
}

function objectOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** stdout without its blank first and last lines; the first line keeps its indentation, which YAML and code need. */
export function withoutBlankLines(stdout: string): string {
  const text = stdout.replace(/^\uFEFF/, "");
  const start = text.length - text.trimStart().length;
  return text.slice(start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1).trimEnd();
}

function objectIn({ json, depth, kind, repeated }: Found): { object: JsonObject; flaws: Flaws } {
  const flaws = { tooDeep: depth > MAX_DEPTH, isCut: kind === "cut", repeated };
  return { object: JSON.parse(json) as JsonObject, flaws };
}

/** Fields of the top level, and all fields of an answer. */
const TOP_FIELDS = new Set(TOP_NAMES);
const MEANT_FIELDS = new Set([...TOP_FIELDS, ...Object.keys(ANSWER_FIELDS)]);

/** A field of an answer in JSON text, or an escape that may hide one: testing is cheaper than parsing. */
const MAY_BE_OURS = new RegExp(`"(?:${[...MEANT_FIELDS].join("|")})"|\\\\`);

/** The objects that are meant as answers, in one pass over thousands. */
function answersAmong(found: readonly Found[]): { places: Found[]; objects: Mixed["objects"] } {
  const places: Found[] = [];
  const objects: Mixed["objects"][number][] = [];
  for (const at of found) {
    if (at.pendingKey === undefined && !MAY_BE_OURS.test(at.json)) continue;
    const read = objectIn(at);
    if (!isMeantForUs(at, read.object)) continue;
    places.push(at);
    objects.push(read);
  }
  return { places, objects };
}

/**
 * True for an object with a field of ours. An object inside a broken or cut one may be a piece of an answer, such as its
 * hookSpecificOutput, so that it needs a field of the top level.
 */
function isMeantForUs(at: Found, object: JsonObject): boolean {
  const known = at.kind === "inside" ? TOP_FIELDS : MEANT_FIELDS;
  if (at.pendingKey !== undefined && known.has(at.pendingKey)) return true;
  return Object.keys(object).some((key) => known.has(key));
}

/** The name of a field that decides. `decision` and `continue` are English words, so that `:` or `=` must follow. */
const MEANT = /permissionDecision|hookSpecificOutput|\b(?:decision|continue)\b[^\w:=]{0,8}[:=]/;
/** A colour, or an escape of a JSON string that may be encoded twice. */
const ESCAPE = /\u001b\[[\d;:]*m|\\+(?:u([\da-f]{4})|[nrt])?/gi;

/** True if a text names a field that decides, however it is quoted, escaped or coloured. */
export function seemsToAnswer(text: string): boolean {
  const unescaped = text.replace(ESCAPE, (_, code?: string) =>
    code === undefined ? " " : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return MEANT.test(unescaped);
}

/** The text without the objects. Objects inside a cut object go with it. */
function around(text: string, found: readonly Found[]): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of found) {
    if (start < from) continue;
    rest += text.slice(from, start);
    from = end;
  }
  return rest + text.slice(from);
}

/** Where the text stops being JSON. The text is not quoted: hook output is untrusted and can be long. */
function jsonProblem(text: string): string {
  const offset = whereBroken(text);
  if (offset === undefined) return "it ends too early";
  const before = text.slice(0, offset).split("\n");
  return `unexpected text at character ${(before.at(-1) ?? "").length + 1} of line ${before.length}`;
}

/** Why an answer counts only as far as it restricts (design §4.4): words for a diagnostic. */
export interface WhyRestrictOnly {
  readonly found: string;
  readonly advice: string;
}

/** The shell exits so when a command is not executable or not found. */
export const NOT_STARTED_CODES: readonly number[] = [126, 127];

const AMONG_OTHER: WhyRestrictOnly = {
  found: "JSON was found among other output",
  advice: "Print one JSON object and nothing else on stdout; send logs to stderr.",
};

/** Why stdout may not be all that the hook meant to print; undefined when the hook ended by itself. */
function whyUnfinished(run: Run): WhyRestrictOnly | undefined {
  const { failure, exitCode } = run;
  if (run.cut?.includes("stdout"))
    return {
      found: "JSON was found in output that was cut",
      advice: "Print less: what is within the cap counts in full.",
    };
  if (run.timedOut) return notAll("of a hook that timed out");
  if (failure?.kind === "http")
    return {
      found: `JSON was found in a body that is no answer (${failure.detail})`,
      advice: "Answer with a 2xx status and one JSON object, nothing else.",
    };
  if (failure !== undefined || run.signal !== undefined)
    return notAll("of a hook that did not end by itself");
  if (exitCode !== undefined && NOT_STARTED_CODES.includes(exitCode))
    return notAll(`of a command that did not start (exit ${exitCode})`);
  return undefined;
}

function notAll(whose: string): WhyRestrictOnly {
  return {
    found: `JSON was found in the output ${whose}`,
    advice: "Let the hook end by itself: what it prints counts in full only then.",
  };
}

/** What counts of output that is no valid answer. */
export function whatDecided({ exitCode }: Run, isRead: boolean): string {
  if (isRead) return "only what restricts was read";
  return exitCode === undefined ? "nothing of it counts" : "the exit code decided";
}

/** Streams with bytes that are not UTF-8, or with a NUL: UTF-16 has one beside each ASCII letter. */
export function notText({ notUtf8, stdout, stderr }: Run): Stream[] {
  const texts = { stdout, stderr };
  return (["stdout", "stderr"] as const).filter(
    (stream) => notUtf8?.includes(stream) || texts[stream].includes("\0"),
  );
}

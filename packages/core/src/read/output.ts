import type { JsonObject } from "../json.ts";
import { ANSWER_FIELDS, OUR_FIELDS, TOP_NAMES } from "../tables/fields.ts";
import type { Run, Stream } from "../types.ts";
import { type Found, findObjects, whereBroken } from "./scan.ts";

/** What is wrong with an object before its fields are looked at. */
export interface Flaws {
  readonly tooDeep: boolean;
  /** It is not all there: what is not in it may have been. */
  readonly isCut: boolean;
  /** A field of ours that stands in it twice. */
  readonly repeated?: string | undefined;
}

/** What a hook's stdout is, before anyone asks what it means. */
export type Output =
  | { readonly form: "empty" }
  | {
      readonly form: "plain";
      readonly text: string;
      /** As that of mixed output. */
      readonly isSuspect: boolean;
    }
  | { readonly form: "json"; readonly object: JsonObject; readonly flaws: Flaws }
  | { readonly form: "malformed"; readonly problem: string }
  | Mixed;

export interface Mixed {
  readonly form: "mixed";
  readonly objects: readonly { readonly object: JsonObject; readonly flaws: Flaws }[];
  /** What stands around the objects. */
  readonly text: string;
  /** That text reads as if it were meant to hold an answer, and holds no object that is sound. */
  readonly isSuspect: boolean;
  /** Why they may only restrict. */
  readonly hedge: Hedge;
  /** It also begins like an object and is none there: malformed, whatever was found further on. */
  readonly problem?: string;
}

export const MAX_DEPTH = 100;

/** No object this short has a field of ours in it; a text can hold thousands of them. */
const SHORTEST = Math.min(...Array.from(OUR_FIELDS, (name) => `{"${name}":0}`.length)) - 1;

/** Reads stdout by DESIGN §4.2–4.4 and §4.8. */
export function readOutput(run: Run): Output {
  const lines = withoutBlankLines(run.stdout);
  const text = lines.trim();
  if (text === "") return { form: "empty" };
  const unfinished = whyUnfinished(run);
  const found = text.includes("{") ? findObjects(text, unfinished !== undefined, OUR_FIELDS) : [];
  const [first] = found;
  const startsWhole = first?.start === 0 && first.kind === "whole";
  if (startsWhole && first.end === text.length && unfinished === undefined) {
    return { form: "json", object: parseFound(first), flaws: flawsOf(first) };
  }
  const startsCut = first?.start === 0 && first.kind === "cut";
  const problem =
    startsWhole || !text.startsWith("{") ? undefined : startsCut ? whyCut(run) : jsonProblem(text);
  const { places, objects } = answersAmong(found);
  if (objects.length > 0) {
    const rest = around(text, places);
    return {
      form: "mixed",
      objects,
      text: withoutBlankLines(lines.slice(0, lines.indexOf(text)) + rest),
      isSuspect: seemsToAnswer(rest),
      hedge: unfinished ?? AMONG_OTHER,
      ...(problem !== undefined && { problem }),
    };
  }
  // Whole objects that say nothing to us, printed by a hook that did not end by itself.
  if (startsWhole && first.end === text.length) return { form: "empty" };
  if (text.startsWith("{")) return { form: "malformed", problem: problem ?? jsonProblem(text) };
  return { form: "plain", text: lines, isSuspect: seemsToAnswer(text) };
}

/** An answer that the cap cut is none, whatever of it still restricts; what killed a hook is a fault already. */
function whyCut(run: Run): string | undefined {
  return run.cut?.includes("stdout") ? "the cap cut it" : undefined;
}

function withoutBom(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** Text as lines: the first one keeps its indentation, which YAML and code need. */
export function withoutBlankLines(stdout: string): string {
  const text = withoutBom(stdout);
  const start = text.length - text.trimStart().length;
  return text.slice(start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1).trimEnd();
}

function flawsOf({ depth, kind, repeated }: Found): Flaws {
  return { tooDeep: depth > MAX_DEPTH, isCut: kind === "cut", repeated };
}

function parseFound(found: Found): JsonObject {
  return JSON.parse(found.json) as JsonObject;
}

/** Fields that are an answer at the top level, and those that show what was meant. */
const TOP_FIELDS = new Set(TOP_NAMES);
const MEANT_FIELDS = new Set([...TOP_FIELDS, ...Object.keys(ANSWER_FIELDS)]);

/** One of them in a text of JSON, or an escape that may hide one: to look is cheaper than to read what is very deep. */
const MAY_BE_OURS = new RegExp(`"(?:${[...MEANT_FIELDS].join("|")})"|\\\\`);

/** In one pass: there may be thousands. */
function answersAmong(found: readonly Found[]): { places: Found[]; objects: Mixed["objects"] } {
  const places: Found[] = [];
  const objects: { object: JsonObject; flaws: Flaws }[] = [];
  for (const at of found) {
    if (at.kind !== "cut" && at.json.length <= SHORTEST) continue;
    if (at.depth > MAX_DEPTH && at.pendingKey === undefined && !MAY_BE_OURS.test(at.json)) continue;
    const object = parseFound(at);
    if (!isMeantForUs(at, object)) continue;
    places.push(at);
    objects.push({ object, flaws: flawsOf(at) });
  }
  return { places, objects };
}

/**
 * Whether an object among other text is meant for us at all. One inside something broken or cut may be a piece of an
 * answer (the hookSpecificOutput of a cut object, say), so it has to be an answer by itself.
 */
function isMeantForUs(at: Found, object: JsonObject): boolean {
  const known = at.kind === "inside" ? TOP_FIELDS : MEANT_FIELDS;
  if (at.pendingKey !== undefined && known.has(at.pendingKey)) return true;
  return Object.keys(object).some((key) => known.has(key));
}

/** A field that decides is named: by a name that is no word of English, or by one before a colon or an equals sign. */
const MEANT = /permissionDecision|hookSpecificOutput|\b(?:decision|continue)\b[^\w:=]{0,8}[:=]/;
/** A colour, or an escape in a string, also in one that is encoded twice. */
const ESCAPE = /\u001b\[[\d;:]*m|\\+(?:u([\da-f]{4})|[nrt])?/gi;

/** Whether a text reads as if it were meant to be an answer, however it is quoted, escaped or coloured. */
export function seemsToAnswer(text: string): boolean {
  const unescaped = text.replace(ESCAPE, (_, code?: string) =>
    code === undefined ? " " : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return MEANT.test(unescaped);
}

/** The text without the objects; those inside a cut object go with it. */
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

/** What is wrong, without quoting the text: hook output is untrusted and can be long. */
function jsonProblem(text: string): string {
  const offset = whereBroken(text);
  if (offset === undefined) return "it ends too early";
  const before = text.slice(0, offset).split("\n");
  return `unexpected text at character ${(before.at(-1) ?? "").length + 1} of line ${before.length}`;
}

/** Why an answer among a run's output counts only as far as it restricts, in words that are true of this kind of hook. */
export interface Hedge {
  readonly found: string;
  readonly advice: string;
  /** For the agent, which reads no word that the hook or its server chose. */
  readonly withheld: string;
}

/** The shell says so when a command is not executable or not found. */
export const NOT_STARTED_CODES: readonly number[] = [126, 127];

const AMONG = "JSON was found among other output";
const NOT_SOUND = "its output was not one sound JSON object";
const ON_STDOUT = "Print one JSON object and nothing else on stdout; send logs to stderr.";
const BY_ITSELF = "Let the hook end by itself: what it prints counts in full only then.";

export const AMONG_OTHER: Hedge = { found: AMONG, advice: ON_STDOUT, withheld: NOT_SOUND };

/** Why what a hook said may not be all that it meant to say; undefined when it ended by itself. */
function whyUnfinished(run: Run): Hedge | undefined {
  const { failure, exitCode } = run;
  if (run.cut?.includes("stdout")) {
    const found = `JSON was found in ${isProcess(run) ? "stdout, which" : "an answer that"} was cut`;
    const advice = `${isProcess(run) ? "Print" : "Answer with"} less: what is within the cap counts in full.`;
    return { found, advice, withheld: isProcess(run) ? NOT_SOUND : "its answer was cut" };
  }
  if (run.timedOut) return notAll("of a hook that timed out");
  if (failure?.kind === "http")
    return {
      found: `JSON was found in a body that is no answer (${failure.detail})`,
      advice: "Answer with a 2xx status and one JSON object, nothing else.",
      withheld: "its server did not answer with a 2xx status and one JSON object",
    };
  if (failure !== undefined || run.signal !== undefined)
    return notAll("of a hook that did not end by itself");
  if (exitCode !== undefined && NOT_STARTED_CODES.includes(exitCode))
    return notAll(`of a command that did not start (exit ${exitCode})`);
  return undefined;
}

function notAll(whose: string): Hedge {
  return { found: `JSON was found in the output ${whose}`, advice: BY_ITSELF, withheld: NOT_SOUND };
}

/** Whether a run was one of a process: what it says came on stdout. Others answer, and have no exit code. */
export function isProcess({ exitCode, signal, failure }: Run): boolean {
  if (exitCode !== undefined || signal !== undefined) return true;
  return failure !== undefined && failure.kind !== "http" && failure.kind !== "throw";
}

/** What became of output that is no answer. */
export function whatDecided({ exitCode }: Run, isRead: boolean): string {
  if (isRead) return "only what restricts was read";
  return exitCode === undefined ? "nothing of it counts" : "the exit code decided";
}

/** Streams that held something other than text in UTF-8. A NUL is in no text, and between all letters in UTF-16. */
export function notText({ notUtf8, stdout, stderr }: Run): Stream[] {
  const texts = { stdout, stderr };
  return (["stdout", "stderr"] as const).filter(
    (stream) => notUtf8?.includes(stream) || texts[stream].includes("\0"),
  );
}

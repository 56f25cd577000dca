import { ANSWER_FIELDS, COMMON_FIELDS } from "./fields.ts";
import { type Found, findObjects } from "./scan.ts";
import type { Run } from "./types.ts";

export type JsonObject = Record<string, unknown>;

/** What a hook's stdout is, before anyone asks what it means. */
export type Output =
  | { readonly form: "empty" }
  | { readonly form: "plain"; readonly text: string }
  | { readonly form: "json"; readonly object: JsonObject; readonly tooDeep: boolean }
  | { readonly form: "malformed"; readonly problem: string }
  | {
      readonly form: "mixed";
      readonly objects: readonly JsonObject[];
      /** What stands around the objects. */
      readonly text: string;
      readonly because: string;
    };

export const MAX_DEPTH = 100;

/** The shell says so when a command is not executable or not found. */
export const NOT_STARTED_CODES: readonly number[] = [126, 127];

/** Reads stdout by DESIGN §4.2–4.4 and §4.8. */
export function readOutput(run: Run): Output {
  const text = withoutBom(run.stdout).trim();
  if (text === "") return { form: "empty" };
  const unfinished = whyUnfinished(run);
  const found = text.includes("{") ? findObjects(text, unfinished !== undefined) : [];
  const [first] = found;
  const isWhole = first !== undefined && first.start === 0 && first.end === text.length && !first.cut;
  if (isWhole && unfinished === undefined) {
    return { form: "json", object: JSON.parse(first.json) as JsonObject, tooDeep: first.depth > MAX_DEPTH };
  }
  const answers = found
    .map((at) => ({ at, object: parseFound(at) }))
    .filter(({ object }) => isAnswer(object));
  if (answers.length > 0) {
    return {
      form: "mixed",
      objects: answers.map(({ object }) => object),
      text: around(
        text,
        answers.map(({ at }) => at),
      ),
      because: unfinished ?? "",
    };
  }
  if (text.startsWith("{")) return { form: "malformed", problem: jsonProblem(text) };
  return { form: "plain", text };
}

/** Why what was printed may not be all that the hook meant to print; undefined when it ended by itself. */
function whyUnfinished(run: Run): string | undefined {
  if (run.cut?.includes("stdout")) return " (stdout was cut)";
  if (run.timedOut) return " (the hook timed out)";
  if (run.failure !== undefined || run.signal !== undefined) return " (the hook did not end by itself)";
  if (run.exitCode !== undefined && NOT_STARTED_CODES.includes(run.exitCode))
    return ` (exit ${run.exitCode})`;
  return undefined;
}

function withoutBom(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function parseFound(found: Found): JsonObject {
  return JSON.parse(found.json) as JsonObject;
}

const OUTPUT_FIELDS = new Set([
  ...Object.keys(COMMON_FIELDS),
  ...Object.keys(ANSWER_FIELDS),
  "hookSpecificOutput",
]);

/** Whether an object among other text is meant for us at all. */
function isAnswer(object: JsonObject): boolean {
  return Object.keys(object).some((key) => OUTPUT_FIELDS.has(key));
}

function around(text: string, found: readonly Found[]): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of found) {
    rest += text.slice(from, start);
    from = end;
  }
  return (rest + text.slice(from)).trim();
}

/** The parser's own words, without the text it quotes: hook output is untrusted and can be long. */
function jsonProblem(text: string): string {
  try {
    JSON.parse(text);
    return "it is not an object";
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(words)?.[1];
    if (position === undefined) return "it ends too early";
    return `unexpected text at character ${position}, line ${lineOf(text, Number(position))}`;
  }
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

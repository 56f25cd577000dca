import { isObject, type JsonObject } from "../../json.ts";
import { readAnswer } from "../../read/answer.ts";
import { MAX_DEPTH } from "../../read/output.ts";
import { findObjects } from "../../read/scan.ts";
import type { Diagnostic } from "../../types.ts";
import type { Script } from "./scripts.ts";

/** Problems that are certain in an answer that a script writes out. Others are told from words, or may be meant. */
const CERTAIN = ["output-missing", "output-invalid", "output-misspelt-field", "output-wrong-event"];
/** The same for an answer whose values are filled in later: only its names are certain. */
const CERTAIN_OF_NAMES = ["output-misspelt-field"];

const NO_FLAWS = { tooDeep: false, isCut: false };

/** Answers that a script writes out, as `echo '{"decision":"block"}'` does, read as the engine would read them. */
export function adviseOnAnswers(script: Script): Diagnostic[] {
  const told = new Map<string, Diagnostic>();
  for (const { object, line } of writtenObjects(script.code))
    for (const { message, fix } of problemsOf(object, script)) {
      const diagnostic = script.tell(line, "script-answer", { problem: message, advice: fix });
      told.set(`${diagnostic.path} ${message}`, diagnostic);
    }
  return [...told.values()];
}

/** The problems by the first event; none if an event of the script accepts the answer. An object with fields of others is no answer. */
function problemsOf(object: JsonObject, { rules, code }: Script): Diagnostic[] {
  const certain = isFilledIn(object) ? CERTAIN_OF_NAMES : CERTAIN;
  const perRule = rules.map((rule) => {
    const { diagnostics } = readAnswer(object, rule, "", NO_FLAWS, new Map());
    if (diagnostics.some(({ code: problem }) => problem === "output-unknown-field")) return [];
    return diagnostics.filter((one) => certain.includes(one.code) && !mayBeMeant(one, object, code));
  });
  return perRule.some((problems) => problems.length === 0) ? [] : (perRule[0] ?? []);
}

/** True if a value stands for another: "$D", "%s", "${d}", "@D@", "DECISION". */
function isFilledIn(object: JsonObject): boolean {
  return Object.values(object).some((value) =>
    isObject(value) ? isFilledIn(value) : typeof value === "string" && /[$`%{}@'"]|^[A-Z_]{2,}$/.test(value),
  );
}

/** A field that is missing in the object may be set elsewhere; a `decision` of another kind may stand beside the answer. */
function mayBeMeant({ code: problem, path, message }: Diagnostic, object: JsonObject, code: string): boolean {
  const mentions = (name: string) => new RegExp(`\\b${name}\\b`).test(code);
  switch (problem) {
    case "output-invalid":
      return path === "decision" && (mentions("permissionDecision") || mentions("behavior"));
    case "output-wrong-event":
      return !JSON.stringify(object).includes("hookEventName");
    case "output-missing": {
      const field = /`(\w+)`/.exec(message)?.[1];
      return field !== undefined && mentions(field);
    }
    default:
      return false;
  }
}

/** No script holds more answers; a script that was made to be slow may. */
const MAX_OBJECTS = 200;

/** Objects in JSON, quoted for a shell, and as Python and JavaScript write them. */
function writtenObjects(code: string): { object: JsonObject; line: number }[] {
  const json = code.replaceAll('\\"', '"');
  const literal = json
    .replaceAll("'", '"')
    .replaceAll(/([{,]\s*)(\w+)(?=\s*:)/g, '$1"$2"')
    .replaceAll(/:\s*(\$\w+)/g, ':"$1"')
    .replaceAll(/\b(?:True|False|None)\b/g, (word) => PYTHON[word] ?? word);
  return [...new Set([json, literal])].flatMap((text) =>
    findObjects(text, false)
      .filter((found) => found.json.includes('"') && found.depth <= MAX_DEPTH)
      .slice(0, MAX_OBJECTS)
      .flatMap(({ json: found, start }) => {
        const object: unknown = JSON.parse(found);
        return isObject(object) ? [{ object, line: text.slice(0, start).split("\n").length }] : [];
      }),
  );
}

const PYTHON: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null" };

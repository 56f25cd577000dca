import { isObject, type JsonObject } from "../../json.ts";
import { readAnswer } from "../../read/answer.ts";
import { MAX_DEPTH } from "../../read/output.ts";
import { findObjects } from "../../read/scan.ts";
import { diagnose } from "../../tables/diagnostics/index.ts";
import type { Rule } from "../../tables/rules.ts";
import type { Diagnostic } from "../../types.ts";

/** What is told of an answer in a script; the rest is told by what its words give away, or may be meant so. */
const TELLING = ["output-missing", "output-invalid", "output-misspelt-field", "output-wrong-event"];

/** Of one whose values come later only the names can be told. */
const MISSPELT = ["output-misspelt-field"];

const SOUND = { tooDeep: false, isCut: false };

/**
 * Answers that a script writes out whole, as `echo '{"decision":"block"}'` does, read as the engine would read them. Of one
 * in which a variable stands only the names are. `together`: rules of which one is enough to accept an answer.
 */
export function adviseOnAnswers(
  script: string,
  code: string,
  together: readonly (readonly Rule[])[],
  at: (line: number, rule: Rule | undefined) => { hook: string; path: string },
): Diagnostic[] {
  const told = new Map<string, Diagnostic>();
  for (const { object, line } of writtenObjects(code))
    for (const rules of together)
      for (const { message, fix } of problemsFor(object, rules, code)) {
        const key = `${line} ${message}`;
        const values = { script, problem: message, advice: fix };
        if (!told.has(key)) told.set(key, diagnose("script-answer", values, at(line, rules[0])));
      }
  return [...told.values()];
}

/** Those of the first rule, unless one of them has none. An object with fields that are nobody's is no answer. */
function problemsFor(object: JsonObject, rules: readonly Rule[], code: string): Diagnostic[] {
  const telling = isFilledIn(object) ? MISSPELT : TELLING;
  const perRule = rules.map((rule) => {
    const { diagnostics } = readAnswer(object, rule, "", SOUND, new Map());
    if (diagnostics.some(({ code: problem }) => problem === "output-unknown-field")) return [];
    return diagnostics.filter((one) => telling.includes(one.code) && !mayBeMeant(one, object, code));
  });
  return perRule.some((problems) => problems.length === 0) ? [] : (perRule[0] ?? []);
}

/** Whether a value in it is a variable's, or stands for another: "$D", "%s", "${d}", "@D@", "DECISION". */
function isFilledIn(object: JsonObject): boolean {
  return Object.values(object).some((value) =>
    isObject(value) ? isFilledIn(value) : typeof value === "string" && /[$`%{}@'"]|^[A-Z_]{2,}$/.test(value),
  );
}

/** What is missing where the object is written may be set elsewhere; a `decision` that is none may stand beside the answer. */
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

/** No script holds more answers; one that is made to be slow to look through may. */
const MAX_OBJECTS = 200;

/** In JSON; quoted for a shell; as Python and JavaScript write an object. */
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

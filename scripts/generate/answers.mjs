import { ANSWER_FIELDS, COMMON_FIELDS, DEFAULT_DIALECT, DIALECT_NAMES, EVENTS, ruleFor } from "@belay/core";
import { outputSchema } from "@belay/core/schema";
import { byDialect } from "./by-dialect.mjs";
import { effectOf, outcomeOf, readersOf } from "./consequence.mjs";
import { code, fence, list, sentence, table } from "./markdown.mjs";

/** @typedef {import("@belay/core").EventName} EventName */
/** @typedef {import("@belay/core").Rule} Rule */
/** @typedef {keyof typeof ANSWER_FIELDS} AnswerField */

/** Who acts on or reads a field, by an event's rule. @type {Record<string, (rule: Rule) => string>} */
const READERS = {
  permissionDecision: () => "the engine",
  permissionDecisionReason: () => "allow and ask: the user; deny: the agent",
  updatedInput: () => "the tool",
  updatedPrompt: () => "the agent, instead of the prompt",
  additionalContext: ({ context }) =>
    ({ agent: "the agent", block: "the agent, which goes on", refused: "nobody: not an answer here" })[
      context
    ],
  decision: () => "the engine",
  reason: ({ reason }) => `the ${reason.to}`,
  continue: () => "the engine",
  stopReason: () => "the user",
  systemMessage: ({ dialect }) => `the ${list(dialect.systemMessage)}`,
  suppressOutput: ({ dialect }) =>
    dialect.otherStdout === "transcript" ? "the transcript" : "nobody: stdout is not shown",
};

/** Every field the event accepts in any dialect, then the common ones. @param {EventName} event */
export function answerTable(event) {
  const rules = DIALECT_NAMES.map((name) => ruleFor(event, name));
  const own = /** @type {AnswerField[]} */ (Object.keys(ANSWER_FIELDS)).filter((field) =>
    rules.some(({ answers }) => answers.includes(field)),
  );
  const rows = [
    ...own.map((field) => row(event, field, rules)),
    ...Object.keys(COMMON_FIELDS).map((field) => row(event, field, undefined)),
  ];
  return table(["Field", "Value", "What it does", "Who reads it"], rows);
}

/** @param {EventName} event @param {string} field @param {readonly Rule[] | undefined} rules */
function row(event, field, rules) {
  const accepted = rules?.filter(({ answers }) => answers.includes(/** @type {AnswerField} */ (field))) ?? [];
  const { properties = {} } = outputSchema(event, accepted[0]?.dialectName);
  const specific = /** @type {any} */ (properties.hookSpecificOutput).properties;
  const schema = specific[field] || properties[field];
  const only =
    rules && accepted.length < rules.length
      ? ` (${list(accepted.map((r) => code(r.dialectName)))} only)`
      : "";
  const place = rules && !properties[field] ? "hookSpecificOutput." : "";
  const read = byDialect((name) => READERS[field]?.(ruleFor(event, name)) ?? "");
  return [code(place + field) + only, acceptedBy(schema), describe(field), read];
}

/** @param {any} schema */
function acceptedBy(schema) {
  if (schema.enum) return schema.enum.map((/** @type {string} */ word) => code(`"${word}"`)).join(", ");
  if (schema.const) return code(`"${schema.const}"`);
  if (schema.properties) return code(`{ ${Object.keys(schema.properties).join(", ")} }`);
  return schema.type === "boolean" ? "true or false" : schema.type === "string" ? "text" : schema.type;
}

/** @param {string} field */
function describe(field) {
  const fields = /** @type {import("@belay/core").Fields} */ ({ ...COMMON_FIELDS, ...ANSWER_FIELDS });
  return fields[field]?.description ?? "";
}

/** One answer for each thing the event can do, with what it comes to. @param {EventName} event */
export function answerSamples(event) {
  const samples = samplesFor(event, ruleFor(event, DEFAULT_DIALECT));
  return samples.map((answer) => {
    const stdout = JSON.stringify(answer);
    const outcome = outcomeOf(event, DEFAULT_DIALECT, { exitCode: 0, stdout });
    const words = `${effectOf(outcome)}; ${readersOf(outcome, "the words")}`;
    return `${fence(`json answer ${event}`, JSON.stringify(answer, null, 2))}\n\n→ ${sentence(words)}`;
  });
}

/** @param {EventName} event @param {Rule} rule @returns {Record<string, unknown>[]} */
function samplesFor(event, { answers, decisions, context }) {
  const specific = (/** @type {Record<string, unknown>} */ fields) => ({
    hookSpecificOutput: { hookEventName: event, ...fields },
  });
  const sample = /** @type {Record<string, unknown>} */ (EVENTS[event].sample);
  const permission = { permissionDecision: "deny", permissionDecisionReason: "Not on this branch" };
  const long = { behavior: "deny", message: "Not on this branch", interrupt: true };
  return [
    ...(answers.includes("permissionDecision") ? [specific(permission)] : []),
    ...(decisions === "behavior" ? [specific({ decision: long })] : []),
    ...(decisions !== "behavior" && decisions.includes("block")
      ? [{ decision: "block", reason: "The tests have not been run" }]
      : []),
    ...(answers.includes("updatedInput")
      ? [specific({ updatedInput: { .../** @type {object} */ (sample.tool_input), timeout: 60 } })]
      : []),
    ...(answers.includes("updatedPrompt")
      ? [specific({ updatedPrompt: `${sample.prompt}, in TypeScript` })]
      : []),
    ...(context === "agent" && answers.includes("additionalContext")
      ? [specific({ additionalContext: "The branch is main" })]
      : []),
    { systemMessage: "The branch is main" },
  ];
}

import { ANSWER_FIELDS, DEFAULT_DIALECT, DIALECT_NAMES, EVENTS, ruleFor } from "@belay/core";
import { IDLE } from "@belay/core/internal";
import { outputSchema } from "@belay/core/schema";
import { byDialect } from "./by-dialect.mjs";
import { effectOf, outcomeOf, readersOf } from "./consequence.mjs";
import { code, fence, list, sentence, table } from "./markdown.mjs";

/** @typedef {import("@belay/core").EventName} EventName */
/** @typedef {import("@belay/core").Rule} Rule */
/** @typedef {import("@belay/core").Fields} Fields */

/** Who acts on or reads a field, by an event's rule. @type {Record<string, (rule: Rule) => string>} */
const READERS = {
  permissionDecision: () => "the engine",
  permissionDecisionReason: () => "allow and ask: the user; deny: the agent",
  updatedInput: () => "the tool",
  updatedPrompt: () => "the agent, instead of the prompt",
  updatedToolOutput: () => "the agent, instead of the result",
  updatedMCPToolOutput: () => "the agent, for tools named `mcp__…`",
  action: () => "the engine: decline and cancel refuse the step",
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
  const own = /** @param {Rule} rule */ ({ answers, fields }) =>
    Object.entries(fields.specific).filter(([name]) =>
      /** @type {readonly string[]} */ (answers).includes(name),
    );
  const rows = [
    ...rowsOf(event, rules, own, "hookSpecificOutput."),
    ...rowsOf(event, rules, ({ fields }) => Object.entries(fields.common), ""),
  ];
  return table(["Field", "Value", "What it does", "Who reads it"], rows);
}

/** @param {EventName} event @param {readonly Rule[]} rules @param {(rule: Rule) => [string, Fields[string]][]} of @param {string} place */
function rowsOf(event, rules, of, place) {
  const known = new Map(rules.flatMap(of));
  const order = [...Object.keys(ANSWER_FIELDS), ...known.keys()].filter((name) => known.has(name));
  return [...new Set(order)].map((name) => {
    const accepted = rules.filter((rule) => of(rule).some(([field]) => field === name));
    return row(event, name, /** @type {Fields[string]} */ (known.get(name)), accepted, place);
  });
}

/** @param {EventName} event @param {string} name @param {Fields[string]} field @param {readonly Rule[]} accepted @param {string} place */
function row(event, name, field, accepted, place) {
  const names = accepted.map(({ dialectName }) => dialectName);
  const only = names.length < DIALECT_NAMES.length ? ` (${list(names.map(code))} only)` : "";
  const isTop = outputSchema(event, names[0]).properties?.[name];
  const value = byDialect((dialect) => acceptedBy(schemaOf(event, name, dialect)), names);
  const isIdle = IDLE.has(field) && !(name in READERS);
  const reader = isIdle
    ? "nobody here: Belay does not act on it"
    : byDialect((dialect) => READERS[name]?.(ruleFor(event, dialect)) ?? "");
  return [code((isTop ? "" : place) + name) + only, value, field.description ?? "", reader];
}

/** @param {EventName} event @param {string} name @param {import("@belay/core").DialectName} dialect */
function schemaOf(event, name, dialect) {
  const { properties = {} } = outputSchema(event, dialect);
  return /** @type {any} */ (properties.hookSpecificOutput).properties[name] || properties[name];
}

/** @param {any} schema */
function acceptedBy(schema) {
  if (schema.enum) return schema.enum.map((/** @type {string} */ word) => code(`"${word}"`)).join(", ");
  if (schema.const) return code(`"${schema.const}"`);
  if (schema.properties) return code(`{ ${Object.keys(schema.properties).join(", ")} }`);
  if (schema.type === undefined) return "anything";
  return schema.type === "boolean" ? "true or false" : schema.type === "string" ? "text" : schema.type;
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

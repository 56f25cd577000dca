import { DEFAULT_DIALECT, EVENT_NAMES, samplePayload } from "@belay/core";
import { eventRow } from "@belay/core/internal";
import { inputSchema } from "@belay/core/schema";
import { answerSamples, answerTable } from "./answers.mjs";
import { capabilitiesOf } from "./by-dialect.mjs";
import { example, moreExamples } from "./example.mjs";
import { failureTable } from "./failures.mjs";
import { code, fence, GENERATED, list, sentence, table } from "./markdown.mjs";

/** @typedef {import("@belay/core").EventName} EventName */

/** @returns {[file: string, content: string][]} */
export function eventPages() {
  return EVENT_NAMES.map((event) => [`docs/events/${event}.md`, page(event)]);
}

/** The same five questions in the same order, for every event. @param {EventName} event */
function page(event) {
  return `${[
    GENERATED,
    `# ${event}`,
    sentence(
      capabilitiesOf(event).join(", ") || "can refuse nothing; it can warn the user, and stop the agent",
    ),
    "## When does it fire?",
    whenItFires(event),
    "## What do you get?",
    "One JSON object on stdin, for example:",
    fence("json", JSON.stringify(samplePayload(event, COMMON), null, 2)),
    inputTable(event),
    `The schema is in [${event}.input.json](../../schema/events/${event}.input.json).`,
    "## What may you answer?",
    "An exit code (below), or one JSON object on stdout and nothing else. Saying nothing is no objection.",
    answerTable(event),
    ...answerSamples(event),
    `The words stand for any text; what is said here holds in the \`wave\` dialect, and [dialects](../dialects.md) has the others. The schema is
in [${event}.output.json](../../schema/events/${event}.output.json), for ${code(DEFAULT_DIALECT)}; ${code(`belay schema ${event} --output --dialect D`)}
prints it for another. [Which field to use](../which-field.md) helps to choose.`,
    "## What happens when you fail, hang or say nothing?",
    failureTable(event),
    FAULT_RULES,
    "## An example that runs",
    example(event),
    ...moreExamples(event),
  ].join("\n\n")}\n`;
}

const COMMON = {
  session_id: "3f0f6a52-6d0b-4d8e-9f57-0a1b2c3d4e5f",
  transcript_path: "/home/you/.agent/transcript.jsonl",
  cwd: "/home/you/project",
};

const FAULT_RULES = `A fault never undoes an exit 2 or a restriction that the hook had already printed. Every fault has a code in
[diagnostics](../diagnostics.md).`;

/** @param {EventName} event */
function whenItFires(event) {
  const { when, matcher, matcherValues, matchesBaseName } = eventRow(event);
  const part = matchesBaseName ? "the name of the file in " : "";
  const tested = matcher
    ? `A [matcher](../configuration.md#matchers) is tested against ${part}${code(matcher)}${matcherValues ? `: ${list(matcherValues.map(code))}, or what else your agent sends` : ""}.`
    : "It has no matcher: a hook fires every time.";
  return `${sentence(when)} ${tested}`;
}

/** @param {EventName} event */
function inputTable(event) {
  const { properties = {}, required = [] } = inputSchema(event);
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { type, description } = inside(schema);
    return [code(name), type, required.includes(name) ? "always" : "may be absent", description];
  });
  return table(["Field", "Type", "", "Meaning"], rows);
}

/** @param {any} schema @returns {{ type: string, description: string }} */
function inside(schema) {
  if (schema.anyOf) {
    const [first] = schema.anyOf;
    return {
      type: schema.anyOf.map((/** @type {any} */ one) => one.type).join(" or "),
      description: first.description,
    };
  }
  return { type: schema.type ?? "anything", description: schema.description ?? "" };
}

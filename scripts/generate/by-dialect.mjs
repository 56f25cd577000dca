import { DIALECT_NAMES, ruleFor } from "@belay/core";
import { code, list } from "./markdown.mjs";

/** @typedef {import("@belay/core").EventName} EventName */
/** @typedef {import("@belay/core").DialectName} DialectName */
/** @typedef {import("@belay/core").Rule} Rule */

/** The same words for all dialects, or each group of dialects with its own. @param {(dialect: DialectName) => string} say @param {readonly DialectName[]} names */
export function byDialect(say, names = DIALECT_NAMES) {
  const groups = group(say, names);
  if (groups.size === 1) return [...groups.keys()].join("");
  return [...groups].map(([words, some]) => `${list(some.map(code))}: ${words}`).join("<br>");
}

/** @param {(dialect: DialectName) => string} say @param {readonly DialectName[]} names @returns {Map<string, DialectName[]>} */
function group(say, names) {
  /** @type {Map<string, DialectName[]>} */
  const groups = new Map();
  for (const name of names) groups.set(say(name), [...(groups.get(say(name)) ?? []), name]);
  return groups;
}

/** What a hook of this event can do. @type {readonly { can: string, test: (rule: Rule) => boolean }[]} */
const CAPABILITIES = [
  { can: "can deny", test: ({ refusal }) => refusal === "deny" },
  { can: "can block", test: ({ refusal }) => refusal === "block" },
  { can: "can allow or ask", test: ({ answers }) => answers.includes("permissionDecision") },
  { can: "can rewrite the input", test: ({ answers }) => answers.includes("updatedInput") },
  { can: "can rewrite the prompt", test: ({ answers }) => answers.includes("updatedPrompt") },
  { can: "can replace the tool's result", test: ({ answers }) => answers.includes("updatedToolOutput") },
  {
    can: "can inject context",
    test: ({ context, stdoutIsContext }) => context === "agent" || stdoutIsContext,
  },
];

/** @param {EventName} event */
export function capabilitiesOf(event) {
  return CAPABILITIES.flatMap(({ can, test }) => {
    const able = DIALECT_NAMES.filter((name) => test(ruleFor(event, name)));
    if (able.length === 0) return [];
    return [able.length === DIALECT_NAMES.length ? can : `${can} (${able.join(", ")})`];
  });
}

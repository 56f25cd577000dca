import { outcomeOf as concluded } from "@belay/core";
import { code, list } from "./markdown.mjs";

/** @typedef {import("@belay/core").EventName} EventName */
/** @typedef {import("@belay/core").DialectName} DialectName */
/** @typedef {import("@belay/core").Outcome} Outcome */
/** @typedef {import("@belay/core").Run} Run */

const QUIET = { stdout: "", stderr: "", executionTime: 1, timedOut: false, truncated: false };

/**
 * The Outcome of one hook's run, computed by core itself, so that the pages say what the code does.
 * @param {EventName} event @param {DialectName} dialect @param {Partial<Run>} facts @param {"continue" | "block"} onFailure
 * @returns {Outcome}
 */
export function outcomeOf(event, dialect, facts, onFailure = "continue") {
  const run = { ...QUIET, ...facts };
  const hook = {
    name: "example",
    onFailure,
    mode: /** @type {const} */ ("enforce"),
    source: "hooks.json:1",
    dialect,
    run,
  };
  return concluded({ event, dialect, hooks: [hook], context: {}, extra: [] });
}

/** @type {Partial<Record<Outcome["action"], string>>} */
const EFFECTS = {
  stop: "the agent stops",
  "block-tool": "the call is denied",
  "block-prompt": "the prompt is blocked and erased",
  "block-stop": "the stop is blocked and the agent goes on",
  "block-compact": "the compaction is blocked",
  "block-step": "the step is refused",
  "ask-user": "the user is asked",
};

/** The decision in words. @param {Outcome} outcome */
export function effectOf({ action, blocked, decision, updatedInput, updatedPrompt }) {
  if (blocked && action === "error-displayed") return "the tool's result becomes a failure";
  if (decision.kind === "allow") return "the call is allowed without a question";
  const effect = EFFECTS[action] ?? "work goes on";
  const rewritten = updatedInput ? " with the new input" : updatedPrompt ? " with the new prompt" : "";
  return effect + rewritten;
}

/** Who reads what, in words. @param {Outcome} outcome @param {string} what */
export function readersOf({ messages }, what) {
  const readers = [...new Set(messages.map(({ to }) => to))].map((to) => {
    const blocks = messages.filter((message) => message.to === to).map(({ block }) => code(block.type));
    return `the ${to} reads ${what} (${list([...new Set(blocks)])})`;
  });
  return readers.length > 0 ? list(readers) : "nobody reads anything";
}

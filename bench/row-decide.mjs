// The pure half: match, parse, decide, route. No process, no file.
import { decide, match, parse, readConfig, route, ruleFor } from "@belay/core";
import { placeOf } from "@belay/core/internal";
import { interleave, timeOf } from "./measure.mjs";

export const EVENT = "PreToolUse";
const DIALECT = "wave";
const PAYLOAD = { tool_name: "Bash", tool_input: { command: "npm test" } };
/** Few: a sample should be shorter than the turn that the system gives a process. */
const REPEATS = 10;

/** Four stages, from hooks and what a hook printed to an Outcome. @param {readonly import("@belay/core").Hook[]} hooks @param {import("@belay/core").Run} run */
export function outcomeOf(hooks, run) {
  const fired = match(hooks, EVENT, PAYLOAD).map((hook) => ({
    source: placeOf(hook.source),
    run,
    verdict: parse(hook, run, ruleFor(EVENT, DIALECT)),
  }));
  const decided = decide(fired.map(({ verdict }) => verdict));
  return route({ event: EVENT, dialect: DIALECT, fired, decided });
}

/** Hooks as a config file gives them; only the last one is for the tool of the payload. @param {number} count */
export function hooksOf(count) {
  const groups = Array.from({ length: count }, (_, index) => ({
    matcher: index === count - 1 ? "Bash" : `Tool${index}|Other${index}`,
    hooks: [{ type: "command", command: `./hook-${index}.sh` }],
  }));
  const text = JSON.stringify({ hooks: { [EVENT]: groups } });
  return readConfig({ file: "hooks.json", layer: "config", text }).hooks;
}

/** @param {string} stdout @returns {import("@belay/core").Run} */
export function runThatPrinted(stdout) {
  return { exitCode: 0, stdout, stderr: "", executionTime: 1, timedOut: false, truncated: false };
}

/** 1 KB of JSON that answers in every way a PreToolUse hook can. */
export function oneKilobyte() {
  const answer = {
    systemMessage: "The command was made safer.",
    hookSpecificOutput: {
      hookEventName: EVENT,
      permissionDecision: "allow",
      permissionDecisionReason: "It only reads.",
      updatedInput: { command: "npm test -- --silent" },
      additionalContext: "",
    },
  };
  answer.hookSpecificOutput.additionalContext = "x".repeat(1024 - JSON.stringify(answer).length);
  return JSON.stringify(answer);
}

/** The pure half with this many hooks configured, against a JSON.parse. @param {number} count @param {number} rounds */
export function decideSamples(count, rounds) {
  const hooks = hooksOf(count);
  const stdout = oneKilobyte();
  const run = runThatPrinted(stdout);
  const { decision, updatedInput } = outcomeOf(hooks, run);
  if (decision.kind !== "allow" || !updatedInput)
    throw new Error("the benchmark's hook is not read as meant");
  return interleave(
    () => timeOf(() => outcomeOf(hooks, run), REPEATS),
    () => timeOf(() => JSON.parse(stdout), REPEATS),
    rounds,
  );
}

/** @type {import("./report.mjs").Measurement[]} */
export const decideRows = [
  {
    name: "match + parse + decide + route, 1 KB of JSON",
    reference: "JSON.parse of that 1 KB",
    unit: "µs",
    target: { of: "value", atMost: 0.05 },
    measure: ({ quick }) => decideSamples(1, quick ? 300 : 3000),
  },
  {
    name: "the same with 1,000 hooks, one of which matches",
    reference: "JSON.parse of that 1 KB",
    unit: "µs",
    target: { of: "value", atMost: 0.2 },
    measure: ({ quick }) => decideSamples(1000, quick ? 300 : 3000),
  },
];

// What one of the worst outputs costs, in this process and for its reference.
import { timeOf } from "./measure.mjs";
import { hooksOf, outcomeOf, runThatPrinted } from "./row-decide.mjs";

const hooks = hooksOf(1);

/** The output as a whole, and of a hook that was stopped while it printed: every object is looked for, the cut one too. */
export function costOf(/** @type {string} */ text) {
  const whole = runThatPrinted(text);
  const cut = { ...whole, truncated: true, cut: /** @type {["stdout"]} */ (["stdout"]) };
  return Math.max(...[whole, cut].map((run) => timeOf(() => outcomeOf(hooks, run), 1)));
}

const plain = JSON.stringify({ systemMessage: "x".repeat(102_000) });

export function costOfJson() {
  return timeOf(() => JSON.parse(plain), 1);
}

import { ruleFor } from "@belay/core";
import { byDialect } from "./by-dialect.mjs";
import { effectOf, outcomeOf, readersOf } from "./consequence.mjs";
import { code, sentence, table } from "./markdown.mjs";

/** @typedef {import("@belay/core").EventName} EventName */
/** @typedef {import("@belay/core").DialectName} DialectName */
/** @typedef {{ does: string, what: string, facts: Partial<import("@belay/core").Run> }} Case */

const WORDS = "its words";

/** What a hook may do instead of answering. @type {readonly Case[]} */
const SILENT = [
  { does: "says nothing and exits with 0", what: "", facts: { exitCode: 0 } },
  { does: "prints plain text and exits with 0", what: "stdout", facts: { exitCode: 0, stdout: WORDS } },
  { does: "exits with 2, words on stderr", what: "stderr", facts: { exitCode: 2, stderr: WORDS } },
  { does: "exits with 2 and says nothing", what: "a stand-in", facts: { exitCode: 2 } },
  { does: "exits with any other code", what: "stderr", facts: { exitCode: 1, stderr: WORDS } },
];

/** @type {readonly Case[]} */
const FAULTS = [
  {
    does: "prints broken JSON, or JSON that breaks a rule",
    what: "what was wrong",
    facts: { exitCode: 0, stdout: "{ broken" },
  },
  {
    does: "hangs until its `timeout`",
    what: "the fault",
    facts: { timedOut: true, failure: { kind: "timeout", detail: "no exit within 60 s" } },
  },
  {
    does: "dies by a signal, or cannot start",
    what: "the fault",
    facts: { signal: "SIGKILL", failure: { kind: "signal", detail: "killed by SIGKILL" } },
  },
];

/** Exit codes and faults: each row is computed by core itself. @param {EventName} event */
export function failureTable(event) {
  const rows = [...SILENT, ...FAULTS].map((row) => [
    row.does,
    sentence(byDialect((d) => say(event, d, row))),
  ]);
  const hang = /** @type {Case} */ (FAULTS[1]);
  const strict = byDialect((dialect) =>
    ruleFor(event, dialect).refusal
      ? say(event, dialect, hang, "block")
      : "no effect: nothing can be refused here",
  );
  const blocking = `fails in one of these ways or exits with any other code, under ${code('"onFailure": "block"')}`;
  return table(["The hook …", "Then"], [...rows, [blocking, sentence(strict)]]);
}

/** @param {EventName} event @param {DialectName} dialect @param {Case} row @param {"continue" | "block"} [onFailure] */
function say(event, dialect, { facts, what }, onFailure) {
  const outcome = outcomeOf(event, dialect, facts, onFailure);
  return `${effectOf(outcome)}; ${readersOf(outcome, what)}`;
}

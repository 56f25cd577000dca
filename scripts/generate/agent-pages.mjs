// A page for each agent, and the matrix of all: from the harnesses and from the measured rows.
import { existsSync, readFileSync } from "node:fs";
import { eventRow } from "@belay/core/internal";
import { HARNESSES, meantBy } from "@belay/harness";
import { code, GENERATED, list, sentence, table } from "./markdown.mjs";

/** @typedef {import("@belay/harness").Harness} Harness */
/** @typedef {import("@belay/harness").HarnessEvent} HarnessEvent */
/** @typedef {NonNullable<HarnessEvent["answers"]>} Answers */
/** @typedef {{ stdout?: string, stderr?: string, exit?: number, timedOut?: true, type?: "http", status?: number, setting?: "onFailure" | "failClosed" }} RowHook */
/** @typedef {{ id: string, event: string, hooks: RowHook[], step: string, about?: string, fired?: false, approval?: string }} Row */

/** What the probes are called in the matrix: id, words. Agents with answers of their own have their own words for the same. */
const PROBES = [
  ["pre-exit2-stderr", "exit 2, words on stderr"],
  ["pre-exit2-silent", "exit 2, silent"],
  ["pre-exit1-stderr", "exit 1"],
  ["pre-exit1-jsondeny", "exit 1, a deny in JSON"],
  ["pre-exit2-jsonallow", "exit 2, an allow in JSON"],
  ["pre-deny", "deny with a reason"],
  ["pre-deny-noreason", "deny without a reason"],
  ["pre-ask", "ask"],
  ["pre-continue-false", "`continue: false`"],
  ["pre-malformed-closed", "broken JSON"],
  ["pre-text-before-json", "a line of log, then a deny"],
  ["pre-no-hookEventName", "deny without `hookEventName`"],
  ["pre-extra-fields", "deny beside an unknown field"],
  ["pre-union", "the fields of all agents at once"],
  ["pre-timeout", "the time limit is reached"],
  ["pre-notfound", "the program is not there"],
  ["two-allow-deny", "one hook allows, the next denies"],
  ["two-deny-allowslow", "one hook denies, the next allows"],
];
const ALIASES = /** @type {Record<string, string>} */ ({
  "pre-cancel": "pre-deny",
  "pre-cancel-noreason": "pre-deny-noreason",
  "pre-exit1-jsoncancel": "pre-exit1-jsondeny",
  "pre-exit2-jsonok": "pre-exit2-jsonallow",
  "pre-malformed": "pre-malformed-closed",
  "shell-extra": "pre-extra-fields",
  "shell-exit1": "pre-exit1-stderr",
  "shell-malformed": "pre-malformed-closed",
  "two-deny-allow": "two-deny-allowslow",
});

/** @param {string} name @returns {Row[]} */
function rowsOf(name) {
  const file = `fixtures/agents/${name}.jsonl`;
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** @param {Row} row */
function idOf({ id }) {
  return ALIASES[id] ?? id.replace(/^shell-/, "pre-");
}

/** A restriction that was meant, and did not happen. @param {Harness} harness @param {Row} row */
function isLost({ events }, { hooks, step, about, fired, approval, event }) {
  const ours = events[event]?.event;
  if (step !== "runs" || about || fired === false || approval || ours === undefined) return false;
  const row = eventRow(ours);
  if (row.appendsToResult || row.exit2 === "notice") return false;
  const isStop = row.blockedAction === "block-stop";
  return hooks.some((hook) => {
    const run = {
      stdout: hook.stdout ?? "",
      stderr: hook.stderr ?? "",
      ...(hook.timedOut ? {} : { exitCode: hook.exit ?? 0 }),
      executionTime: 0,
      timedOut: hook.timedOut ?? false,
      truncated: false,
    };
    const meant = meantBy({
      hook: "probe",
      run,
      type: "command",
      ...(hook.setting && { failClosed: hook.setting }),
    });
    return meant.has("deny") || meant.has("ask") || (meant.has("stop") && !isStop);
  });
}

const programs = HARNESSES.filter(({ reads }) => reads !== undefined);

/** The matrix of docs/agents/README.md. */
export function agentMatrix() {
  const measured = programs.map((harness) => ({
    harness,
    known: new Map(rowsOf(harness.name).map((row) => [idOf(row), row])),
  }));
  const rows = PROBES.map(([id = "", words = ""]) => [
    words,
    ...measured.map(({ harness, known }) => {
      const row = known.get(id);
      if (!row) return "–";
      return row.step === "refused" ? "refused" : isLost(harness, row) ? "**runs**" : "runs";
    }),
  ]);
  const heads = programs.map(({ name, title }) => `[${title}](${name}.md)`);
  return table(["A hook before a tool call prints", ...heads], rows);
}

/** @returns {[string, string][]} */
export function agentPages() {
  return HARNESSES.map((harness) => [`docs/agents/${harness.name}.md`, page(harness)]);
}

/** @param {Harness} harness */
function page(harness) {
  const { title, tested, files, notes, events, tools, variables, reads, log } = harness;
  const rows = rowsOf(harness.name);
  // Rows that were made by chance prove the emulation, and explain nothing.
  const lost = rows.filter((row) => !row.id.startsWith("mix-") && isLost(harness, row));
  const { program, version, date } = tested;
  return `${[
    GENERATED,
    `# ${title}`,
    `Measured on ${code(`${program}@${version}`)}, ${date}: ${rows.length} answers. ${
      reads
        ? `${code(`--as ${harness.name}`)} says what it does with your hook.`
        : "Its hooks are functions, so no output of a program is read."
    }`,
    "## Files",
    files.map((file) => `- ${code(file)}`).join("\n"),
    "## What surprises",
    notes.map((note) => `- ${note}`).join("\n"),
    ...(lost.length > 0 ? ["## Restrictions that it loses", lostTable(lost)] : []),
    "## Events",
    table(
      ["Event", "With us", "What a hook can answer", "Payload besides the common fields"],
      Object.entries(events).map(([native, row]) => [
        `${code(native)}${row.documented ? " (not measured)" : ""}`,
        native === row.event ? "the same" : code(row.event),
        answersOf(row.answers),
        row.fields.map(code).join(", ") || "–",
      ]),
    ),
    `Every payload has ${list(harness.fields.map(code))}${namesOf(harness.payload)}.`,
    ...(Object.keys(tools).length > 0
      ? [
          "## Tools",
          table(
            ["Tool", "With us", "Input"],
            Object.entries(tools).map(([native, tool]) => [
              code(native),
              code(tool.name),
              renamed(tool.input) || "the same fields",
            ]),
          ),
        ]
      : []),
    "## Variables",
    variables.length > 0 ? `${variables.map(code).join(", ")}.` : "It sets none of its own.",
    ...(log ? ["## Session logs", log.gaps.join(" ")] : []),
  ].join("\n\n")}\n`;
}

/** @param {Record<string, string> | undefined} names */
function renamed(names = {}) {
  return Object.entries(names)
    .map(([theirs, ours]) => `${code(theirs)} is our ${code(ours)}`)
    .join(", ");
}

/** @param {Record<string, string> | undefined} names */
function namesOf(names) {
  const text = renamed(names);
  return text === "" ? "" : `; ${text}`;
}

/** @param {readonly Row[]} rows */
function lostTable(rows) {
  return table(
    ["At", "A hook that prints", "Exit"],
    rows.map(({ event, hooks }) => [
      code(event),
      hooks.map((hook) => printed(hook)).join(", then "),
      hooks.map((hook) => exitOf(hook)).join(", "),
    ]),
  );
}

/** @param {RowHook} hook */
function printed({ stdout = "", stderr = "" }) {
  const text = stdout !== "" ? stdout : stderr;
  if (text === "") return "nothing";
  return `${code(text.replaceAll("\n", " ⏎ ").replaceAll(/_TOK\d?/g, ""))}${stdout === "" ? " on stderr" : ""}`;
}

/** @param {RowHook} hook */
function exitOf({ timedOut, type, status, exit = 0 }) {
  return timedOut ? "time limit" : type === "http" ? `http ${status}` : String(exit);
}

/** @type {Record<string, string>} */
const EXIT2 = {
  always: "exit 2 refuses",
  stderr: "exit 2 with words on stderr refuses",
  words: "exit 2 with words refuses",
};
const NEEDS = { allow: " with an allow", "no-ask": " without an ask" };

/** @param {Answers | undefined} answers */
function answersOf(answers) {
  if (answers === undefined) return "–";
  const {
    exit2,
    endingExit,
    deny = [],
    ask = [],
    allow = [],
    rewrite,
    prompt,
    context = [],
    output,
    plain,
    stop,
  } = answers;
  /** @param {readonly { at: string, is: readonly unknown[] }[]} sayings */
  const said = (sayings) =>
    sayings.map(({ at, is }) => is.map((value) => code(`${short(at)}: ${value}`)).join(" or ")).join(", ");
  const parts = [
    ...(exit2 ? [EXIT2[exit2]] : []),
    ...(endingExit ? [`exit ${endingExit} refuses and ends the turn`] : []),
    ...(deny.length > 0 ? [said(deny)] : []),
    ...(ask.length > 0 ? [said(ask)] : []),
    ...(allow.length > 0 ? [said(allow)] : []),
    ...(rewrite ? [`${code(short(rewrite.at))}${rewrite.needs ? NEEDS[rewrite.needs] : ""}`] : []),
    ...(prompt ? [code(prompt)] : []),
    ...context.map((at) => code(short(at))),
    ...(output ? [code(short(output.at))] : []),
    ...(plain ? [`plain text (to the ${plain})`] : []),
    ...(stop ? [code("continue: false")] : []),
  ];
  return parts.length === 0 ? "nothing" : sentence(parts.join("; ")).replace(/\.$/, "");
}

/** @param {string} path */
function short(path) {
  return path.replace("hookSpecificOutput.", "");
}

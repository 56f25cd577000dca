import { DIALECT_NAMES, DIALECTS } from "@belay/core";
import { dialectRow, hasLetter } from "@belay/core/internal";
import { code, list, table } from "./markdown.mjs";

/** @typedef {import("@belay/core").Dialect} Dialect */

const required = (/** @type {boolean} */ is) => (is ? "required" : "optional");
const yesNo = (/** @type {boolean} */ is) => (is ? "yes" : "no");

/** Each setting of a dialect: what it is called here, and how its value reads. @type {Record<string, [string, (d: Dialect) => string]>} */
const SETTINGS = {
  systemMessage: ["`systemMessage` goes to", (d) => list(d.systemMessage)],
  exit2Wins: [
    "JSON against exit 2",
    (d) => (d.exit2Wins ? "exit 2 always blocks (a stop still stops)" : "JSON decides where it speaks"),
  ],
  eventNameRequired: ["`hookEventName` in `hookSpecificOutput`", (d) => required(d.eventNameRequired)],
  stopReasonRequired: ["`stopReason` with `continue: false`", (d) => required(d.stopReasonRequired)],
  blockReasonRequired: ["`reason` with a block", (d) => required(d.blockReasonRequired)],
  systemMessageIsReason: [
    "a refusal without words borrows the `systemMessage`",
    (d) => yesNo(d.systemMessageIsReason),
  ],
  startStdoutIsContext: [
    "plain stdout is context when a session starts",
    (d) => yesNo(d.startStdoutIsContext),
  ],
  otherStdout: [
    "other stdout of exit 0",
    (d) => (d.otherStdout === "transcript" ? "user's transcript, unless `suppressOutput`" : "journal only"),
  ],
  noticeTo: ["stderr of exit 2 where nothing can be blocked", (d) => d.noticeTo],
  compactionCanBeBlocked: ["a compaction can be blocked", (d) => yesNo(d.compactionCanBeBlocked)],
  contextOnStop: [
    "`additionalContext` on a stop",
    (d) =>
      ({
        refused: "not an answer (diagnostic)",
        block: "a block: the agent reads it and goes on",
        agent: "read with the next turn; the stop goes through",
      })[d.contextOnStop],
  ],
  furtherFields: [
    "Claude Code's further answer fields",
    (d) => (d.furtherFields ? "read" : "unknown (diagnostic)"),
  ],
  filesSwitchOff: ["`disableAllHooks` in a file switches hooks off", (d) => yesNo(d.filesSwitchOff)],
  misplacedRestricts: [
    "a `deny` or `ask` of a call in the wrong place",
    (d) => (d.misplacedRestricts ? "taken as what it says (diagnostic)" : "ignored (diagnostic)"),
  ],
  onceCounts: ["`once` in an entry", (d) => (d.onceCounts ? "once in a session" : "not read (diagnostic)")],
  variables: [
    "further variables of its hooks",
    (d) =>
      Object.keys(d.variables ?? {})
        .map(code)
        .join(", ") || "none",
  ],
  decisionsAnywhere: [
    "`decision` counts",
    (d) => (d.decisionsAnywhere ? "at the top level and in `hookSpecificOutput`" : "in its own place alone"),
  ],
  wholeJsonOnly: [
    "JSON beside other text, unfinished, or with an unsound field",
    (d) => (d.wholeJsonOnly ? "nothing of it is read" : "may restrict (diagnostic)"),
  ],
  failureWins: [
    '`"onFailure": "block"`, an exit code other than 0 and 2, and an answer',
    (d) => (d.failureWins ? "refuses" : "the answer decides"),
  ],
  lastFinishedWins: [
    "of two rewrites",
    (d) => (d.lastFinishedWins ? "the last to finish counts" : "the later configured counts"),
  ],
  dropsBadFile: [
    "a bad entry for a call, a comment, a comma too many",
    (d) =>
      d.dropsBadFile ? "the whole file is off" : "that entry alone is off; comments and commas are fine",
  ],
  timeout: ["time limit of a command that names none", (d) => `${d.timeout} s`],
  files: ["files that `--dialect` reads", files],
};

/** @param {Dialect} dialect */
function files({ files: kind, folder }) {
  if (kind === "plugin") return "plugin `hooks/hooks.json`";
  return kind === "session"
    ? code(`${folder}/hooks/hooks.<session-uuid>.json`)
    : `${code(`${folder}/settings.json`)} and ${code("settings.local.json")}, and yours in ${code(`~/${folder}/settings.json`)}`;
}

export function dialectTable() {
  const shown = [...Object.keys(SETTINGS), "title", "folder", "projectVariable", "letter"];
  const missing = Object.keys(DIALECTS.wave).filter((name) => !shown.includes(name));
  if (missing.length > 0)
    throw new Error(`scripts/generate/dialects.mjs has no line for: ${missing.join(", ")}`);
  const simulated = DIALECT_NAMES.filter(hasLetter);
  const heads = [...DIALECT_NAMES, ...simulated.map((name) => `--dialect ${name}`)];
  return table(
    ["", ...heads.map(code)],
    Object.values(SETTINGS).map(([label, say]) => [
      label,
      ...DIALECT_NAMES.map((name) => say(DIALECTS[name])),
      ...simulated.map((name) => {
        const said = say(dialectRow(name, true));
        return said === say(DIALECTS[name]) ? "the same" : said;
      }),
    ]),
  );
}

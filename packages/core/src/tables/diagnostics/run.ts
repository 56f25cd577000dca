import { error, info, TOLD, warning } from "./row.ts";

/** How a hook ran. */
export const RUN_ROWS = {
  "run-not-started": error(
    "the hook could not start: {detail}",
    "Run it by hand in the same folder; `belay check`, with the same --config, --plugin or --dialect, looks for scripts that are missing or lack chmod +x.",
  ),
  "run-program-not-started": error(
    "the hook's script could not start {program}: {detail}",
    "Install {program}, or correct its path or mode.",
  ),
  "run-script-not-found": warning(
    "exit {code} is not the hook's own: its interpreter did not find {script}",
    "Correct the path in its command; `belay check`, with the same --config, --plugin or --dialect, looks for missing scripts.",
    TOLD,
  ),
  "run-script-unreadable": warning(
    "exit {code} is not the hook's own: its interpreter may not read {script}",
    "Give yourself read access: chmod u+r {script}",
    TOLD,
  ),
  "run-script-syntax": warning(
    "exit 2 may be a shell's and not the hook's own: stderr ends with a syntax error: {problem}",
    "Check the hook's script or command with `sh -n` or `bash -n`, which read it without running it.",
    TOLD,
  ),
  "run-timed-out": error("the hook timed out: {detail}", "Make it faster, or raise its `timeout` (seconds)."),
  "run-killed": error("the hook died: {detail}", 'A hook that must answer says "onFailure": "block".'),
  "run-aborted": warning(
    "the hook was ended because the event was aborted",
    "Nothing to do when you pressed Ctrl-C or the agent moved on.",
  ),
  "run-http-failed": error(
    "the http hook gave no answer: {detail}",
    "Try the URL with curl; a 2xx with a JSON object or an empty body is an answer.",
  ),
  "run-module-failed": error(
    "the module hook failed: {detail}",
    "Fix the error it names; the module exports a function that returns an object or nothing.",
  ),
  "run-prompt-failed": error(
    "the prompt hook got no answer: {detail}",
    'Use it in `belay chat`, or give your engine an `ask`. The answer is {"ok": true} or {"ok": false, "reason": "…"}.',
  ),
  "run-elsewhere": error(
    "the hook was not run: {detail}",
    "Use a command here, or a prompt where there is a model.",
  ),
  "async-not-counted": warning(
    "the hook {did} in the background, where nobody waits for it: that does not count",
    "Remove `async` and `asyncRewake` if it is to count.",
    TOLD,
  ),
  "env-file-unread": warning(
    "a line that the hook wrote for later commands is no plain assignment, and does not count: {line}",
    'Write export NAME="value"; a value may name other variables, and runs nothing.',
    TOLD,
  ),
  "run-launcher-lost": error(
    "the hook was ended with the process that had started it: {detail}",
    'The next hook gets a new launcher; createEngine with `launcher: "off"` uses none.',
  ),
  "run-warm-failed": error(
    "the warm hook gave no answer: {detail}",
    'Answer each line {"id", "input"} with one line {"id", "output", "exitCode", "stderr"}, of which only the id is required. Print everything else to stderr.',
  ),
  "if-not-tested": warning(
    "the hook ran because its `if` {rule} cannot be tested: {detail}",
    "Write one rule that names a tool, for example Bash(git push *).",
    TOLD,
  ),
  "run-failure-blocks": warning('read as exit 2 because of "onFailure": "block": {detail}', "{advice}"),
} as const;

/** The engine itself. */
export const ENGINE_ROWS = {
  "journal-failed": warning(
    "the journal cannot be written: {detail}; events go on unrecorded",
    "Free some space or fix the permissions of {folder}.",
    TOLD,
  ),
  "observer-failed": warning(
    "the host's onHook failed: {detail}; hooks run as if it had not",
    "Fix the onHook of createEngine. This message comes once.",
  ),
  "launcher-failed": warning(
    "the process that starts hooks for a large host did not start: {detail}; the host starts them itself",
    'Find out why, or give createEngine `launcher: "off"`. This message comes once.',
  ),
  "matcher-untested": error(
    "the payload of {event} has no {field}, so {count} with a matcher did not run",
    "Give {field} as a string when firing {event}: its matchers test that.",
    TOLD,
  ),
  "matcher-gave-up": warning(
    "the matcher {matcher} took too long and was given up, which counts as a match: {hook} ran",
    "Write it without lookaround and back-references, or without repetition in repetition.",
    TOLD,
  ),
} as const;

/** Rules about tools. */
export const PERMISSION_ROWS = {
  "permission-bad-rule": error(
    "{path}: {rule} is no rule: {detail}; {effect}",
    "Write Tool, Tool(pattern) or *, for example Bash(git push *).",
    TOLD,
  ),
  "permission-unknown-tool": warning(
    "{path}: no tool {tool} is known, and {rule} is for it alone{guess}",
    "{advice}",
  ),
  "permission-several-commands": warning(
    "{path}: {rule} names several commands, and a rule is held against one command at a time",
    "Write a rule for each command.",
  ),
  "permission-untrusted": info(
    "{count} in this file {are} not trusted yet and {do} not count ({names})",
    "Look at {them} and trust {them}: {next}",
  ),
} as const;

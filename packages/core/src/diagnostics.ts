import { type DiagnosticRow, error, info, TOLD, warning } from "./diagnostic-row.ts";
import { SCRIPT_DIAGNOSTICS } from "./diagnostics-script.ts";
import type { Diagnostic } from "./types.ts";

/** Every diagnostic there is. Docs are generated from this table; the codes are stable. */
export const DIAGNOSTICS = {
  // What a hook printed
  "output-malformed": error(
    "stdout begins like JSON but is none: {problem}; the exit code decided",
    "Print one JSON object and nothing else; in shell, build it with jq -n.",
  ),
  "output-invalid": error(
    "`{path}` is not valid: expected {expected}, got {got}; only what restricts was read",
    "Correct `{path}`; `belay schema {event} --output` prints what is accepted.",
  ),
  "output-missing": error(
    "`{field}` is required {when} ({dialect}); the answer does not hold and the exit code decided",
    "Add a non-empty `{field}`.",
  ),
  "output-wrong-event": error(
    "hookSpecificOutput.hookEventName is {got}, but this is {event}; hookSpecificOutput was set aside",
    'Set hookSpecificOutput.hookEventName to "{event}".',
  ),
  "output-unknown-field": warning("unknown field `{path}` was ignored{guess}", "{advice}"),
  "output-misplaced-field": warning(
    "`{path}` was ignored at this place: it belongs {home}",
    "Move `{field}` {home}.",
    TOLD,
  ),
  "output-words-unused": warning(
    "`{path}` was ignored: it says nothing without {needs}",
    "Add {needs}, or use systemMessage to speak to the user.",
  ),
  "output-cannot-answer": warning(
    "`{field}`: {value} was ignored: {event} cannot give that answer{words}",
    "Use one of: {accepted}.",
    TOLD,
  ),
  "output-block-as-deny": warning(
    'decision "block" was taken as permissionDecision "deny"',
    'On {event}, answer with hookSpecificOutput.permissionDecision "deny".',
    TOLD,
  ),
  "output-mixed": warning(
    "JSON was found among other output{because}; it can restrict and speak to the user, nothing more",
    "Print one JSON object and nothing else on stdout; send logs to stderr.",
    TOLD,
  ),
  "output-more-problems": info(
    "{count} more problems of the listed kinds are in this output",
    "Correct what is listed first; it is often one mistake, repeated.",
  ),
  "output-truncated": warning(
    "{streams} went over the cap of {cap} bytes and was cut",
    "Print less, or write the rest to a file and name it.",
    TOLD,
  ),
  "exit-2-overruled": warning(
    "the hook exited with 2 but its JSON said {said}; the JSON decided",
    "Exit with 0 when the JSON answers, or drop the JSON to block.",
    TOLD,
  ),
  "exit-2-won": warning(
    "the hook's JSON said {said} but it exited with 2, which always refuses in {dialect}",
    "Exit with 0 when the JSON answers.",
    TOLD,
  ),
  // How a hook ran
  "run-not-started": error(
    "the hook could not start: {detail}",
    "Run its command by hand in the same folder; `belay check` looks for missing and non-executable scripts.",
  ),
  "run-timed-out": error("the hook timed out: {detail}", "Make it faster, or raise its `timeout` (seconds)."),
  "run-killed": error(
    "the hook died: {detail}",
    'Find out who killed it; a hook that must answer says "onFailure": "block".',
  ),
  "run-aborted": warning(
    "the hook was ended because the event was aborted",
    "Nothing to do when you pressed Ctrl-C or the agent moved on.",
  ),
  "run-http-failed": error(
    "the http hook gave no answer: {detail}",
    "Try the URL with curl; a 2xx status with a JSON object or an empty body is an answer.",
  ),
  "run-module-failed": error(
    "the module hook failed: {detail}",
    "Fix the error it names; the module exports a function that returns an object or nothing.",
  ),
  "run-failure-blocks": warning(
    'read as exit 2 because of "onFailure": "block": {detail}',
    "Fix what failed; remove onFailure if the door may stay open.",
  ),
  // Several hooks together
  "rewrite-lost": warning(
    "{what} of {loser} was replaced by that of {winner}, which is configured later",
    'Let one hook rewrite, or put both in one group with "sequential": true.',
    TOLD,
  ),
  "rewrite-refused": error(
    "the rewritten input does not fit the tool: {detail}; the call was denied",
    "Return the whole tool input in updatedInput, with the tool's own field names and types.",
    TOLD,
  ),
  "allow-voided": warning(
    "the allow of {hook} was for another input: {winner} rewrote it without allowing",
    'Let {winner} answer allow as well, or run both in one group with "sequential": true.',
    TOLD,
  ),
  "stop-cap": warning(
    "the stop was blocked {count} times in a row without a tool call; this time it goes through",
    "Let the hook look at stop_hook_active, or raise the cap (stopCap).",
    TOLD,
  ),
  observed: info(
    "observe mode: would have said {said}{words}",
    'Remove "mode": "observe" to enforce it.',
    TOLD,
  ),
  // Configuration
  "config-unreadable": error(
    "{file} cannot be read: {detail}",
    "Fix or remove the file; `belay check` names every problem at once.",
    TOLD,
  ),
  "config-kept-last-good": warning(
    "the last good version of {file} stays in force",
    "Save a version that parses; it counts from the next event on.",
    TOLD,
  ),
  "config-bad-entry": error("{path}: expected {expected}, got {got}; this entry is off", "{advice}", TOLD),
  "config-unknown-event": error(
    "there is no event {name}; its hooks are off{guess}",
    "Use one of the events of `belay schema`.",
    TOLD,
  ),
  "config-flat-entry": error(
    "{path} is a hook where a group is expected; it is off",
    'Wrap it: {"hooks": [ … ]}, with an optional "matcher" beside "hooks".',
    TOLD,
  ),
  "config-unknown-field": warning("unknown field `{path}` has no effect{guess}", "{advice}"),
  "config-unsupported-type": error(
    "{path}: hooks of type {type} cannot be run here; this entry is off",
    "Use command, json, http or module.",
    TOLD,
  ),
  "config-bad-matcher": error(
    "{path}: {matcher} is no regular expression: {detail}; this group is off",
    "Use a name, a list of names (A|B) or a valid pattern.",
    TOLD,
  ),
  "config-matcher-fallback": warning(
    "{matcher} needs a feature the safe engine lacks ({detail}); RegExp runs it on a shortened name",
    "Write it without lookaround and back-references.",
  ),
  "config-matcher-ignored": warning(
    "{event} has no matcher; {matcher} is ignored and the hook fires every time",
    "Remove the matcher, and let the hook look at its input.",
  ),
  "config-matcher-catches-more": warning(
    "{matcher} is an unanchored pattern and also catches {names}",
    "Write {anchored} to match whole names.",
  ),
  "config-matcher-matches-nothing": warning(
    "{matcher} matches no {field} that is known for {event}{guess}",
    "{advice}",
  ),
  "config-timeout-unit": warning(
    "a timeout of {seconds} s is {human}: `timeout` is in seconds",
    "Divide by 1000 if it was meant in milliseconds.",
  ),
  "config-no-effect": warning(
    '"onFailure": "block" has no effect on {event}: nothing can be refused there',
    "Remove it, or guard an event that can refuse.",
  ),
  "config-duplicate": info(
    "the same handler stands at {other} as well; where both match, it runs once",
    "Remove one of the two.",
  ),
  "config-untrusted": info(
    "{count} in this file {are} not trusted yet and will not run ({names})",
    "Look at them and trust them: {next}",
  ),
  "config-session-name": warning(
    "{file} is never read: the name of a session file is hooks.<uuid>.json",
    "Rename it to the session's UUID, or remove it.",
  ),
  "config-no-hooks": info("no hooks were found", "`belay init` writes a first one."),
  "hook-untrusted": warning(
    "{count} from {files} not run: they are not trusted ({why})",
    "Look at them and trust them: {command}",
    TOLD,
  ),
  "http-not-allowed": error(
    "this hook's URL is not called: {detail}",
    "Call loopback, or add a pattern to allowedHttpHookUrls in your own ~/.belay/settings.json.",
  ),
  "http-variable": warning(
    "header {header} names ${variable}, which allowedEnvVars does not list; it is sent without it",
    'Add "{variable}" to allowedEnvVars.',
  ),
  ...SCRIPT_DIAGNOSTICS,
  // The engine itself
  "journal-failed": warning(
    "the journal cannot be written: {detail}; events go on unrecorded",
    "Free some space or fix the permissions of {folder}.",
    TOLD,
  ),
} as const satisfies Record<string, DiagnosticRow>;

export type DiagnosticCode = keyof typeof DIAGNOSTICS;

export interface Where {
  readonly hook?: string;
  readonly path?: string;
}

/** Fills a row in. Unfilled placeholders are a defect of the caller and stay visible. */
export function diagnose(
  code: DiagnosticCode,
  values: Record<string, string | number>,
  where: Where = {},
): Diagnostic {
  const row = DIAGNOSTICS[code];
  return {
    code,
    severity: row.severity,
    message: fill(row.message, values),
    fix: fill(row.fix, values),
    ...(where.hook !== undefined && { hook: where.hook }),
    ...(where.path !== undefined && { path: where.path }),
  };
}

/** Whether the user is shown this diagnostic as a warning when an event fires. */
export function isTold(diagnostic: Diagnostic): boolean {
  return Object.hasOwn(DIAGNOSTICS, diagnostic.code) && DIAGNOSTICS[diagnostic.code as DiagnosticCode].told;
}

function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{([a-z]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}

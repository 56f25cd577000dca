import type { Diagnostic, Severity } from "./types.ts";

interface DiagnosticRow {
  readonly severity: Severity;
  /** Shown to the user as a warning when it comes up while an event fires. Faults are shown as errors instead. */
  readonly told: boolean;
  /** `{name}` is filled in. Says what happened and where. */
  readonly message: string;
  /** The next thing to do. */
  readonly fix: string;
}

/** Every diagnostic there is. Docs are generated from this table; the codes are stable. */
export const DIAGNOSTICS = {
  // What a hook printed
  "output-malformed": {
    severity: "error",
    told: false,
    message: "stdout begins like JSON but is none: {problem}; the exit code decided",
    fix: "Print one JSON object and nothing else; in shell, build it with jq -n.",
  },
  "output-invalid": {
    severity: "error",
    told: false,
    message: "`{path}` is not valid: expected {expected}, got {got}; only what restricts was read",
    fix: "Correct `{path}`; `belay schema {event} --output` prints what is accepted.",
  },
  "output-missing": {
    severity: "error",
    told: false,
    message: "`{field}` is required {when} ({dialect}); the answer does not hold and the exit code decided",
    fix: "Add a non-empty `{field}`.",
  },
  "output-wrong-event": {
    severity: "error",
    told: false,
    message:
      "hookSpecificOutput.hookEventName is {got}, but this is {event}; hookSpecificOutput was set aside",
    fix: 'Set hookSpecificOutput.hookEventName to "{event}".',
  },
  "output-unknown-field": {
    severity: "warning",
    told: false,
    message: "unknown field `{path}` was ignored{guess}",
    fix: "{advice}",
  },
  "output-misplaced-field": {
    severity: "warning",
    told: true,
    message: "`{path}` was ignored at this place: it belongs {home}",
    fix: "Move `{field}` {home}.",
  },
  "output-cannot-answer": {
    severity: "warning",
    told: true,
    message: "`{field}`: {value} was ignored: {event} cannot give that answer{words}",
    fix: "Use one of: {accepted}.",
  },
  "output-block-as-deny": {
    severity: "warning",
    told: true,
    message: 'decision "block" was taken as permissionDecision "deny"',
    fix: 'On {event}, answer with hookSpecificOutput.permissionDecision "deny".',
  },
  "output-mixed": {
    severity: "warning",
    told: true,
    message:
      "JSON was found among other output{because}; it can restrict and speak to the user, nothing more",
    fix: "Print one JSON object and nothing else on stdout; send logs to stderr.",
  },
  "output-truncated": {
    severity: "warning",
    told: true,
    message: "{streams} went over the cap of {cap} bytes and was cut",
    fix: "Print less, or write the rest to a file and name it.",
  },
  "exit-2-overruled": {
    severity: "warning",
    told: true,
    message: "the hook exited with 2 but its JSON said {said}; the JSON decided",
    fix: "Exit with 0 when the JSON answers, or drop the JSON to block.",
  },
  "exit-2-won": {
    severity: "warning",
    told: true,
    message: "the hook's JSON said {said} but it exited with 2, which always refuses in {dialect}",
    fix: "Exit with 0 when the JSON answers.",
  },
  // How a hook ran
  "run-not-started": {
    severity: "error",
    told: false,
    message: "the hook could not start: {detail}",
    fix: "Run its command by hand in the same folder; `belay check` looks for missing and non-executable scripts.",
  },
  "run-timed-out": {
    severity: "error",
    told: false,
    message: "the hook timed out: {detail}",
    fix: "Make it faster, or raise its `timeout` (seconds).",
  },
  "run-killed": {
    severity: "error",
    told: false,
    message: "the hook died: {detail}",
    fix: 'Find out who killed it; a hook that must answer says "onFailure": "block".',
  },
  "run-aborted": {
    severity: "warning",
    told: false,
    message: "the hook was ended because the event was aborted",
    fix: "Nothing to do when you pressed Ctrl-C or the agent moved on.",
  },
  "run-http-failed": {
    severity: "error",
    told: false,
    message: "the http hook gave no answer: {detail}",
    fix: "Try the URL with curl; a 2xx status with a JSON object or an empty body is an answer.",
  },
  "run-module-failed": {
    severity: "error",
    told: false,
    message: "the module hook failed: {detail}",
    fix: "Fix the error it names; the module exports a function that returns an object or nothing.",
  },
  "run-failure-blocks": {
    severity: "warning",
    told: false,
    message: 'read as exit 2 because of "onFailure": "block": {detail}',
    fix: "Fix what failed; remove onFailure if the door may stay open.",
  },
  // Several hooks together
  "rewrite-lost": {
    severity: "warning",
    told: true,
    message: "{what} of {loser} was replaced by that of {winner}, which is configured later",
    fix: 'Let one hook rewrite, or put both in one group with "sequential": true.',
  },
  "rewrite-refused": {
    severity: "error",
    told: true,
    message: "the rewritten input does not fit the tool: {detail}; the call was denied",
    fix: "Return the whole tool input in updatedInput, with the tool's own field names and types.",
  },
  "allow-voided": {
    severity: "warning",
    told: true,
    message: "the allow of {hook} was for another input: {winner} rewrote it without allowing",
    fix: 'Let {winner} answer allow as well, or run both in one group with "sequential": true.',
  },
  "stop-cap": {
    severity: "warning",
    told: true,
    message: "the stop was blocked {count} times in a row without a tool call; this time it goes through",
    fix: "Let the hook look at stop_hook_active, or raise the cap (stopCap).",
  },
  observed: {
    severity: "info",
    told: true,
    message: "observe mode: would have said {said}{words}",
    fix: 'Remove "mode": "observe" to enforce it.',
  },
  // Configuration
  "config-unreadable": {
    severity: "error",
    told: true,
    message: "{file} cannot be read: {detail}",
    fix: "Fix or remove the file; `belay check` names every problem at once.",
  },
  "config-kept-last-good": {
    severity: "warning",
    told: true,
    message: "the last good version of {file} stays in force",
    fix: "Save a version that parses; it counts from the next event on.",
  },
  "config-bad-entry": {
    severity: "error",
    told: true,
    message: "{path}: expected {expected}, got {got}; this entry is off",
    fix: "{advice}",
  },
  "config-unknown-event": {
    severity: "error",
    told: true,
    message: "there is no event {name}; its hooks are off{guess}",
    fix: "Use one of the events of `belay schema`.",
  },
  "config-flat-entry": {
    severity: "error",
    told: true,
    message: "{path} is a hook where a group is expected; it is off",
    fix: 'Wrap it: {"hooks": [ … ]}, with an optional "matcher" beside "hooks".',
  },
  "config-unknown-field": {
    severity: "warning",
    told: false,
    message: "unknown field `{path}` has no effect{guess}",
    fix: "{advice}",
  },
  "config-unsupported-type": {
    severity: "error",
    told: true,
    message: "{path}: hooks of type {type} cannot be run here; this entry is off",
    fix: "Use command, json, http or module.",
  },
  "config-bad-matcher": {
    severity: "error",
    told: true,
    message: "{path}: {matcher} is no regular expression: {detail}; this group is off",
    fix: "Use a name, a list of names (A|B) or a valid pattern.",
  },
  "config-matcher-fallback": {
    severity: "warning",
    told: false,
    message: "{matcher} needs a feature the safe engine lacks ({detail}); RegExp runs it on a shortened name",
    fix: "Write it without lookaround and back-references.",
  },
  "config-matcher-ignored": {
    severity: "warning",
    told: false,
    message: "{event} has no matcher; {matcher} is ignored and the hook fires every time",
    fix: "Remove the matcher, and let the hook look at its input.",
  },
  "config-matcher-catches-more": {
    severity: "warning",
    told: false,
    message: "{matcher} is an unanchored pattern and also catches {names}",
    fix: "Write {anchored} to match whole names.",
  },
  "config-matcher-matches-nothing": {
    severity: "warning",
    told: false,
    message: "{matcher} matches no {field} that is known for {event}{guess}",
    fix: "Known: {known}.",
  },
  "config-timeout-unit": {
    severity: "warning",
    told: false,
    message: "a timeout of {seconds} s is {human}: `timeout` is in seconds",
    fix: "Divide by 1000 if it was meant in milliseconds.",
  },
  "config-no-effect": {
    severity: "warning",
    told: false,
    message: '"onFailure": "block" has no effect on {event}: nothing can be refused there',
    fix: "Remove it, or guard an event that can refuse.",
  },
  "config-no-hooks": {
    severity: "info",
    told: false,
    message: "no hooks were found",
    fix: "`belay init` writes a first one.",
  },
  "hook-untrusted": {
    severity: "warning",
    told: true,
    message: "{count} from {files} not run: they are not trusted ({why})",
    fix: "Look at them and trust them: belay trust",
  },
  "http-not-allowed": {
    severity: "error",
    told: true,
    message: "{url} may not be called by a hook from {layer}",
    fix: "Add a pattern to allowedHttpHookUrls in your own ~/.belay/settings.json.",
  },
  // Scripts, as `check` reads them
  "script-missing": {
    severity: "error",
    told: false,
    message: "{script} does not exist",
    fix: "Create it or correct the path; commands run in the event's working folder.",
  },
  "script-unreadable": {
    severity: "error",
    told: false,
    message: "{script} cannot be read: {detail}",
    fix: "Give yourself read access: chmod u+r {script}",
  },
  "script-not-executable": {
    severity: "error",
    told: false,
    message: "{script} is not executable",
    fix: "chmod +x {script}",
  },
  "script-no-shebang": {
    severity: "warning",
    told: false,
    message: "{script} has no shebang line, so a shell will try to run it",
    fix: "Begin it with #!/usr/bin/env and its interpreter.",
  },
  "script-no-event-name": {
    severity: "warning",
    told: false,
    message: "{script} writes hookSpecificOutput without hookEventName, which {dialect} requires",
    fix: 'Add "hookEventName": "{event}" inside hookSpecificOutput.',
  },
  "script-cannot-answer": {
    severity: "warning",
    told: false,
    message: "{script} writes `{field}`, which {event} cannot answer",
    fix: "Use one of: {accepted}.",
  },
  // The engine itself
  "journal-failed": {
    severity: "warning",
    told: true,
    message: "the journal cannot be written: {detail}; events go on unrecorded",
    fix: "Free some space or fix the permissions of {folder}.",
  },
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

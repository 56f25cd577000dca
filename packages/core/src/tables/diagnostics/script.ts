import { error, info, warning } from "./row.ts";

/** Scripts, as `check` reads them. */
export const SCRIPT_ROWS = {
  "script-missing": error("{script} does not exist", "Create it or correct the path; {lookup}."),
  "script-not-a-file": error("{script} is {what}, not a file", "Name the script itself."),
  "script-unreadable": error(
    "{script} cannot be read: {detail}",
    "Give yourself read access: chmod u+r {script}",
  ),
  "script-not-executable": error("{script} is not executable", "chmod +x {script}"),
  "script-no-shebang": warning(
    "{script} has no shebang line, so a shell will try to run it",
    "Begin it with #!/usr/bin/env and its interpreter.",
  ),
  "script-bad-shebang": error("the first line of {script} names {interpreter}: {detail}", "{advice}"),
  "script-relative": warning(
    "{script} is looked for in the working folder, which the agent changes; elsewhere it is not found",
    "{advice}",
  ),
  "script-literal-word": warning("{why}, so {word} stays as it is written", "{advice}"),
  "script-unquoted": error(
    "{word}: the path in {variable} has a space, and a shell splits it there: nothing is found",
    "{advice}",
  ),
  "script-may-split": warning(
    "{word}: if the path in {variable} has a space, a shell splits it there and finds nothing",
    "{advice}",
  ),
  "script-unset-variable": warning(
    "{script} reads {variable}, which no agent sets: it is empty",
    "The payload on stdin has it: jq -r {field}",
  ),
  "script-shell": error("{shell} runs the command and cannot read it: {problem}", "{advice}"),
  "script-not-on-path": warning("{script} is not found on PATH here{near}", "{advice}"),
  "script-exit-1": info(
    "{script} exits with 1 and never with 2: 1 is an error for the user, and work goes on",
    "Exit with 2 to refuse; the reason goes to stderr.",
  ),
  "script-exit-2": info(
    "{script} exits with 2, and at {event} nothing can be refused: work goes on",
    'Exit with 0 where nothing failed; to stop the agent, answer {"continue": false, "stopReason": "…"}.',
  ),
  "script-wrong-event": warning(
    "{script} answers for {got}, but is configured for {event}; such an answer is set aside",
    "Name {event} in it, or move the hook.",
  ),
  "script-no-event-name": error(
    "{script} writes hookSpecificOutput without hookEventName, which {dialect} requires",
    'Add "hookEventName": "{event}" inside hookSpecificOutput.',
  ),
  "script-cannot-answer": warning("{script} writes `{field}`, which {event} cannot answer", "{advice}"),
  "script-block-as-deny": warning(
    '{script} writes decision "block", which {event} takes as permissionDecision "deny"',
    'Answer with hookSpecificOutput.permissionDecision "deny".',
  ),
  "script-bad-decision": warning(
    '{script} writes {field} "{word}", which is not how {event} is answered',
    "{advice}",
  ),
  "script-answer": warning("an answer in {script} would not hold: {problem}", "{advice}"),
  "script-top-level": warning(
    "{script} writes `{field}` and no hookSpecificOutput, where it belongs",
    'Put it inside: {"hookSpecificOutput": {"hookEventName": "{event}", "{field}": …}}.',
  ),
  "module-does-not-load": error(
    "{script} does not load: {detail}",
    "Fix it; `belay run {event}`, with the same --config, --plugin or --dialect, shows how it runs.",
  ),
} as const;

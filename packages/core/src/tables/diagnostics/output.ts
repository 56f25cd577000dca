import { error, info, TOLD, warning } from "./row.ts";

/** What a hook printed. */
export const OUTPUT_ROWS = {
  "output-malformed": error(
    "its output begins like JSON but is not JSON: {problem}; {so}",
    "Print one JSON object and nothing else; in shell, build it with jq -n.",
  ),
  "output-invalid": error(
    "`{path}` is not valid: expected {expected}, got {got}; only what restricts was read",
    "{advice}",
  ),
  "output-missing": error(
    "`{field}` is required {when} ({dialect}); the answer does not hold",
    "Add a non-empty `{field}`.",
  ),
  "output-wrong-event": error(
    "hookSpecificOutput.hookEventName is {got}, but this is {event}; hookSpecificOutput was set aside",
    'Set hookSpecificOutput.hookEventName to "{event}".',
  ),
  "output-misspelt-field": warning("unknown field `{path}` was ignored{guess}", "{advice}", TOLD),
  "output-unknown-field": warning("unknown field `{path}` was ignored{guess}", "{advice}"),
  "output-misplaced-field": warning(
    "`{path}` was ignored at this place: it belongs {home}",
    "Move `{field}` {home}{beside}.",
    TOLD,
  ),
  "output-unread": warning(
    "`{path}` was ignored: on {event} {dialect} does not read it there",
    "See what it reads: `belay schema {event} --output --dialect {dialect}`, and the page of the event.",
    TOLD,
  ),
  "output-void": error(
    "{dialect} reads nothing of this answer: {why}",
    "Print one JSON object and nothing else on stdout, and no field with a wrong value.",
    TOLD,
  ),
  "exit-2-unread": warning(
    "{dialect} does not read exit 2 on {event}",
    "Answer in JSON, where the event takes one.",
    TOLD,
  ),
  "output-words-unused": warning(
    "`{path}` was ignored: it says nothing {when}",
    "{advice}, or say it in systemMessage.",
  ),
  "output-cannot-answer": warning(
    "`{field}`: {value} was ignored: {event} cannot give that answer{words}",
    "{advice}",
    TOLD,
  ),
  "output-approve-and-context": warning(
    'decision "approve" says no objection, but in {dialect} additionalContext keeps the agent going: it was blocked',
    "Leave out one of the two.",
    TOLD,
  ),
  "output-block-as-deny": warning(
    'decision "block" was taken as permissionDecision "deny"',
    'On {event}, answer with hookSpecificOutput.permissionDecision "deny".',
    TOLD,
  ),
  "output-misplaced-restriction": warning(
    '`{path}` "{said}" stands in the wrong place and counts as hookSpecificOutput.permissionDecision "{said}"',
    'On {event}, answer with hookSpecificOutput.permissionDecision "{said}".',
    TOLD,
  ),
  "output-read-as": info(
    '`{path}` "{said}" was read as {kind}: the verdict that comes nearest and is not looser',
    "Nothing to do; `belay run --as` says what another agent makes of it.",
  ),
  "output-not-acted-on": info(
    "`{path}` is an answer in {dialect}, and Belay does not act on it",
    "Nothing to do where it is meant for another agent; here nothing comes of it.",
  ),
  "output-for-mcp-tools": warning(
    "`hookSpecificOutput.updatedMCPToolOutput` was ignored: the tool is none of an MCP server",
    "Use updatedToolOutput, which counts for every tool.",
    TOLD,
  ),
  "output-on-stderr": warning(
    "stderr holds a JSON answer that says {said}; an answer is read from stdout alone",
    "Print it to stdout.",
    TOLD,
  ),
  "output-mixed": warning("{found}; it can restrict and speak to the user, nothing more", "{advice}", TOLD),
  "output-more-problems": info(
    "{count} more problems of the listed kinds are in this output",
    "Correct those first; often it is one mistake, repeated.",
  ),
  "output-no-object": warning(
    "the output seems to hold an answer that is no sound JSON object; {so}",
    "Print one JSON object, without colours, and nothing else on stdout; in shell, build it with jq -n.",
    TOLD,
  ),
  "output-truncated": warning(
    "{streams} went over the cap of {cap} bytes and was cut",
    "Say less, or write the rest to a file and name it.",
    TOLD,
  ),
  "output-not-utf8": warning(
    "{streams} held bytes that are not UTF-8 (perhaps UTF-16), and they are lost",
    "Print UTF-8: use iconv, or set PYTHONUTF8=1 for Python.",
    TOLD,
  ),
  "output-left-open": info(
    "the hook decided nothing, and a child process still held its stdout; what the child prints after 100 ms does not count",
    "Wait for the child if it prints the answer; else send it to /dev/null: `job >/dev/null &`.",
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
} as const;

/** Several hooks together. */
export const TOGETHER_ROWS = {
  "rewrite-lost": warning(
    "{what} of {loser} was replaced by that of {winner}, which is configured later",
    'Let one hook rewrite, or put both in one group with "sequential": true.',
    TOLD,
  ),
  "rewrite-refused": error(
    "the rewritten input does not fit the tool: {detail}; the call was denied",
    "Return the whole tool input in updatedInput, with the tool's field names and types.",
    TOLD,
  ),
  "allow-voided": warning(
    "the allow of {hook} was for another input: {winner} rewrote it without allowing",
    'Let {winner} answer allow as well, or run both in one group with "sequential": true.',
    TOLD,
  ),
  "stop-cap": warning(
    "the stop was blocked {times} in a row without a tool call; this time it goes through",
    "Let the hook look at stop_hook_active, or raise the cap (stopCap; belay chat --stop-cap).",
    TOLD,
  ),
  observed: info("observe mode: would have {done}", 'Remove "mode": "observe" to enforce it.', TOLD),
} as const;

import { OWN_TYPES } from "../../config/schema.ts";
import { oneOf } from "../../text.ts";
import { error, info, TOLD, warning } from "./row.ts";

/** Configuration. */
export const CONFIG_ROWS = {
  "config-unreadable": error("{file} cannot be read: {detail}", "{advice}", TOLD),
  "config-kept-last-good": warning(
    "the last good version of {file} stays in force",
    "Save a version that parses; it counts from the next event on.",
    TOLD,
  ),
  "config-bad-entry": error("{path}: expected {expected}, got {got}; {effect}", "{advice}", TOLD),
  "config-repeated-key": error(
    "{path} stands twice, on lines {first} and {last}; only the last counts",
    "Put both under one key.",
    TOLD,
  ),
  "config-more-errors": error("this file has {count} more errors", "Correct the listed errors first.", TOLD),
  "config-more-warnings": warning(
    "this file has {count} more warnings",
    "Correct the listed warnings first.",
  ),
  "config-removed": warning(
    "{file} is gone, and with it {count}",
    "Nothing to do if you removed it; an editor that saves brings it back.",
    TOLD,
  ),
  "config-unknown-event": error("there is no event {name}; its hooks are off{guess}", "Use {advice}.", TOLD),
  "config-event-outside": error(
    '{key} stands at the top of the file: expected inside "hooks"; its hooks are off',
    'Write {"hooks": {"{event}": [ … ]}}.',
    TOLD,
  ),
  "config-flat-entry": error(
    "{path} is a hook where a group is expected; it is off",
    'Wrap it: {"hooks": [ … ]}, with an optional "matcher" beside "hooks".',
    TOLD,
  ),
  "config-empty-group": warning(
    "{path} has no hooks, so it does nothing",
    "Add a hook, or remove the group.",
  ),
  "config-misspelt-hooks": error("unknown field `{path}`; its hooks are off{guess}", "{advice}", TOLD),
  "config-misspelt-field": warning("unknown field `{path}` has no effect{guess}", "{advice}", TOLD),
  "config-unknown-field": warning("unknown field `{path}` has no effect{guess}", "{advice}"),
  "config-ignored-field": warning("`{field}` is not read here: {instead}", "{advice}"),
  "config-belay-field": warning("`{field}` is not read by {agent}: {instead}", "{advice}"),
  "config-belay-syntax": warning(
    "{agent} skips the whole file, because this line is not plain JSON: none of its hooks runs there",
    "Remove comments, trailing commas and a byte order mark.",
  ),
  "config-unsupported-type": error(
    "{path}: hooks of type {type} cannot be run here; this entry is off",
    `Use ${oneOf(OWN_TYPES)}.`,
    TOLD,
  ),
  "config-bad-matcher": error(
    "{path}: {matcher} is no regular expression: {detail}; this group is off",
    "Use a name, names (A|B) or a valid pattern.",
    TOLD,
  ),
  "config-bad-if": warning(
    "`if` {rule} cannot be tested: {detail}; its hook runs on every call that its matcher fits",
    "Write one rule that names a tool, for example Bash(git push *). Claude Code never runs a hook with such an `if`.",
  ),
  "config-if-no-rule": error(
    "`if` {rule} is no rule ({detail}): Claude Code never runs this hook",
    "Write one rule, such as Bash(git push *), or take `if` out.",
  ),
  "config-file-void": error(
    "{agent} skips {file} as a whole, with all its hooks: {why}",
    "Mend it first: `claude --debug` alone says so there.",
    TOLD,
  ),
  "config-if-never": error(
    "`if` is about the call of a tool: on {event} its hook never runs",
    "Remove it, and let the hook look at its input.",
    TOLD,
  ),
  "config-hooks-off": warning(
    "disableAllHooks is true: {whose} switched off",
    "Remove it to switch them on again.",
    TOLD,
  ),
  "config-switch-ignored": warning(
    "disableAllHooks is not read in the dialect {dialect}: the hooks run",
    'Write "enabled": false in each entry to switch its hook off.',
    TOLD,
  ),
  "config-matcher-fallback": warning(
    "{matcher} needs {detail}, which the linear-time engine lacks; RegExp runs it, with a time limit",
    'Write it without them, except for "all but some names": ^(?!(Bash|Edit)$)',
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
    '"onFailure": "block" has no effect {where}: {why}',
    "Remove it, or guard an event that can refuse with a hook that is waited for.",
  ),
  "config-elsewhere": warning(
    "hooks of type {type} are run by Claude Code alone; here it is a fault each time, and work goes on",
    "Use a command here, or a prompt where there is a model.",
  ),
  "prompt-needs-model": info(
    "a prompt hook asks the agent's model; where there is no model, as in `belay run`, the hook is a fault",
    "Use it in `belay chat`, or give your engine an `ask`.",
  ),
  "config-duplicate": info(
    "the same handler stands at {other} as well; where both match, it runs once",
    "Remove one of the two.",
  ),
  "config-untrusted": info(
    "Belay does not run {count} of this file ({names}): {why}",
    "Look at {them} and trust {them}: {next}",
  ),
  "config-session-name": warning(
    "{file} is never read: the name of a session file is hooks.<uuid>.json",
    "Rename it to the session's UUID, or remove it.",
  ),
  "config-no-hooks": warning("no hooks were found", "`belay init` writes a first one."),
  "hook-untrusted": warning(
    "{count} from {files} not run: {why} ({where})",
    "Look at {them} and trust {them}: {command}. Or name the file: --config FILE runs its hooks as they are.",
    TOLD,
  ),
  "hook-skipped": info(
    "{event} went without {count} for lack of trust: {names}",
    "Look at the project's hooks and trust them: {command}. Or name the file: --config FILE runs its hooks as they are.",
  ),
  "trust-unreadable": error(
    "no hook of this project is trusted, and its guards refuse: {problem}",
    "Then look at the project's hooks and trust them: {command}",
    TOLD,
  ),
  "hook-edited": warning(
    "{name} changed since you trusted it (its entry, a script, or code in its hooks folder): it is not run, and refuses each {event} it matches",
    "Look at the edit and trust it: {command}",
    TOLD,
  ),
  "guard-untrusted": warning(
    "{name} is not trusted: it is not run, and refuses each {event} it matches",
    "Look at it and trust it: {command}",
    TOLD,
  ),
  "hook-not-trustable": error(
    "{name} cannot be trusted as it is: {why}",
    "See what trust covers in docs/configuration.md, and trust the project's hooks again: belay trust",
    TOLD,
  ),
  "http-not-allowed": error(
    "this hook's URL is not called: {detail}",
    "Call loopback, or add a pattern to allowedHttpHookUrls in ~/.belay/settings.json; user names belong in headers.",
  ),
  "http-variable": warning(
    "header {header} names ${variable}, which allowedEnvVars does not list; the header is sent without it",
    'Add "{variable}" to allowedEnvVars.',
  ),
  "http-variable-unset": warning(
    "the headers name ${variable}, which the agent's environment lacks; they were sent without it",
    "Set {variable} where the agent is started.",
  ),
} as const;

import { error, info, TOLD, warning } from "./row.ts";

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

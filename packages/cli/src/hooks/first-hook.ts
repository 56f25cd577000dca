import type { EventName } from "@belay/core";
import { eventRow } from "@belay/core/internal";

/*
 * What `belay init` writes: a config with one entry, and a hook in POSIX sh that needs nothing but grep.
 */

export const EXAMPLE_EVENT: EventName = "PreToolUse";
export const EXAMPLE_TOOL = String(eventRow(EXAMPLE_EVENT).sample.tool_name);

export const SETTINGS = {
  file: ".belay/settings.json",
  what: `one hook, before every ${EXAMPLE_TOOL} call`,
  mode: 0o644,
};
export const GUARD = { file: ".belay/hooks/guard.sh", what: "the hook: it refuses rm -rf", mode: 0o755 };

export const ENTRY = {
  matcher: EXAMPLE_TOOL,
  hooks: [
    {
      type: "command",
      command: `"$BELAY_PROJECT_DIR"/${GUARD.file}`,
      name: "guard",
      timeout: 10,
      onFailure: "block",
    },
  ],
};
export const SETTINGS_TEXT = `${JSON.stringify({ hooks: { [EXAMPLE_EVENT]: [ENTRY] } }, null, 2)}\n`;

export const GUARD_TEXT = `#!/bin/sh
# guard.sh: refuse \`rm -rf\` before it runs.
#
# The event comes as JSON on stdin. Exit 0: go on. Exit 2: refuse; the agent reads what is on stderr.
# This looks for text in the command, so it stops accidents and not attackers.

if grep -Eq '(^|[^[:alnum:]_-]|\\\\[nrt])rm +(-[^ ]+ +)*(-[[:alpha:]]*([rR][[:alpha:]]*f|f[[:alpha:]]*[rR])|-[rR] +-f|-f +-[rR])'; then
  echo "rm -rf is not allowed in this project. Remove files by name, or ask the user." >&2
  exit 2
fi
`;

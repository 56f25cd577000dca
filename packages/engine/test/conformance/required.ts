/**
 * Every reference that must have a row, written out by hand from the seeds and from the sections of the design that are a
 * contract. A row may carry several; a reference without a row, and a row without a reference, fail the test.
 */

/** Names are separated by commas. */
const of = (page: string, names: string) =>
  names
    .trim()
    .split(/,\s+/)
    .map((name) => `${page} ${name}`);
const DIALECTS = ["wave", "session-hooks", "pact", "claude-code"];

const SEED_000 = of(
  "000",
  `
  §1 exitCode, §1 stdout and stderr, §1 executionTime, §1 hookEvent, §2 stopReason, §2 systemMessage,
  §2 hookEventName, §2 precedence, §3 hookEventName, §3 ask, §3 block reason, §3 updatedInput, §4 content,
  §5 hookEvent, §5 content, §5 metadata, unknown fields
`,
);

const SEED_001 = of(
  "001",
  `
  FR-001, FR-002, FR-003, FR-004, FR-005, FR-006, FR-007, FR-008, FR-009, FR-010, FR-011, FR-012, FR-013,
  FR-014, FR-015, US1.1, US1.2, US1.3, US2.1, US2.2, US2.3, US3.1, US3.2, US3.3, US3.4, US4.1, US4.2, US4.3,
  US5.1, US5.2, US5.3, edge: JSON and exit code, edge: malformed, edge: conflict, edge: fields per event,
  edge: silence, SC-002, SC-003, SC-004, SC-005
`,
);

const SEED_002 = of(
  "002",
  `
  general, continue, suppressOutput, Stop block, Stop approve, SubagentStop block, SubagentStop approve,
  PreToolUse allow, PreToolUse deny, PreToolUse ask, PreToolUse deny example, PreToolUse allow example,
  PreToolUse ask example, PostToolUse, PostToolUse example, UserPromptSubmit, UserPromptSubmit example,
  SessionStart, SessionStart example, SessionEnd, PreCompact, PreCompact example, PermissionRequest allow,
  PermissionRequest deny, PermissionRequest ask, Notification, exit 0, exit 2, exit other, json type,
  command type, empty object, 100 KB, blocking stop, context injection, tool permission control,
  silent logging
`,
);

const SEED_003 = of(
  "003",
  `
  UserPromptSubmit exit 0, UserPromptSubmit exit 2, UserPromptSubmit exit other, PreToolUse exit 0,
  PreToolUse exit 2, PreToolUse exit other, PostToolUse exit 0, PostToolUse exit 2, PostToolUse exit other,
  Stop exit 0, Stop exit 2, Stop exit other, agent feedback
`,
);

const SEED_004 = of(
  "004",
  `
  systemMessage example, additionalContext example, both, guide act now, guide validation failed,
  guide error occurred, guide frequent reminder, guide background, guide status,
  required fields SessionStart, required fields PreToolUse, required fields PostToolUse,
  required fields SubagentStop, required fields Stop, silent {}, silent
`,
);

const DESIGN = of(
  "DESIGN",
  `
  §3 PermissionRequest, §4.1 JSON speaks, §4.1 silence is not consent, §4.1 stderr to the journal,
  §4.2 one object, §4.2 optional fields, §4.2 null and empty, §4.2 depth, §4.2 no words,
  §4.2 unknown fields, §4.3 malformed, §4.3 invalid, §4.3 wrong event, §4.3 cannot answer,
  §4.3 misplaced restriction, §4.4 restricts, §4.4 never loosens, §4.4 user only, §4.4 several objects,
  §4.4 text around, §4.4 unfinished, §4.5, §4.6, §4.7, §4.8, §4.9 faults, §4.9 onFailure, §4.9 other exits,
  §4.9 exit 2 stands, §4.9 no effect, §4.9 absent exit code, §5 the strictest wins, §5 configured order,
  §5 a blocked prompt carries nothing, §5 a stop carries no context, §5 a deny carries no rewrite,
  §5 an allow is for its input, §5 two rewrites, §5 sequential, §5 the same handler once, §5 stop cap,
  §5 stop_hook_active, §6 allow and ask, §6 ask without a reason, §6 deny, §6 blocked prompt,
  §6 reason of a block, §6 additionalContext, §6 suppressOutput, §7 observe, §7 enabled, §7 matcher
`,
);

const SETTINGS = of(
  "design §7",
  `
  systemMessage, JSON against exit 2, hookEventName, stopReason, reason, plain stdout, other stdout,
  stderr of exit 2 without a refusal, PreCompact, additionalContext on a stop, misplaced restriction, files
`,
);

export const REQUIRED: readonly string[] = [
  ...SEED_000,
  ...SEED_001,
  ...SEED_002,
  ...SEED_003,
  ...SEED_004,
  ...DESIGN,
  ...SETTINGS.flatMap((setting) => DIALECTS.map((dialect) => `${setting}: ${dialect}`)),
];

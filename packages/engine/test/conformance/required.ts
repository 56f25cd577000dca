/**
 * Every reference that must have a row, written out by hand from the seeds and from the sections of the design that are a
 * contract. A row may carry several; a reference without a row, and a row without a reference, fail the test.
 */

/** References are separated by commas. */
const listed = (references: string) => references.trim().split(/,\s+/);
const DIALECTS = ["wave", "session-hooks", "pact", "claude-code"];

const SEED_000 = listed(`
  seed 000 §1 exitCode, seed 000 §1 stdout and stderr, seed 000 §1 executionTime, seed 000 §1 hookEvent,
  seed 000 §2 stopReason, seed 000 §2 systemMessage, seed 000 §2 hookEventName, seed 000 §2 precedence,
  seed 000 §3 hookEventName, seed 000 §3 ask, seed 000 §3 block reason, seed 000 §3 updatedInput,
  seed 000 §4 content, seed 000 §5 hookEvent, seed 000 §5 content, seed 000 §5 metadata,
  seed 000 unknown fields
`);

const SEED_001 = listed(`
  seed 001 FR-001, seed 001 FR-002, seed 001 FR-003, seed 001 FR-004, seed 001 FR-005, seed 001 FR-006, seed 001 FR-007,
  seed 001 FR-008, seed 001 FR-009, seed 001 FR-010, seed 001 FR-011, seed 001 FR-012, seed 001 FR-013, seed 001 FR-014,
  seed 001 FR-015, seed 001 US1.1, seed 001 US1.2, seed 001 US1.3, seed 001 US2.1, seed 001 US2.2, seed 001 US2.3,
  seed 001 US3.1, seed 001 US3.2, seed 001 US3.3, seed 001 US3.4, seed 001 US4.1, seed 001 US4.2, seed 001 US4.3,
  seed 001 US5.1, seed 001 US5.2, seed 001 US5.3, seed 001 edge: JSON and exit code, seed 001 edge: malformed,
  seed 001 edge: conflict, seed 001 edge: fields per event, seed 001 edge: silence, seed 001 SC-002, seed 001 SC-003,
  seed 001 SC-004, seed 001 SC-005
`);

const SEED_002 = listed(`
  seed 002 general, seed 002 continue, seed 002 suppressOutput, seed 002 Stop block, seed 002 Stop approve,
  seed 002 SubagentStop block, seed 002 SubagentStop approve, seed 002 PreToolUse allow, seed 002 PreToolUse deny,
  seed 002 PreToolUse ask, seed 002 PreToolUse deny example, seed 002 PreToolUse allow example,
  seed 002 PreToolUse ask example, seed 002 PostToolUse, seed 002 PostToolUse example, seed 002 UserPromptSubmit,
  seed 002 UserPromptSubmit example, seed 002 SessionStart, seed 002 SessionStart example, seed 002 SessionEnd,
  seed 002 PreCompact, seed 002 PreCompact example, seed 002 PermissionRequest allow,
  seed 002 PermissionRequest deny, seed 002 PermissionRequest ask, seed 002 Notification, seed 002 exit 0,
  seed 002 exit 2, seed 002 exit other, seed 002 json type, seed 002 command type, seed 002 empty object,
  seed 002 100 KB, seed 002 blocking stop, seed 002 context injection, seed 002 tool permission control,
  seed 002 silent logging
`);

const SEED_003 = listed(`
  seed 003 UserPromptSubmit exit 0, seed 003 UserPromptSubmit exit 2, seed 003 UserPromptSubmit exit other,
  seed 003 PreToolUse exit 0, seed 003 PreToolUse exit 2, seed 003 PreToolUse exit other,
  seed 003 PostToolUse exit 0, seed 003 PostToolUse exit 2, seed 003 PostToolUse exit other, seed 003 Stop exit 0,
  seed 003 Stop exit 2, seed 003 Stop exit other, seed 003 agent feedback
`);

const SEED_004 = listed(`
  seed 004 systemMessage example, seed 004 additionalContext example, seed 004 both, seed 004 guide act now,
  seed 004 guide validation failed, seed 004 guide error occurred, seed 004 guide frequent reminder,
  seed 004 guide background, seed 004 guide status, seed 004 required fields SessionStart,
  seed 004 required fields PreToolUse, seed 004 required fields PostToolUse,
  seed 004 required fields SubagentStop, seed 004 required fields Stop, seed 004 silent {}, seed 004 silent
`);

const DESIGN = listed(`
  design §3 PermissionRequest, design §4.1 JSON speaks, design §4.1 silence is not consent,
  design §4.1 stderr to the journal, design §4.2 one object, design §4.2 optional fields,
  design §4.2 null and empty, design §4.2 depth, design §4.2 no words, design §4.2 unknown fields,
  design §4.3 malformed, design §4.3 invalid, design §4.3 wrong event, design §4.3 cannot answer,
  design §4.3 misplaced restriction, design §4.4 restricts, design §4.4 never loosens,
  design §4.4 user only, design §4.4 several objects, design §4.4 text around, design §4.4 unfinished,
  design §4.5, design §4.6, design §4.7, design §4.8, design §4.9 faults, design §4.9 onFailure,
  design §4.9 other exits, design §4.9 exit 2 stands, design §4.9 no effect, design §4.9 absent exit code,
  design §5 the strictest wins, design §5 configured order, design §5 a blocked prompt carries nothing,
  design §5 a stop carries no context, design §5 a deny carries no rewrite,
  design §5 an allow is for its input, design §5 two rewrites, design §5 sequential,
  design §5 the same handler once, design §5 stop cap, design §5 stop_hook_active, design §6 allow and ask,
  design §6 ask without a reason, design §6 deny, design §6 blocked prompt, design §6 reason of a block,
  design §6 additionalContext, design §6 suppressOutput, design §7 observe, design §7 enabled,
  design §7 matcher
`);

const SETTINGS = listed(`
  design §7 systemMessage, design §7 JSON against exit 2, design §7 hookEventName, design §7 stopReason,
  design §7 reason, design §7 plain stdout, design §7 other stdout,
  design §7 stderr of exit 2 without a refusal, design §7 PreCompact, design §7 additionalContext on a stop,
  design §7 misplaced restriction, design §7 further fields, design §7 files
`);

export const REQUIRED: readonly string[] = [
  ...SEED_000,
  ...SEED_001,
  ...SEED_002,
  ...SEED_003,
  ...SEED_004,
  ...DESIGN,
  ...SETTINGS.flatMap((setting) => DIALECTS.map((dialect) => `${setting}: ${dialect}`)),
];

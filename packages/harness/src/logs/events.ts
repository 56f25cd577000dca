import type { EventName } from "@belay/core";

/** Events of which a log tells enough to ask hooks of them again. */
export const LOGGED_EVENTS: readonly EventName[] = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
];

/** Those whose hooks give an opinion. A hook of another event mostly does something: it formats, it notifies. */
export const OPINION_EVENTS: readonly EventName[] = ["UserPromptSubmit", "PreToolUse", "PermissionRequest"];

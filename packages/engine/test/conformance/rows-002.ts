import type { EventName } from "@belay/engine";
import { asked, denied, type Expect, goesOn, type Row, stopped, unnamed } from "./row.ts";

/** Seed 002 in the dialect session-hooks: its general fields, and its format of each event. */

/** Raw stdout of exit 0, as this dialect puts it into the user's transcript. */
const shown = (out: object) => `user text: ${JSON.stringify(out)}`;

function row(ref: string, event: EventName, out: object, expect: Expect): Row {
  const isSilence = Object.keys(out).length === 0;
  const messages = [...(expect.messages ?? []), ...(isSilence ? [] : [shown(out)])];
  return {
    ref,
    says: `${event}: ${JSON.stringify(out)}`,
    event,
    dialect: "session-hooks",
    hook: { out },
    expect: { ...expect, messages },
  };
}

const NOTE = "keep the tests green";
const note = { systemMessage: NOTE };
const noted: Expect = { action: "context-injected", messages: [`agent warn: ${NOTE}`] };

const EVERY: readonly EventName[] = [
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
  "SessionStart",
  "SessionEnd",
  "PreCompact",
  "PermissionRequest",
  "Notification",
];

const GENERAL: readonly Row[] = [
  ...EVERY.map((event) =>
    row("seed 002 general", event, { continue: true, suppressOutput: false, ...note }, noted),
  ),
  ...EVERY.map(
    (event): Row => ({
      ref: ["seed 002 suppressOutput", "design §6 suppressOutput"],
      says: `suppressOutput keeps stdout of ${event} out of the transcript, not the systemMessage`,
      event,
      dialect: "session-hooks",
      hook: { out: { suppressOutput: true, ...note } },
      expect: { ...noted },
    }),
  ),
  row("seed 002 continue", "PostToolUse", { continue: false }, stopped("stopped by hook h: no reason given")),
  row("seed 002 continue", "PreToolUse", { continue: false, stopReason: "enough" }, stopped("enough")),
  ...EVERY.map((event) => row("seed 002 empty object", event, {}, {})),
];

/** An approve has no use for words; their author can see it. */
const unused: Expect = { diagnostics: ["output-words-unused at reason"] };

const STOPS: readonly Row[] = (["Stop", "SubagentStop"] as const).flatMap((event) => [
  row(`seed 002 ${event} block`, event, { decision: "block", reason: "tests first" }, goesOn("tests first")),
  row(
    `seed 002 ${event} block`,
    event,
    { decision: "block", reason: "tests first", ...note },
    goesOn("tests first", { also: [`agent warn: ${NOTE}`] }),
  ),
  row(`seed 002 ${event} block`, event, { decision: "block", ...note }, goesOn(NOTE)),
  row(`seed 002 ${event} block`, event, { decision: "block" }, goesOn("blocked by hook h: no reason given")),
  row(`seed 002 ${event} approve`, event, { decision: "approve", reason: "all passed" }, unused),
  row(
    `seed 002 ${event} approve`,
    event,
    { decision: "approve", reason: "all passed", ...note },
    { ...noted, ...unused },
  ),
]);

const INPUT = { file_path: "/safe/notes.txt", content: "clean" };

const refusedCall: Expect = denied(NOTE);
const askedUser: Expect = asked(NOTE, { also: [`agent warn: ${NOTE}`] });

const PERMISSIONS: readonly Row[] = (["PreToolUse", "PermissionRequest"] as const).flatMap((event) => [
  row(`seed 002 ${event} allow`, event, unnamed({ permissionDecision: "allow", updatedInput: {} }, note), {
    ...noted,
    kind: "allow",
    updatedInput: {},
  }),
  row(`seed 002 ${event} allow`, event, unnamed({ permissionDecision: "allow" }, note), {
    ...noted,
    kind: "allow",
  }),
  row(`seed 002 ${event} deny`, event, unnamed({ permissionDecision: "deny" }, note), refusedCall),
  row(
    `seed 002 ${event} deny`,
    event,
    unnamed({ permissionDecision: "deny", updatedInput: {} }, note),
    refusedCall,
  ),
  row(`seed 002 ${event} ask`, event, unnamed({ permissionDecision: "ask" }, note), askedUser),
  row(`seed 002 ${event} ask`, event, unnamed({ permissionDecision: "ask", updatedInput: {} }, note), {
    ...askedUser,
    updatedInput: {},
  }),
]);

const FORMATS: readonly Row[] = [
  row(
    "seed 002 PreToolUse deny example",
    "PreToolUse",
    unnamed({ permissionDecision: "deny" }, note),
    refusedCall,
  ),
  row(
    "seed 002 PreToolUse allow example",
    "PreToolUse",
    unnamed({ permissionDecision: "allow", updatedInput: INPUT }),
    { kind: "allow", updatedInput: INPUT },
  ),
  row(
    "seed 002 PreToolUse ask example",
    "PreToolUse",
    unnamed({ permissionDecision: "ask" }, note),
    askedUser,
  ),
  row("seed 002 PostToolUse", "PostToolUse", { ...note, suppressOutput: false }, noted),
  row("seed 002 PostToolUse example", "PostToolUse", note, noted),
  row("seed 002 UserPromptSubmit", "UserPromptSubmit", unnamed({ updatedPrompt: "shorter" }, note), {
    ...noted,
    updatedPrompt: "shorter",
  }),
  row("seed 002 UserPromptSubmit example", "UserPromptSubmit", note, noted),
  row("seed 002 SessionStart", "SessionStart", note, noted),
  row(
    "seed 002 SessionStart example",
    "SessionStart",
    { systemMessage: "one\ntwo\nthree" },
    { action: "context-injected", messages: ["agent warn: one\ntwo\nthree"] },
  ),
  row("seed 002 SessionEnd", "SessionEnd", note, noted),
  row("seed 002 PreCompact", "PreCompact", note, noted),
  row(
    "seed 002 PreCompact example",
    "PreCompact",
    { systemMessage: "to keep:\n- the task\n- the next step" },
    { action: "context-injected", messages: ["agent warn: to keep:\n- the task\n- the next step"] },
  ),
  row("seed 002 Notification", "Notification", note, noted),
];

export const ROWS_002: readonly Row[] = [...GENERAL, ...STOPS, ...PERMISSIONS, ...FORMATS];

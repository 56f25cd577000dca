import {
  ASK,
  asked,
  context,
  DENY,
  denied,
  type Expect,
  goesOn,
  permission,
  promptBlocked,
  type Row,
  resultBlocked,
  rows,
  specific,
} from "./row.ts";

/** Seed 001, user stories 3 to 5: what each event may answer, in the wave dialect. */

const REWRITE = { command: "npm test -- --bail" };

const PERMISSION: readonly Row[] = rows({
  "PreToolUse: an allow's reason is for the user alone": [
    ["seed 001 FR-006", "seed 001 US3.1", "seed 001 FR-014", "seed 001 SC-002", "design §6 allow and ask"],
    { out: permission("allow", "read only") },
    { kind: "allow", reason: "read only", messages: ["user text: read only"] },
  ],
  "PreToolUse: a deny's reason is for the agent alone": [
    ["seed 001 FR-006", "seed 001 US3.2", "seed 001 FR-014", "seed 001 SC-002", "design §6 deny"],
    { out: DENY },
    denied("not here"),
  ],
  "PreToolUse: an ask shows its reason to the user and is not blocked": [
    [
      "seed 001 FR-006",
      "seed 001 US3.3",
      "seed 001 FR-014",
      "seed 001 SC-002",
      "seed 000 §3 ask",
      "design §6 allow and ask",
    ],
    { out: ASK },
    asked("sure?"),
  ],
  "PreToolUse: an allow with a new input runs the new input": [
    ["seed 001 FR-006", "seed 001 US3.4", "seed 001 SC-002"],
    { out: specific("PreToolUse", { permissionDecision: "allow", updatedInput: REWRITE }) },
    { kind: "allow", updatedInput: REWRITE },
  ],
  "PreToolUse: a new input alone rewrites without allowing": [
    ["seed 001 US3.4", "seed 001 SC-002", "design §4.2 optional fields"],
    { out: specific("PreToolUse", { updatedInput: REWRITE }) },
    { updatedInput: REWRITE },
  ],
  "PreToolUse: an ask with a new input asks about the new input": [
    ["seed 001 US3.3", "seed 001 US3.4", "seed 000 §3 ask"],
    { out: permission("ask", "sure?", { updatedInput: REWRITE }) },
    asked("sure?", { updatedInput: REWRITE }),
  ],
});

const blockedPrompt: Expect = promptBlocked("no secrets");

const FEEDBACK: readonly Row[] = rows({
  "PostToolUse: a PostToolUse block prompts the agent with its reason": [
    ["seed 001 FR-007", "seed 001 US4.1", "seed 001 SC-002", "design §6 reason of a block"],
    { out: { decision: "block", reason: "lint failed" } },
    resultBlocked("lint failed"),
  ],
  "PostToolUse: PostToolUse context reaches the agent": [
    ["seed 001 FR-007", "seed 001 US4.2", "seed 001 SC-002", "design §6 additionalContext"],
    { out: specific("PostToolUse", { additionalContext: "650 lines" }) },
    context("650 lines"),
  ],
  "PostToolUse: a PostToolUse block may carry context as well": [
    ["seed 001 FR-007", "seed 001 US4.1", "seed 001 US4.2"],
    {
      out: specific(
        "PostToolUse",
        { additionalContext: "650 lines" },
        { decision: "block", reason: "lint failed" },
      ),
    },
    resultBlocked("lint failed", { also: ["agent hook: 650 lines"] }),
  ],
  "PostToolUse: a PostToolUse hook without a decision prompts nobody": [
    ["seed 001 FR-007", "seed 001 US4.3"],
    { out: specific("PostToolUse", {}, { reason: "not used" }) },
    { diagnostics: ["output-words-unused at reason"] },
  ],
  "UserPromptSubmit: a blocked prompt's reason is for the user alone": [
    ["seed 001 FR-008", "seed 001 US5.1", "seed 001 SC-002", "design §6 blocked prompt"],
    { out: { decision: "block", reason: "no secrets" } },
    blockedPrompt,
  ],
  "UserPromptSubmit: a blocked prompt carries no context": [
    ["seed 001 FR-008", "seed 001 US5.1", "seed 001 US5.2"],
    {
      out: specific(
        "UserPromptSubmit",
        { additionalContext: "branch: main" },
        { decision: "block", reason: "no secrets" },
      ),
    },
    blockedPrompt,
  ],
  "UserPromptSubmit: context of a prompt that goes through reaches the agent": [
    ["seed 001 FR-008", "seed 001 US5.2", "seed 001 FR-015", "seed 001 SC-002"],
    { out: specific("UserPromptSubmit", { additionalContext: "branch: main" }) },
    context("branch: main"),
  ],
  "Stop: a blocked stop hands its reason to the agent": [
    ["seed 001 FR-009", "seed 001 US5.3", "seed 001 SC-002", "design §6 reason of a block"],
    { out: { decision: "block", reason: "tests first" } },
    goesOn("tests first"),
  ],
  "Stop: words beside an approve say nothing, and the author can see it": [
    ["seed 001 FR-009", "seed 001 SC-002"],
    { out: { decision: "approve", reason: "all passed" } },
    {
      diagnostics: ["output-words-unused at reason"],
      mentions: [
        "`reason` was ignored: it says nothing with an approve. Leave it out, or say it in systemMessage",
      ],
    },
  ],
  "Stop: a stop hook without a decision lets the agent stop": [
    ["seed 001 FR-009", "seed 001 SC-002"],
    { out: specific("Stop", {}) },
    {},
  ],
});

export const ROWS_001_ANSWERS: readonly Row[] = [...PERMISSION, ...FEEDBACK];

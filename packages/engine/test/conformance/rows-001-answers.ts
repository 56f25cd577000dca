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
    ["001 FR-006", "001 US3.1", "001 FR-014", "001 SC-002", "DESIGN §6 allow and ask"],
    { out: permission("allow", "read only") },
    { kind: "allow", reason: "read only", messages: ["user text: read only"] },
  ],
  "PreToolUse: a deny's reason is for the agent alone": [
    ["001 FR-006", "001 US3.2", "001 FR-014", "001 SC-002", "DESIGN §6 deny"],
    { out: DENY },
    denied("not here"),
  ],
  "PreToolUse: an ask shows its reason to the user and is not blocked": [
    ["001 FR-006", "001 US3.3", "001 FR-014", "001 SC-002", "000 §3 ask", "DESIGN §6 allow and ask"],
    { out: ASK },
    asked("sure?"),
  ],
  "PreToolUse: an allow with a new input runs the new input": [
    ["001 FR-006", "001 US3.4", "001 SC-002"],
    { out: specific("PreToolUse", { permissionDecision: "allow", updatedInput: REWRITE }) },
    { kind: "allow", updatedInput: REWRITE },
  ],
  "PreToolUse: a new input alone rewrites without allowing": [
    ["001 US3.4", "001 SC-002", "DESIGN §4.2 optional fields"],
    { out: specific("PreToolUse", { updatedInput: REWRITE }) },
    { updatedInput: REWRITE },
  ],
  "PreToolUse: an ask with a new input asks about the new input": [
    ["001 US3.3", "001 US3.4", "000 §3 ask"],
    { out: permission("ask", "sure?", { updatedInput: REWRITE }) },
    asked("sure?", { updatedInput: REWRITE }),
  ],
});

const blockedPrompt: Expect = promptBlocked("no secrets");

const FEEDBACK: readonly Row[] = rows({
  "PostToolUse: a PostToolUse block prompts the agent with its reason": [
    ["001 FR-007", "001 US4.1", "001 SC-002", "DESIGN §6 reason of a block"],
    { out: { decision: "block", reason: "lint failed" } },
    resultBlocked("lint failed"),
  ],
  "PostToolUse: PostToolUse context reaches the agent": [
    ["001 FR-007", "001 US4.2", "001 SC-002", "DESIGN §6 additionalContext"],
    { out: specific("PostToolUse", { additionalContext: "650 lines" }) },
    context("650 lines"),
  ],
  "PostToolUse: a PostToolUse block may carry context as well": [
    ["001 FR-007", "001 US4.1", "001 US4.2"],
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
    ["001 FR-007", "001 US4.3"],
    { out: specific("PostToolUse", {}, { reason: "not used" }) },
    { diagnostics: ["output-words-unused at reason"] },
  ],
  "UserPromptSubmit: a blocked prompt's reason is for the user alone": [
    ["001 FR-008", "001 US5.1", "001 SC-002", "DESIGN §6 blocked prompt"],
    { out: { decision: "block", reason: "no secrets" } },
    blockedPrompt,
  ],
  "UserPromptSubmit: a blocked prompt carries no context": [
    ["001 FR-008", "001 US5.1", "001 US5.2"],
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
    ["001 FR-008", "001 US5.2", "001 FR-015", "001 SC-002"],
    { out: specific("UserPromptSubmit", { additionalContext: "branch: main" }) },
    context("branch: main"),
  ],
  "Stop: a blocked stop hands its reason to the agent": [
    ["001 FR-009", "001 US5.3", "001 SC-002", "DESIGN §6 reason of a block"],
    { out: { decision: "block", reason: "tests first" } },
    goesOn("tests first"),
  ],
  "Stop: words beside an approve say nothing, and the author can see it": [
    ["001 FR-009", "001 SC-002"],
    { out: { decision: "approve", reason: "all passed" } },
    {
      diagnostics: ["output-words-unused at reason"],
      mentions: [
        "`reason` was ignored: it says nothing with an approve. Leave it out, or say it in systemMessage",
      ],
    },
  ],
  "Stop: a stop hook without a decision lets the agent stop": [
    ["001 FR-009", "001 SC-002"],
    { out: specific("Stop", {}) },
    {},
  ],
});

export const ROWS_001_ANSWERS: readonly Row[] = [...PERMISSION, ...FEEDBACK];

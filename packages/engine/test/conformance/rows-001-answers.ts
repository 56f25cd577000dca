import { ASK, DENY, type Expect, type Row, specific } from "./row.ts";

/** Seed 001, user stories 3 to 5: what each event may answer, in the wave dialect. */

const REWRITE = { command: "npm test -- --bail" };

const PERMISSION: readonly Row[] = [
  {
    ref: ["001 FR-006", "001 US3.1", "001 FR-014", "001 SC-002", "DESIGN §6 allow and ask"],
    says: "an allow's reason is for the user alone",
    event: "PreToolUse",
    hook: {
      out: specific("PreToolUse", { permissionDecision: "allow", permissionDecisionReason: "read only" }),
    },
    expect: { kind: "allow", reason: "read only", messages: ["user text: read only"], runs: ["json"] },
  },
  {
    ref: ["001 FR-006", "001 US3.2", "001 FR-014", "001 SC-002", "DESIGN §6 deny"],
    says: "a deny's reason is for the agent alone",
    event: "PreToolUse",
    hook: { out: DENY },
    expect: {
      action: "block-tool",
      kind: "deny",
      reason: "not here",
      messages: ["agent tool: not here"],
      runs: ["json"],
    },
  },
  {
    ref: ["001 FR-006", "001 US3.3", "001 FR-014", "001 SC-002", "000 §3 ask", "DESIGN §6 allow and ask"],
    says: "an ask shows its reason to the user and is not blocked",
    event: "PreToolUse",
    hook: { out: ASK },
    expect: {
      action: "ask-user",
      kind: "ask",
      reason: "sure?",
      messages: ["user text: sure?"],
      runs: ["json"],
    },
  },
  {
    ref: ["001 FR-006", "001 US3.4", "001 SC-002"],
    says: "an allow with a new input runs the new input",
    event: "PreToolUse",
    hook: { out: specific("PreToolUse", { permissionDecision: "allow", updatedInput: REWRITE }) },
    expect: { kind: "allow", updatedInput: REWRITE, runs: ["json"] },
  },
  {
    ref: ["001 US3.4", "001 SC-002", "DESIGN §4.2 optional fields"],
    says: "a new input alone rewrites without allowing",
    event: "PreToolUse",
    hook: { out: specific("PreToolUse", { updatedInput: REWRITE }) },
    expect: { updatedInput: REWRITE, runs: ["json"] },
  },
  {
    ref: ["001 US3.3", "001 US3.4", "000 §3 ask"],
    says: "an ask with a new input asks about the new input",
    event: "PreToolUse",
    hook: {
      out: specific("PreToolUse", {
        permissionDecision: "ask",
        permissionDecisionReason: "sure?",
        updatedInput: REWRITE,
      }),
    },
    expect: {
      action: "ask-user",
      kind: "ask",
      reason: "sure?",
      updatedInput: REWRITE,
      messages: ["user text: sure?"],
      runs: ["json"],
    },
  },
];

const blockedPrompt: Expect = {
  action: "block-prompt",
  kind: "block",
  reason: "no secrets",
  messages: ["user error: no secrets"],
  runs: ["json"],
};

const FEEDBACK: readonly Row[] = [
  {
    ref: ["001 FR-007", "001 US4.1", "001 SC-002", "DESIGN §6 reason of a block"],
    says: "a PostToolUse block prompts the agent with its reason",
    event: "PostToolUse",
    hook: { out: { decision: "block", reason: "lint failed" } },
    expect: {
      action: "error-displayed",
      kind: "block",
      reason: "lint failed",
      messages: ["agent hook: lint failed"],
      runs: ["json"],
    },
  },
  {
    ref: ["001 FR-007", "001 US4.2", "001 SC-002", "DESIGN §6 additionalContext"],
    says: "PostToolUse context reaches the agent",
    event: "PostToolUse",
    hook: { out: specific("PostToolUse", { additionalContext: "650 lines" }) },
    expect: { action: "context-injected", messages: ["agent hook: 650 lines"], runs: ["json"] },
  },
  {
    ref: ["001 FR-007", "001 US4.1", "001 US4.2"],
    says: "a PostToolUse block may carry context as well",
    event: "PostToolUse",
    hook: {
      out: specific(
        "PostToolUse",
        { additionalContext: "650 lines" },
        { decision: "block", reason: "lint failed" },
      ),
    },
    expect: {
      action: "error-displayed",
      kind: "block",
      reason: "lint failed",
      messages: ["agent hook: lint failed", "agent hook: 650 lines"],
      runs: ["json"],
    },
  },
  {
    ref: ["001 FR-007", "001 US4.3"],
    says: "a PostToolUse hook without a decision prompts nobody",
    event: "PostToolUse",
    hook: { out: specific("PostToolUse", {}, { reason: "not used" }) },
    expect: { diagnostics: ["output-words-unused at reason"], runs: ["json"] },
  },
  {
    ref: ["001 FR-008", "001 US5.1", "001 SC-002", "DESIGN §6 blocked prompt"],
    says: "a blocked prompt's reason is for the user alone",
    event: "UserPromptSubmit",
    hook: { out: { decision: "block", reason: "no secrets" } },
    expect: blockedPrompt,
  },
  {
    ref: ["001 FR-008", "001 US5.1", "001 US5.2"],
    says: "a blocked prompt carries no context",
    event: "UserPromptSubmit",
    hook: {
      out: specific(
        "UserPromptSubmit",
        { additionalContext: "branch: main" },
        { decision: "block", reason: "no secrets" },
      ),
    },
    expect: blockedPrompt,
  },
  {
    ref: ["001 FR-008", "001 US5.2", "001 SC-002"],
    says: "context of a prompt that goes through reaches the agent",
    event: "UserPromptSubmit",
    hook: { out: specific("UserPromptSubmit", { additionalContext: "branch: main" }) },
    expect: { action: "context-injected", messages: ["agent hook: branch: main"], runs: ["json"] },
  },
  {
    ref: ["001 FR-009", "001 US5.3", "001 SC-002", "DESIGN §6 reason of a block"],
    says: "a blocked stop hands its reason to the agent",
    event: "Stop",
    hook: { out: { decision: "block", reason: "tests first" } },
    expect: {
      action: "block-stop",
      kind: "block",
      reason: "tests first",
      messages: ["agent hook: tests first"],
      runs: ["json"],
    },
  },
  {
    ref: ["001 FR-009", "001 SC-002"],
    says: "words beside an approve say nothing, and the author can see it",
    event: "Stop",
    hook: { out: { decision: "approve", reason: "all passed" } },
    expect: {
      diagnostics: ["output-words-unused at reason"],
      mentions: [
        "`reason` was ignored: it says nothing with an approve. Leave it out, or say it in systemMessage",
      ],
      runs: ["json"],
    },
  },
  {
    ref: ["001 FR-009", "001 SC-002"],
    says: "a stop hook without a decision lets the agent stop",
    event: "Stop",
    hook: { out: specific("Stop", {}) },
    expect: { runs: ["json"] },
  },
  {
    ref: ["001 FR-009", "000 §3 block reason"],
    says: "a blocked stop without a reason does not hold",
    event: "Stop",
    hook: { out: { decision: "block" } },
    expect: {
      action: "error-displayed",
      messages: ["user error: <output-missing>"],
      diagnostics: ["output-missing at decision"],
      runs: ["exit-code fault output-missing"],
    },
  },
];

export const ROWS_001_ANSWERS: readonly Row[] = [...PERMISSION, ...FEEDBACK];

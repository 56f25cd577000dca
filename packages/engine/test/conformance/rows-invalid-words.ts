import { type Expect, type Row, specific } from "./row.ts";

/** What was wrong, at which path, what is accepted: value by value. */
const EACH: readonly Row[] = (
  [
    ["PreToolUse", { systemMessage: 7 }, "systemMessage", "string", "7"],
    ["PreToolUse", { continue: "no" }, "continue", "boolean", '"no"'],
    [
      "PreToolUse",
      specific("PreToolUse", { permissionDecision: "yes" }),
      "hookSpecificOutput.permissionDecision",
      '("allow" | "deny" | "ask")',
      '"yes"',
    ],
    [
      "PreToolUse",
      specific("PreToolUse", { updatedInput: ["ls"] }),
      "hookSpecificOutput.updatedInput",
      "an object",
      "an array",
    ],
    [
      "PermissionRequest",
      { decision: { behavior: "no" } },
      "decision.behavior",
      '("allow" | "deny" | "ask")',
      '"no"',
    ],
    ["PostToolUse", { hookSpecificOutput: "x" }, "hookSpecificOutput", "an object", '"x"'],
  ] as const
).map(([event, out, path, expected, got]) => ({
  ref: "design §4.3 invalid",
  says: `the words for ${JSON.stringify(out)}`,
  event,
  hook: { out },
  expect: {
    ...invalid(path),
    mentions: [
      `\`${path}\` is not valid: expected ${expected}, got ${got}; only what restricts was read`,
      `Correct \`${path}\`; \`belay schema ${event} --output\` prints what is accepted.`,
    ],
  },
}));

/** A decision that no event gives: the words are those of this event, and words beside it are not called idle. */
const DECISIONS: readonly Row[] = (
  [
    [
      "PreToolUse",
      { decision: "allow", reason: "no rm" },
      "hookSpecificOutput.permissionDecision instead",
      'Answer with hookSpecificOutput.permissionDecision "allow".',
    ],
    [
      "PreToolUse",
      { decision: "no", reason: "no rm" },
      "hookSpecificOutput.permissionDecision instead",
      'Answer with hookSpecificOutput.permissionDecision "allow", "deny" or "ask".',
    ],
    [
      "PreToolUse",
      { decision: { behavior: "deny" } },
      "hookSpecificOutput.permissionDecision instead",
      'Answer with hookSpecificOutput.permissionDecision "allow", "deny" or "ask".',
    ],
    [
      "PermissionRequest",
      { decision: "allow", reason: "sure?" },
      "hookSpecificOutput.permissionDecision instead",
      'Answer with hookSpecificOutput.permissionDecision "allow".',
    ],
    ["PostToolUse", { decision: "deny", reason: "lint" }, '"block"', 'Answer with decision "block".'],
    ["Stop", { decision: "deny" }, '("block" | "approve")', 'Answer with decision "block".'],
    ["Stop", { decision: "allow" }, '("block" | "approve")', "Correct `decision`;"],
    [
      "SessionEnd",
      { decision: "deny", reason: "stay" },
      "no decision on SessionEnd",
      "Use one of: continue, stopReason, systemMessage, suppressOutput.",
    ],
  ] as const
).map(([event, out, expected, fix]) => ({
  ref: "design §4.3 invalid",
  says: `the words for ${JSON.stringify(out)} on ${event}`,
  event,
  hook: { out },
  expect: {
    ...invalid("decision"),
    mentions: [`\`decision\` is not valid: expected ${expected}, got `, fix],
  },
}));

export const WORDS: readonly Row[] = [...EACH, ...DECISIONS];

/** The outcome of an answer whose only problem is at `path`. */
export function invalid(path: string, expect: Expect = {}): Expect {
  return {
    action: "error-displayed",
    runs: ["exit-code fault output-invalid"],
    ...expect,
    messages: [...(expect.messages ?? []), "user error: <output-invalid>"],
    diagnostics: [`output-invalid at ${path}`],
  };
}

import { type Row, specific } from "./row.ts";

/** Seed 000, §5: the block for the agent, and fields that nobody knows. */
export const ROWS_000_BLOCKS: readonly Row[] = [
  {
    ref: ["000 §5 hookEvent", "000 §5 content", "000 §5 metadata"],
    says: "a hook block names its event, has words, and may carry more",
    event: "SubagentStop",
    hook: { out: { decision: "block", reason: "look again" } },
    expect: {
      action: "block-stop",
      kind: "block",
      reason: "look again",
      messages: ["agent hook: look again"],
      runs: ["json"],
      operations: [
        [
          "addHookBlock",
          {
            type: "hook",
            hookEvent: "SubagentStop",
            content: "look again",
            metadata: { kind: "refusal-reason" },
          },
        ],
      ],
      operation: "addHookBlock",
    },
  },
  {
    ref: ["000 §5 content", "DESIGN §4.2 null and empty"],
    says: "empty context is no block",
    event: "PostToolUse",
    hook: { out: specific("PostToolUse", { additionalContext: "" }) },
    expect: { runs: ["json"], operations: [] },
  },
  {
    ref: "000 unknown fields",
    says: "an unknown field is ignored and noted, with a guess",
    event: "PostToolUse",
    hook: { out: { system_message: "lost", zebra: 1 } },
    expect: {
      messages: ["user warn: <output-misspelt-field>"],
      diagnostics: ["output-misspelt-field at system_message", "output-unknown-field at zebra"],
      mentions: [
        "unknown field `system_message` was ignored (did you mean systemMessage?). Rename it to `systemMessage`.",
        "unknown field `zebra` was ignored. Remove it.",
      ],
      runs: ["json"],
    },
  },
];

import { goesOn, type Row, rows, specific } from "./row.ts";

/** Seed 000 §5: the block for the agent, and fields that nobody knows. */
export const ROWS_000_BLOCKS: readonly Row[] = rows({
  "SubagentStop: a hook block names its event, has words, and may carry more": [
    ["seed 000 §5 hookEvent", "seed 000 §5 content", "seed 000 §5 metadata"],
    { out: { decision: "block", reason: "look again" } },
    goesOn("look again", {
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
    }),
  ],
  "PostToolUse: empty context is no block": [
    ["seed 000 §5 content", "design §4.2 null and empty"],
    { out: specific("PostToolUse", { additionalContext: "" }) },
    { operations: [] },
  ],
  "PostToolUse: an unknown field is ignored and noted, with a guess": [
    "seed 000 unknown fields",
    { out: { system_message: "lost", zebra: 1 } },
    {
      messages: ["user warn: <output-misspelt-field>"],
      diagnostics: ["output-misspelt-field at system_message", "output-unknown-field at zebra"],
      mentions: [
        "unknown field `system_message` was ignored (did you mean systemMessage?). Rename it to `systemMessage`.",
        "unknown field `zebra` was ignored. Remove it.",
      ],
    },
  ],
});

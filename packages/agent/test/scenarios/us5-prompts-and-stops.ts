import { ERASED, prints, type Scenario, specific } from "./scenario.ts";

const IT_IS_SUNDAY = specific("UserPromptSubmit", { additionalContext: "it is Sunday" });

export const PROMPTS_AND_STOPS: readonly Scenario[] = [
  {
    ref: "seed 001 US5.1",
    name: "a blocked prompt is erased and its reason is for the user alone",
    hooks: { UserPromptSubmit: [prints({ decision: "block", reason: "keys do not belong here" })] },
    runs: ["UserPromptSubmit 0"],
    ...ERASED,
    seen: ["error: keys do not belong here"],
  },
  {
    ref: "seed 001 US5.2",
    name: "context of a prompt hook reaches the agent with the prompt",
    hooks: { UserPromptSubmit: [IT_IS_SUNDAY] },
    runs: ["UserPromptSubmit 0"],
    requests: 1,
    sent: ['user: do it\n\n<hook event="UserPromptSubmit">\nit is Sunday\n</hook>'],
    seen: ["text: do it", "text: Done."],
    disk: {},
  },
  {
    ref: "seed 001 US5.2",
    name: "a blocked prompt carries no context, from any hook",
    hooks: { UserPromptSubmit: [IT_IS_SUNDAY, prints({ decision: "block", reason: "no" })] },
    runs: ["UserPromptSubmit 0", "UserPromptSubmit 0"],
    ...ERASED,
    seen: ["error: no"],
    erased: ["do it", "Sunday"],
  },
  {
    ref: "seed 001 US5.3",
    name: "a blocked stop: the agent reads the reason and goes on",
    hooks: {
      Stop: [
        {
          command: `grep -q '"stop_hook_active":true' || echo '{"decision":"block","reason":"two tests are left"}'`,
        },
      ],
    },
    replies: ["First.", "Second."],
    runs: ["Stop 0", "Stop 0"],
    requests: 2,
    sent: ["user: do it", "agent: First.", 'user: <hook event="Stop">\ntwo tests are left\n</hook>'],
    seen: ["text: do it", "text: First.", "text: Second."],
    disk: {},
  },
];

import type { Command } from "../args/args.ts";
import { USAGE } from "../relay/answer.ts";
import { relay } from "../relay/relay.ts";

export const command: Command = {
  usage: USAGE,
  summary:
    "The relay: the command of a hook in another agent. It reads what the agent sends, fires this project's hooks, and answers in that agent's own words. What the agent cannot be told becomes stricter, never looser. The event is the agent's name for it, where the payload does not say it.\nIt prints the answer and nothing else.",
  flags: {},
  examples: [
    '{ "type": "command", "command": "belay hook claude-code" }',
    '{ "type": "command", "bash": "belay hook copilot preToolUse" }',
  ],
  run: relay,
};

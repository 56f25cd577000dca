import { error, info, warning } from "./row.ts";

/** What `check --as` says of a hook in another agent, and `--as` of what a hook printed. */
export const AGENT_ROWS = {
  "agent-no-event": warning(
    "{agent} has no event like {event}: this hook never runs there",
    "Hang it on an event that {agent} has: docs/agents/{page}.md",
  ),
  "agent-skips-type": warning(
    "{agent} runs no {type} hooks",
    "Write a command hook that does the same: a script that reads the payload on stdin.",
  ),
  "agent-no-answer": warning(
    "{agent} reads no answer to {event}: this hook can only observe there",
    "Hang a guard on an event that can be refused: docs/agents/{page}.md",
  ),
  "agent-no-field": warning(
    "{script} reads {field}, which {agent} does not send at {event}",
    "Do without it there; docs/agents/{page}.md lists what is sent.",
  ),
  "agent-no-variable": warning(
    "{script} reads {variable}, which {agent} does not set",
    "Take what it says from the payload on stdin.",
  ),
  "agent-stays-open": info(
    "{agent} does not read onFailure: when this hook fails or is late, the step goes on there",
    "{advice}",
  ),
  "agent-loses-restriction": error(
    "{agent} goes on, though a hook said {what}: {why}",
    "{fix}; docs/agents/{page}.md lists what it obeys.",
  ),
  "agent-loses-answer": warning("{agent} does not act on the {what} of a hook: {why}", "{fix}"),
} as const;

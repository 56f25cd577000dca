/** The life of an agent, from top to bottom: the order of the drawing in docs/lifecycle.md. */
export const PHASES = [
  "session start",
  "prompt",
  "before a tool call",
  "after a tool call",
  "end of a subagent",
  "end of a turn",
  "any time",
  "session end",
] as const;

export type Phase = (typeof PHASES)[number];

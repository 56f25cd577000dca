import { error, info, TOLD, warning } from "./row.ts";

/** Several hooks together. */
export const TOGETHER_ROWS = {
  "rewrite-lost": warning(
    "{what} of {loser} was replaced by that of {winner}, which is configured later",
    'Let one hook rewrite, or put both in one group with "sequential": true.',
    TOLD,
  ),
  "rewrite-refused": error(
    "the rewritten input does not fit the tool: {detail}; the call was denied",
    "Return the whole tool input in updatedInput, with the tool's field names and types.",
    TOLD,
  ),
  "allow-voided": warning(
    "the allow of {hook} was for another input: {winner} rewrote it without allowing",
    'Let {winner} answer allow as well, or run both in one group with "sequential": true.',
    TOLD,
  ),
  "stop-cap": warning(
    "the stop was blocked {times} in a row without a tool call; this time it goes through",
    "Let the hook look at stop_hook_active, or raise the cap (stopCap; belay chat --stop-cap).",
    TOLD,
  ),
  observed: info("observe mode: would have {done}", 'Remove "mode": "observe" to enforce it.', TOLD),
} as const;

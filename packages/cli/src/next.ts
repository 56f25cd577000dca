/** How people type it here: what npm started is on no PATH of theirs. */
export const BELAY =
  process.env.npm_command === "exec" || process.env.npm_lifecycle_event ? "npx belay" : "belay";

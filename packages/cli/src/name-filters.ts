/* What narrows a journal down by a name: the same on the command line and on the page of belay inspect. */

/** Tools by the beginning of their names, in any case: `mcp__github` is all of a server's, and `bash` is Bash. */
export function isToolNamed(name: unknown, given: string): boolean {
  return typeof name === "string" && name.toLowerCase().startsWith(given.toLowerCase());
}

/** Hooks by any part: a name that was made up begins with its event. */
export function isHookNamed(name: string, given: string): boolean {
  return name.toLowerCase().includes(given.toLowerCase());
}

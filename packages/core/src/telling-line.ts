const TRACEBACK = "Traceback (most recent call last):";

/** How Python begins to say what ended it: with a traceback, or at once with the place that it cannot read. */
const OPENING = /Traceback \(most recent call last\):$|File "[^"]*", line \d+$/;

/**
 * The line of a hook's stderr that says most, where one is shown: the first, or the exception that ended Python. What
 * stands before Python's words in their line is kept.
 */
export function tellingLine(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  const opening = OPENING.exec(first);
  // Of several tracebacks, each the cause of the next, the last one ended the hook.
  const last = rest.slice(rest.lastIndexOf(TRACEBACK) + 1);
  const exception = opening ? last.find((line) => /^\S/.test(line)) : undefined;
  return opening && exception !== undefined ? first.slice(0, opening.index).trimStart() + exception : first;
}

const TRACEBACK = "Traceback (most recent call last):";

/**
 * The line of a hook's stderr that says most, where one is shown: the first, or of a Python traceback the exception. What
 * stands before the traceback in its line is kept.
 */
export function tellingLine(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  if (!first.endsWith(TRACEBACK)) return first;
  // Of several, each the cause of the next, the last one ended the hook.
  const last = rest.slice(rest.lastIndexOf(TRACEBACK) + 1);
  const exception = last.find((line) => /^\S/.test(line));
  return exception === undefined ? first : first.slice(0, -TRACEBACK.length) + exception;
}

/*
 * What sed is told to do. Its scripts can run commands and read or write files (e, r, w, and flags of s); those that can be
 * told to do none of it are listed here, and all others count as hiding something.
 */

const LONG =
  /^--(?:quiet|silent|regexp-extended|separate|unbuffered|null-data|posix|sandbox|debug|follow-symlinks|in-place(?:=.*)?)$/;
const EXPRESSION = /^(?:--expression(?:=(?<long>[\s\S]*))?|-[nErsuz]*e(?<short>[\s\S]*))$/;
const SHORT = /^-(?:[nErsuz]+|[nErsuz]*i.*)$/;

/**
 * Between two slashes, or whatever stands in their place. None may be in brackets: some seds take it there for a letter,
 * others for the end.
 */
const text = (end: string) =>
  String.raw`(?:[^\\\n\u0001\[${end}]|\\[^\n\u0001]|\[\^?\]?(?:[^\\\n\u0001\]${end}]|\\[^\n\u0001\]${end}])*\])*`;
const ADDRESS = String.raw`(?:\d+|\$|/${text("/")}/I?)`;
const SUBSTITUTE = ["/", "|", "#", ",", "@"].map(
  (mark) => `s${escaped(mark)}${text(mark)}${escaped(mark)}${text(mark)}${escaped(mark)}[gpiI\\d]*`,
);
const COMMAND = String.raw`(?:${ADDRESS}(?:,[+~]?${ADDRESS})?[ \t]*!?[ \t]*)?(?:[pdqQ=nNgGhHxDP]|${SUBSTITUTE.join("|")})`;
const PLAIN = new RegExp(String.raw`^\s*${COMMAND}(?:\s*[;\n]\s*${COMMAND})*\s*;?\s*$`);

function escaped(mark: string): string {
  return mark === "|" ? "\\|" : mark;
}

/** Where sed is not GNU's, `-i` takes the next word for itself, and the script is another one. */
const TAKES_WORD = process.platform === "linux" || process.platform === "win32" ? /^$/ : /^-[nErsuz]*i$/;

/** Whether sed, with these arguments, may run a command, or read or write another file than those it is given. */
export function hidesInSed(args: readonly string[]): boolean {
  const scripts: string[] = [];
  for (let at = 0, hasOperand = false; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    const found = EXPRESSION.exec(arg);
    if (found) {
      const given = found.groups?.long ?? (found.groups?.short || undefined);
      if (given === undefined) at += 1;
      scripts.push(given ?? args[at] ?? "");
    } else if (!arg.startsWith("-") || arg === "-") {
      // The first of them is the script, unless there was one before; whether one after it counts differs among seds.
      if (!hasOperand && scripts.length === 0) scripts.push(arg);
      hasOperand = true;
    } else if (TAKES_WORD.test(arg) || !(LONG.test(arg) || SHORT.test(arg))) return true;
  }
  return scripts.length === 0 || !scripts.every((script) => PLAIN.test(script));
}

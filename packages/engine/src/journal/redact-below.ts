import { OUR_FIELDS } from "@belay/core/internal";
import type { Hide } from "./redact-scan.ts";
import { NAMES, QUOTE_ESCAPES } from "./redact-values.ts";

/** How strings are written: as JSON does, and as JSON does inside a string, which may stand in another. */
interface Writing {
  readonly quote: string;
  /** A secret's name with an object or a list under it; a text without one is not read. */
  readonly below: RegExp;
  /** Where a string or a bracket begins, or a string around this one ends. */
  readonly begin: RegExp;
  /** A string, closed or not. */
  readonly string: RegExp;
  /** A string that holds something, and no unsound escape. */
  readonly value: RegExp;
  /** What follows a string: the colon of a key, or the end of a value. Anything else is no JSON. */
  readonly follows: RegExp;
  /** What follows the colon of a key with an object or a list. */
  readonly opens: RegExp;
}

const raw = String.raw;

function writingInside(backslashes: number): Writing {
  const quote = raw`\\{${backslashes}}"`;
  const space = raw`(?:\s|\\{1,4}[nrt])*`;
  return {
    quote: `${"\\".repeat(backslashes)}"`,
    below: new RegExp(`${NAMES}${quote}${space}:${space}[{[]`, "i"),
    begin: new RegExp(raw`${quote}|["{}[\]]`, "g"),
    string: new RegExp(raw`${quote}[^"\\\n]*(?:${quote})?`, "y"),
    value: new RegExp(raw`^${quote}[^"\\]+${quote}$`),
    follows: new RegExp(raw`${space}[:,}\]]`, "y"),
    opens: new RegExp(`${space}[{[]`, "y"),
  };
}

/** Made when a text is read: nearly none holds what they look for. */
let writings: readonly Writing[] | undefined;

const allWritings = (): readonly Writing[] => [
  {
    quote: '"',
    below: new RegExp(raw`${NAMES}"\s*:\s*[{[]`, "i"),
    begin: /["{}[\]]/g,
    string: /"(?:[^"\\\n]+|\\.)*"?/y,
    value: /^"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))+"$/,
    follows: /\s*[:,}\]]/y,
    opens: /\s*[{[]/y,
  },
  ...QUOTE_ESCAPES.map(writingInside),
];

const NOWHERE = Number.POSITIVE_INFINITY;

/**
 * Hides every string in the objects and lists that stand under a secret's name, in one pass for each writing. What stands
 * under a name of ours may decide, also as a piece of something broken: it stays.
 */
export function redactBelow(text: string, isSecret: (name: string) => boolean, hide: Hide): string {
  writings ??= allWritings();
  return writings.reduce((result, writing) => {
    const isWorthIt = result.includes(writing.quote) && writing.below.test(result);
    return isWorthIt ? redactAs(writing, result, isSecret, hide) : result;
  }, text);
}

/** Where a sticky pattern that matches at a place ends there. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function redactAs(
  { quote, begin, string, value, follows, opens }: Writing,
  text: string,
  isSecret: (name: string) => boolean,
  hide: Hide,
): string {
  const pieces: string[] = [];
  let copied = 0;
  let depth = 0;
  let key = "";
  /** The depth of the object or list whose strings are hidden. */
  let from = NOWHERE;
  begin.lastIndex = 0;
  while (begin.test(text)) {
    const last = text[begin.lastIndex - 1];
    if (last === "{" || last === "[") depth += 1;
    else if (last === "}" || last === "]") depth -= 1;
    const index = begin.lastIndex - quote.length;
    if (last !== '"' || !text.startsWith(quote, index)) {
      if (depth < from || last === '"') from = NOWHERE;
      continue;
    }
    const end = endOf(string, text, index) ?? begin.lastIndex;
    begin.lastIndex = end;
    const piece = text.slice(index, end);
    const sign = endOf(follows, text, end);
    if (sign === undefined) from = NOWHERE;
    else if (text[sign - 1] === ":") {
      key = piece.slice(quote.length, -quote.length);
      if (from === NOWHERE && endOf(opens, text, sign) !== undefined && isSecret(key)) from = depth + 1;
    } else if (depth >= from && !OUR_FIELDS.has(key) && value.test(piece)) {
      pieces.push(text.slice(copied, index), hide(piece.slice(0, -quote.length), quote), quote);
      copied = end;
    }
    // From the brace on a reader may find an object in which these strings are the gaps between others.
    if (piece.includes("{")) from = NOWHERE;
  }
  return pieces.join("") + text.slice(copied);
}

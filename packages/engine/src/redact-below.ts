import { OUR_FIELDS } from "@belay/core";

/** How strings are written: as JSON does, and as JSON does inside a string. */
interface Writing {
  readonly quote: string;
  /** A string, closed or not, or a bracket; a quote that ends the string around it. */
  readonly token: RegExp;
  /** A string that holds something, and no unsound escape. */
  readonly value: RegExp;
  /** What follows a string: the colon of a key, with the bracket behind it, or the end of a value. */
  readonly next: RegExp;
}

const WRITINGS: readonly Writing[] = [
  {
    quote: '"',
    token: /"(?:[^"\\\n]+|\\.)*"?|[{}[\]]/g,
    value: /^"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))+"$/,
    next: /\s*(:\s*[{[]?|[,}\]])/y,
  },
  {
    quote: '\\"',
    token: /\\"[^"\\\n]*(?:\\")?|["{}[\]]/g,
    value: /^\\"[^"\\]+\\"$/,
    next: /(?:\s|\\[nrt])*(:(?:\s|\\[nrt])*[{[]?|[,}\]])/y,
  },
];

const NOWHERE = Number.POSITIVE_INFINITY;

/**
 * Hides every string in the objects and lists that stand under a secret's name, in one pass for each writing. What stands
 * under a name of ours may decide, also as a piece of something broken: it stays.
 */
export function redactBelow(
  text: string,
  isSecret: (name: string) => boolean,
  hide: (whole: string, kept: string) => string,
): string {
  return WRITINGS.reduce((result, writing) => redactAs(writing, result, isSecret, hide), text);
}

function redactAs(
  { quote, token, value, next }: Writing,
  text: string,
  isSecret: (name: string) => boolean,
  hide: (whole: string, kept: string) => string,
): string {
  const pieces: string[] = [];
  let copied = 0;
  let depth = 0;
  let key = "";
  /** The depth of the object or list whose strings are hidden. */
  let from = NOWHERE;
  for (const { 0: piece, index } of text.matchAll(token)) {
    if (piece === "{" || piece === "[") depth += 1;
    else if (piece === "}" || piece === "]") depth -= 1;
    if (!piece.startsWith(quote)) {
      if (depth < from || piece === '"') from = NOWHERE;
      continue;
    }
    next.lastIndex = index + piece.length;
    const [, follows = ""] = next.exec(text) ?? [];
    if (follows.startsWith(":")) {
      key = piece.slice(quote.length, -quote.length);
      const opens = /[{[]$/.test(follows);
      if (opens && from === NOWHERE && isSecret(key)) from = depth + 1;
    } else if (follows !== "" && depth >= from && !OUR_FIELDS.has(key) && value.test(piece)) {
      pieces.push(text.slice(copied, index), hide(piece.slice(0, -quote.length), quote), quote);
      copied = index + piece.length;
    }
    // This is no JSON, or from the brace on a reader may find an object in which these strings are the gaps between others.
    if (follows === "" || piece.includes("{")) from = NOWHERE;
  }
  return pieces.join("") + text.slice(copied);
}

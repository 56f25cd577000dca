/*
 * A command line in the tokens of a POSIX shell, each character read once. What shells differ in, or what ends where only a
 * whole parser knows, is not guessed: there are no tokens then.
 */

export interface Token {
  readonly kind: "word" | "redirection" | "operator" | "comment";
  readonly start: number;
  readonly end: number;
}

/** In this order: `&>` is no `&`, and a number before a `>` is no word. */
const BEGINNINGS: readonly (readonly [kind: Token["kind"] | "blank", pattern: RegExp])[] = [
  ["blank", /(?:[ \t]|\\\n)+/y],
  ["comment", /#[^\n]*/y],
  ["redirection", /(?:\d+|\{\w+\})?(?:&>>?|>>|>\||<>|[<>]&?)[ \t]*/y],
  ["operator", /;;?&?|&&?|\|[|&]?|[()\n]/y],
  ["word", /(?:)/y],
];

export function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (let start = 0; start < text.length; ) {
    const end = addToken(text, start, tokens);
    if (end === undefined) return undefined;
    start = end;
  }
  return tokens;
}

/** Where it ends; a redirection ends with the word that it leads to. */
function addToken(text: string, start: number, tokens: Token[]): number | undefined {
  for (const [kind, pattern] of BEGINNINGS) {
    const matched = endOfMatch(pattern, text, start);
    if (matched === undefined) continue;
    const end = kind === "word" || kind === "redirection" ? endOfWord(text, matched) : matched;
    if (end !== undefined && kind !== "blank") tokens.push({ kind, start, end });
    return end;
  }
  return undefined;
}

function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

type Within = "word" | '"' | "}" | ")";

/** What a text goes on with, by what it stands in; what a `$` before a quote does differs from shell to shell. */
const PIECES: Readonly<Record<Within, RegExp>> = {
  word: /(?:[^ \t\n"'\\;&|()<>`$]|\\[\s\S]|'[^']*'|`[^`\\]*`|\$(?![({'"]))+/y,
  '"': /(?:[^"\\`$]|\\[\s\S]|`[^`\\]*`|\$(?![({]))+/y,
  "}": /(?:[^}"'\\`$]|\\[\s\S]|`[^`\\]*`|\$(?![({'"]))+/y,
  ")": /(?:[^()"'\\`$]|\\[\s\S]|'[^']*'|`[^`\\]*`|\$(?![({'"]))+/y,
};
const BRACKETS: readonly (readonly [opens: string, closes: Exclude<Within, "word">])[] = [
  ['"', '"'],
  ["${", "}"],
  ["$(", ")"],
  ["(", ")"],
];
const ENDS_WORD = /[ \t\n;&|()<>]/;
/** In a substitution: where a bracket may close something else, or be none. */
const UNCLEAR = /\bcase\b|(?:^|[\s;&|(])#|<</;
const MAX_DEPTH = 16;

function endOfWord(text: string, start: number): number | undefined {
  let at = start;
  while (at < text.length && !ENDS_WORD.test(text.charAt(at))) {
    const end = endOfPiece(text, at, "word", 0);
    if (end === undefined) return undefined;
    at = end;
  }
  return at === start ? undefined : at;
}

function endOfPiece(text: string, at: number, within: Within, depth: number): number | undefined {
  const end = endOfMatch(PIECES[within], text, at);
  if (end !== undefined || depth > MAX_DEPTH) return end;
  const found = BRACKETS.find(([opens]) => text.startsWith(opens, at));
  return found && endOfBrackets(text, at + found[0].length, found[1], depth + 1);
}

function endOfBrackets(
  text: string,
  start: number,
  closes: Exclude<Within, "word">,
  depth: number,
): number | undefined {
  let at: number | undefined = start;
  while (at !== undefined && at < text.length && text.charAt(at) !== closes)
    at = endOfPiece(text, at, closes, depth);
  if (at === undefined || at >= text.length) return undefined;
  return closes === ")" && UNCLEAR.test(text.slice(start, at)) ? undefined : at + 1;
}

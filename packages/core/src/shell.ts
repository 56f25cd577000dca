/*
 * How a POSIX shell splits a command line into words. Nothing is run. The reading is lenient: a line that no shell would
 * take still has words. One pass; never throws.
 */

/** A part of a word that only the running shell knows: the value of a variable, or what a command prints. */
export interface Expansion {
  readonly variable?: string;
}

/** A word without its quotes, in pieces. */
export type ShellWord = readonly (string | Expansion)[];

/** Substitutions deeper than this are read as if they stood side by side. */
const MAX_DEPTH = 20;

/** The words of every command in a line. The words inside `$(…)`, `` `…` `` and `${name:-…}` come before the word that holds them. */
export function shellWords(line: string): ShellWord[] {
  const words: ShellWord[] = [];
  readWords(line, 0, undefined, words, 0);
  return words;
}

type Add = (piece: string | Expansion) => void;

const PLAIN = /[^\s'"\\$`;&|<>(){}#]+/y;

/** Reads up to `closing`, or to the end of the line. Returns the place behind it. */
function readWords(
  line: string,
  from: number,
  closing: ")" | "`" | "}" | undefined,
  words: ShellWord[],
  depth: number,
): number {
  let word: (string | Expansion)[] | undefined;
  const add: Add = (piece) => {
    word ??= [];
    const last = word.at(-1);
    if (typeof piece === "string" && typeof last === "string") word[word.length - 1] = last + piece;
    else word.push(piece);
  };
  const endWord = () => {
    if (word) words.push(word);
    word = undefined;
  };
  let at = from;
  while (at < line.length) {
    const char = line[at] as string;
    if (char === closing) {
      endWord();
      return at + 1;
    }
    const plain = matchAt(PLAIN, line, at);
    if (plain !== undefined) {
      add(plain);
      at += plain.length;
    } else if (char === "'") {
      const end = endOf(line, "'", at + 1);
      add(line.slice(at + 1, end));
      at = end + 1;
    } else if (char === '"') at = readDouble(line, at + 1, add, words, depth);
    else if (char === "\\") {
      if (line[at + 1] !== "\n") add(line[at + 1] ?? "");
      at += 2;
    } else if (char === "$" || char === "`") at = readExpansion(line, at, add, words, depth);
    else if (char === "#" && word === undefined) at = endOf(line, "\n", at);
    else if (char === "#" || char === "{" || char === "}") {
      add(char);
      at += 1;
    } else {
      endWord();
      at += 1;
    }
  }
  endWord();
  return at;
}

/** Reads the inside of double quotes. Returns the place behind them. */
function readDouble(line: string, from: number, add: Add, words: ShellWord[], depth: number): number {
  add("");
  let at = from;
  while (at < line.length) {
    const char = line[at] as string;
    if (char === '"') return at + 1;
    if (char === "$" || char === "`") {
      at = readExpansion(line, at, add, words, depth);
    } else if (char === "\\") {
      const next = line[at + 1] ?? "";
      if (next !== "\n") add(/["\\$`]/.test(next) ? next : char + next);
      at += 2;
    } else {
      add(char);
      at += 1;
    }
  }
  return at;
}

const NAME = /[#!]?\w+|[@*#?$!-]/y;
/** What stands between the name of a variable and the words of its default or pattern. */
const OPERATOR = /:?[-=+?]|##?|%%?|\/\/?|\^\^?|,,?|:/y;

/** Reads a `$` or a backtick and what belongs to it. Returns the place behind it. */
function readExpansion(line: string, at: number, add: Add, words: ShellWord[], depth: number): number {
  const isDeep = depth === MAX_DEPTH;
  const next = line[at + 1];
  if (line[at] === "`" || next === "(") {
    add({});
    const [from, closing] = line[at] === "`" ? ([at + 1, "`"] as const) : ([at + 2, ")"] as const);
    return isDeep ? from : readWords(line, from, closing, words, depth + 1);
  }
  if (next === "'" || next === '"') return at + 1; // $'…' and $"…" are quotes with a mark before them
  const isBraced = next === "{";
  const start = isBraced ? at + 2 : at + 1;
  const name = matchAt(NAME, line, start);
  if (name === undefined && !isBraced) {
    add("$");
    return at + 1;
  }
  add(name === undefined ? {} : { variable: name });
  const behind = start + (name?.length ?? 0);
  if (!isBraced) return behind;
  const operator = matchAt(OPERATOR, line, behind) ?? "";
  const from = behind + operator.length;
  return isDeep ? from : readWords(line, from, "}", words, depth + 1);
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function endOf(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at === -1 ? text.length : at;
}

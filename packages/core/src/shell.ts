/*
 * How a POSIX shell splits a command line into words. Nothing is run. The reading is lenient: a line that no shell would
 * take still has words. One pass; never throws.
 */

/** A part of a word that only the running shell knows: the value of a variable, or what a command prints. */
export interface Expansion {
  readonly variable?: string;
  /** The first word inside `${name:-…}`. */
  readonly inner?: ShellWord;
}

/** A word without its quotes, in pieces. */
export type ShellWord = readonly (string | Expansion)[];

/** Substitutions deeper than this are read as if they stood side by side. */
const MAX_DEPTH = 20;

/**
 * The words of every command in a line. The words inside `$(…)`, `` `…` `` and `${name:-…}` come before the word that holds
 * them; the text of a here-document is left out. `ansiQuotes`: `$'…'` has escapes, as in bash and not in dash.
 */
export function shellWords(line: string, ansiQuotes = false): ShellWord[] {
  const words: ShellWord[] = [];
  readWords({ line, words, ansiQuotes }, 0, { depth: 0 });
  return words;
}

interface Reading {
  readonly line: string;
  readonly words: ShellWord[];
  readonly ansiQuotes: boolean;
}

/** Where a run of words stands. */
interface Place {
  readonly closing?: ")" | "`" | "}";
  readonly depth: number;
  /** Inside `"${…}"` a single quote is a letter. */
  readonly isInDouble?: boolean;
}

type Add = (piece: string | Expansion) => void;

const PLAIN = /[^ \t\n'"\\$`;&|<>(){}#]+/y;
/** `<<<` takes a word, and begins no document. */
const HERE_DOCUMENT = /<<<|<<(-?)[ \t]*((?:'[^'\n]*'|"[^"\n]*"|\\.|[^ \t\n;&|<>()'"\\])+)/y;

/** Reads up to the closing character, or to the end of the line. Returns the place behind it. */
function readWords(reading: Reading, from: number, place: Place): number {
  const { line, words } = reading;
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
  const documents: { readonly end: string; readonly isIndented: boolean }[] = [];
  let at = from;
  while (at < line.length) {
    const char = line[at] as string;
    if (char === place.closing) {
      endWord();
      return at + 1;
    }
    const plain = matchAt(PLAIN, line, at)?.[0];
    if (plain !== undefined) {
      add(plain);
      at += plain.length;
    } else if (char === "'" && !place.isInDouble) {
      const end = endOf(line, "'", at + 1);
      add(line.slice(at + 1, end));
      at = end + 1;
    } else if (char === '"') at = readDouble(reading, at + 1, add, place.depth);
    else if (char === "\\") {
      if (line[at + 1] !== "\n") add(line[at + 1] ?? "");
      at += 2;
    } else if (char === "$" || char === "`") at = readExpansion(reading, at, add, place);
    else if (char === "#" && word === undefined) at = endOf(line, "\n", at);
    else if (/[#{}']/.test(char)) {
      add(char);
      at += 1;
    } else {
      endWord();
      const [operator = char, dash, end] = matchAt(HERE_DOCUMENT, line, at) ?? [];
      if (end !== undefined) documents.push({ end: end.replaceAll(/['"\\]/g, ""), isIndented: dash === "-" });
      at += operator.length;
      if (char === "\n") for (const one of documents.splice(0)) at = behindDocument(line, at, one);
    }
  }
  endWord();
  return at;
}

/** The place behind a here-document whose text begins here. */
function behindDocument(
  line: string,
  from: number,
  { end, isIndented }: { end: string; isIndented: boolean },
): number {
  for (let at = from; at < line.length; ) {
    const next = endOf(line, "\n", at);
    const text = line.slice(at, next);
    at = next + 1;
    if ((isIndented ? text.replace(/^\t+/, "") : text) === end) return at;
  }
  return line.length;
}

/** Reads the inside of double quotes. Returns the place behind them. */
function readDouble(reading: Reading, from: number, add: Add, depth: number): number {
  const { line } = reading;
  add("");
  let at = from;
  while (at < line.length) {
    const char = line[at] as string;
    if (char === '"') return at + 1;
    if (char === "$" || char === "`") {
      at = readExpansion(reading, at, add, { depth, isInDouble: true });
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
const ANSI_QUOTED = /\$'((?:[^'\\]|\\[\s\S])*)'?/y;

/** Reads a `$` or a backtick and what belongs to it. Returns the place behind it. */
function readExpansion(reading: Reading, at: number, add: Add, { depth, isInDouble = false }: Place): number {
  const { line, words, ansiQuotes } = reading;
  const isDeep = depth === MAX_DEPTH;
  const next = line[at + 1];
  if (line[at] === "`" || next === "(") {
    add({});
    const [from, closing] = line[at] === "`" ? ([at + 1, "`"] as const) : ([at + 2, ")"] as const);
    return isDeep ? from : readWords(reading, from, { closing, depth: depth + 1 });
  }
  if (next === "'" && ansiQuotes && !isInDouble) {
    const [whole = "", text = ""] = matchAt(ANSI_QUOTED, line, at) ?? [];
    add(withoutAnsiEscapes(text));
    return at + whole.length;
  }
  if (next === "'" || next === '"') {
    if (isInDouble) add("$");
    return at + 1; // $'…' and $"…" are quotes with a mark before them
  }
  const isBraced = next === "{";
  const start = isBraced ? at + 2 : at + 1;
  const name = matchAt(NAME, line, start)?.[0];
  if (name === undefined && !isBraced) {
    add("$");
    return at + 1;
  }
  const behind = start + (name?.length ?? 0);
  const variable = name === undefined ? {} : { variable: name };
  if (!isBraced || isDeep) {
    add(variable);
    return behind;
  }
  const operator = matchAt(OPERATOR, line, behind)?.[0] ?? "";
  const before = words.length;
  const end = readWords(reading, behind + operator.length, { closing: "}", depth: depth + 1, isInDouble });
  const inner = words[before];
  add(inner && /[-=+]$/.test(operator) ? { ...variable, inner } : variable);
  return end;
}

function withoutAnsiEscapes(text: string): string {
  return text.replaceAll(
    /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|([0-7]{1,3})|([\s\S]))/gi,
    (_, x, u, octal, char) => {
      const code = x ?? u;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return octal === undefined ? char : String.fromCharCode(Number.parseInt(octal, 8));
    },
  );
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function endOf(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at === -1 ? text.length : at;
}

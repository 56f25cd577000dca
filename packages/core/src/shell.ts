/*
 * How a POSIX shell splits a command line into commands and words. Nothing is run. The reading is lenient: a line that no
 * shell would take still has words. One pass; never throws.
 */

/** A part of a word that only the running shell knows: the value of a variable, what a command prints, a pattern of files. */
export interface Expansion {
  readonly variable?: string;
  /** The first word inside `${name:-…}`. */
  readonly inner?: ShellWord;
  /** Its value is one word, whatever it holds. */
  readonly isQuoted: boolean;
}

export interface ShellWord {
  /** Without the quotes. */
  readonly pieces: readonly (string | Expansion)[];
  /** As it is written. */
  readonly raw: string;
}

/** The words of one command, assignments and redirections (`<` and `>` before their file) included. */
export type ShellCommand = readonly ShellWord[];

/** Substitutions deeper than this are read as if they stood side by side. */
const MAX_DEPTH = 20;

/**
 * Every command of a line in the order in which they begin, those in `$(…)` and `` `…` `` too. The text of a here-document
 * is left out. `ansiQuotes`: `$'…'` has escapes, as in bash and not in dash.
 */
export function shellCommands(line: string, ansiQuotes = false): ShellCommand[] {
  const reading: Reading = { line, commands: [], defaults: [], ansiQuotes };
  readCommands(reading, 0, { depth: 0 });
  return reading.commands;
}

/** Every word of a line, those of the defaults of variables (`${name:-…}`) too. */
export function shellWords(line: string, ansiQuotes = false): ShellWord[] {
  const reading: Reading = { line, commands: [], defaults: [], ansiQuotes };
  readCommands(reading, 0, { depth: 0 });
  return [...reading.commands, ...reading.defaults].flat();
}

interface Reading {
  readonly line: string;
  readonly commands: ShellWord[][];
  /** The words in `${…}`. */
  readonly defaults: ShellWord[][];
  readonly ansiQuotes: boolean;
}

/** Where commands stand. */
interface Place {
  readonly closing?: ")" | "`" | "}";
  readonly depth: number;
  /** Inside `"${…}"` a single quote is a letter, and nothing is split. */
  readonly isInDouble?: boolean;
}

type Add = (piece: string | Expansion) => void;

const PLAIN = /[^ \t\n'"\\$`;&|<>(){}#*?~]+/y;
/** `<<<` takes a word, and begins no document. */
const HERE_DOCUMENT = /<<<|<<(-?)[ \t]*((?:'[^'\n]*'|"[^"\n]*"|\\.|[^ \t\n;&|<>()'"\\])+)/y;
const REDIRECTION = /&>>?|>&|<&|>[>|]?|<>?/y;
/** `((1 + 1))`, which is no command. */
const SUM = /\(\((?:[^)]|\)(?!\)))*\)\)/y;
const OTHERS_HOME = /~[\w.-]/y;
const HOME = /~(?=[/ \t\n;&|<>()]|$)/y;

/** Reads up to the closing character, or to the end of the line. Returns the place behind it. */
function readCommands(reading: Reading, from: number, place: Place): number {
  const { line } = reading;
  const all = place.closing === "}" ? reading.defaults : reading.commands;
  let command: ShellWord[] | undefined;
  let word: { pieces: (string | Expansion)[]; from: number } | undefined;
  let at = from;
  const add: Add = (piece) => {
    if (command === undefined) {
      command = [];
      all.push(command);
    }
    word ??= { pieces: [], from: at };
    const last = word.pieces.at(-1);
    if (typeof piece === "string" && typeof last === "string")
      word.pieces[word.pieces.length - 1] = last + piece;
    else word.pieces.push(piece);
  };
  const endWord = () => {
    if (word) command?.push({ pieces: word.pieces, raw: line.slice(word.from, at) });
    word = undefined;
  };
  const documents: { readonly end: string; readonly isIndented: boolean }[] = [];
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
    else if (word === undefined && matchAt(HOME, line, at)) {
      add({ variable: "HOME", isQuoted: true });
      at += 1;
    } else if (char === "*" || char === "?" || (word === undefined && matchAt(OTHERS_HOME, line, at))) {
      add({ isQuoted: false }); // a pattern, or the home of somebody else
      at += 1;
    } else if (/[#{}'~]/.test(char)) {
      add(char);
      at += 1;
    } else if (word !== undefined && line.startsWith("()", at)) {
      add("()"); // the name of a function
      at += 2;
    } else {
      const redirection = matchAt(REDIRECTION, line, at)?.[0];
      // A number right before a redirection says which stream is meant.
      if (redirection !== undefined && /^\d+$/.test(line.slice(word?.from ?? at, at))) word = undefined;
      endWord();
      const [document, dash, end] = matchAt(HERE_DOCUMENT, line, at) ?? [];
      if (end !== undefined) documents.push({ end: end.replaceAll(/['"\\]/g, ""), isIndented: dash === "-" });
      const sum = matchAt(SUM, line, at)?.[0];
      if (document === undefined && redirection !== undefined) {
        add(char === "<" ? "<" : ">");
        endWord();
      } else if (document === undefined && /[;&|()\n]/.test(char)) command = undefined;
      at += (document ?? redirection ?? sum ?? char).length;
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
  { end, isIndented }: { readonly end: string; readonly isIndented: boolean },
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
function readExpansion(reading: Reading, at: number, add: Add, place: Place): number {
  const { line, defaults, ansiQuotes } = reading;
  const { depth, isInDouble: isQuoted = false } = place;
  const isDeep = depth === MAX_DEPTH;
  const next = line[at + 1];
  const sum = next === "(" ? matchAt(SUM, line, at + 1)?.[0] : undefined;
  if (sum !== undefined) {
    add({ isQuoted });
    return at + 1 + sum.length;
  }
  if (line[at] === "`" || next === "(") {
    add({ isQuoted });
    const [from, closing] = line[at] === "`" ? ([at + 1, "`"] as const) : ([at + 2, ")"] as const);
    return isDeep ? from : readCommands(reading, from, { closing, depth: depth + 1 });
  }
  if (next === "'" && ansiQuotes && !isQuoted) {
    const [whole = "", text = ""] = matchAt(ANSI_QUOTED, line, at) ?? [];
    add(withoutAnsiEscapes(text));
    return at + whole.length;
  }
  if (next === "'" || next === '"') {
    add(isQuoted ? "$" : "");
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
  const expansion = { ...(name !== undefined && { variable: name }), isQuoted };
  if (!isBraced || isDeep) {
    add(expansion);
    return behind;
  }
  // Begun before what it holds: the word stands first.
  add("");
  const operator = matchAt(OPERATOR, line, behind)?.[0] ?? "";
  const before = defaults.length;
  const inside = { closing: "}", depth: depth + 1, isInDouble: isQuoted } as const;
  const end = readCommands(reading, behind + operator.length, inside);
  const inner = defaults[before]?.[0];
  add(inner && /[-=+]$/.test(operator) ? { ...expansion, inner } : expansion);
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

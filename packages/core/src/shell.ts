/*
 * How a POSIX shell splits a command line into commands and words. Nothing is run. One lexer serves three readers. The lenient
 * reader (`shellCommands`, `shellWords`) finds words even in a line that no shell would take. The strict reader
 * (`certainCommands`) takes only a line whose every character means the same to all shells. Between them, `readShell` says
 * what it could not see. One pass; never throws.
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

/**
 * The words of one command, assignments and redirections (`<` and `>` before their file) included. A redirection to or from
 * /dev/null, or of one stream to another, is left out.
 */
export type ShellCommand = readonly ShellWord[];

/** Substitutions deeper than this are read as if they stood side by side. */
const MAX_DEPTH = 20;

/**
 * Every command of a line in the order in which they begin, those in `$(…)` and `` `…` `` too. The text of a here-document
 * is left out. `ansiQuotes`: `$'…'` has escapes, as in bash and not in dash.
 */
export function shellCommands(line: string, ansiQuotes = false): ShellCommand[] {
  return read(line, ansiQuotes).commands.map(({ words }) => words);
}

/** As bash reads them, the commands that are not inside a word of another. */
export function outerCommands(text: string): ShellCommand[] {
  let behind = 0;
  return read(text, true).commands.flatMap(({ words, from, to }) => {
    if (from < behind) return [];
    behind = to;
    return [words];
  });
}

/** Every word of a line, those of the defaults of variables (`${name:-…}`) too. */
export function shellWords(line: string, ansiQuotes = false): ShellWord[] {
  const { commands, defaults } = read(line, ansiQuotes);
  return [...commands, ...defaults].flatMap(({ words }) => words);
}

/** A line, and what a running shell may make of it. */
export interface LineReading {
  readonly commands: readonly ShellCommand[];
  /** A bare variable, or what a command prints, is one of its words or a part of one. `$HOME` and patterns of files are not. */
  readonly expands: boolean;
  /** False where a shell may run more than these commands show: groups, functions, braces, quoted variables, open quotes … */
  readonly isWhole: boolean;
}

/** Every command of a line, and how much is known of it. */
export function readShell(line: string): LineReading {
  const { commands, expands, isWhole } = read(line, false);
  return {
    commands: commands.map(({ words }) => words),
    expands,
    isWhole: isWhole && line.length <= MAX_CERTAIN_LENGTH,
  };
}

/** One command of a line that was read with certainty. */
export interface CertainCommand {
  /** Without quotes. HOLE stands for what the shell fills in. */
  readonly words: readonly string[];
  /** As it is written, from its first word to its last word or redirection. */
  readonly text: string;
}

/** Stands in a word for what the shell fills in by itself: names of files (`*`, `?`), the home folder (`~`). */
export const HOLE = "\u0001";

const MAX_CERTAIN_LENGTH = 65_536;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;
/** A joined line with nothing behind it. Callers that trim the line make the backslash a word. */
const JOINS_NOTHING = /\\\s*$/;
/** Words that begin something else than a command. Quoted or not: nobody names a program so. */
const KEYWORDS = new Set(
  "! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while".split(
    " ",
  ),
);

/**
 * The commands of a line, or undefined where shells may disagree about them: substitutions, variables, redirections of
 * files, groups, keywords, assignments, and everything that is not listed as certain. What the programs do is not looked at.
 */
export function certainCommands(line: string): CertainCommand[] | undefined {
  if (line.length > MAX_CERTAIN_LENGTH || CONTROL.test(line) || JOINS_NOTHING.test(line)) return undefined;
  const { commands, isCertain } = read(line, false);
  const certain = commands.map(({ words, from, to }) => ({
    words: words.map(({ pieces }) =>
      pieces.map((piece) => (typeof piece === "string" ? piece : HOLE)).join(""),
    ),
    text: line.slice(from, to),
  }));
  return isCertain && certain.every(({ words: [program = ""] }) => isProgram(program)) ? certain : undefined;
}

function isProgram(word: string): boolean {
  return word !== "" && !word.includes(HOLE) && !word.includes("=") && !KEYWORDS.has(word);
}

interface Reading {
  readonly line: string;
  readonly ansiQuotes: boolean;
  readonly commands: Command[];
  /** The words in `${…}`. */
  readonly defaults: Command[];
  /** False as soon as something is met that shells read in different ways, or that only a running shell can tell. */
  isCertain: boolean;
  /** As `LineReading` has them. */
  expands: boolean;
  isWhole: boolean;
}

interface Command {
  readonly words: ShellWord[];
  from: number;
  to: number;
}

function read(line: string, ansiQuotes: boolean): Reading {
  const reading: Reading = {
    line,
    ansiQuotes,
    commands: [],
    defaults: [],
    isCertain: true,
    expands: false,
    isWhole: true,
  };
  readCommands(reading, 0, { depth: 0 });
  const commands = reading.commands.filter(({ words }) => words.length > 0);
  return { ...reading, commands };
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
/** Beyond ASCII only quotes make a letter certain: some shells take single bytes of such letters for blanks. */
const CERTAIN_PLAIN = /^[\w@%+=:,./^!\]-]+$/;
/** The program `[`. Elsewhere a bracket begins a pattern of files. */
const TEST_PROGRAM = /\[(?=[ \t\n;&|]|$)/y;
/** `<<<` takes a word, and begins no document. */
const HERE_DOCUMENT = /<<<|<<(-?)[ \t]*((?:'[^'\n]*'|"[^"\n]*"|\\.|[^ \t\n;&|<>()'"\\])+)/y;
const REDIRECTION = /&>>?|>&|<&|>[>|]?|<>?/y;
/** Redirections that neither write nor read a file. */
const HARMLESS = /(?:(?:>>?|<)[ \t]*\/dev\/null|>&[12])(?=[ \t\n;&|]|$)/y;
const OPERATOR = /&&|\|\||[;&|]/y;
/** `((1 + 1))`, which is no command. */
const SUM = /\(\((?:[^)]|\)(?!\)))*\)\)/y;
const OTHERS_HOME = /~[\w.-]/y;
const HOME = /~(?=[/ \t\n;&|<>()]|$)/y;

/** Reads up to the closing character, or to the end of the line. Returns the place behind it. */
function readCommands(reading: Reading, from: number, place: Place): number {
  const { line } = reading;
  const all = place.closing === "}" ? reading.defaults : reading.commands;
  let command: Command | undefined;
  let word: { pieces: (string | Expansion)[]; from: number } | undefined;
  let mustFollow = false; // `&&`, `||` and `|` want another command
  let groups = 0; // parentheses that are open
  let at = from;
  const requireCertain = (isCertain: boolean) => {
    reading.isCertain &&= isCertain;
  };
  const requireWhole = (isWhole: boolean) => {
    reading.isWhole &&= isWhole;
  };
  const add: Add = (piece) => {
    if (command === undefined) {
      command = { words: [], from: at, to: at };
      all.push(command);
    }
    word ??= { pieces: [], from: at };
    const last = word.pieces.at(-1);
    if (typeof piece === "string" && typeof last === "string")
      word.pieces[word.pieces.length - 1] = last + piece;
    else word.pieces.push(piece);
  };
  const endWord = () => {
    if (word && command) {
      if (command.words.length === 0) command.from = word.from;
      command.words.push({ pieces: word.pieces, raw: line.slice(word.from, at) });
      command.to = at;
      mustFollow = false;
    }
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
      const isTest = word === undefined && matchAt(TEST_PROGRAM, line, at) !== null;
      requireCertain(isTest || CERTAIN_PLAIN.test(plain));
      add(plain);
      at += plain.length;
    } else if (char === "'" && !place.isInDouble) {
      const end = endOf(line, "'", at + 1);
      requireCertain(end < line.length);
      requireWhole(end < line.length);
      add(line.slice(at + 1, end));
      at = end + 1;
    } else if (char === '"') at = readDouble(reading, at + 1, add, place.depth);
    else if (char === "\\") {
      // `&` and a `>` on the next line are one redirection in some shells.
      if (line[at + 1] === "\n") requireCertain(line[at - 1] !== "&");
      else add(line[at + 1] ?? "");
      at += 2;
    } else if (char === "$" || char === "`") at = readExpansion(reading, at, add, place);
    else if (char === "#" && word === undefined) at = endOf(line, "\n", at);
    else if (word === undefined && matchAt(HOME, line, at)) {
      add({ variable: "HOME", isQuoted: true });
      at += 1;
    } else if (char === "*" || char === "?" || (word === undefined && matchAt(OTHERS_HOME, line, at))) {
      requireCertain(char !== "~");
      add({ isQuoted: false }); // a pattern, or the home of somebody else
      at += 1;
    } else if (/[#{}'~]/.test(char)) {
      // A tilde behind `=` or `:` is a home folder in some shells.
      const isInWord = char === "~" && word !== undefined && !/[=:]$/.test(String(word.pieces.at(-1)));
      requireCertain(char === "#" || isInWord);
      requireWhole(char !== "{" || line[at + 1] === "}");
      add(char);
      at += 1;
    } else if (word !== undefined && line.startsWith("()", at)) {
      requireCertain(false);
      requireWhole(false);
      add("()"); // the name of a function
      at += 2;
    } else if (char === " " || char === "\t" || char === "\n") {
      endWord();
      at += 1;
      if (char === "\n") {
        command = undefined;
        for (const one of documents.splice(0)) at = behindDocument(line, at, one);
      }
    } else if (char === "(" || char === ")") {
      requireCertain(false);
      groups += char === "(" ? 1 : -1;
      // `a=(…)` and `<(…)` are no groups of commands.
      requireWhole(groups >= 0 && (char === ")" || !/[^\s;&|(]/.test(line[at - 1] ?? "")));
      endWord();
      const sum = matchAt(SUM, line, at)?.[0];
      requireWhole(sum === undefined);
      if (sum !== undefined) groups -= 1;
      at += (sum ?? char).length;
      command = undefined;
    } else {
      const redirection = matchAt(REDIRECTION, line, at)?.[0];
      // A number right before a redirection says which stream is meant. Of more than one digit some shells make a word.
      const stream = line.slice(word?.from ?? at, at).replaceAll("\\\n", "");
      if (redirection !== undefined && /^\d+$/.test(stream)) {
        requireCertain(stream.length === 1);
        word = undefined;
      }
      endWord();
      const harmless = matchAt(HARMLESS, line, at)?.[0];
      const [document, dash, end] = matchAt(HERE_DOCUMENT, line, at) ?? [];
      if (harmless !== undefined) {
        at += harmless.length;
        if (command && command.words.length > 0) command.to = at;
      } else if (document !== undefined) {
        requireCertain(false);
        requireWhole(end === undefined ? command !== undefined : /['"\\]/.test(end));
        if (end !== undefined)
          documents.push({ end: end.replaceAll(/['"\\]/g, ""), isIndented: dash === "-" });
        at += document.length;
      } else if (redirection !== undefined) {
        requireCertain(false);
        add(char === "<" ? "<" : ">");
        endWord();
        at += redirection.length;
      } else {
        const operator = matchAt(OPERATOR, line, at)?.[0] ?? char;
        at += operator.length;
        const isBothStreams = operator === "&&" && line[at] === ">";
        requireCertain(command !== undefined && command.words.length > 0 && !isBothStreams);
        mustFollow = operator !== ";" && operator !== "&";
        command = undefined;
      }
    }
  }
  endWord();
  requireCertain(!mustFollow);
  requireWhole(place.closing === undefined && groups === 0);
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
  reading.isCertain = false;
  reading.isWhole = false;
  return at;
}

const NAME = /[#!]?\w+|[@*#?$!-]/y;
/** What stands between the name of a variable and the words of its default or pattern. */
const MODIFIER = /:?[-=+?]|##?|%%?|\/\/?|\^\^?|,,?|:/y;
const ANSI_QUOTED = /\$'((?:[^'\\]|\\[\s\S])*)'?/y;

/** Reads a `$` or a backtick and what belongs to it. Returns the place behind it. */
function readExpansion(reading: Reading, at: number, add: Add, place: Place): number {
  const { line, defaults, ansiQuotes } = reading;
  reading.isCertain = false;
  const { depth, isInDouble: isQuoted = false } = place;
  const isDeep = depth === MAX_DEPTH;
  const next = line[at + 1];
  const sum = next === "(" ? matchAt(SUM, line, at + 1)?.[0] : undefined;
  if (sum !== undefined) {
    reading.isWhole &&= !/[\p{L}_$`]/u.test(sum);
    add({ isQuoted });
    return at + 1 + sum.length;
  }
  if (line[at] === "`" || next === "(") {
    reading.expands = true;
    if (isDeep) reading.isWhole = false;
    add({ isQuoted });
    const [from, closing] = line[at] === "`" ? ([at + 1, "`"] as const) : ([at + 2, ")"] as const);
    return isDeep ? from : readCommands(reading, from, { closing, depth: depth + 1 });
  }
  if ((next === "'" || next === '"') && !isQuoted) reading.isWhole = false;
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
  if (isBraced || (isQuoted && name !== "HOME")) reading.isWhole = false;
  else reading.expands ||= name !== "HOME";
  const expansion = { ...(name !== undefined && { variable: name }), isQuoted };
  if (!isBraced || isDeep) {
    add(expansion);
    return behind;
  }
  // Begun before what it holds: the word stands first.
  add("");
  const operator = matchAt(MODIFIER, line, behind)?.[0] ?? "";
  const before = defaults.length;
  const inside = { closing: "}", depth: depth + 1, isInDouble: isQuoted } as const;
  const end = readCommands(reading, behind + operator.length, inside);
  const inner = defaults[before]?.words[0];
  add(inner && /[-=+]$/.test(operator) ? { ...expansion, inner } : expansion);
  return end;
}

const ANSI_LETTERS: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  e: "\u001b",
  a: "\u0007",
};

function withoutAnsiEscapes(text: string): string {
  return text.replaceAll(
    /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|([0-7]{1,3})|([\s\S]))/gi,
    (_, x, u, octal, char) => {
      const code = x ?? u;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return octal === undefined
        ? (ANSI_LETTERS[char] ?? char)
        : String.fromCharCode(Number.parseInt(octal, 8));
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

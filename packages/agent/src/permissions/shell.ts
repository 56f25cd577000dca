import { runsOthers } from "./shell-programs.ts";

/*
 * A conservative reading of a command line. It is there to say what a line runs, or to say that it cannot tell: what is
 * not listed here is not guessed at. What the programs do when they run is beyond it.
 */

/** One command of a line. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** As it is written. */
  readonly text: string;
}

/** The words of every command in a line, or undefined when it cannot be read with certainty. */
export function commandsOf(line: string): readonly (readonly string[])[] | undefined {
  return readLine(line)?.map(({ words }) => words);
}

const MAX_LENGTH = 65_536;
const UNSAFE_ANYWHERE = /[\u0000-\u0008\u000b-\u001f\u007f]/;
/** A joined line with nothing behind it: without its end, which many a caller trims, the backslash is a word. */
const JOINS_NOTHING = /\\\s*$/;

export function readLine(line: string): readonly ShellCommand[] | undefined {
  if (line.length > MAX_LENGTH || UNSAFE_ANYWHERE.test(line) || JOINS_NOTHING.test(line)) return undefined;
  const commands = split(line);
  return commands?.some(({ words }) => isUncertain(words)) ? undefined : commands;
}

function isUncertain(words: readonly string[]): boolean {
  const [program = ""] = words;
  return program === "" || program.includes(HOLE) || program.includes("=") || runsOthers(words);
}

const END = String.raw`(?=[ \t\n;&|]|$)`;

/** `&>` redirects both streams in some shells; in others it ends a command, and what follows is the next one. */
const NO_BOTH = String.raw`(?!(?:\\\n)*>)`;

/**
 * Everything that has a meaning here, the first that fits. Letters beyond ASCII are plain in quotes only: some shells
 * take single bytes of them for blanks. Redirections are those that neither write nor read a file.
 */
const TOKEN = new RegExp(
  [
    String.raw`(?<joined>\\\n)`,
    String.raw`(?<blank>[ \t]+)`,
    String.raw`(?<newline>\n)`,
    "'(?<single>[^']*)'",
    String.raw`"(?<double>(?:[^"$\`\\]|\\[\s\S])*)"`,
    String.raw`\\(?<escaped>[^\n])`,
    String.raw`(?<redirect>(?:>>?|<)[ \t]*/dev/null${END}|>&[12]${END})`,
    String.raw`(?<operator>&&${NO_BOTH}|\|\||;|&${NO_BOTH}|\|)`,
    "(?<hole>[*?[~])",
    String.raw`(?<plain>[\w@%+=:,./^!\]#-])`,
  ].join("|"),
  "y",
);

interface Word {
  text: string;
  readonly from: number;
  isQuoted: boolean;
  /** What follows is part of a hole: to the next slash, or to the end of the word. */
  hole?: "to-slash" | "to-end";
}

/** The commands of a line, or undefined at the first character whose meaning is not certain. */
function split(line: string): ShellCommand[] | undefined {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let word: Word | undefined;
  let span = { from: 0, to: 0 };
  let mustFollow = false; // `&&`, `||` and `|` want another command
  let at = 0;

  const add = (text: string, isQuoted: boolean) => {
    word ??= { text: "", from: at, isQuoted };
    if (word.hole === "to-slash" && text === "/" && !isQuoted) delete word.hole;
    if (word.hole === undefined) word.text += text;
    word.isQuoted ||= isQuoted;
  };
  const addHole = (char: string) => {
    const isHome = word === undefined || /[=:]$/.test(word.text);
    if (char === "~" && !isHome) return add(char, false);
    add(HOLE, false);
    if (word && char === "[") word.hole ??= "to-end";
    if (word && char === "~") word.hole ??= "to-slash";
  };
  const endWord = () => {
    if (word === undefined) return;
    if (words.length === 0) span = { from: word.from, to: at };
    const written = line.slice(word.from, at);
    words.push(written === "[" ? written : word.text);
    span.to = at;
    word = undefined;
  };
  const endCommand = (): boolean => {
    endWord();
    if (words.length === 0) return false;
    commands.push({ words, text: line.slice(span.from, span.to) });
    words = [];
    mustFollow = false;
    return true;
  };

  while (at < line.length) {
    if (line[at] === "#" && word === undefined) {
      const end = line.indexOf("\n", at);
      at = end === -1 ? line.length : end;
      continue;
    }
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(line);
    if (found === null) return undefined;
    const [whole] = found;
    const { joined, blank, newline, single, double, escaped, redirect, operator, hole, plain } =
      found.groups ?? {};
    if (single !== undefined) add(single, true);
    else if (double !== undefined) add(unquoted(double), true);
    else if (escaped !== undefined) add(escaped, true);
    else if (hole !== undefined) addHole(hole);
    else if (plain !== undefined) add(plain, false);
    else if (blank !== undefined) endWord();
    else if (newline !== undefined) endCommand();
    else if (redirect !== undefined) {
      const before = word?.isQuoted === false ? word.text : "";
      if (MANY_DIGITS.test(before)) return undefined;
      if (STREAM.test(before)) word = undefined;
      else endWord();
    } else if (operator !== undefined) {
      if (!endCommand()) return undefined;
      mustFollow = operator !== ";" && operator !== "&";
    } else if (joined === undefined) return undefined;
    at += whole.length;
    if (redirect !== undefined && words.length > 0) span.to = at;
  }
  endCommand();
  return mustFollow ? undefined : commands;
}

/** Right before a redirection a digit is no argument: it says which stream is meant. Of more digits some shells make a word. */
const STREAM = /^\d$/;
const MANY_DIGITS = /^\d\d+$/;

/** What a backslash means between double quotes. */
function unquoted(text: string): string {
  return text.replaceAll(/\\([$`"\\\n])/g, (_, char: string) => (char === "\n" ? "" : char));
}

/** Stands in a word of a command for what the shell fills in by itself: names of files (`*`, `?`, `[…]`), a home folder (`~`). */
export const HOLE = "\u0001";

import type { Folders } from "./environment.ts";
import { MAX_LENGTH, unquote, withKnownVariables } from "./shell-words.ts";

/*
 * How a command line is read for trust: a file too many asks once too often, a file too few lets an edited script run
 * unasked.
 */

const WORD = /(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|\$\{[^}]*\}|[^ \t\n"'\\;&|()<>`])+/g;

/** How often a quoted text is taken for a command of its own, inside another. */
const MAX_QUOTED = 6;

/** And how deep it is read line by line as well. */
const MAX_LINE_DEPTH = 1;

/** Characters that are read in all: each text within another is read in several ways. */
const MAX_READ = 16 * MAX_LENGTH;

/**
 * Every text between separators. Quotes, redirections and substitutions only separate words here, what follows a `=` is a
 * word as well, what stands in for a missing variable is read in its place, and a quoted text is also read as a command of
 * its own; where there is too much of that, it is told. Every line is read by itself, too: an apostrophe in a comment
 * begins no quoted text.
 */
export function greedyWords(command: string, folders: Folders, tooMuch: () => void): string[] {
  const words: string[] = [];
  const known = new Set<string>();
  let room = MAX_READ;
  const read = (text: string, depth: number) => {
    if (known.has(`${depth} ${text}`)) return;
    known.add(`${depth} ${text}`);
    const lines = depth <= MAX_LINE_DEPTH && text.includes("\n") ? text.split("\n") : [];
    for (const part of [...lines, text])
      for (const way of new Set([part, withKnownVariables(part, folders)])) readWords(way, depth);
  };
  const readWords = (text: string, depth: number) => {
    room -= text.length;
    if (room < 0) return tooMuch();
    for (const raw of text.slice(0, MAX_LENGTH).match(WORD) ?? []) {
      const bare = unquote(raw);
      for (const word of new Set([bare, withDefaults(bare)])) {
        words.push(word);
        const at = word.indexOf("=");
        if (at !== -1) words.push(word.slice(at + 1));
        if (word === text || !/[\s;&|()<>`"'\\]/.test(word)) continue;
        if (depth < MAX_QUOTED) read(word, depth + 1);
        else tooMuch();
      }
    }
  };
  read(command, 0);
  return words;
}

/** An exclamation mark behind a colon leaves a path out, for git. */
const AROUND_NAMES = /[\s"'`;&|()<>,[\]{}$=:@\\]|(?<!:)!/;
/** ${DIR}/x, "$DIR"/x, $(pwd)/x: whatever that is, a folder is looked for by the rest. */
const BEHIND_VALUE = /(?:\$\w+|[})`])["']?\/+([^\s"'`;&|()<>,[\]{}$=:@!\\]+)/g;

/**
 * What may be a name wherever it stands: in the code of another language, in quotes within quotes, behind a variable. It
 * ends at whatever is put around names; between quotes it may hold blanks.
 */
export function namesAnywhere(command: string): string[] {
  const quoted = command.split(/\\?["'`]/).map((piece) => piece.trim());
  const pieces = command.split(AROUND_NAMES);
  const behind = [...command.matchAll(BEHIND_VALUE)].map(([, name = ""]) => name);
  return [...new Set([...quoted, ...pieces, ...behind])].filter((name) => /[./ ]./.test(name));
}

/** ${NAME:-word} as it is without the variable; one may stand in another. */
function withDefaults(word: string): string {
  let before = "";
  let result = word;
  for (let depth = 0; depth < MAX_QUOTED && result !== before; depth += 1) {
    before = result;
    result = result.replaceAll(/\$\{\w+:?[-=+]((?:[^${}]|\$(?!\{)|\$\{\w+\})*)\}/g, "$1");
  }
  return result;
}

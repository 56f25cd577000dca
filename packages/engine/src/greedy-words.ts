import type { Folders } from "./environment.ts";
import { writtenWords } from "./only-written.ts";
import {
  heldIn,
  IN_BRACKETS,
  MAX_LENGTH,
  SUBSTITUTIONS,
  unquote,
  withKnownVariables,
} from "./shell-words.ts";

/*
 * How a command line is read for trust: a file too many asks once too often, a file too few lets an edited script run
 * unasked.
 */

/** A substitution that holds neither quotes nor brackets is a part of its word. */
const WORD = new RegExp(
  `(?:"(?:[^"\\\\]|\\\\[\\s\\S])*"|'[^']*'|\\\\[\\s\\S]|\\$\\{${IN_BRACKETS}\\}|\\$\\([^()"'\`]*\\)|\`[^()"'\`\\\\]*\`|[^ \\t\\n"'\\\\;&|()<>\`])+`,
  "g",
);
/** What makes a word a command of its own, were it not quoted. */
const SPECIAL = /[\s;&|()<>`"'\\]/;

/** A word that is one quoted text: "$(sh "x y.sh")" falls into words with bare ends. */
const QUOTED = /^(?:[\w-]+=|-\w+)?(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S])+$/;

/** How often a quoted text is taken for a command of its own, inside another. */
const MAX_QUOTED = 6;

/** How deep a quoted text is also read line by line. */
const MAX_LINE_DEPTH = 1;

/** Characters that are read in all: each text within another is read in several ways. */
const MAX_READ = 16 * MAX_LENGTH;

/** Characters behind a word that tell what it is for. */
const MAX_BEHIND = 16;

/** A text that was read word by word, without what it only writes to and what was read as a text of its own. */
export interface ReadText {
  text: string;
}

export interface ReadWord {
  readonly word: string;
  /** Where it stands. */
  readonly within: Readonly<ReadText>;
}

/**
 * Every text between separators, but for what is only written to. Quotes, redirections and substitutions only separate
 * words here, what follows a `=` is a word as well, what stands in for a missing variable is read in its place, and a
 * quoted text is also read as a command of its own; where there is too much of that, it is told. Every line is read by
 * itself, too: an apostrophe in a comment begins no quoted text.
 */
export function greedyWords(command: string, folders: Folders, tooMuch: () => void): ReadWord[] {
  const words: ReadWord[] = [];
  const known = new Set<string>();
  const startText = writtenWords(command, folders);
  let room = MAX_READ;
  const read = (text: string, depth: number) => {
    if (depth > MAX_QUOTED) return tooMuch();
    if (known.has(`${depth} ${text}`)) return;
    known.add(`${depth} ${text}`);
    const lines = depth <= MAX_LINE_DEPTH && text.includes("\n") ? text.split("\n") : [];
    for (const part of [...lines, text])
      for (const way of new Set([part, withKnownVariables(part, folders)])) readWords(way, depth);
  };
  const readWords = (text: string, depth: number) => {
    room -= text.length;
    if (room < 0) return tooMuch();
    const within: ReadText = { text: "" };
    const isWritten = startText();
    let end = 0;
    for (const { 0: raw, index } of text.slice(0, MAX_LENGTH).matchAll(WORD)) {
      const bare = unquote(raw);
      const gap = text.slice(end, index);
      const last = text.charAt(end - 1);
      end = index + raw.length;
      const ways = isWritten(last, gap, bare, text.slice(end, end + MAX_BEHIND)) ? [] : waysOf(bare);
      const texts = ways.length === 0 ? heldBy(raw) : ways.flatMap((word) => textsIn(word, text));
      const isReadAgain = QUOTED.test(raw) || (depth <= MAX_LINE_DEPTH && raw.includes("\n"));
      const isLeftOut = ways.length === 0 || (isReadAgain && texts.includes(bare));
      within.text += gap + (isLeftOut ? " " : raw);
      for (const word of ways) {
        words.push({ word, within });
        const at = word.indexOf("=");
        if (at !== -1) words.push({ word: word.slice(at + 1), within });
      }
      for (const inner of texts) if (inner !== text) read(inner, depth + 1);
    }
    within.text += text.slice(end);
  };
  read(command, 0);
  return words;
}

/** As it is, and as it is without the variables that may be missing. */
function waysOf(bare: string): string[] {
  return [...new Set([bare, withDefaults(bare)])];
}

/** What a word holds that may be a command; of the text that it was found in, only what that holds. */
function textsIn(word: string, text: string): string[] {
  if (!SPECIAL.test(word)) return [];
  return word === text ? heldBy(word) : [word];
}

/** The commands of the substitutions in a word; a word that holds others is one itself. */
function heldBy(word: string): string[] {
  const around = word.replaceAll(SUBSTITUTIONS, "");
  const endsEarly = around !== word && around.includes(")");
  const isAll = !endsEarly && !/\$\(|`/.test(around);
  return isAll ? (word.match(SUBSTITUTIONS) ?? []).map(heldIn) : [unquote(word)];
}

/** An exclamation mark behind a colon leaves a path out, for git. */
const AROUND_NAMES = /[\s"'`;&|()<>,[\]{}$=:@\\]|(?<!:)!/;
/** ${DIR}/x, "$DIR"/x, $(pwd)/x, DIR + "/x": whatever that is, a file or a folder is looked for by the rest. */
const BEHIND_VALUE = /(?:(?:\$\w+|[})`])["']?|\+ ?["'`])\/+([^\s"'`;&|()<>,[\]{}$=:@!\\]+)/g;
/** Of join("hooks", "x.js"). */
const BETWEEN_PARTS = /(["'])\s*,\s*\1/g;

/**
 * What may be a name wherever it stands: in the code of another language, in quotes within quotes. It ends at whatever is
 * put around names; between quotes it may hold blanks.
 */
export function namesAnywhere(text: string): string[] {
  const quoted = [text, text.replaceAll(BETWEEN_PARTS, "/")].flatMap((way) => way.split(/\\?["'`]/));
  const names = [...quoted.map((piece) => piece.trim()), ...text.split(AROUND_NAMES)];
  return [...new Set(names)].filter((name) => /[./ ]./.test(name));
}

/** Folders that a value may stand behind, which is told elsewhere: for name in a.sh b.sh; do sh hooks/$name; done */
export function foldersBeforeValues(text: string): string[] {
  return [...new Set(text.split(AROUND_NAMES))].filter((name) => /\w\/$/.test(name));
}

/** What may be a name by the value that stands before it. */
export function namesBehindValues(text: string): string[] {
  return [...text.matchAll(BEHIND_VALUE)].map(([, name = ""]) => name);
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

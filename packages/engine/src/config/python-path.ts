import { PYTHON } from "./python-imports.ts";

/*
 * The folders that Python may import from before its own library, besides that of a script: it has its working folder
 * there where it runs a module or code, and what PYTHONPATH says. A folder that is an argument is none of them.
 */

const OPTION =
  "--(?:app-dir|cd|chdir|cwd|dir|directory|prefix|project|pythonpath|root|workdir|working-directory)";
/** Words behind which the folder stands that a command goes to, and words that hold one. */
const GOES_TO = new RegExp(`^(?:cd|pushd|-[CD]|${OPTION})$`);
const HOLDS = new RegExp(`^(?:PYTHONPATH\\+?|${OPTION})=`);
/** Code that goes to a folder, starts a program there, or tells Python where to import from. */
const IN_CODE =
  /\bchdir\b|\bcwd["']?\s*[=:]|\bsys\s*\.\s*path|\b(?:addsitedir|runpy)\b|-execdir\b|\b(?:set|push)-location\b/i;

/** PYTHONPATH, but where a word gives it a value or it is only read. */
const SET_OTHERWISE =
  /PYTHONPATH(?!\+?=|["}]?(?:[:\s]|$))|\{PYTHONPATH:?=|(?::|\bset\b[ \w-]{0,20})PYTHONPATH/;

/** The folder that a command begins in, or one above it that is known. */
const BEGIN = /^\$\((?:pwd|git rev-parse --show-toplevel)\)/;
/** What only the shell knows; what else is in PYTHONPATH is none of the project's words. */
const UNKNOWN = /\$(?!\{?PYTHONPATH\b)|[`*?[]/;

interface NamedWord {
  readonly word: string;
  /** As it is with known variables filled in, first. */
  readonly names: readonly string[];
}

/**
 * Of the folders that a command names, those that Python may import from; where that is not certain, all. `begin` are the
 * folders that it may begin in; `among` finds the folders of these names in others.
 */
export function pythonPath(
  command: string,
  words: readonly NamedWord[],
  named: readonly string[],
  begin: readonly string[],
  among: (names: readonly string[], folders: Iterable<string>) => readonly string[],
): readonly string[] {
  if (!PYTHON.test(command) || IN_CODE.test(command) || SET_OTHERWISE.test(command)) return named;
  const path = new Set(begin);
  const looked = new Set<string>();
  let before = "";
  for (const { word, names } of words) {
    const isBehind = GOES_TO.test(before);
    if (isBehind && word.startsWith("-")) continue; // cd -P hooks
    before = word;
    const key = `${path.size} ${word}`;
    if ((!isBehind && !HOLDS.test(word)) || looked.has(key)) continue;
    looked.add(key);
    const known = names.map((name) => name.replace(BEGIN, "."));
    const found = among(known, path);
    if (found.length === 0 || UNKNOWN.test(known[0] ?? "")) return named;
    for (const folder of found) path.add(folder);
  }
  return [...path];
}

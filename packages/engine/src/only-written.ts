import { isAbsolute, resolve } from "node:path";
import type { Folders } from "./environment.ts";
import { expand, isBeforeProgram, LAST_ARGUMENT, RUNS_ANOTHER, THEIR_NUMBER } from "./shell-words.ts";
import { isBelow } from "./shown-path.ts";

/*
 * A hook's own log is none of its scripts, nor is a flag: what a command names only to write to it, to remove it or to look
 * whether it is there, by a redirection, a program (tee, touch, flock, rm, test), or a call in the code that it holds
 * (python3 -c, node -e). Not seen: code that runs what it has opened to write (`f.name`), and code that gives such a call
 * another meaning.
 *
 * Commands come from anywhere, and none may be made to be slow: no pattern here reads one text in two ways.
 */

/** Of a name that holds no command, in whichever quotes a shell finds it. */
const CHARACTER = "(?:[\\w./~@%+-]|[^\\x00-\\x7f]|\\$(?=\\w)|\\$\\{\\w[\\w:?%/.~+-]*\\})";
const NAME = `(?:${CHARACTER}(?: ?${CHARACTER})*)?`;
/** 'x' "x" \'x\' \"x\" '\\''x'\\'' '"'"'x'"'"': of a shell and of code, and those of code as a shell is given them. */
const QUOTES = ["'", '"', "\\\\'", '\\\\"', "'\\\\''", "'\"'\"'"];
const STRING = quoted(NAME);

/** Perl's open, where the mode comes first. */
const OPENED = new RegExp(`\\bopen(?:\\((?:my )?\\$?| my \\$)\\w{1,32}, ?${quoted(">>?")}, ?${STRING}`, "g");

/** Without a `+`: what can be read can be run. */
const MODE = `(?:mode ?= ?)?${quoted("[awx][bt]{0,2}")}`;
const OTHER_OPTION = `\\w{1,32}=${quoted("[\\w-]{0,32}")}`;
/** What logging is told before the name of its file: level=logging.INFO, format="%(asctime)s" */
const LOGGING_OPTION = `\\w{1,32} ?= ?(?:[\\w.]{1,64}|${quoted("[\\w %().:,/-]{0,64}")}), ?`;
const HANDLER = "(?:(?:Timed)?Rotating|Watched)?FileHandler";
const WRITE =
  "(?:append|write(?:Text)?)File(?:Sync)?|createWriteStream|(?:File|IO|Bun)\\.write|file_put_contents";

const PATH_WRITES = `\\)\\.(?:write_text\\(|write_bytes\\(|touch\\(|open\\(${MODE})`;

/** Calls that write: what stands before the name, and what behind it, beginning with more of the name. */
const CALLS: readonly (readonly [before: RegExp, behind: RegExp])[] = [
  [/\b(?:f?open|openSync)\( ?(?:file=)?/g, new RegExp(`^, ?(?:${OTHER_OPTION}, ?)?${MODE}`)],
  [
    new RegExp(
      `\\b(?:${WRITE}|${HANDLER})\\( ?|\\bbasicConfig\\((?:${LOGGING_OPTION}){0,4}filename ?= ?`,
      "g",
    ),
    /^[,)]/,
  ],
  [/\bPath\(/g, new RegExp(`^((?:, ?${STRING}){0,4})${PATH_WRITES}`)],
  [/\((?=(?:pathlib\.)?Path[.(])/g, new RegExp(`^${PATH_WRITES}`)],
];
/** Characters behind the name that are looked at. */
const MAX_BEHIND = 128;

/** A command without what the code in it only writes to. */
export function withoutWritten(command: string): string {
  return CALLS.reduce(
    (text, [before, behind]) => withoutCalls(text, before, behind),
    command.replaceAll(OPENED, " "),
  );
}

function withoutCalls(text: string, before: RegExp, behind: RegExp): string {
  let kept = "";
  let from = 0;
  for (const { 0: begins, index } of text.matchAll(before)) {
    if (index < from) continue;
    const end = endOfName(text, index + begins.length);
    const found = end === undefined ? null : behind.exec(text.slice(end, end + MAX_BEHIND));
    if (end === undefined || found === null) continue;
    kept += `${text.slice(from, index)} `;
    from = end + (found[1]?.length ?? 0);
  }
  return kept + text.slice(from);
}

/** `${process.env.HOME}/x`, which no shell takes for a command. */
const TEMPLATE = `\`\\$\\{\\w+\\.[\\w.]+(?:\\(\\))?\\}${NAME}\``;
/** Of an argument that puts a name together, by calls that run nothing. */
const PIECE = new RegExp(
  `r?${STRING}|${TEMPLATE}|require\\(${quoted("(?:node:)?(?:path|os)")}\\)|[\\w.]*\\b(?:Path|join|resolve|expanduser|getenv|environ\\.get)\\(|\\(\\)|[\\w.]+|[ +/,)[\\]]`,
  "y",
);
const MAX_PIECES = 64;

/** Where such an argument ends: at the comma or the bracket behind it. */
function endOfName(text: string, start: number): number | undefined {
  let at = start;
  for (let depth = 0, pieces = 0; pieces < MAX_PIECES; pieces += 1) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(text)?.[0];
    if (piece === undefined) return undefined;
    if (depth === 0 && (piece === "," || piece === ")")) return at;
    if (piece.endsWith("(")) depth += 1;
    if (piece === ")") depth -= 1;
    at += piece.length;
  }
  return undefined;
}

function quoted(text: string): string {
  return `(?:${QUOTES.map((quote) => quote + text + quote).join("|")})`;
}

/** What stands right before a word that is redirected to. `=>` and `->` are code, `<>` reads as well. */
const REDIRECTED = /(?:^|[^<\\=>-])>[>|&]?[ \t]*$/;
const REDIRECTION = />[>|&]?[ \t]*$/;
const ENDS_COMMAND = /[;&|()\n`]/;
/** Programs that write to what they are given, remove it or look for it. flock locks the first, and runs the rest. */
const WRITERS = /^(?:(?:\/usr)?\/bin\/)?(tee|touch|flock|rm|test|\[\[?|find)$/;
/** Of test and find: whether a file is there, and which one is newer. */
const LOOKS = /^-(?:[a-hkprsuwxGLNOS]|[no]t)$/;
const LOOKS_FOR_NEWER = /^-(?:[ac]?newer|newer[aBcm][aBcm])$/;
/** Of test: behind the first of two that are compared. */
const COMPARED = /^[ \t]+-[no]t[ \t]/;
/** An option before the program: exec -a rm sh x.sh. */
const MAY_HAVE_VALUE = /^-(?:[a-zA-Z]|-[\w-]+)$/;
/** Options of flock whose value is a word of its own. */
const HAS_VALUE = /^-(?:\w*[wE]|-(?:timeout|wait|conflict-exit-code))$/;
/** One that may be another program than the system's. */
const OWN_WRITER =
  /\b(?:tee|touch|flock|rm|test|find)\s*\(\s*\)|\bfunction[\s\\]+(?:tee|touch|flock|rm|test|find)\b|\balias\b/;

/** ${NAME:=word}: what is written to is also the value of a variable from then on. */
const SETS_VARIABLE = /\$\{\w+:{0,2}=/;

/** Where PATH is mentioned but to read it, with what it is set to and what is glued to that. */
const PATH = /(?<![$\w]|\$\{)PATH(?!\w)(?:=("[^"]*"|[^\s"';&|]*)([^\s;&|)]?))?/g;
const EXPORTED = /\bexport[ \t]+PATH(?=[ \t]*(?:[;&\n]|$))/g;

/** Whether a command may look for its programs in the project: it sets PATH to that, or to what is not known here. */
function looksInProject(command: string, folders: Folders): boolean {
  const isElsewhere = (entry: string) => {
    if (/^\$(?:PATH|\{PATH\})$/.test(entry)) return true;
    const path = expand(entry, folders);
    if (!isAbsolute(path) || /[$`*?[({]/.test(path)) return false;
    const whole = resolve(path);
    return ![folders.project, folders.cwd].some((folder) => folder === whole || isBelow(folder, whole));
  };
  return [...command.replaceAll(EXPORTED, "").matchAll(PATH)].some(
    ([, value, glued]) =>
      value === undefined || glued !== "" || !value.replaceAll('"', "").split(":").every(isElsewhere),
  );
}

/**
 * For each text within a command: told its words in order, with the last character of the word before, the gap between them
 * and the text behind, it says of each whether it is only written to.
 */
export function writtenWords(
  command: string,
  folders: Folders,
): () => (last: string, gap: string, word: string, behind: string) => boolean {
  const isOwn = OWN_WRITER.test(command) || LAST_ARGUMENT.test(command) || looksInProject(command, folders);
  return () => {
    let program: string | undefined; // none yet
    let option = "";
    return (last, gap, word, behind) => {
      const isValue = program === "flock" && HAS_VALUE.test(option);
      const looks = program === "find" ? LOOKS_FOR_NEWER : LOOKS;
      const mayHaveValue = MAY_HAVE_VALUE.test(option);
      const isLookedFor = looks.test(option) || (program !== "find" && COMPARED.test(behind));
      option = word;
      const isRedirected = gap.includes(">") && REDIRECTED.test(last + gap);
      const isNext = ENDS_COMMAND.test(isRedirected ? gap.replace(REDIRECTION, "") : gap);
      if (isNext) program = undefined;
      const isKept = SETS_VARIABLE.test(word);
      if (isRedirected) return !isKept;
      if (program === undefined) {
        if (!isBeforeProgram(word) && !RUNS_ANOTHER.has(word) && !THEIR_NUMBER.test(word))
          program = isOwn || (mayHaveValue && !isNext) ? "" : (WRITERS.exec(word)?.[1] ?? "");
        return false;
      }
      if (program === "" || gap.includes("<") || word.startsWith("-") || isValue) return false;
      if (program === "flock") program = "";
      return !isKept && (isLookedFor || !/^(?:test|\[|find)/.test(program));
    };
  };
}

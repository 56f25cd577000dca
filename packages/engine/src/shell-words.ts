import { sep } from "node:path";
import { type Folders, folderVariables } from "./environment.ts";
import { withSetVariables } from "./set-variables.ts";

/*
 * How a command line is read without running a shell, strictly, as a shell splits words: for advice, where a wrong guess is
 * a false alarm.
 */

/** Runtimes of JavaScript. */
export const JS = "node|nodejs|deno|bun|tsx|ts-node";

/** Programs that are given a script, and run it. */
const INTERPRETERS = new RegExp(`^(?:sh|bash|dash|zsh|ksh|python[\\d.]*|ruby|perl|php|npx|uv|${JS})$`);

export function isInterpreter(program: string): boolean {
  return INTERPRETERS.test(program);
}

/** Words before a program that are not the program. */
const BEFORE_PROGRAM = new Set(
  "! { ( if then elif else while until do exec command env nohup sudo time".split(" "),
);
/** Where env and the like stand; a project's own hooks/time is a program as any other. */
const SYSTEM_FOLDER = /^(?:\/usr(?:\/local)?)?\/s?bin\/(?=[^/]+$)/;

/** Whether the program of a command is still to come behind this word: it is none, sets a variable or is an option. */
export function isBeforeProgram(word: string): boolean {
  return BEFORE_PROGRAM.has(word.replace(SYSTEM_FOLDER, "")) || /^(?:\w+=|-)/.test(word);
}

/** Programs that run the program behind them; they are looked for on PATH themselves. */
export const RUNS_ANOTHER: ReadonlySet<string> = new Set(
  "timeout nice ionice setsid stdbuf xargs".split(" "),
);
/** How long, or how nicely. */
export const THEIR_NUMBER = /^-?\.?\d[\d.]*[smhd]?$/;

/** How much of a command line is looked through: an untrusted one may be made to take long. */
export const MAX_LENGTH = 16_384;

// To a shell only these are blanks: any other space (\s) is a part of a name.
const STRICT_WORD = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^ \t\n"'\\])+/g;

/** Words as a shell splits them, with their quotes, which may begin and end inside one ("$DIR"/guard.sh). */
export function rawWords(text: string): string[] {
  return text.slice(0, MAX_LENGTH).match(STRICT_WORD) ?? [];
}

/** Whether a text is more than one word to a shell, were it not quoted. */
export function hasBlank(text: string): boolean {
  return /[ \t\n]/.test(text);
}

/** $(…) and `…`; one that holds more than one pair of brackets in another is left as it is. */
const SUBSTITUTION = /\$\((?!\()(?:[^()]|\([^()]*\))*\)|`[^`]*`/;
/** Commands begin anew behind it; `>|`, `>&` and `&>` are redirections. */
const SEPARATOR = /;|&&|(?<!>)\|\|?|(?<![<>])&(?!>)|\n/;
const ESCAPED_OR_SUBSTITUTION = new RegExp(`\\\\[^]|${SUBSTITUTION.source}`, "g");
const QUOTED_OR_SEPARATOR = new RegExp(
  `'[^']*'|"(?:[^"\\\\]|\\\\[^])*"|(?<=^|\\s)#[^\\n]*|${ESCAPED_OR_SUBSTITUTION.source}|${SEPARATOR.source}`,
  "g",
);
const CUT = "\0";

/** The command of a substitution. */
export function heldIn(substitution: string): string {
  return substitution.replace(/^\$\(|^`/, "").slice(0, -1);
}

/** The commands of a line, strictly; those that a substitution holds come last, and `$()` stands in their place. */
export function commandsIn(line: string): string[] {
  const held: string[] = [];
  const hold = (found: string) => {
    if (found.startsWith("\\")) return found;
    held.push(heldIn(found));
    return "$()";
  };
  const outer = line.slice(0, MAX_LENGTH).replaceAll(QUOTED_OR_SEPARATOR, (found) => {
    if (found.startsWith('"')) return found.replaceAll(ESCAPED_OR_SUBSTITUTION, hold);
    if (/^(?:[\\`]|\$\()/.test(found)) return hold(found);
    if (found.startsWith("'")) return found;
    return found.startsWith("#") ? "" : CUT;
  });
  return [...outer.split(CUT), ...held.flatMap(commandsIn)];
}

/** Quotes taken off, those of bash ($'…', $"…") too, and escapes undone; a line that goes on is one line. */
export function unquote(word: string): string {
  return word.replace(
    /\$?"((?:[^"\\]|\\[\s\S])*)"|\$?'([^']*)'|\\([\s\S])/g,
    (_, double?: string, single?: string, escaped?: string) =>
      double?.replaceAll(/\\(?:\n|(["\\$`]))/g, "$1") ?? single ?? (escaped === "\n" ? "" : (escaped ?? "")),
  );
}

/** Up to the bracket that ends a variable. One in another is read first: those that never end are not read to the end each. */
const IN_BRACKETS = "(?:[^}$]|\\$(?!\\{))*";
/** $NAME, ${NAME} and ${NAME:-default}; no folder's name ends in the slash that ${NAME%/} takes off. */
const VARIABLE = new RegExp(`\\$(?:\\{(\\w+)(?::?[-=+?]${IN_BRACKETS}|%\\/)?\\}|(\\w+))`, "g");
/** The same, whatever is done to it. */
const ANY_VARIABLE = new RegExp(`\\$(?:\\{(\\w+)(?:(?![\\w}])${IN_BRACKETS})?\\}|(\\w+))`, "g");

/** A word with the variables filled in that are known before a command runs, whatever its quotes were; the others stay. */
export function expand(word: string, folders: Folders): string {
  const values = knownValues(folders);
  const filled = word
    .replace(
      ANY_VARIABLE,
      (whole, braced?: string, bare?: string) => values.get(braced ?? bare ?? "") ?? whole,
    )
    .replace(/^~(?=\/|$)/, () => folders.home);
  return fromOwnFolder(filled, folders);
}

/** The same as withSetVariables, of the variables that are known before a command runs. */
export function withKnownVariables(command: string, folders: Folders): string {
  if (!command.includes("${")) return command;
  const values = knownValues(folders);
  return withSetVariables(command, (name) => values.get(name) !== undefined);
}

const valuesOf = new WeakMap<Folders, ReadonlyMap<string, string | undefined>>();

function knownValues(folders: Folders): ReadonlyMap<string, string | undefined> {
  const { home, cwd } = folders;
  const values =
    valuesOf.get(folders) ?? new Map(Object.entries({ ...folderVariables(folders), HOME: home, PWD: cwd }));
  valuesOf.set(folders, values);
  return values;
}

/** The working folder of the hook, not of this process. */
function fromOwnFolder(path: string, { cwd }: Folders): string {
  const plain = path.startsWith("/") ? path.replaceAll(/\/(?:\.?\/)+/g, "/") : path;
  return plain.replace(/^\/proc\/(?:thread-)?self\/cwd(?=\/|$)/, () => cwd);
}

/** In double quotes, in single ones, escaped, or bare; what a `$` before a quote does differs from shell to shell. */
const PIECE = /"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])|([^"'\\]+)/g;
const PIECE_IN_DOUBLE = /\\(?:\n|(["\\$`]))|((?:[^\\]|\\(?![\n"\\$`]))+)/g;
/** What a shell makes something of that is not known here, bare and in double quotes. */
const OPEN = /[$`*?<>(){}]/;
const OPEN_IN_DOUBLE = /[$`]/;

/**
 * The path a shell makes of a raw word: what it leaves alone in quotes stays ('$HOME/x', "~/x"). Undefined where only the
 * shell that runs it knows.
 */
export function pathOf(word: string, folders: Folders): string | undefined {
  if (/^~[\w.-]/.test(word)) return undefined; // the home of somebody else
  const values = knownValues(folders);
  let isKnown = true;
  const fill = (text: string, open: RegExp) => {
    if (open.test(text.replaceAll(VARIABLE, ""))) isKnown = false;
    return text.replaceAll(VARIABLE, (_, braced?: string, bare?: string) => {
      const value = values.get(braced ?? bare ?? "");
      if (value === undefined) isKnown = false;
      return value ?? "";
    });
  };
  const unescaped = (escaped: string | undefined) => (escaped === "\n" ? "" : (escaped ?? ""));
  const inDouble = (text: string) =>
    text.replaceAll(PIECE_IN_DOUBLE, (_, escaped?: string, plain?: string) =>
      plain === undefined ? unescaped(escaped) : fill(plain, OPEN_IN_DOUBLE),
    );
  const path = word
    .replace(/^~(?=\/|$)/, '"$HOME"')
    .replaceAll(PIECE, (_, double?: string, single?: string, escaped?: string, bare?: string) => {
      if (double !== undefined) return inDouble(double);
      return single ?? (bare === undefined ? unescaped(escaped) : fill(bare, OPEN));
    });
  return isKnown ? fromOwnFolder(path, folders) : undefined;
}

/** Devices that hold no script. */
const DEVICE = /^\/dev\/(?:null|zero|full|tty|u?random|std(?:in|out|err)|fd\/\d+)$/;

/** Interpreters and tools of the system are not the project's scripts; a project may still be anywhere. */
export function isSystem(file: string, { project, cwd }: Folders): boolean {
  if ([project, cwd].some((folder) => file.startsWith(folder + sep))) return false;
  return DEVICE.test(file) || /^\/(usr|bin|sbin|lib|lib64|nix|System|Library|opt\/homebrew)\//.test(file);
}

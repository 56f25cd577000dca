import { outerCommands, type ShellCommand, type ShellWord } from "./shell.ts";

/** Names and values; a name without a value is unset. */
export type Assignments = ReadonlyMap<string, string | undefined>;

/** What a hook wrote down for later commands. */
export interface EnvFile {
  readonly assignments: Assignments;
  /** Commands that are no plain assignments, and do not count. */
  readonly unread: readonly string[];
}

/**
 * Reads a file of assignments as bash would run it, and runs nothing: `export A=1`, `A='b c'`, `declare -x PATH="$HOME/bin:$PATH"`,
 * `unset A`. `known` has the values of the variables that it may name.
 */
export function readEnvFile(text: string, known: Readonly<Record<string, string | undefined>>): EnvFile {
  const assignments = new Map<string, string | undefined>();
  const unread: string[] = [];
  const lookUp = (name: string) => (assignments.has(name) ? assignments.get(name) : known[name]);
  for (const command of outerCommands(text)) {
    const found = readCommand(command, lookUp);
    if (found === undefined) unread.push(command.map(({ raw }) => raw).join(" "));
    else for (const [name, value] of found) assignments.set(name, value);
  }
  return { assignments, unread };
}

type Assigned = readonly [name: string, value: string | undefined];
type LookUp = (name: string) => string | undefined;

const NAME = /^[A-Za-z_]\w*$/;
/** The longest value, in characters of up to three bytes: Linux takes 128 KiB. */
const MAX_VALUE = 32 * 1024;
const EXPORTS = /^(?:export|declare -x|typeset -x)$/;

function readCommand(command: ShellCommand, lookUp: LookUp): readonly Assigned[] | undefined {
  const words = command.map(({ raw }) => raw);
  const exported = [1, 2].find((count) => EXPORTS.test(words.slice(0, count).join(" "))) ?? 0;
  if (words[0] === "unset") {
    const names = words.slice(words[1] === "-v" ? 2 : 1);
    return names.every((name) => NAME.test(name)) ? names.map((name) => [name, undefined]) : undefined;
  }
  const found = command.slice(exported).map((word) => readWord(word, exported > 0, lookUp));
  return found.every((one) => one !== undefined) ? found.flat() : undefined;
}

/** None for a name that is exported as it is. */
function readWord(word: ShellWord, isExported: boolean, lookUp: LookUp): readonly Assigned[] | undefined {
  const { raw, pieces } = word;
  if (isExported && NAME.test(raw)) return [];
  const name = /^([A-Za-z_]\w*)=/.exec(raw)?.[1];
  // What stands behind a name in braces changes the value in a way that only a shell knows.
  if (name === undefined || /\$\{\w*[^\w}]/.test(raw)) return undefined;
  const texts = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    return piece.variable !== undefined && NAME.test(piece.variable)
      ? (lookUp(piece.variable) ?? "")
      : undefined;
  });
  if (texts.includes(undefined)) return undefined;
  const value = texts.join("").slice(name.length + 1);
  const isHome = /=~(?:\/|$)/.test(raw);
  const given = isHome ? (lookUp("HOME") ?? "~") + value.slice(1) : value;
  // No process starts with a variable that holds a NUL or too much.
  return given.includes("\0") || given.length > MAX_VALUE ? undefined : [[name, given]];
}

import { basename } from "node:path";
import { JS, JS_RUNTIME } from "../shell-words.ts";
import { asItIs, type Language, loadedBy } from "./imports.ts";
import { PYTHON, PYTHON_TOOLS, runByPython } from "./python-imports.ts";
import type { Search } from "./search.ts";

/** Every file that a path may mean. */
export type Guess = (path: string, search: Search) => string[];

/** What runs the script that it is given. */
export interface Runtime {
  readonly language: Language;
  readonly program: RegExp;
  /** Options behind which no script follows: it is a module or code. */
  readonly inline?: RegExp;
  readonly guess: Guess;
}

const JAVASCRIPT: Runtime = {
  language: "javascript",
  program: new RegExp(`^(?:npm:)?(?:${JS})(?:\\.exe|[@-][\\w.-]+)?$`), // also tsx@latest, npm:tsx, node-20
  guess: loadedBy,
};

const RUNTIMES: readonly Runtime[] = [
  JAVASCRIPT,
  {
    language: "python",
    program: new RegExp(`^(?:(?:python|pypy)[\\d.]*(?:\\.exe)?|${PYTHON_TOOLS})$`),
    inline: /^-[bBdEiIOPqsSuvx]*[cm]/,
    guess: runByPython,
  },
];

/** Options that are told for which runtime something is, or what looks like one: eslint --env node, --ext tsx. */
const FOR_RUNTIME =
  /^--(?:env|environment|ext|module-?resolution|platform|runtime|target|test-?environment|types)(?:=|$)/i;

/** Options that name the folder to run in: nothing there is run for it. */
const TAKES_FOLDER = /^--(?:cwd|directory)(?:=|$)/;
/** Options of Node that load what they name, also where no runtime is in sight: NODE_OPTIONS="--import ./hooks". */
const LOADS = /^--(?:import|require)(?:=|$)/;

/**
 * Told the words of a command in order, as they are written and with known variables filled in, it says of each which runtime
 * it is given to as what that is to run.
 */
export function whatIsGiven(): (word: string, filled: string) => Runtime | undefined {
  let runtime: Runtime | undefined;
  let before = "";
  return (word, filled) => {
    const given = runtime;
    const isStart = !(FOR_RUNTIME.test(before) && isValueOf(before, word));
    const started = isStart ? RUNTIMES.find(({ program }) => program.test(basename(word))) : undefined;
    const isStillToCome = mayPrecede(filled, before) && !given?.inline?.test(word);
    const isGivenTo = (option: RegExp) => option.test(before) || option.test(word);
    const isFolder = isGivenTo(TAKES_FOLDER);
    const loads = given ?? (isGivenTo(LOADS) ? JAVASCRIPT : undefined);
    runtime = started ?? (isStillToCome ? given : undefined);
    before = word;
    return isFolder ? undefined : loads;
  };
}

/** Of an option before it; the value that stands in one is a word as well. */
function isValueOf(option: string, word: string): boolean {
  return !option.includes("=") || option.endsWith(`=${word}`);
}

/**
 * Whether what a runtime is to run may still follow: a word is an option, the value of one, the number before a redirection, or
 * something that only a shell knows. The value that stands in an option is a word as well.
 */
function mayPrecede(word: string, before: string): boolean {
  return /^(?:-|(?:run|watch|\d)$)|\$/.test(word) || before.startsWith("-") || before.endsWith(`=${word}`);
}

/** What a name may mean whose beginning is not known, in a command that has such runtimes: whatever they may be given. */
export function givenToAny(command: string): Guess {
  const guesses = [
    ...(JS_RUNTIME.test(command) ? [loadedBy] : []),
    ...(PYTHON.test(command) ? [runByPython] : []),
  ];
  return (path, search) => [asItIs, ...guesses].flatMap((guess) => guess(path, search));
}

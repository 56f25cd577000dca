import { alike } from "./paths.ts";
import { readLine, type ShellCommand } from "./shell.ts";
import {
  fits,
  gaps,
  headOf,
  joinWords,
  wildPattern,
  withAnything,
  withAnyWords,
  withoutLastStar,
} from "./wild.ts";

/** `git:*`, as Claude Code writes that the words before it may be followed by others. */
const PREFIX = /:\*$/;

/**
 * Whether rules allow a line: each command in it by one of them. undefined when the line cannot be read: no pattern allows
 * what nobody can read.
 */
export function allowsLine(patterns: readonly string[], line: string): boolean | undefined {
  const commands = readLine(line);
  return commands?.every((command) => patterns.some((pattern) => allowsCommand(pattern, command)));
}

/** By its words; or by its letters, where the pattern is the command as it stands and stands for nothing else. */
function allowsCommand(pattern: string, { words, text }: ShellCommand): boolean {
  if (exactText(pattern) === text) return true;
  const joined = joinWords(words);
  return narrow(pattern).some((one) => fits(one, joined, "surely"));
}

/** The command that a pattern without wildcards stands for. */
function exactText(pattern: string): string | undefined {
  return /(?<!\\)\*/.test(pattern) ? undefined : pattern.replaceAll("\\*", "*");
}

/** The pattern that `exactText` reads as this command. */
export function patternOf({ text }: ShellCommand): string {
  return text.replaceAll("*", "\\*");
}

function narrow(pattern: string): string[] {
  if (PREFIX.test(pattern)) {
    const prefix = wildPattern(pattern.replace(PREFIX, ""));
    return [prefix, withAnyWords(prefix)];
  }
  const wild = wildPattern(pattern);
  const alone = withoutLastStar(wild);
  return alone === undefined ? [wild] : [wild, alone];
}

/**
 * Whether a rule that restricts holds for a line: for one command in it, whatever folder its program is called from, or
 * for the line as it is written. perhaps: it cannot be read, the shell fills something in, or options stand before a word
 * that the rule names.
 */
export function restrictsLine(pattern: string, line: string): "yes" | "perhaps" | "no" {
  const wide = widen(pattern);
  const commands = readLine(line);
  const texts = [line, ...(commands ?? []).map(({ text }) => text)].map(gaps);
  const spelt = (commands ?? []).flatMap(spellings).map((words) => words.map(alike));
  const written = [...texts.map(alike), ...spelt.map(joinWords)];
  const does = (how: "surely" | "perhaps") =>
    written.some((text) => wide.some((one) => fits(one, text, how)));
  if (does("surely")) return "yes";
  if (commands === undefined || does("perhaps")) return "perhaps";
  return spelt.some((words) => wide.some((one) => fitsBetweenOptions(one, words))) ? "perhaps" : "no";
}

/** Each is one more comparison with the rest of the line. Nobody who means well writes so many options. */
const MOST_STARTS = 64;

/** `git -C . push` is a `git push`: which words are options, and which of these have a value, only the program knows. */
function fitsBetweenOptions(pattern: string, words: readonly string[]): boolean {
  const { fixed, rest } = headOf(pattern);
  let ends = new Set([0]);
  for (const [index, word] of fixed.entries()) {
    const starts = index === 0 ? ends : pastOptions(ends, words);
    const found = [...starts].filter((at) => fits(word, words[at] ?? "", "perhaps"));
    ends = new Set(found.map((at) => at + 1));
  }
  if (rest === "") return ends.has(words.length);
  const starts = pastOptions(ends, words);
  return (
    starts.size > MOST_STARTS || [...starts].some((at) => fits(rest, joinWords(words.slice(at)), "perhaps"))
  );
}

/** Where the next word may be that is neither an option nor the value of one. */
function pastOptions(from: ReadonlySet<number>, words: readonly string[]): Set<number> {
  const reached = new Set(from);
  // Sets give what is added on the way, too.
  for (const at of reached) {
    if (!/^[-+]/.test(words[at] ?? "")) continue;
    reached.add(at + 1);
    if (at + 2 <= words.length) reached.add(at + 2);
  }
  return reached;
}

function widen(pattern: string): string[] {
  const wide = PREFIX.test(pattern)
    ? [withAnything(wildPattern(pattern.replace(PREFIX, "")))]
    : narrow(pattern);
  return wide.map(alike);
}

/** `/bin/rm x` is `rm x` too. */
function spellings({ words: [program = "", ...args] }: ShellCommand): string[][] {
  return [
    [program, ...args],
    [program.replace(/^.*[\\/]/s, ""), ...args],
  ];
}

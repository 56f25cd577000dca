import { alike } from "./paths.ts";
import { readLine, type ShellCommand } from "./shell.ts";
import { fits, gaps, joinWords, wildPattern, withAnything, withAnyWords, withoutLastStar } from "./wild.ts";

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
 * for the line as it is written. perhaps: it cannot be read, or the shell fills something in.
 */
export function restrictsLine(pattern: string, line: string): "yes" | "perhaps" | "no" {
  const wide = widen(pattern);
  const commands = readLine(line);
  const texts = [line, ...(commands ?? []).map(({ text }) => text)].map(gaps);
  const words = (commands ?? []).flatMap(spellings).map(joinWords);
  const does = (how: "surely" | "perhaps") =>
    [...texts, ...words].some((text) => wide.some((one) => fits(one, alike(text), how)));
  if (does("surely")) return "yes";
  return commands === undefined || does("perhaps") ? "perhaps" : "no";
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

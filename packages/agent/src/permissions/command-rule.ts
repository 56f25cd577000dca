import { alike, fits, GAP, gaps, joinWords, narrow, PREFIX, STAR, wildPattern } from "@belay/core/internal";
import { type CertainCommand, HOLE } from "@belay/core/shell";
import { isInert, readLine } from "./programs.ts";

/**
 * Whether rules allow a line: each command in it by one of them. undefined when the line cannot be read: no pattern allows
 * what nobody can read.
 */
export function allowsLine(patterns: readonly string[], line: string): boolean | undefined {
  const commands = readLine(line);
  return commands?.every((command) => patterns.some((pattern) => allowsCommand(pattern, command)));
}

/** Compares the words; or the text as it is written, if the pattern has no wildcard. */
function allowsCommand(pattern: string, { words, text }: CertainCommand): boolean {
  if (exactText(pattern) === text) return true;
  const joined = joinWords(words);
  return narrow(pattern).some((one) => fits(one, joined, "surely"));
}

/** The command that a pattern without wildcards stands for. */
function exactText(pattern: string): string | undefined {
  return /(?<!\\)\*/.test(pattern) ? undefined : pattern.replaceAll("\\*", "*");
}

/** The pattern that `exactText` reads as this command. */
export function patternOf({ text }: CertainCommand): string {
  return text.replaceAll("*", "\\*");
}

/**
 * Whether a rule that restricts holds for a line: for one command in it, whatever folder its program is called from, or
 * for the line as it is written. perhaps: the line cannot be read, the shell fills something in, options stand before a word
 * that the rule names, or the command of the rule stands among the arguments of another.
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
  if (spelt.some((words) => wide.some((one) => fitsBetweenOptions(one, words)))) return "perhaps";
  return !isInert(commands) && spelt.some((words) => isCarried(pattern, words)) ? "perhaps" : "no";
}

/** Each start is one more comparison with the rest of the line. An honest line has fewer options. */
const MOST_STARTS = 64;

/** `git -C . push` is a `git push`: which words are options, and which of these have a value, only the program knows. */
function fitsBetweenOptions(pattern: string, words: readonly string[]): boolean {
  const { fixed, rest } = headOf(pattern);
  const ends = endsOf(fixed, words);
  if (rest === "") return ends.has(words.length);
  const starts = pastOptions(ends, words);
  return (
    starts.size > MOST_STARTS || [...starts].some((at) => fits(rest, joinWords(words.slice(at)), "perhaps"))
  );
}

/** Where the fixed words of a pattern may end, with options between them. Empty: they do not stand at the beginning. */
function endsOf(fixed: readonly string[], words: readonly string[]): Set<number> {
  let ends = new Set([0]);
  for (const [index, word] of fixed.entries()) {
    const starts = index === 0 ? ends : pastOptions(ends, words);
    const found = [...starts].filter((at) => fits(word, words[at] ?? "", "perhaps"));
    ends = new Set(found.map((at) => at + 1));
  }
  return ends;
}

/**
 * Whether the command of a rule stands among the arguments of another: `find . -exec rm f`, `tar --to-command='rm f'`. The
 * other program may run it.
 */
function isCarried(pattern: string, [, ...args]: readonly string[]): boolean {
  const head = nameOf(pattern);
  if (head.length === 0) return false;
  const names = args.flatMap((arg) => arg.split(BETWEEN_NAMES)).filter((name) => /\p{L}/u.test(name));
  const bare = names.map((name) => name.replace(/^.*\//, ""));
  const starts = [...bare.keys()].filter((at) => fits(head[0] ?? "", bare[at] ?? "", "perhaps"));
  return starts.length > MOST_STARTS || starts.some((at) => endsOf(head, bare.slice(at)).size > 0);
}

/** Everything that is no part of a program's name, a path or an option. */
const BETWEEN_NAMES = new RegExp(`[^\\p{L}\\p{M}\\p{N}_.+/@${HOLE}-]+`, "u");

/** The words by which a rule names a command: those before the first star, and the first word in any case. */
function nameOf(pattern: string): readonly string[] {
  const wild = alike(wildPattern(pattern.replace(PREFIX, "")));
  const { fixed, rest } = headOf(wild);
  const [first = ""] = rest.split(GAP);
  return fixed.length > 0 || !/\p{L}/u.test(first) ? fixed : [first];
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
  const wide = PREFIX.test(pattern) ? [wildPattern(pattern.replace(PREFIX, "")) + STAR] : narrow(pattern);
  return wide.map(alike);
}

/** `/bin/rm x` is `rm x` too. */
function spellings({ words: [program = "", ...args] }: CertainCommand): string[][] {
  return [
    [program, ...args],
    [program.replace(/^.*[\\/]/s, ""), ...args],
  ];
}

/** The words of a pattern up to the first that stands for more than itself, and the pattern from there on. */
function headOf(pattern: string): { readonly fixed: readonly string[]; readonly rest: string } {
  const words = pattern.split(GAP);
  const star = words.findIndex((word) => word.includes(STAR));
  const end = star === -1 ? words.length : star;
  return { fixed: words.slice(0, end), rest: joinWords(words.slice(end)) };
}

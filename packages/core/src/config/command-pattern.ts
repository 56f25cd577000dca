import { HOLE, readShell, type ShellCommand } from "../shell.ts";

/* Patterns of commands in permission rules: `git push *`, `npm test:*`. A text of words is held against them in linear time. */

/** `git:*`, as Claude Code writes that the words before it may be followed by others. */
export const PREFIX = /:\*$/;

/** What a pattern may be written out as. The words before a last ` *` may also stand alone. */
export function narrow(pattern: string): string[] {
  if (PREFIX.test(pattern)) {
    const prefix = wildPattern(pattern.replace(PREFIX, ""));
    return [prefix, prefix + GAP + STAR];
  }
  const wild = wildPattern(pattern);
  return wild.endsWith(GAP + STAR) ? [wild, wild.slice(0, -2)] : [wild];
}

/** Stands for anything in a pattern. No pattern and no command holds this letter. */
export const STAR = "\u0002";
/** Stands between the words of a command, so that a blank inside a word is not taken for one. */
export const GAP = "\u0003";

/** A pattern of a rule in which `*` stands for anything and `\*` for a star. Blanks between words count as one. */
export function wildPattern(pattern: string): string {
  return gaps(pattern).replaceAll(/\\\*|\*/g, (found) => (found === "*" ? STAR : "*"));
}

/** Words, as patterns are held against them. */
export function joinWords(words: readonly string[]): string {
  return words.join(GAP);
}

/** A text that was not read as words: its blanks are taken for gaps. */
export function gaps(text: string): string {
  return text.trim().replaceAll(/\s+/g, GAP);
}

/**
 * Whether a text fits a pattern. A hole in the text may become anything: `surely` asks whether the text fits whatever it
 * becomes, `perhaps` whether it can. Takes time in proportion to both, whoever wrote them.
 */
export function fits(
  pattern: string | readonly Letter[],
  text: string,
  how: "surely" | "perhaps" = "surely",
): boolean {
  if (typeof pattern === "string" && (how === "surely" || !text.includes(HOLE)))
    return fitsWords(pattern, text);
  // reached[j]: what was seen of the pattern fits the first j letters of the text.
  let reached = new Uint8Array(text.length + 1);
  reached[0] = 1;
  for (let j = 1; j <= text.length && text[j - 1] === HOLE && how === "perhaps"; j += 1) reached[j] = 1;
  for (const letter of typeof pattern === "string" ? pattern.split("") : pattern) {
    const next = new Uint8Array(text.length + 1);
    next[0] = letter === STAR ? (reached[0] as number) : 0;
    for (let j = 1; j <= text.length; j += 1) {
      const here = text[j - 1];
      if (letter === STAR || (here === HOLE && how === "perhaps"))
        next[j] = (reached[j] as number) | (next[j - 1] as number);
      else next[j] = isLetter(letter, here) ? (reached[j - 1] as number) : 0;
    }
    reached = next;
  }
  return reached[text.length] === 1;
}

/** What stands between stars, each found where it comes first. */
function fitsWords(pattern: string, text: string): boolean {
  const [head = "", ...parts] = pattern.split(STAR);
  const tail = parts.pop();
  if (tail === undefined) return pattern === text;
  let at = text.startsWith(head) ? head.length : -1;
  for (const part of parts) {
    if (at === -1) return false;
    const found = text.indexOf(part, at);
    at = found === -1 ? -1 : found + part.length;
  }
  return at !== -1 && text.length - at >= tail.length && text.endsWith(tail);
}

/** A letter of a pattern, or any of several. */
export type Letter = string | ((letter: string) => boolean);

function isLetter(letter: Letter, here: string | undefined): boolean {
  return typeof letter === "string" ? letter === here : here !== undefined && letter(here);
}

/**
 * Whether a line holds a command that fits a pattern, by the words of the line: commands in `$(…)`, behind keywords and
 * assignments are looked at, commands that a program is given (`sudo …`, `sh -c …`) are not. A line that shows less than a
 * shell may run fits; so does one with a variable or `$(…)` in it, if the pattern names more than a program.
 */
export function fitsLine(pattern: string, line: string): boolean {
  const { commands, expands, isWhole } = readShell(line);
  if (!isWhole || (expands && !PROGRAM_ALONE.test(pattern))) return true;
  const wide = narrow(pattern);
  return commands.some((command) => {
    const words = withoutBeginning(command);
    if (words === undefined) return true;
    const texts = [joinWords(words.map(textOf)), joinWords(words.map(({ raw }) => raw))];
    return texts.some((text) => wide.some((one) => fits(one, text)));
  });
}

/** `git`, `git *`, `git:*` */
const PROGRAM_ALONE = /^[^\s*:]+(?:\s+\*|:\*)?$/;
/** What may stand before the program of a command without being one. `xargs` runs the words behind it. */
const BEFORE_PROGRAM = /^(?:!|if|then|elif|else|do|while|until|xargs)$/;
const BEGINS_MORE = /^(?:case|select|function|time|coproc)$/;
const ASSIGNMENT = /^\w+(?:\[.*?\])?\+?=/;

/** The words from the program on, without redirections; undefined where only a running shell knows the program. */
function withoutBeginning(command: ShellCommand): ShellCommand | undefined {
  const words = command.filter(({ raw }, at) => raw !== "" && command[at - 1]?.raw !== "");
  let at = 0;
  for (; at < words.length; at += 1) {
    const { raw = "", pieces = [] } = words[at] ?? {};
    const isPlain = pieces.every((piece) => typeof piece === "string" || piece.variable === "HOME");
    if (BEGINS_MORE.test(raw) || !isPlain) return undefined;
    if (!BEFORE_PROGRAM.test(raw) && !ASSIGNMENT.test(raw)) break;
  }
  return words.slice(at);
}

function textOf({ pieces, raw }: ShellCommand[number]): string {
  return pieces.every((piece) => typeof piece === "string") ? pieces.join("") : raw;
}

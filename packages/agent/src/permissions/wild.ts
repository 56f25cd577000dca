import { HOLE } from "./hole.ts";

/** Anything, in a pattern; a letter that no pattern and no command holds. */
const STAR = "\u0002";
/** Between the words of a command: a blank inside a word is not one. */
const GAP = "\u0003";

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

/** Ends in ` *`: the words before it may also stand alone. */
export function withoutLastStar(pattern: string): string | undefined {
  return pattern.endsWith(GAP + STAR) ? pattern.slice(0, -2) : undefined;
}

export function withAnyWords(pattern: string): string {
  return pattern + GAP + STAR;
}

export function withAnything(pattern: string): string {
  return pattern + STAR;
}

/** The words of a pattern up to the first that stands for more than itself, and the pattern from there on. */
export function headOf(pattern: string): { readonly fixed: readonly string[]; readonly rest: string } {
  const words = pattern.split(GAP);
  const star = words.findIndex((word) => word.includes(STAR));
  const end = star === -1 ? words.length : star;
  return { fixed: words.slice(0, end), rest: joinWords(words.slice(end)) };
}

/**
 * Whether a text fits a pattern. A hole in the text may become anything: `surely` asks whether the text fits whatever it
 * becomes, `perhaps` whether it can. Takes time in proportion to both, whoever wrote them.
 */
export function fits(pattern: string, text: string, how: "surely" | "perhaps"): boolean {
  // reached[j]: what was seen of the pattern fits the first j letters of the text.
  let reached = new Uint8Array(text.length + 1);
  reached[0] = 1;
  for (let j = 1; j <= text.length && text[j - 1] === HOLE && how === "perhaps"; j += 1) reached[j] = 1;
  for (const letter of pattern.split("")) {
    const next = new Uint8Array(text.length + 1);
    next[0] = letter === STAR ? (reached[0] as number) : 0;
    for (let j = 1; j <= text.length; j += 1) {
      const here = text[j - 1];
      if (letter === STAR || (here === HOLE && how === "perhaps"))
        next[j] = (reached[j] as number) | (next[j - 1] as number);
      else next[j] = here === letter ? (reached[j - 1] as number) : 0;
    }
    reached = next;
  }
  return reached[text.length] === 1;
}

/*
 * How wide a text is on a terminal, and how it is broken into lines, without a library: the ones there are build a
 * grapheme segmenter and a table of every emoji when they are loaded, which takes longer than the whole of `belay run`.
 */

/** A colour, as picocolors writes it. */
const COLOR = /\u001b\[([\d;]*)m/g;

/** ASCII, Latin letters, and the signs our own screens are drawn with: a column each. Nearly every text is only this. */
const NARROW = /^[\u0020-\u007e\u00a0-\u02ff\u2010-\u2027\u2190-\u2193\u203a\u2500-\u259f\u2713\u2717]*$/;

/** Columns that a text takes; colours take none. */
export function width(text: string): number {
  const seen = text.includes("\u001b") ? text.replace(COLOR, "") : text;
  if (NARROW.test(seen)) return seen.length;
  let columns = 0;
  for (const char of seen) columns += charWidth(char);
  return columns;
}

/** Marks and skin tones join the character before them; half a flag is a column. */
const NO_COLUMN = /^[\p{M}\p{Cf}\p{Cc}\p{Emoji_Modifier}]$/u;
const HALF_FLAG = /^\p{Regional_Indicator}$/u;

/** Emoji and East Asian characters take two. */
const TWO_COLUMNS =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}])$/u;

function charWidth(char: string): number {
  if (NO_COLUMN.test(char)) return 0;
  return TWO_COLUMNS.test(char) && !HALF_FLAG.test(char) ? 2 : 1;
}

/** Breaks one line at its spaces. A word that fits on no line begins a new one and is broken anywhere. */
export function breakLine(line: string, columns: number): string[] {
  if (width(line) <= columns) return [line.trimEnd()];
  const lines = [""];
  let used = 0;
  const add = (text: string, wide: number) => {
    lines[lines.length - 1] += text;
    used += wide;
  };
  const newLine = () => {
    if (used === 0) return;
    lines.push("");
    used = 0;
  };
  for (const [, space = "", word = ""] of line.matchAll(/( *)([^ ]*)/g)) {
    const wide = width(word);
    if (used + space.length + wide > columns) newLine();
    else add(space, space.length);
    const parts = wide > columns ? (word.match(CHARACTERS) ?? []) : [word];
    for (const part of parts) {
      if (used + width(part) > columns) newLine();
      add(part, width(part));
    }
  }
  return keepColors(lines.map((text) => text.trimEnd()));
}

/** A colour is one character here: it is never broken. */
const CHARACTERS = /\u001b\[[\d;]*m|./gsu;

/** What ends a colour or style; anything else begins one. */
const CLOSING = new Set(["", "0", "22", "23", "24", "27", "28", "29", "39", "49"]);
const RESET = "\u001b[0m";

/** A colour that is open at the end of a line is closed there and opened again on the next. */
function keepColors(lines: readonly string[]): string[] {
  let open = "";
  return lines.map((line) => {
    const begun = open + line;
    for (const [color, code = ""] of line.matchAll(COLOR)) open = CLOSING.has(code) ? "" : open + color;
    return open === "" ? begun : begun + RESET;
  });
}

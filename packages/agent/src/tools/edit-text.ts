import { plural } from "@belay/core";

export interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly all: boolean;
}

export type Edited =
  | { readonly text: string; readonly places: number; readonly line: number }
  | { readonly problem: string };

/** Characters of the longest text that is edited, before and after. */
export const LONGEST = 20 * 1024 * 1024;

/**
 * Replaces text by text; nothing in either is a pattern. The model sees and writes LF: where a file's lines end in CRLF,
 * what is looked for and what is put there do so too.
 */
export function editText(text: string, wanted: Replacement): Edited {
  const isCrlf = mostlyCrlf(text);
  const old = text.includes(wanted.old) || !isCrlf ? wanted.old : crlf(wanted.old);
  const put = isCrlf ? crlf(wanted.new) : wanted.new;
  const pieces = text.split(old);
  const places = pieces.length - 1;
  if (places === 0) return { problem: `old_string is not in the file${hint(text, wanted.old)}` };
  if (places > 1 && !wanted.all)
    return {
      problem: `old_string is in the file ${places} times (lines ${linesOf(pieces, old)}): give more of the text around the one that is meant, or set replace_all`,
    };
  if (text.length + places * (put.length - old.length) > LONGEST)
    return {
      problem: `the file would be longer than ${LONGEST / 1024 / 1024} MB after ${plural(places, "replacement")}`,
    };
  return { text: pieces.join(put), places, line: lineEnds(pieces[0] ?? "") + 1 };
}

function crlf(text: string): string {
  return text.replaceAll(/\r?\n/g, "\r\n");
}

function mostlyCrlf(text: string): boolean {
  return text.includes("\r\n") && text.split("\r\n").length * 2 > text.split("\n").length;
}

function lineEnds(text: string): number {
  return text.split("\n").length - 1;
}

const SHOWN_LINES = 5;

function linesOf(pieces: readonly string[], old: string): string {
  const lines: number[] = [];
  let line = 1;
  for (const piece of pieces.slice(0, Math.min(pieces.length - 1, SHOWN_LINES))) {
    line += lineEnds(piece);
    lines.push(line);
    line += lineEnds(old);
  }
  return `${lines.join(", ")}${pieces.length - 1 > SHOWN_LINES ? " …" : ""}`;
}

/** Why a text is not found that the model believes is there. */
function hint(text: string, old: string): string {
  if (old.split("\n").every((line) => line === "" || /^ *\d+\t/.test(line)))
    return ": leave out the line numbers that Read puts before each line";
  const line = lineWithOtherSpace(text, old);
  if (line !== undefined)
    return `, but it is at line ${line} with other whitespace: copy it exactly, with its indentation and line ends`;
  return ": read the file again, it may have changed";
}

function lineWithOtherSpace(text: string, old: string): number | undefined {
  const wanted = withoutSpace(old);
  const lines = text.split("\n").map(withoutSpace);
  const at = wanted === "" ? -1 : lines.join("").indexOf(wanted);
  if (at < 0) return undefined;
  let before = 0;
  return (
    1 +
    lines.findIndex((line) => {
      before += line.length;
      return before > at;
    })
  );
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

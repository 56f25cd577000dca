import { diffJson, diffLines } from "diff";
import { cleanOutput, hang, type Paint, width } from "./text.ts";

/** More lines of a difference are counted, not shown. */
const MAX_LINES = 12;

/** What was expected and what came, short: on two lines, or line by line where either has several. */
export function renderDiff(
  { expected, got, areObjects }: { expected: string; got: string; areObjects: boolean },
  columns: number,
  paint: Paint,
): string[] {
  const [before, after] = [cleanOutput(expected), cleanOutput(got)];
  if (!before.includes("\n") && !after.includes("\n")) {
    const [minus, plus] = markChange(before, after, paint);
    return [...hang(`${paint.red("-")} `, minus, columns), ...hang(`${paint.green("+")} `, plus, columns)];
  }
  // The comma behind a field says nothing of it.
  const parts = areObjects ? diffJson(`${before}\n`, `${after}\n`) : diffLines(`${before}\n`, `${after}\n`);
  const lines = parts.flatMap(({ value, added, removed }) => {
    const color = added ? paint.green : removed ? paint.red : paint.dim;
    const sign = added ? "+" : removed ? "-" : " ";
    const texts = value.replace(/\n$/, "").split("\n");
    const shown = !added && !removed && texts.length > 3 ? [texts[0] ?? "", "…", texts.at(-1) ?? ""] : texts;
    return shown.flatMap((text) => hang(`${color(sign)} `, color(text), columns));
  });
  const more = lines.length - MAX_LINES;
  return more <= 1 ? lines : [...lines.slice(0, MAX_LINES), paint.dim(`… ${more} more lines`)];
}

/** What differs, in colour; what stands at both ends alike is plain. */
function markChange(before: string, after: string, paint: Paint): [string, string] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  // A mark on a few letters in common would only confuse.
  const isAlike = start + end > width(before) / 3;
  const mark = (text: string, color: Paint["red"]) =>
    isAlike
      ? text.slice(0, start) + color(text.slice(start, text.length - end)) + text.slice(text.length - end)
      : color(text);
  return [mark(before, paint.red), mark(after, paint.green)];
}

import { describe, expect, it } from "vitest";
import { breakLine, width } from "../src/render/width.ts";

const BOLD = "\u001b[1m";
const PLAIN = "\u001b[22m";
const RESET = "\u001b[0m";

describe("width: columns on a terminal", () => {
  const rows: [text: string, columns: number][] = [
    ["", 0],
    ["plain", 5],
    [`${BOLD}bold${PLAIN}`, 4],
    ["äöü é", 5],
    ["e\u0301", 1],
    ["│ ─ ┼ … › ✓ ✗ →", 15],
    ["日本語", 6],
    ["한글", 4],
    ["ｆｕｌｌ", 8],
    ["🙂", 2],
    ["👍🏽", 2],
    ["🇪🇺", 2],
    ["✅ done", 7],
    ["a\u0000b", 2],
  ];
  for (const [text, columns] of rows) {
    it(JSON.stringify(text), () => expect(width(text)).toBe(columns));
  }
});

describe("breakLine", () => {
  const rows: [name: string, line: string, columns: number, lines: string[]][] = [
    ["short enough", "one two", 8, ["one two"]],
    ["at a space", "one two three", 8, ["one two", "three"]],
    ["at the last space that fits", "a b c d e", 5, ["a b c", "d e"]],
    ["several spaces", "one   two", 5, ["one", "two"]],
    ["the indent stays on the first line", "  one two three", 9, ["  one two", "three"]],
    ["a word too long", "see abcdefghijkl now", 5, ["see", "abcde", "fghij", "kl", "now"]],
    ["only spaces", " ".repeat(9), 4, [""]],
    ["no half of a wide character", "日本語日本語", 5, ["日本", "語日", "本語"]],
    ["an emoji of two code units", "🙂🙂🙂", 4, ["🙂🙂", "🙂"]],
    [
      "a colour goes on",
      `${BOLD}one two${PLAIN} three`,
      5,
      [`${BOLD}one${RESET}`, `${BOLD}two${PLAIN}`, "three"],
    ],
    [
      "a colour inside a broken word",
      `${BOLD}abcdef${PLAIN}`,
      4,
      [`${BOLD}abcd${RESET}`, `${BOLD}ef${PLAIN}`],
    ],
  ];
  for (const [name, line, columns, lines] of rows) {
    it(name, () => {
      const broken = breakLine(line, columns);
      expect(broken).toEqual(lines);
      for (const text of broken) expect(width(text)).toBeLessThanOrEqual(columns);
    });
  }
});

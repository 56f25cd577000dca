import { type ShellWord, shellWords } from "@belay/core";
import { describe, expect, it } from "vitest";

/** $NAME for a variable, $() for what a command prints. */
const shown = (word: ShellWord) =>
  word.map((piece) => (typeof piece === "string" ? piece : `$${piece.variable ?? "()"}`)).join("");

describe("words of a command line", () => {
  const rows: [line: string, words: string[]][] = [
    ["", []],
    ["a  b\tc\nd", ["a", "b", "c", "d"]],
    ["a;b&&c||d|e&f", ["a", "b", "c", "d", "e", "f"]],
    ["(a) { b; } <c >>d 2>&1", ["a", "{", "b", "}", "c", "d", "2", "1"]],
    [`'a b'"c d"e\\ f`, ["a bc de f"]],
    [`"" ''`, ["", ""]],
    [`"a\\"\\$\\x"`, ['a"$\\x']],
    ["a\\\nb", ["ab"]],
    ["a # b c\nd", ["a", "d"]],
    ["a#b", ["a#b"]],
    ["$A/x ${B}y $1 $@ $", ["$A/x", "$By", "$1", "$@", "$"]],
    ['"$A"/x', ["$A/x"]],
    ["${A:-./d e}/x", ["./d", "e", "$A/x"]],
    ["${A%/}/x ${#A} ${A##*/}", ["/", "$A/x", "$#A", "*/", "$A"]],
    ["$(a b)/x `c d`", ["a", "b", "$()/x", "c", "d", "$()"]],
    ['"$(a "b c")"', ["a", "b c", "$()"]],
    ["$'a b' $\"c d\"", ["a b", "c d"]],
    [`"\${x:-it's}" b`, ["it's", "$x", "b"]],
    ["cat <<X; a\nisn't it\nX\nb", ["cat", "a", "b"]],
    ["cat <<-'E F'\n\tisn't\n\tE F\nb", ["cat", "b"]],
    ["cat <<< 'a b' c", ["cat", "a b", "c"]],
    ["a\u00a0b\fc", ["a\u00a0b\fc"]],
    ["'never ended", ["never ended"]],
    ['"never $(ended', ["ended", "never $()"]],
    ["a\\", ["a"]],
  ];
  it.each(rows)("%j", (line, words) => {
    expect(shellWords(line).map(shown)).toEqual(words);
  });

  it("has escapes in $'…' where that is asked for", () => {
    expect(shellWords("echo $'don\\'t' $'\\x61\\142' c", true).map(shown)).toEqual([
      "echo",
      "don't",
      "ab",
      "c",
    ]);
  });

  it("knows the first word of a default", () => {
    expect(shellWords("${D:-./tools}/x")[1]).toEqual([{ variable: "D", inner: ["./tools"] }, "/x"]);
  });

  it("are read in one pass, and however deep", () => {
    for (const line of ["$(".repeat(50_000), "`".repeat(50_001), "${a-".repeat(50_000), "'\"".repeat(50_000)])
      expect(shellWords(line).length).toBeGreaterThan(0);
  });
});

import { type ShellWord, shellCommands, shellWords } from "@belay/core/shell";
import { describe, expect, it } from "vitest";

/** $NAME for a variable, $() for what a command prints. */
const shown = ({ pieces }: ShellWord) =>
  pieces.map((piece) => (typeof piece === "string" ? piece : `$${piece.variable ?? "()"}`)).join("");

describe("words of a command line", () => {
  const rows: [line: string, words: string[]][] = [
    ["", []],
    ["a  b\tc\nd", ["a", "b", "c", "d"]],
    ["a;b&&c||d|e&f", ["a", "b", "c", "d", "e", "f"]],
    ["(a) { b; } <c >>d 2>&1", ["a", "{", "b", "}", "<", "c", ">", "d", ">", "1"]],
    ["a &>b c; f() { d; }", ["a", ">", "b", "c", "f()", "{", "d", "}"]],
    ["((1 + 1)) && echo $((2 + 2))", ["echo", "$()"]],
    [`'a b'"c d"e\\ f`, ["a bc de f"]],
    [`"" ''`, ["", ""]],
    [`"a\\"\\$\\x"`, ['a"$\\x']],
    ["a\\\nb", ["ab"]],
    ["a # b c\nd", ["a", "d"]],
    ["a#b", ["a#b"]],
    ["$A/x ${B}y $1 $@ $", ["$A/x", "$By", "$1", "$@", "$"]],
    ['"$A"/x', ["$A/x"]],
    ["${A:-./d e}/x", ["$A/x", "./d", "e"]],
    ["${A%/}/x ${#A} ${A##*/}", ["$A/x", "$#A", "$A", "/", "$()/"]],
    ["$(a b)/x `c d`", ["$()/x", "$()", "a", "b", "c", "d"]],
    ['"$(a "b c")"', ["$()", "a", "b c"]],
    ["$'a b' $\"c d\"", ["a b", "c d"]],
    [`"\${x:-it's}" b`, ["$x", "b", "it's"]],
    ["cat <<X; a\nisn't it\nX\nb", ["cat", "a", "b"]],
    ["cat <<-'E F'\n\tisn't\n\tE F\nb", ["cat", "b"]],
    ["cat <<< 'a b' c", ["cat", "a b", "c"]],
    ["a\u00a0b\fc", ["a\u00a0b\fc"]],
    ["'never ended", ["never ended"]],
    ['"never $(ended', ["never $()", "ended"]],
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
    const inner = { pieces: ["./tools"], raw: "./tools" };
    expect(shellWords("${D:-./tools}/x")[0]).toEqual({
      pieces: ["", { variable: "D", isQuoted: false, inner }, "/x"],
      raw: "${D:-./tools}/x",
    });
  });

  it("stand in commands, in the order in which these begin", () => {
    const commands = shellCommands('a b; "$(c | d)" e && ~/f* >g').map((words) =>
      words.map(({ raw }) => raw),
    );
    expect(commands).toEqual([["a", "b"], ['"$(c | d)"', "e"], ["c"], ["d"], ["~/f*", "", "g"]]);
  });

  it("are read in one pass, and however deep", () => {
    for (const line of ["$(".repeat(50_000), "`".repeat(50_001), "${a-".repeat(50_000), "'\"".repeat(50_000)])
      expect(shellWords(line).length).toBeGreaterThan(0);
  });
});

import { certainCommands, HOLE, type ShellWord, shellCommands, shellWords } from "@belay/core/shell";
import { describe, expect, it } from "vitest";

/** $NAME for a variable, $() for what a command prints. */
const shown = ({ pieces }: ShellWord) =>
  pieces.map((piece) => (typeof piece === "string" ? piece : `$${piece.variable ?? "()"}`)).join("");

describe("words of a command line", () => {
  const rows: [line: string, words: string[]][] = [
    ["", []],
    ["a  b\tc\nd", ["a", "b", "c", "d"]],
    ["a;b&&c||d|e&f", ["a", "b", "c", "d", "e", "f"]],
    ["(a) { b; } <c >>d 2>&1 3>e", ["a", "{", "b", "}", "<", "c", ">", "d", ">", "e"]],
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

const CERTAIN: [line: string, commands: string[][]][] = [
  ["git push", [["git", "push"]]],
  ["  git \t push  ", [["git", "push"]]],
  ["", []],
  ["# only words", []],
  ["ls # a; b", [["ls"]]],
  ["ls a#b", [["ls", "a#b"]]],
  ["a 'b c' \"d e\" f\\ g", [["a", "b c", "d e", "f g"]]],
  ["g'i't\"\" ''", [["git", ""]]],
  ['echo "a \\" \\$x \\\\ \\n"', [["echo", 'a " $x \\ \\n']]],
  ["echo '$(rm) `rm` ; | >x'", [["echo", "$(rm) `rm` ; | >x"]]],
  ["a; b && c || d | e & f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]],
  ["a\nb\n\n  c &&\n d\n", [["a"], ["b"], ["c"], ["d"]]],
  ["a;", [["a"]]],
  ["a &", [["a"]]],
  ["ec\\\nho x", [["echo", "x"]]],
  ["make 2>/dev/null", [["make"]]],
  ["make >/dev/null 2>&1 | tail -5", [["make"], ["tail", "-5"]]],
  ["echo a2>/dev/null b", [["echo", "a2", "b"]]],
  ["make 2\\\n>/dev/null", [["make"]]],
  ["make & >/dev/null rm x", [["make"], ["rm", "x"]]],
  ['echo "2">/dev/null', [["echo", "2"]]],
  ["echo oh >&2", [["echo", "oh"]]],
  ["cat </dev/null", [["cat"]]],
  ["ls *.ts src/?x", [["ls", `${HOLE}.ts`, `src/${HOLE}x`]]],
  ["ls ~ ~/x HEAD~1", [["ls", HOLE, `${HOLE}/x`, "HEAD~1"]]],
  ["ls '*' \\* \"?\"", [["ls", "*", "*", "?"]]],
  [
    "[ -f x ] && echo yes",
    [
      ["[", "-f", "x", "]"],
      ["echo", "yes"],
    ],
  ],
  ["sh scripts/test.sh -c", [["sh", "scripts/test.sh", "-c"]]],
  ["git commit -m 'grüße'", [["git", "commit", "-m", "grüße"]]],
  ["find . -name x", [["find", ".", "-name", "x"]]],
];

/** Lines in which shells differ, or that only a running shell can tell. */
const UNCERTAIN = [
  ...'`b`|a `b`|$(b)|a $(b)|a "$(b)"|a "`b`"|$x|a $x|a "$x"|a ${x}|a $\'b\'|a $"b"'.split("|"),
  ...["a <(b)", "a >(b)", "a <<E\nb\nE", "a <<<b", "a > f", "a >> f", "a 2>f", "a < f", "a >| f", "a <> f"],
  ...["a &> f", "a >& f", "a >&3", "a 2>&-", "a > /dev/null/x", "a >/dev/null2", "a > '/dev/null'x"],
  // One shell redirects, another starts a second command, or takes the number for a word.
  ...["a &>/dev/null", "a &>/dev/null b", "a &>>/dev/null b", "a&>/dev/null b", "a 2&>/dev/null", "a &>&1"],
  ...["a &\\\n>/dev/null b", "a &&>/dev/null b", "a &&\\\n>/dev/null b"],
  ...["a 12>/dev/null", "a 12>&1", "a 10</dev/null", "a 1\\\n2>/dev/null", "a 007>>/dev/null b"],
  ...["(a)", "{ a; }", "a() { b; }", "function a { b; }", "{a,b}", "a {b,c}", "a }", "a )", "((a))"],
  ...["if a; then b; fi", "for x in a; do b; done", "while a; do b; done", "case a in b) c;; esac", "! a"],
  ...["time a", "[[ -f a ]]", "select a in b", "coproc a", "until a; do b; done", "a && if b", "a | while b"],
  ...["A=b", "A=b a", "A+=b a", "'A'=b", "a=b/c", "*", "/bin/r? x", "~/bin/a", "[a] b", "''", '"" a'],
  ...["a ~root/y", "a b=~/z", "a b:~", "a ~+", "a [bc]d", "a[b", '[""'],
  ...["'", '"', "a '", 'a "b', "a \\", "a\\\n", "a \\\n \n", "a &&", "a |", "a ||", "; a", "&& a", "| a"],
  ...["a ;; b", "a |& b", "a & ; b", "a &&& b", "é", "a é", "a\u00a0b", "a\rb", "a\u0000b", "a \u001b[2K"],
  `echo ${"x".repeat(70_000)}`,
];

describe("a command line, read with certainty", () => {
  it.each(CERTAIN)("%j", (line, commands) =>
    expect(certainCommands(line)?.map(({ words }) => words)).toEqual(commands),
  );
  it.each(UNCERTAIN)("not %j", (line) => expect(certainCommands(line)).toBeUndefined());

  it("keeps its commands as they are written, harmless redirections included", () => {
    expect(certainCommands(" a  'b c' 2>&1 ; d# \n >/dev/null e")?.map(({ text }) => text)).toEqual([
      "a  'b c' 2>&1",
      "d#",
      "e",
    ]);
  });
});

import { readEnvFile } from "@belay/core/internal";
import { describe, expect, it } from "vitest";

const KNOWN = { HOME: "/home/me", PATH: "/bin" };

const READ: [text: string, assignments: Record<string, string | undefined>][] = [
  ["", {}],
  ["export A=1\n", { A: "1" }],
  ["A='b c'\nexport B=\"d\" C=e", { A: "b c", B: "d", C: "e" }],
  ["# a comment\nexport A=1 # and one\n\n", { A: "1" }],
  ['export PATH="$HOME/bin:$PATH"', { PATH: "/home/me/bin:/bin" }],
  ["export PATH=/a:${PATH}\nexport PATH=/b:$PATH", { PATH: "/b:/a:/bin" }],
  ["export A=~/x B=~ C='~/x'", { A: "/home/me/x", B: "/home/me", C: "~/x" }],
  ["export A=$NOT_THERE-x", { A: "-x" }],
  ['declare -x A="say \\"hi\\""\ndeclare -x OLDPWD\nexport B', { A: 'say "hi"' }],
  ["A=1; export A; export B=2 && export C=3", { A: "1", B: "2", C: "3" }],
  ["export A=$'a\\tb'", { A: "a\tb" }],
  ["export A='two\nlines'", { A: "two\nlines" }],
  ["export A=1\nunset A PATH\nunset -v HOME", { A: undefined, PATH: undefined, HOME: undefined }],
  ["export A=", { A: "" }],
  ["export __proto__=1", { ["__proto__"]: "1" }],
];

/** Nothing of a file is run. */
const UNREAD: [text: string, line: string][] = [
  ["export A=$(date)", "export A=$(date)"],
  ["export A=`date`", "export A=`date`"],
  ["export A=${PATH%%:*}", "export A=${PATH%%:*}"],
  ["export A=${B:-c}", "export A=${B:-c}"],
  ["export A=*.ts", "export A=*.ts"],
  ["source ~/.nvm/nvm.sh", "source ~/.nvm/nvm.sh"],
  ["A=1 make", "A=1 make"],
  ["export 1A=x", "export 1A=x"],
  ["unset -f A", "unset -f A"],
  // No process starts with such a value.
  ["export A=$'a\\x00b'", "export A=$'a\\x00b'"],
];

describe("a file of variables", () => {
  it("that makes a value longer and longer ends at the longest that counts", () => {
    const { assignments, unread } = readEnvFile(`A=xxxx\n${"A=$A$A\n".repeat(1000)}`, KNOWN);
    expect([assignments.get("A")?.length, unread.length]).toEqual([32_768, 987]);
  });

  it.each(READ)("%j", (text, assignments) => {
    const read = readEnvFile(text, KNOWN);
    expect([[...read.assignments], read.unread]).toEqual([Object.entries(assignments), []]);
  });

  it.each(UNREAD)("%j is no plain assignment, and what stands beside it is read", (text, line) => {
    const { assignments, unread } = readEnvFile(`export X=1\n${text}\nexport Y=2\n`, KNOWN);
    expect([[...assignments.keys()], unread]).toEqual([["X", "Y"], [line]]);
  });
});

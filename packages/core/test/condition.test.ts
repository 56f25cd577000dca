import { explain, match, readConfig } from "@belay/core";
import { describe, expect, it } from "vitest";
import { growthOf, LINEAR } from "./growth.ts";

type Event = "PreToolUse" | "PostToolUse" | "Stop";

function hooksOf(ifs: readonly unknown[], event: Event = "PreToolUse", home?: string) {
  const hooks = ifs.map((one, index) => ({ type: "command", command: "true", name: `${index}`, if: one }));
  const text = JSON.stringify({ hooks: { [event]: [{ hooks }] } });
  return readConfig({ file: "s.json", layer: "user", text, ...(home && { home }) });
}

const call = (tool_name: string, tool_input: object) => ({ tool_name, tool_input, cwd: "/home/me/project" });

/** Which of the rules run their hooks. */
function running(rules: readonly string[], payload: Record<string, unknown>): string[] {
  const { hooks } = hooksOf(rules, "PreToolUse", "/home/me");
  return match(hooks, "PreToolUse", payload).map(({ name }) => rules[Number(name)] ?? "");
}

/** What `a ran, and b ran too` are written as in a row. */
const PUSH = "git push *";
const GIT = "git *";
const RM = "rm *";
const EACH = [PUSH, GIT, RM];

/**
 * Measured with Claude Code 2.1.325: which of three hooks, `if` Bash(git push *), Bash(git *) and Bash(rm *), ran for a command.
 * The last column: those that run here as well, because a shell might make such a command of it.
 */
const MEASURED: [command: string, ran: string[], more?: string[]][] = [
  ["git push --force", [PUSH, GIT]],
  ["git push", [PUSH, GIT]],
  ["git pushx", [GIT]],
  ["git", [GIT]],
  ["GIT push", []],
  ["ls", []],
  ["git  push   --force", [PUSH, GIT]],
  ["'git' push", [PUSH, GIT]],
  ["g\\it push", [PUSH, GIT]],
  ["\\rm x", [RM]],
  ["git push \\\n --force", [PUSH, GIT]],
  ["git push origin -- 'x --force'", [PUSH, GIT]],
  ["git -C . push", [GIT]],
  ["/usr/bin/git push", []],
  // Several commands.
  ["ls && git push", [PUSH, GIT]],
  ["echo a | git push", [PUSH, GIT]],
  ["echo a\ngit push", [PUSH, GIT]],
  ["git push &", [PUSH, GIT]],
  ["(git push)", [PUSH, GIT]],
  ["! git push", [PUSH, GIT]],
  ["if git push; then ls; elif rm x; then ls; else ls; fi", EACH],
  ["while true; do git push; break; done", [PUSH, GIT]],
  ["for i in 1 2; do git push --force; done", [PUSH, GIT]],
  ["ls | xargs rm", [RM]],
  ["xargs git push", [PUSH, GIT]],
  ["rm -rf node_modules && npm ci", [RM]],
  // Assignments and redirections.
  ["FOO=1 git push", [PUSH, GIT]],
  ['A="a b" B=2 git push x', [PUSH, GIT]],
  ["FOO=1", []],
  [">o.txt git push", [PUSH, GIT]],
  ["git push > o.txt", [PUSH, GIT]],
  ["git push 2>&1", [PUSH, GIT]],
  ["echo hi > out.txt", []],
  ["cat <<< hi", []],
  // What a program runs is not looked at.
  ["sudo git push", []],
  ["bash -c 'git push'", []],
  ["timeout 5 git push", []],
  ["env FOO=1 git push", []],
  ["nohup git push", []],
  ["xargs -n1 git push", []],
  ['echo "git push"', []],
  ["# git push", []],
  ["ls; # rm x", []],
  ["awk '{print $1}' a", []],
  ["find . -name x -exec ls {} \\;", []],
  ["[[ -f x ]] && ls", []],
  ["ls *.ts ~", []],
  ["echo 'héllo' ~root a#b", []],
  // A rule that names more than a program runs on what only the shell knows.
  ["echo $X", [PUSH]],
  ["echo $?", [PUSH]],
  ["echo `date`", [PUSH]],
  ['echo "$(ls)"', [PUSH]],
  ["echo $(git push)", [PUSH, GIT]],
  ["rm -rf x; ls $HOME", [RM]],
  ['echo "$HOME"', []],
  ["echo '$X'", []],
  ["echo $((1+1))", []],
  ["X=1; echo $X", [], [PUSH]],
  ['echo "a $(ls) b"', [], [PUSH]],
  ["git commit -m \"$(cat <<'E'\nmsg\nE\n)\"", [GIT], [PUSH]],
  // Every rule runs where the commands of a line cannot be told.
  ['echo "$X"', EACH],
  ["echo ${X}", EACH],
  ["$CMD push", EACH],
  ["FOO=$X git status", EACH],
  ["{ git push; }", EACH],
  ["f() { git push; }; f", EACH],
  ["function f { ls; }", EACH],
  ["case x in x) ls;; esac", EACH],
  ["select x in a; do ls; done", EACH],
  ["cat <<E\nls\nE", EACH],
  ["cat <<'E'\n$X\nE", []],
  ["echo <(ls)", EACH],
  ["echo a{b,c}", EACH],
  ["echo {}", []],
  ["a=(1 2)", EACH],
  ["echo $'a'", EACH],
  ["echo $((X+1))", EACH],
  ["((1+1))", EACH],
  ['ls "a', EACH],
  ["ls )", EACH],
  ["ls 'a", [], EACH],
];

/** Not measured. bash reads `time` and `coproc` as keywords, and a here-string may stand before a program. */
const UNMEASURED: typeof MEASURED = [
  ["a[0]=1 git push", [PUSH, GIT]],
  ["a[1+1]+=2 git push", [PUSH, GIT]],
  ["<<<x git push", EACH],
  ["time -p git push", EACH],
  ["coproc git push", EACH],
];

describe("if for Bash", () => {
  it.each([...MEASURED, ...UNMEASURED])("%j", (command, ran, more = []) => {
    const rules = EACH.map((pattern) => `Bash(${pattern})`);
    const expected = new Set([...ran, ...more].map((pattern) => `Bash(${pattern})`));
    expect(running(rules, call("Bash", { command }))).toEqual(rules.filter((rule) => expected.has(rule)));
  });

  it.each<[pattern: string, yes: string[], no: string[]]>([
    [
      "git push *--force*",
      ["git push --force", "git push origin main --force-with-lease"],
      ["git push", "git pull --force"],
    ],
    ["git push:*", ["git push", "git push -f"], ["git pushx"]],
    ["git push*", ["git push", "git pushx"], ["git pull"]],
    ["npm test", ["npm test", "npm  'test'"], ["npm test -- -u", "npm"]],
    ["*--force", ["rm --force", "sudo git push --force"], ["rm --force x"]],
    ['git commit -m "wip*', ['git commit -m "wip: a"'], ['git commit -m "done"']],
    ["echo \\*", ["echo \\*"], ["echo a"]],
    ["*", ["ls", ""], []],
  ])("%s", (pattern, yes, no) => {
    const fits = (command: string) => running([`Bash(${pattern})`], call("Bash", { command })).length > 0;
    expect([yes.filter((command) => !fits(command)), no.filter(fits)]).toEqual([[], []]);
  });

  it("is not slow with a pattern of a megabyte, as a project that nobody trusts may have it", () => {
    const hooks = ["a", "b"].flatMap((end) => hooksOf([`Bash(${"*a".repeat(500_000)}${end})`]).hooks);
    const started = performance.now();
    expect(match(hooks, "PreToolUse", call("Bash", { command: "a".repeat(4000) })).length).toBe(0);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("takes a time that grows with the line, and no faster", () => {
    const { hooks } = hooksOf(["Bash(*a*a*a*a*b*)"]);
    const time = growthOf("a ".repeat(2000), (command) =>
      match(hooks, "PreToolUse", call("Bash", { command })),
    );
    expect(time).toBeLessThan(LINEAR);
  });
});

/** The same way for paths, of Claude Code in /home/me/project. */
const FILES = ["src/a.ts", "src/deep/b.ts", "a.ts", ".env", "/home/me/x/z.md", "/tmp/other/src/z.ts"];
const PATHS: [pattern: string, ran: string[]][] = [
  ["*", FILES],
  ["**", FILES],
  ["*.ts", ["src/a.ts", "src/deep/b.ts", "a.ts", "/tmp/other/src/z.ts"]],
  ["./*.ts", ["src/a.ts", "src/deep/b.ts", "a.ts", "/tmp/other/src/z.ts"]],
  ["a.ts", ["src/a.ts", "a.ts"]],
  ["/a.ts", ["a.ts"]],
  ["src/**", ["src/a.ts", "src/deep/b.ts"]],
  ["./src/**", ["src/a.ts", "src/deep/b.ts"]],
  ["/src/**", ["src/a.ts", "src/deep/b.ts"]],
  ["SRC/**", ["src/a.ts", "src/deep/b.ts"]],
  ["src/*", ["src/a.ts", "src/deep/b.ts"]],
  ["src/", ["src/a.ts", "src/deep/b.ts", "/tmp/other/src/z.ts"]],
  ["src/deep/", ["src/deep/b.ts"]],
  ["**/src/**", ["src/a.ts", "src/deep/b.ts"]],
  ["src/**/b.ts", ["src/deep/b.ts"]],
  ["**/b.ts", ["src/deep/b.ts"]],
  ["deep", ["src/deep/b.ts"]],
  ["deep/**", []],
  ["**/deep/*", ["src/deep/b.ts"]],
  ["src/[ab].ts", ["src/a.ts"]],
  ["src/[!ab].ts", []],
  ["src/?.ts", ["src/a.ts"]],
  [".env", [".env"]],
  ["*.env*", [".env"]],
  ["~/x/**", ["/home/me/x/z.md"]],
  ["~/**", ["src/a.ts", "src/deep/b.ts", "a.ts", ".env", "/home/me/x/z.md"]],
  ["//tmp/**", ["/tmp/other/src/z.ts"]],
  ["/tmp/**", ["/tmp/other/src/z.ts"]], // the root, as in permission rules
];

describe("if for files", () => {
  it.each(PATHS)("%s", (pattern, ran) => {
    const fits = (file: string) =>
      [file, file.startsWith("/") ? file : `/home/me/project/${file}`].map(
        (file_path) => running([`Write(${pattern})`], call("Write", { file_path })).length > 0,
      );
    expect(FILES.map((file) => [file, fits(file)])).toEqual(
      FILES.map((file) => [file, [ran.includes(file), ran.includes(file)]]),
    );
  });

  it("reads a path of Windows", () => {
    const payload = { ...call("Edit", { file_path: "C:\\project\\src\\a.ts" }), cwd: "C:\\project" };
    expect(running(["Edit(src/**)", "Edit(*.ts)", "Edit(deep/**)"], payload)).toEqual([
      "Edit(src/**)",
      "Edit(*.ts)",
    ]);
  });

  it("without a home, a pattern from there fits below any folder", () => {
    const fires = (file_path: string) =>
      match(hooksOf(["Read(~/.ssh/**)"]).hooks, "PreToolUse", call("Read", { file_path }));
    expect([fires("/root/.ssh/id"), fires("/root/.sh/id")].map(({ length }) => length)).toEqual([1, 0]);
  });

  it("takes a time that grows with the path, and no faster", () => {
    const { hooks } = hooksOf(["Edit(**/a*a*a*/**/*a*a*a*b)"]);
    const time = growthOf("a/".repeat(1000), (file_path) =>
      match(hooks, "PreToolUse", call("Edit", { file_path })),
    );
    expect(time).toBeLessThan(LINEAR);
  });
});

describe("if for other tools", () => {
  it.each<[rule: string, tool: string, input: object, runs: boolean]>([
    ["Edit", "Edit", {}, true],
    ["Edit", "Write", {}, false],
    ["Edit(src/**)", "Write", { file_path: "src/a.ts" }, false],
    ["Task", "Agent", {}, true],
    ["mcp__github", "mcp__github__push", {}, true],
    ["mcp__github", "mcp__git__push", {}, false],
    ["mcp__github__push", "mcp__github__push", {}, true],
    ["Glob(**/*.ts)", "Glob", { pattern: "**/*.ts" }, true],
    ["Grep(parse)", "Grep", { pattern: "parse" }, true],
    ["Grep(src/**)", "Grep", { pattern: "parse", path: "src/deep" }, true],
    ["Grep(src/**)", "Grep", { pattern: "parse" }, false],
    // Nothing to hold the pattern against.
    ["Edit(src/**)", "Edit", {}, true],
    ["Edit(src/**)", "Edit", { file_path: 7 }, true],
    ["Bash(git *)", "Bash", { command: ["ls"] }, true],
  ])("%s, %s %j: %j", (rule, tool, input, runs) => {
    expect(running([rule], call(tool, input)).length > 0).toBe(runs);
  });

  it.each([{}, { tool_name: 7 }, { tool_name: "Bash" }, { tool_name: "Bash", tool_input: "ls" }])(
    "a payload that does not tell: %j",
    (payload) => {
      expect(running(["Bash(git *)"], payload)).toEqual(["Bash(git *)"]);
    },
  );
});

describe("an if that cannot be tested", () => {
  /** Claude Code runs none of these hooks, and for the last three none of the file. */
  const BAD: [value: unknown, detail: string][] = [
    ["git push *", "expected Tool or Tool(pattern)"],
    ["Bash(git push", "the closing parenthesis is missing"],
    ["Bash(git *) && Bash(rm *)", "it holds several rules: write one hook for each"],
    ["Bash(git *)|Bash(rm *)", "it holds several rules: write one hook for each"],
    ["*", "`*` names no tool"],
    ["Todo*", "expected Tool or Tool(pattern)"],
    ["Edit(!src/**)", "a pattern cannot say not"],
    ["Edit(*.{ts,js})", "braces are letters in it: write one hook for each"],
    ["WebFetch(domain:example.com)", "no pattern for WebFetch can be tested; name the tool alone"],
    [["Bash(git *)"], "expected one rule, as a string"],
    [7, "expected one rule, as a string"],
    [null, "expected one rule, as a string"],
  ];

  it.each(BAD)("%j runs its hook, and is said", (value, detail) => {
    const { hooks, problems } = hooksOf([value]);
    expect(match(hooks, "PreToolUse", call("Bash", { command: "ls" }))).toHaveLength(1);
    expect(problems).toMatchObject([
      { code: "config-bad-if", message: expect.stringContaining(`: ${detail};`) },
    ]);
  });

  it.each(["", undefined])("%j is none", (value) => {
    const { hooks, problems } = hooksOf([value]);
    expect([hooks[0]?.condition, problems]).toEqual([undefined, []]);
  });

  it("on an event that is not about a tool, its hook never runs", () => {
    const { hooks, problems } = hooksOf(["Bash(git *)"], "Stop");
    expect(match(hooks, "Stop", call("Bash", { command: "git push" }))).toEqual([]);
    expect(problems.map(({ code }) => code)).toEqual(["config-if-never"]);
  });
});

it("explain says what an if decided", () => {
  const said = (ifs: readonly unknown[], event: Event = "PreToolUse") =>
    explain(hooksOf(ifs, event).hooks, event, call("Bash", { command: "git push" })).map(
      ({ because, fires, explanation }) => [because, fires, explanation],
    );
  expect(said(["Bash(git *)", "Bash(rm *)", "rm *"])).toEqual([
    ["fires", true, 'no matcher: every time; if "Bash(git *)" fits'],
    ["if", false, 'its matcher fits, and if "Bash(rm *)" does not fit this call of Bash'],
    [
      "fires",
      true,
      'no matcher: every time; its if "rm *" cannot be tested (expected Tool or Tool(pattern)), so it runs',
    ],
  ]);
  expect(said(["Bash"], "Stop")).toEqual([
    ["if", false, "it has an if, which is about the call of a tool: on Stop it never runs"],
  ]);
});

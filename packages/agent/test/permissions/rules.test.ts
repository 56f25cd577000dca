import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { judge, type RuleSet, type Ruling } from "../../src/permissions/rules.ts";
import { toolNamed } from "../tools/scratch.ts";
import { rulesOf, type Scratch, scratch } from "./scratch.ts";

type Lists = Partial<Record<keyof RuleSet, string[]>>;

function ruled(
  lists: Lists,
  name: string,
  input: Record<string, unknown>,
  place: Scratch,
): Ruling | undefined {
  return judge(rulesOf(lists), { tool: toolNamed(name), input, cwd: place.cwd, home: place.home });
}

/** "deny", "ask rule", "ask unreadable", "allow", "unread" or "none". */
function word(ruling: Ruling | undefined): string {
  if (ruling === undefined) return "none";
  return ruling.kind === "ask" ? `ask ${ruling.by}` : ruling.kind;
}

const COMMANDS: [lists: Lists, command: string, ruling: string][] = [
  [{}, "ls", "none"],
  [{ allow: ["Bash"] }, "ls", "allow"],
  [{ allow: ["*"] }, "ls", "allow"],
  [{ allow: ["Read"] }, "ls", "none"],
  [{ allow: ["bash"] }, "ls", "none"],
  // Patterns.
  [{ allow: ["Bash(npm test)"] }, "npm test", "allow"],
  [{ allow: ["Bash(npm test)"] }, "npm  'test'", "allow"],
  [{ allow: ["Bash(npm test)"] }, "npm test --x", "none"],
  [{ allow: ["Bash(npm test)"] }, "'npm test'", "none"],
  [{ allow: ["Bash(npm test)"] }, "NPM test", "none"],
  [{ allow: ["Bash(npm test)"] }, "./npm test", "none"],
  [{ allow: ["Bash(git push *)"] }, "git push", "allow"],
  [{ allow: ["Bash(git push *)"] }, "git push origin main", "allow"],
  [{ allow: ["Bash(git push *)"] }, "git pushy", "none"],
  [{ allow: ["Bash(git:*)"] }, "git", "allow"],
  [{ allow: ["Bash(git:*)"] }, "git push", "allow"],
  [{ allow: ["Bash(git:*)"] }, "gitk", "none"],
  [{ allow: ["Bash(git*)"] }, "gitk", "allow"],
  [{ allow: ["Bash(git * main)"] }, "git push origin main", "allow"],
  [{ allow: ["Bash(git * main)"] }, "git push 'origin main'", "none"],
  [{ allow: ["Bash(*)"] }, "a $(b)", "allow"],
  // Every command in the line.
  [{ allow: ["Bash(git status)"] }, "git status && rm -rf x", "none"],
  [{ allow: ["Bash(git status)", "Bash(rm *)"] }, "git status && rm -rf x", "allow"],
  [{ allow: ["Bash(git *)"] }, "git status; git log | git apply", "allow"],
  [{ allow: ["Bash(git *)"] }, "git status\nrm x", "none"],
  [{ allow: ["Bash(git *)"] }, "git status # && rm x", "allow"],
  [{ allow: ["Bash(echo *)"] }, "echo 'a; rm x'", "allow"],
  [{ allow: ["Bash(make *)"] }, "make test >/dev/null 2>&1", "allow"],
  // What cannot be read.
  [{ allow: ["Bash(echo *)"] }, "echo x &>/dev/null touch y", "unread"],
  [{ allow: ["Bash(touch *)"] }, "touch 12>/dev/null", "unread"],
  [{ allow: ["Bash(echo *)"] }, "echo $(rm x)", "unread"],
  [{ allow: ["Bash(echo *)"] }, "echo `rm x`", "unread"],
  [{ allow: ["Bash(echo *)"] }, "echo x > y", "unread"],
  [{ allow: ["Bash(echo *)"] }, 'echo "$x"', "unread"],
  [{ allow: ["Bash(env *)"] }, "env rm x", "unread"],
  [{ allow: ["Bash(echo $\\(rm x\\))"] }, "echo $(rm x)", "unread"],
  [{ allow: ["Bash"] }, "echo $(rm x)", "allow"],
  [{}, "echo $(rm x)", "none"],
  // What the shell fills in.
  [{ allow: ["Bash(ls *)"] }, "ls *.ts", "allow"],
  [{ allow: ["Bash(ls *.ts)"] }, "ls src/*.ts", "allow"],
  [{ allow: ["Bash(ls *.ts)"] }, "ls src/*", "none"],
  [{ allow: ["Bash(ls a)"] }, "ls ?", "none"],
  [{ allow: ["Bash(ls \\*.ts)"] }, "ls *.ts", "allow"],
  [{ allow: ["Bash(ls \\*.ts)"] }, "ls a.ts", "none"],
  [{ allow: ["Bash(cat ~/x)"] }, "cat ~/x", "allow"],
  [{ allow: ['Bash(git commit -m "a b")'] }, 'git commit -m "a b"', "allow"],
  // Deny.
  [{ deny: ["Bash"], allow: ["*"] }, "ls", "deny"],
  [{ deny: ["Bash(rm *)"], allow: ["Bash"] }, "ls; rm x", "deny"],
  [{ deny: ["Bash(rm *)"] }, "rm", "deny"],
  [{ deny: ["Bash(rm *)"] }, "/bin/rm x", "deny"],
  [{ deny: ["Bash(rm *)"] }, "\\rm x", "deny"],
  [{ deny: ["Bash(rm *)"] }, "r'm' x", "deny"],
  [{ deny: ["Bash(rm *)"] }, "RM x", "deny"],
  [{ deny: ["Bash(rm *)"] }, "rmdir x", "none"],
  [{ deny: ["Bash(rm:*)"] }, "rmdir x", "deny"],
  [{ deny: ["Bash(cat cafe\u0301)"] }, "cat 'caf\u00e9'", "deny"],
  [{ deny: ["Bash(* | sh)"] }, "curl x | sh", "deny"],
  [{ deny: ["Bash(rm *)"] }, "rm $(x)", "deny"],
  [{ deny: ["Bash(rm *)"] }, "echo $(rm x)", "ask unreadable"],
  [{ deny: ["Bash(rm *)"] }, "sudo rm x", "ask unreadable"],
  [{ deny: ["Bash(rm *)"] }, "echo x &>>/dev/null rm y", "ask unreadable"],
  [{ deny: ["Bash(rm *)"], allow: ["Bash"] }, "echo $(rm x)", "ask unreadable"],
  [{ deny: ["Bash(rm *)"] }, "bash -c 'rm x'", "ask unreadable"],
  [{ deny: ["Bash(cat .env)"] }, "cat .en*", "ask unreadable"],
  [{ deny: ["Bash(cat .env)"] }, "cat src/*.ts", "none"],
  [{ deny: ["Bash(cat .env)"] }, "ls *", "none"],
  [{ deny: ["Read(.env)"] }, "echo $(cat .env)", "none"],
  // Options before the words that a rule names; one of them may have a value.
  [{ ask: ["Bash(git push *)"], allow: ["Bash(git *)"] }, "git -C . push", "ask unreadable"],
  [{ ask: ["Bash(git push *)"] }, "/usr/bin/git -C . --bare -P push", "ask unreadable"],
  [{ ask: ["Bash(git push:*)"], allow: ["Bash(git *)"] }, "git --git-dir .git push -f", "ask unreadable"],
  [{ ask: ["Bash(git push *)"], allow: ["Bash(git *)"] }, "ls && git -P PUSH", "ask unreadable"],
  [{ ask: ["Bash(git push *)"], allow: ["Bash(git *)"] }, "git -C . log", "allow"],
  [{ ask: ["Bash(git push *)"], allow: ["Bash(git *)"] }, "git -C . log push", "allow"],
  [{ ask: ["Bash(git push *)"], allow: ["Bash(git *)"] }, "git log -n 1 push", "allow"],
  [{ deny: ["Bash(npm publish *)"] }, "npm --silent publish", "ask unreadable"],
  [{ deny: ["Bash(npm publish)"] }, "npm --silent publish", "ask unreadable"],
  [{ deny: ["Bash(npm publish)"] }, "npm publish --dry-run", "none"],
  [{ deny: ["Bash(cargo publish *)"] }, "cargo +nightly publish", "ask unreadable"],
  [{ deny: ["Bash(docker compose down *)"] }, "docker compose -f x.yaml down", "ask unreadable"],
  [{ deny: ["Bash(curl http*)"] }, "curl -s http://x", "ask unreadable"],
  [{ deny: ["Bash(curl http*)"] }, "curl -s ftp://x", "none"],
  [{ deny: ["Bash(curl http*)"] }, `curl${" -s".repeat(20_000)} ftp://x`, "ask unreadable"], // too many to tell
  [{ deny: ["Bash(cat .env)"] }, "cat -n .env", "ask unreadable"],
  [{ deny: ["Bash(cat .env)"] }, "cat a .env", "none"],
  [{ deny: ["Bash(rm -rf *)"] }, "rm -v -rf x", "ask unreadable"],
  [{ allow: ["Bash(git push *)"] }, "git -C . push", "none"],
  // Ask, and the order.
  [{ ask: ["Bash(git push *)"], allow: ["Bash"] }, "git push", "ask rule"],
  [{ ask: ["Bash(git push *)"], allow: ["Bash"] }, "x && git push", "ask rule"],
  [{ ask: ["Bash(git push *)"], allow: ["Bash"] }, "$x", "ask unreadable"],
  [{ ask: ["*"], deny: ["Bash(rm *)"] }, "rm x", "deny"],
  [{ ask: ["*"] }, "rm x", "ask rule"],
];

const FILES: [lists: Lists, tool: string, path: string, ruling: string][] = [
  [{ allow: ["Write(src/**)"] }, "Write", "src/a.ts", "allow"],
  [{ allow: ["Write(src/**)"] }, "Write", "./src/b/c/.d", "allow"],
  [{ allow: ["Write(src/**)"] }, "Write", "{cwd}/src/a", "allow"],
  [{ allow: ["Write(./src/)"] }, "Write", "src/a", "allow"],
  [{ allow: ["Write(src/**)"] }, "Edit", "src/a", "none"],
  [{ allow: ["Write(src/**)"] }, "Write", "other/a", "none"],
  [{ allow: ["Write(src/*)"] }, "Write", "src/a/b", "none"],
  [{ allow: ["Write(src)"] }, "Write", "src/a", "none"],
  [{ allow: ["Write(Src/**)"] }, "Write", "src/a", "none"],
  [{ allow: ["Write(.)"] }, "Write", "a/b", "allow"],
  [{ allow: ["Write(src/\\[a\\])"] }, "Write", "src/[a]", "allow"],
  [{ allow: ["Write(src/{a,b}.ts)"] }, "Write", "src/b.ts", "allow"],
  [{ allow: ["Write(src/**)"] }, "Write", "src/../../etc/x", "none"],
  [{ allow: ["Write(src/**)"] }, "Write", "src/../x", "none"],
  [{ allow: ["Write(src/**)"] }, "Write", "src/out/x", "none"], // a link that leads out
  [{ allow: ["Write(src/**)"] }, "Write", "src/dangling", "none"], // a link to what is not there yet
  [{ allow: ["Write(src/**)"] }, "Write", "src/loop", "none"],
  [{ allow: ["Write(src/**)"] }, "Write", "src/out/../x", "none"], // by its letters inside, by its folders not
  [{ allow: ["Write(src/**)"] }, "Write", "src/in/x", "allow"], // a link that stays inside
  [{ allow: ["Write(../notes/**)"] }, "Write", "../notes/a", "allow"],
  [{ allow: ["Write(..)"] }, "Write", "../notes/a", "allow"],
  [{ allow: ["Write(~/notes/**)"] }, "Write", "{home}/notes/a", "allow"],
  [{ allow: ["Write(//**)"] }, "Write", "/etc/x", "allow"],
  [{ allow: ["Write(/etc/*)"] }, "Write", "/etc/x", "allow"],
  [{ allow: ["Write(/**)"] }, "Write", "src/a", "allow"],
  [{ allow: ["Write(**)"] }, "Write", "/etc/x", "none"],
  [{ allow: ["Write(src/a)"] }, "Write", "~/a", "none"],
  [{ allow: ["Write(*)"] }, "Write", "/etc/x", "allow"],
  // Restrictions.
  [{ deny: ["Read(.env)"] }, "Read", ".env", "deny"],
  [{ deny: ["Read(.env)"] }, "Read", "src/../.env", "deny"],
  [{ deny: ["Read(.env)"] }, "Read", "{cwd}/.env", "deny"],
  [{ deny: ["Read(.env)"] }, "Read", ".ENV", "deny"],
  [{ deny: ["Read(.env)"] }, "Read", "src/.env", "none"],
  [{ deny: ["Read(**/.env)"] }, "Read", "src/.env", "deny"],
  [{ deny: ["Read(secrets)"] }, "Read", "secrets/a/b", "deny"],
  [{ deny: ["Read(secrets/**)"] }, "Read", "secrets", "deny"],
  [{ deny: ["Read(../outside/**)"] }, "Read", "src/out/x", "deny"], // where the link leads
  [{ deny: ["Read(src/out/**)"] }, "Read", "src/out/x", "deny"], // as it is written
  [{ deny: ["Read(~/.ssh/**)"] }, "Read", "~/.ssh/id", "deny"],
  [{ deny: ["Read(src/loop)"] }, "Read", "src/loop/x", "deny"],
  [{ deny: ["Read(other)"] }, "Read", "src/loop/x", "ask unreadable"],
  [{ deny: ["Read(*)"] }, "Read", "/etc/x", "deny"],
  // An accent is one letter or two: no restriction depends on it, and an allow takes it as it stands.
  [{ deny: ["Read(cafe\u0301.txt)"] }, "Read", "cafe\u0301.txt", "deny"],
  [{ deny: ["Read(cafe\u0301.txt)"] }, "Read", "caf\u00e9.txt", "deny"],
  [{ deny: ["Read(caf\u00e9.txt)"] }, "Read", "cafe\u0301.txt", "deny"],
  [{ deny: ["Read(cafe\u0301/**)"] }, "Read", "cafe\u0301/x", "deny"],
  [{ deny: ["Read(caf?.txt)"] }, "Read", "cafe\u0301.txt", "deny"],
  [{ deny: ["Read(cafe?.txt)"] }, "Read", "cafe\u0301.txt", "deny"],
  [{ allow: ["Write(cafe\u0301.txt)"] }, "Write", "cafe\u0301.txt", "allow"],
  [{ allow: ["Write(cafe\u0301.txt)"] }, "Write", "caf\u00e9.txt", "none"],
  [{ ask: ["Write(src/**)"], allow: ["Write"] }, "Write", "src/a", "ask rule"],
  [{ deny: ["Write(src/*a*a*a*a*a*a*a*a*a*b)"] }, "Write", `src/${"a".repeat(2000)}`, "deny"], // takes too long to tell
  [{ allow: ["Write(src/*a*a*a*a*a*a*a*a*a*b)"] }, "Write", `src/${"a".repeat(2000)}`, "none"],
];

const SEARCHES: [lists: Lists, path: string | undefined, ruling: string][] = [
  [{ deny: ["Grep(secrets/**)"] }, "secrets", "deny"],
  [{ deny: ["Grep(secrets/**)"] }, undefined, "ask unreadable"], // the search would come by there
  [{ deny: ["Grep(secrets/**)"] }, "src", "none"],
  [{ allow: ["Grep(src/**)"] }, "src", "allow"],
  [{ allow: ["Grep(src/**)"] }, undefined, "none"],
  [{ allow: ["Grep(**)"] }, undefined, "allow"],
  [{ deny: ["Grep(SRC/CAFE\u0301/**)"] }, "src", "ask unreadable"],
  [{ deny: ["Grep(nowhere/**)"] }, undefined, "none"], // there is no such folder to come by
  // What may not be read.
  [{ deny: ["Read(./.env)"] }, ".env", "deny"],
  [{ deny: ["Read(./.env)"], allow: ["Grep"] }, ".env", "deny"],
  [{ deny: ["Read(./.env)"] }, undefined, "ask unreadable"],
  [{ deny: ["Read(./.env)"] }, "src", "none"],
  [{ deny: ["Read(**/.env)"] }, "src/in", "none"],
  [{ deny: ["Read(**/*.pem)"] }, "src", "ask unreadable"],
  [{ deny: ["Read(**/*.pem)"] }, "src/deep", "ask unreadable"],
  [{ deny: ["Read(**/*.pem)"] }, "secrets", "none"],
  [{ deny: ["Read(**/*.pem)"] }, "src/in", "ask unreadable"], // where the link leads
  [{ deny: ["Read"] }, "src", "deny"],
  [{ ask: ["Read(secrets/**)"] }, "secrets", "ask rule"],
  [{ allow: ["Read(src/**)"] }, "src", "none"],
  [{ deny: ["Write(./.env)"] }, ".env", "none"],
];

const GLOBS: [lists: Lists, pattern: string, ruling: string][] = [
  [{ deny: ["Read(secrets/**)"] }, "secrets/**", "deny"],
  [{ ask: ["Read(secrets/**)"] }, "secrets/*.pem", "ask rule"],
  [{ deny: ["Read(secrets/**)"] }, "src/**", "none"],
  [{ deny: ["Read(secrets/**)"] }, "**", "none"], // the names are left out
  [{ deny: ["Glob(secrets/**)"] }, "**", "ask unreadable"],
];

/** src/out leads out of the project, src/in stays in it, src/dangling leads to what is not there, src/loop to itself. */
function withLinks(): Scratch {
  const place = scratch();
  for (const folder of ["src/deep", "secrets"]) mkdirSync(join(place.cwd, folder), { recursive: true });
  mkdirSync(join(place.root, "outside/deep"), { recursive: true });
  symlinkSync(join(place.root, "outside"), join(place.cwd, "src/out"));
  symlinkSync("deep", join(place.cwd, "src/in"));
  symlinkSync("../../outside/new", join(place.cwd, "src/dangling"));
  symlinkSync("loop", join(place.cwd, "src/loop"));
  for (const file of [".env", "src/deep/key.pem", "src/caf\u00e9/x"]) place.write(`project/${file}`, "");
  return place;
}

describe("rules", () => {
  test.each(COMMANDS)("%j on the command %j: %s", (lists, command, expected) => {
    expect(word(ruled(lists, "Bash", { command }, scratch()))).toBe(expected);
  });

  test.each(FILES)("%j on %s %j: %s", (lists, tool, path, expected) => {
    const place = withLinks();
    const file_path = path.replace("{cwd}", place.cwd).replace("{home}", place.home);
    expect(word(ruled(lists, tool, { file_path, content: "" }, place))).toBe(expected);
  });

  test.each(SEARCHES)("%j on a search in %j: %s", (lists, path, expected) => {
    const input = { pattern: "x", ...(path !== undefined && { path }) };
    expect(word(ruled(lists, "Grep", input, withLinks()))).toBe(expected);
  });

  test.each(GLOBS)("%j on a glob %j: %s", (lists, pattern, expected) => {
    expect(word(ruled(lists, "Glob", { pattern }, withLinks()))).toBe(expected);
  });

  test("a working folder reached by a link, and one with odd letters", () => {
    const place = scratch();
    symlinkSync(place.cwd, join(place.root, "link"));
    const odd = join(place.root, "a[b]{c} (d)");
    mkdirSync(odd);
    for (const cwd of [join(place.root, "link"), odd]) {
      const input = { file_path: "src/a", content: "" };
      expect(word(ruled({ allow: ["Write(src/**)"] }, "Write", input, { ...place, cwd }))).toBe("allow");
    }
  });

  test("reasons name the rule and its place", () => {
    const place = scratch();
    const said = (lists: Lists, command: string) => ruled(lists, "Bash", { command }, place);
    expect(said({ deny: ["Read", "Bash(rm *)"] }, "rm x")).toMatchObject({
      reason: "the rule Bash(rm *) in s.json:2 denies it",
    });
    expect(said({ ask: ["Bash(rm *)"] }, "rm x")).toMatchObject({
      reason: "the rule Bash(rm *) in s.json:1 asks",
    });
    expect(said({ deny: ["Bash(rm *)"] }, "$x")).toMatchObject({
      reason: "it cannot be told whether the rule Bash(rm *) in s.json:1 is about it",
    });
  });
});

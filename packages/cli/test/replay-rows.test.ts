import type { EventRecord } from "@belay/core";
import { describe, expect, it } from "vitest";
import { width } from "../src/render/text.ts";
import { bash, command, GUARD, recorded, took } from "./recorded.ts";

const rewrite = (input: object, event = "PreToolUse") => ({
  type: "json",
  name: "rewrites",
  json: { hookSpecificOutput: { hookEventName: event, permissionDecision: "allow", updatedInput: input } },
});

async function rows(before: object, after: object, columns: number | undefined, args: string[] = []) {
  const room = await recorded(before);
  const config = room.config(after, "new.json");
  const env = { COLUMNS: columns === undefined ? undefined : String(columns) };
  const { stdout } = await room.belay(["replay", "--rerun", "--config", config, ...args], { env });
  return stdout
    .split("\n\n")[0]
    ?.split("\n")
    .map((line) => line.replaceAll(/ {2,}/g, "  ").replace(/^[\d:]{8} {2}/, "")) as string[];
}

describe("a row of belay replay", () => {
  it("says which call it was", async () => {
    expect(await rows(bash(GUARD), bash(command("never", "echo never >&2; exit 2")), undefined)).toEqual([
      "PreToolUse  Bash  ls  newly denied: go on → deny  never  never",
      "PreToolUse  Bash  rm -rf /  reason changed  never  never",
      "PreToolUse  Bash  git push  newly denied: go on → deny  never  never",
    ]);
  });

  const REWRITES: [name: string, before: object, after: object, row: RegExp][] = [
    [
      "gone",
      rewrite({ command: "ls -l" }),
      command("none", "true"),
      /no longer allowed, rewrite changed: allow → go on \(loosened\) {2}rewrites {2}rewrite gone, it was: ls -l$/,
    ],
    [
      "another",
      rewrite({ command: "ls -l" }),
      rewrite({ command: "ls -a\u001b[2J", timeout: 5 }),
      /rewrite changed {2}rewrites {2}rewrite: ls -l → ls -a\\u001b\[2J timeout: 5$/,
    ],
    [
      "new",
      {
        ...rewrite({}),
        json: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } },
      },
      rewrite({ command: "ls -l" }),
      /rewrite changed {2}rewrites {2}new rewrite: ls -l$/,
    ],
  ];
  it.each(REWRITES)("says what became of a rewrite: %s", async (_, before, after, row) => {
    const [first = ""] = await rows(bash(before), bash(after), undefined, ["--limit", "4"]);
    expect(first).toMatch(row);
    expect(first).not.toContain("\u001b");
  });

  const context = (name: string, text: string) => ({
    type: "json",
    name,
    json: { hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: text } },
  });
  const CRASH = command("crash", "echo boom >&2; echo more >&2; exit 1");
  const SUBJECTS: [what: string, before: object[], after: object[], nth: number, row: RegExp][] = [
    ["of a fault, and why", [GUARD], [GUARD, CRASH], 0, /fault {2}crash {2}no answer: exited with 1: boom$/],
    [
      "of a fault beside a refusal",
      [GUARD],
      [GUARD, CRASH],
      1,
      /fault {2}crash {2}no answer: exited with 1: boom$/,
    ],
    [
      "of a fault that let something through",
      [GUARD],
      [{ ...CRASH, name: "guard" }],
      1,
      /deny → go on \(loosened\) {2}guard {2}no answer: exited with 1: boom; not that$/,
    ],
    [
      "of a fault where another refuses",
      [command("none", "true")],
      [GUARD, CRASH],
      1,
      /newly denied, fault: go on → deny {2}guard {2}no answer of crash: exited with 1: boom; not that$/,
    ],
    [
      "of a script that is gone, its words once",
      [GUARD],
      [command("guard", "sh gone.sh")],
      0,
      /go on → deny {2}guard {2}no answer: exited with 2: \S+: (?!.*; ).*gone\.sh/,
    ],
    ["of a new context", [GUARD], [GUARD, context("tells", "hi")], 0, /tells {2}new context: hi$/],
    ["of a context that is gone", [context("told", "hi")], [GUARD], 0, /told {2}context gone, it was: hi$/],
  ];
  it.each(SUBJECTS)("names the hook %s", async (_, before, after, nth, row) => {
    const all = await rows(bash(...before), bash(...after), undefined);
    expect(all[nth]).toMatch(row);
  });

  it("keeps the call and what loosened in 60 columns, and leaves out where a hook without a name is configured", async () => {
    const { name: _, ...unnamed } = GUARD;
    const [row = "", under] = await rows(bash(unnamed), bash(command("new", "true")), 60);
    expect(row).toBe("PreToolUse  Bash  rm -rf /  loosened: deny → go on");
    expect(under).toMatch(/^ {2}[\d:]{8} {2}grep -q "rm -rf" /);
  });

  const UNDER: [columns: number, lines: RegExp[]][] = [
    [80, [/newly denied {2}no-push {2}ask first$/]],
    [60, [/newly denied {2}no-push$/, /^ {2}ask first$/]],
    [50, [/newly denied {2}no-push$/, /^ {2}[\d:]{8} {2}ask first$/]],
    [46, [/newly denied$/, /^ {2}[\d:]{8} {2}no-push {2}ask first$/]],
  ];
  it.each(UNDER)(
    "has under it what has no room in %i columns: when, the hook, the reason",
    async (columns, lines) => {
      const push = command("no-push", "grep -q push && { echo ask first >&2; exit 2; }; exit 0");
      expect(await rows(bash(GUARD), bash(GUARD, push), columns)).toEqual(
        lines.map((line) => expect.stringMatching(line)),
      );
    },
  );

  it.each([60, 80, 109])(
    "tells the whole of it under the row where %i columns are too few",
    async (columns) => {
      const words =
        "a context of many words, more than any row of so few columns has room for beside the call";
      const lines = await rows(bash(GUARD), bash(GUARD, context("tells", words), CRASH), columns);
      expect(lines.every((line) => width(line) <= columns)).toBe(true);
      expect(lines[0]).toMatch(/^PreToolUse {2}Bash {2}ls {2}.*context changed.*fault {2}/);
      expect(lines[1]).toMatch(/^ +\S/);
      const told = lines.slice(1).join(" ").replaceAll(/ +/g, " ");
      expect(told).toContain("no answer: exited with 1: boom");
      expect(told).toContain(words.slice(0, 50));
    },
  );

  it("names the hook that got slower, of several, and so does --json", async () => {
    const room = await recorded();
    room.write(room.records().map((record) => took(record, 1)));
    const config = room.config(bash(GUARD, command("slow", "sleep 0.6")), "new.json");
    const replay = ["replay", "--rerun", "--config", config, "--parallel", "1"];
    const { stdout } = await room.belay(replay);
    const [ls, rm] = stdout.split("\n");
    expect(ls).toMatch(/ls +slower +slow +1 ms → \d+ ms$/);
    expect(rm).toMatch(/rm -rf \/ +slower +slow +1 ms → \d+ ms$/);
    const { changes } = JSON.parse((await room.belay([...replay, "--json"])).stdout);
    expect(changes.map(({ slows }: { slows: string }) => slows)).toEqual(["slow", "slow", "slow"]);
  });

  it("comes last where it is only slower, and is counted apart", async () => {
    const room = await recorded();
    const [ls, rm, push] = room.records().map((record) => took(record, 1)) as [
      EventRecord,
      EventRecord,
      EventRecord,
    ];
    room.write([ls, push, rm]);
    const slow = command("slow", 'sleep 0.6; grep -q "rm -rf" || exit 0; echo no >&2; exit 2');
    const config = room.config(bash(slow), "new.json");
    const { code, stdout } = await room.belay(["replay", "--rerun", "--config", config]);
    expect(code).toBe(0);
    expect(
      stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  ").slice(line.search(/ {2}|$/))),
    ).toEqual([
      expect.stringMatching(/^ {2}PreToolUse {2}Bash {2}rm -rf \/ {2}reason changed, slower/),
      expect.stringMatching(/^ {2}PreToolUse {2}Bash {2}ls {2}slower/),
      expect.stringMatching(/^ {2}PreToolUse {2}Bash {2}git push {2}slower/),
      "",
      "",
      "",
    ]);
    expect(stdout).toMatch(/\n3 events fired again: 1 changed \(1 reason changed\); 3 slower\n$/);
  });
});

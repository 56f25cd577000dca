import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { width } from "../src/render/text.ts";
import { type Scratch, scratch } from "./cli.ts";
import { bash, command, GUARD, record, recorded, report, took } from "./recorded.ts";

describe("belay replay", () => {
  it("decides recorded events anew, and runs nothing", async () => {
    const room = await recorded(bash(command("guard", "echo ran >> ran; exit 2")));
    const ran = readFileSync(join(room.project, "ran"), "utf8");
    const { code, stdout, stderr } = await room.belay(["replay"]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "4 events decided anew: all as recorded\n",
      stderr: "",
    });
    expect(readFileSync(join(room.project, "ran"), "utf8")).toBe(ran);
  });

  it("shows what is decided otherwise than it was", async () => {
    const room = await recorded();
    const [first, second, third, stop] = room.records();
    const denied = {
      ...first.outcome,
      blocked: true,
      decision: { kind: "deny", reason: "x", hook: "guard" },
    };
    room.write([
      { ...first, outcome: denied },
      { ...second, outcome: { ...second.outcome, messages: [] } },
      { ...third, event: "BeforeTheFlood" },
      stop,
    ]);
    const { code, report: found } = await report(room, []);
    expect([code, found]).toMatchObject([
      2,
      {
        changes: [
          { about: "Bash", changes: ["allowed"], loosened: true, differs: ["decision", "blocked"] },
          { about: "Bash", changes: ["otherwise"], loosened: false, differs: ["messages"] },
        ],
        summary: {
          events: 3,
          changed: 2,
          loosened: 1,
          changes: { allowed: 1, otherwise: 1 },
          notComparable: { unreadable: 1 },
        },
      },
    ]);
    const { stdout } = await room.belay(["replay"], { env: { COLUMNS: "120" } });
    expect(stdout).toMatch(/PreToolUse +Bash +ls +newly allowed: deny → go on \(loosened\) +guard/);
    expect(stdout).toContain(
      "3 events decided anew: 2 changed (1 newly allowed, 1 told otherwise)\n1 loosened:",
    );
    expect(stdout).toContain(
      "1 more cannot be compared: 1 of an event, a dialect, a decision or a failure that is not known here\n",
    );
  });

  it("what loosened is among the rows that are shown, however many there are", async () => {
    const room = await recorded();
    const [go, refused] = room.records();
    const told = { ...refused, outcome: { ...refused.outcome, messages: [] } };
    const loosened = { ...go, outcome: { ...go.outcome, decision: { kind: "deny", hook: "guard" } } };
    room.write([...Array.from({ length: 55 }, () => told), loosened, told]);
    const { code, stdout } = await room.belay(["replay"], { env: { COLUMNS: "120" } });
    const rows = stdout.split("\n").filter((line) => line.includes("PreToolUse"));
    expect([code, rows.length]).toEqual([2, 50]);
    expect(rows.at(-1)).toMatch(/newly allowed: deny → go on/);
    expect(stdout).toContain("\n\nand 7 more; --json lists them all\n");
    const narrow = await room.belay(["replay"], { env: { COLUMNS: "30" } });
    expect(narrow.stdout).toContain("\n\nand 7 more; --json lists them\nall\n\n");
  });

  it("a record without its secrets comes to the same", async () => {
    const room = await recorded(bash(command("guard", "echo token=abcdefgh12345678 >&2; exit 2")));
    expect(room.records()[0]).toMatchObject({ redacted: true });
    expect((await room.belay(["replay"])).stdout).toBe("4 events decided anew: all as recorded\n");
  });

  it("takes a file, a folder or a session, filters and a limit", async () => {
    const room = await recorded();
    const copy = join(room.project, "copy.jsonl");
    writeFileSync(copy, readFileSync(room.journal));
    const rows: [args: string[], events: number][] = [
      [[copy], 4],
      [[room.folder], 4],
      [["s-0"], 1],
      [["--event", "Stop"], 1],
      [["--decision", "deny"], 1],
      [["--decision", "go on"], 3],
      [["--tool", "Bash", "--limit", "2"], 2],
      [["--limit", "99"], 4],
    ];
    for (const [args, events] of rows)
      expect([args, (await report(room, args)).report.summary.events]).toEqual([args, events]);
  });

  it("a session may have the name of a folder", async () => {
    const room = await recorded();
    room.file("s-0/events.jsonl", readFileSync(room.journal, "utf8"));
    expect((await report(room, ["s-0"])).report.summary.events).toBe(1);
    expect((await report(room, ["s-0/events.jsonl"])).report.summary.events).toBe(4);
  });

  it("leaves out what is torn, and says so", async () => {
    const room = await recorded();
    appendFileSync(room.journal, '{"version":1,"id":"7');
    const { code, stdout, stderr } = await room.belay(["replay"]);
    expect([code, stdout]).toEqual([0, "4 events decided anew: all as recorded\n"]);
    expect(stderr).toMatch(/^belay: left out a line that was not written to its end: .*, at byte \d+\n$/);
  });
});

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
    ["of another context", [context("tells", "a")], [context("tells", "b")], 0, /tells {2}context: a → b$/],
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
    expect(under).toMatch(/^ {2}grep -q "rm -rf" /);
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

  it("comes last where it is only slower, and is counted apart", async () => {
    const room = await recorded();
    const [ls, rm, push] = room.records();
    room.write([ls, push, rm].map((record) => took(record, 1)));
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
    expect(stdout).toMatch(/slower +slow +1 ms → [\d.]+ m?s\n/);
    expect(stdout).toMatch(/\n3 events fired again: 1 changed \(1 reason changed\); 3 slower\n$/);
  });
});

/* Under Claude Code exit 2 refuses whatever the JSON says; under the default dialect the JSON counts. */
const REFUSES = `echo '{"continue": true, "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}'; echo never >&2; exit 2`;
const SETTINGS = JSON.stringify({
  hooks: { PreToolUse: [{ hooks: [{ type: "command", name: "guard", command: REFUSES }] }] },
});
const FILE = ".claude/settings.json";
const CLAUDE = ["--dialect", "claude-code"];
const WARNING = `belay: warning: ${FILE} stands in a folder of Claude Code, and is read as wave; add --dialect claude-code to read it as there\n`;
async function recordedUnderClaude(): Promise<Scratch> {
  const room = scratch();
  room.file(FILE, SETTINGS);
  await room.belay(["run", "PreToolUse", "--config", FILE, ...CLAUDE]);
  return room;
}

describe("belay replay --dialect, where nothing is run", () => {
  it("reads what hooks answered by another dialect", async () => {
    const room = await recordedUnderClaude();
    const { code, stdout } = await room.belay(["replay", "--dialect", "wave"], { env: { COLUMNS: "200" } });
    expect(stdout).toMatch(/newly allowed: deny → allow \(loosened\) +guard/);
    expect(code).toBe(2);
    const same = await room.belay(["replay", ...CLAUDE]);
    expect([same.code, same.stdout]).toEqual([0, "1 event decided anew: all as recorded\n"]);
  });

  it("shows what the agent is told besides, also of a record without its secrets", async () => {
    const room = scratch();
    const json = {
      systemMessage: "TELL THE AGENT",
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "ctx" },
    };
    const hooks = { UserPromptSubmit: [{ hooks: [{ type: "json", name: "tells", json }] }] };
    await record(room, "UserPromptSubmit", hooks, { prompt: "use token=Zq7vR2xLm9Tw please" });
    const { report: found } = await report(room, ["--dialect", "session-hooks"]);
    expect(found.changes).toMatchObject([
      { changes: ["context"], before: { context: ["ctx"] }, after: { context: ["ctx", "TELL THE AGENT"] } },
    ]);
    expect((await room.belay(["replay"])).stdout).toBe("1 event decided anew: all as recorded\n");
  });
});

describe("belay replay --rerun of events of another dialect", () => {
  const OTHERWISE = "belay: hooks of 1 event were read as claude-code when recorded, and as wave now";
  const NEXT = "; next: the same with --dialect claude-code\n";
  const NONE = "belay: no hook ran, and 1 event had run hooks when recorded: ";
  const ROWS: [what: string, args: string[], code: number, stderr: string][] = [
    ["read as another one", ["--config", FILE], 2, `${WARNING}${OTHERWISE}${NEXT}`],
    ["as they were", ["--config", FILE, ...CLAUDE], 0, ""],
    ["a dialect that was chosen", ["--config", FILE, "--dialect", "wave"], 2, `${OTHERWISE}\n`],
    ["none is configured", [], 2, `${NONE}none is configured, and they were of claude-code${NEXT}`],
  ];
  it.each(ROWS)("%s", async (_, args, code, stderr) => {
    const room = await recordedUnderClaude();
    // No hook ran on this one, so none was read otherwise.
    await room.belay(["run", "Stop", "--config", FILE, ...CLAUDE]);
    expect(await room.belay(["replay", "--rerun", ...args])).toMatchObject({ code, stderr });
  });
});

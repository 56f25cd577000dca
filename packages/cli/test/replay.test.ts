import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord } from "@belay/core";
import { describe, expect, it } from "vitest";
import { type Scratch, scratch } from "./cli.ts";

const command = (name: string, text: string, more: object = {}) => ({
  type: "command",
  name,
  command: text,
  ...more,
});
const bash = (...hooks: object[]) => ({ PreToolUse: [{ matcher: "Bash", hooks }] });
const GUARD = command("guard", 'grep -q "rm -rf" && { echo not that >&2; exit 2; }; exit 0');

interface Recorded extends Scratch {
  readonly folder: string;
  readonly journal: string;
  records(): EventRecord[];
  write(records: readonly object[]): void;
}

/** A project with three recorded calls of Bash, one of them denied, and a stop. */
async function recorded(hooks: object = bash(GUARD)): Promise<Recorded> {
  const room = scratch();
  const config = room.config(hooks, "old.json");
  const call = (text: string) => [
    "PreToolUse",
    "--tool",
    "Bash",
    "--tool-input",
    JSON.stringify({ command: text }),
  ];
  for (const args of [call("ls"), call("rm -rf /"), call("git push"), ["Stop"]])
    await room.belay([
      "run",
      ...args,
      "--config",
      config,
      "--session",
      `s-${args[4]?.length ?? 0}`,
      "--json",
    ]);
  const [project = ""] = readdirSync(join(room.home, ".belay/journal"));
  const folder = join(room.home, ".belay/journal", project);
  const [name = ""] = readdirSync(folder);
  const journal = join(folder, name);
  const made: Recorded = {
    ...room,
    folder,
    journal,
    records: () =>
      readFileSync(journal, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as EventRecord),
    write: (records) =>
      writeFileSync(journal, records.map((record) => `${JSON.stringify(record)}\n`).join("")),
  };
  made.write(made.records().map((record) => took(record, 60_000)));
  return made;
}

/** A record whose hooks took so long: on a busy machine any other is slower now and then. */
function took(record: EventRecord, executionTime: number): EventRecord {
  return { ...record, hooks: record.hooks.map((hook) => ({ ...hook, run: { ...hook.run, executionTime } })) };
}

interface Report {
  readonly changes: {
    about?: string;
    changes: string[];
    loosened: boolean;
    before: { decision: object };
    after: { decision: object };
  }[];
  readonly summary: Record<string, unknown>;
}

async function report(
  room: Scratch,
  args: readonly string[],
): Promise<{ code: number | null; report: Report }> {
  const { code, stdout, stderr } = await room.belay(["replay", "--json", ...args]);
  expect(stderr).toBe("");
  return { code, report: JSON.parse(stdout) as Report };
}

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
    const [first, second, third, stop] = room.records() as [
      EventRecord,
      EventRecord,
      EventRecord,
      EventRecord,
    ];
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
    expect(stdout).toMatch(/PreToolUse +Bash +newly allowed: deny → go on +guard/);
    expect(stdout).toContain(
      "3 events decided anew: 2 changed (1 newly allowed, 1 told otherwise)\n1 loosened:",
    );
    expect(stdout).toContain(
      "1 more cannot be compared: 1 of an event or a dialect that is not known here\n",
    );
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
      [["--tool", "Bash", "--limit", "2"], 2],
      [["--limit", "0"], 0],
      [["--limit", "99"], 4],
      [["--since", "9999-01-01"], 0],
    ];
    for (const [args, events] of rows)
      expect([args, (await report(room, args)).report.summary.events]).toEqual([args, events]);
  });

  it("leaves out what is torn, and says so", async () => {
    const room = await recorded();
    appendFileSync(room.journal, '{"version":1,"id":"7');
    const { code, stdout, stderr } = await room.belay(["replay"]);
    expect([code, stdout]).toEqual([0, "4 events decided anew: all as recorded\n"]);
    expect(stderr).toMatch(/^belay: left out a line that was not written to its end: .*, at byte \d+\n$/);
  });

  const MISTAKES: [args: string[], said: RegExp][] = [
    [
      ["nowhere"],
      /^belay: "nowhere" is no file, no folder and no session of this project; belay tail --json/,
    ],
    [["."], /^belay: "." is a folder without a journal; of another project: belay replay --cwd \.\n/],
    [["a", "b"], /^belay: "b" is one argument too many; usage: belay replay /],
    [["--limit", "x"], /^belay: --limit "x" is no number of events/],
    [
      ["--config", "x.json"],
      /^belay: --config has no meaning where no hook is run; .*replay --rerun --config/,
    ],
    [["--rerun", "--config", "x.json"], /^belay: .*x\.json.*the path after --config/],
    [["--rerun", "--in", "nowhere"], /^belay: --in "nowhere" is no folder/],
  ];
  it.each(MISTAKES)("refuses %j", async (args, said) => {
    const { code, stdout, stderr } = await scratch().belay(["replay", ...args]);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(said) });
  });
});

describe("belay replay --rerun", () => {
  const POLICIES: [name: string, hooks: object, code: number, changes: unknown[]][] = [
    ["the same policy", bash(GUARD), 0, []],
    [
      "a stricter one",
      bash(GUARD, command("no push", 'grep -q "git push" && { echo no pushing >&2; exit 2; }; exit 0')),
      0,
      [
        {
          changes: ["denied"],
          loosened: false,
          after: { decision: { hook: "no push", reason: "no pushing" } },
        },
      ],
    ],
    [
      "a looser one",
      bash(command("guard", "true")),
      2,
      [{ changes: ["allowed"], loosened: true, before: { decision: { kind: "deny" } } }],
    ],
    ["none at all", {}, 2, [{ changes: ["allowed"], loosened: true }]],
    [
      "one with other words",
      bash(command("guard", 'grep -q "rm -rf" && { echo never >&2; exit 2; }; exit 0')),
      0,
      [{ changes: ["reason"], loosened: false, after: { decision: { reason: "never" } } }],
    ],
    [
      "one that asks for some, and fails for all",
      bash(GUARD, command("dies", "kill -9 $$"), {
        type: "json",
        name: "ask",
        json: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } },
      }),
      0,
      [{ changes: ["asked", "fault"] }, { changes: ["fault"] }, { changes: ["asked", "fault"] }],
    ],
  ];
  it.each(POLICIES)("%s", async (_, hooks, code, changes) => {
    const room = await recorded();
    const before = readFileSync(room.journal, "utf8");
    const found = await report(room, ["--rerun", "--config", room.config(hooks, "new.json")]);
    expect(found.report.changes).toMatchObject(changes);
    expect(found.code).toBe(code);
    expect(found.report.summary).toMatchObject({ events: 4, changed: changes.length, notComparable: {} });
    expect(readFileSync(room.journal, "utf8")).toBe(before);
  });

  it("a slow one", async () => {
    const room = await recorded();
    room.write(room.records().map((record) => took(record, 1)));
    const slow = bash(GUARD, command("slow", "sleep 0.6"));
    const { code, report: found } = await report(room, [
      "--rerun",
      "--config",
      room.config(slow, "new.json"),
    ]);
    expect([code, found.changes.map(({ changes }) => changes)]).toEqual([
      0,
      [["slower"], ["slower"], ["slower"]],
    ]);
  });

  it("says what cannot be compared, and compares nothing where all of it is so", async () => {
    const room = await recorded();
    const [first, second, third, stop] = room.records() as [
      EventRecord,
      EventRecord,
      EventRecord,
      EventRecord,
    ];
    const config = room.config({}, "new.json");
    const gone = join(room.project, "gone");
    mkdirSync(gone);
    room.write([
      { ...first, redacted: true },
      { ...second, shortened: true },
      { ...third, cwd: gone },
      { ...first, context: { misfit: "no number" } },
      stop,
    ]);
    rmSync(gone, { recursive: true });
    const args = ["--rerun", "--config", config];
    expect((await report(room, args)).report.summary).toEqual({
      events: 1,
      changed: 0,
      loosened: 0,
      changes: {},
      notComparable: { redacted: 1, shortened: 1, "folder-gone": 1, "tool-schema": 1 },
    });
    expect((await report(room, [...args, "--in", "."])).report.summary).toMatchObject({ events: 2 });
    const { code, stdout, stderr } = await room.belay(["replay", ...args, "--tool", "Bash"]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^belay: nothing could be compared; --in DIR/)]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "4 more cannot be compared: 1 with secrets taken out of the payload",
    );
  });

  it("in the recorded order, however many at once", async () => {
    const room = await recorded(bash(command("none", "true")));
    const [first] = room.records() as [EventRecord];
    const ids = Array.from({ length: 12 }, (_, index) => `${index}`);
    room.write(
      ids.map((id, index) => ({
        ...first,
        id,
        payload: { ...first.payload, tool_input: { pause: (12 - index) / 50 } },
      })),
    );
    const slow = command("slow", `sleep $(sed 's/.*"pause":\\([0-9.]*\\).*/\\1/'); exit 2`);
    const config = room.config(bash(slow), "new.json");
    const { report: found } = await report(room, ["--rerun", "--config", config, "--parallel", "5"]);
    expect(found.changes.map((change) => (change as unknown as { id: string }).id)).toEqual(ids);
  });

  it("each stop is fired as it was recorded, whatever came of the one before", async () => {
    const room = await recorded({ Stop: [{ hooks: [command("stop", "true")] }] });
    const stop = room.records().at(-1) as EventRecord;
    room.write([stop, stop, stop]);
    const once = command("stop", 'grep -q "\\"stop_hook_active\\":true" && exit 0; echo go on >&2; exit 2');
    const config = room.config({ Stop: [{ hooks: [once] }] }, "new.json");
    const { report: found } = await report(room, ["--rerun", "--config", config]);
    expect(found.summary).toMatchObject({ changed: 3, changes: { denied: 3 } });
  });

  it("says of a project's own hooks when nobody trusts them", async () => {
    const room = await recorded();
    room.file(".belay/settings.json", JSON.stringify({ hooks: bash(GUARD) }));
    const { code, stderr } = await room.belay(["replay", "--rerun", "--decision", "deny"]);
    expect([code, stderr]).toEqual([
      2,
      "belay: of 1 events some hooks are not trusted and did not run; belay trust\n",
    ]);
  });
});

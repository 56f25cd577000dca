import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord } from "@belay/core";
import { describe, expect, it } from "vitest";
import { bash, command, recorded, report } from "./recorded.ts";

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
    const [go, refused] = room.records() as [EventRecord, EventRecord];
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

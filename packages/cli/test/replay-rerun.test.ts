import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord } from "@belay/core";
import { describe, expect, it } from "vitest";
import { bash, command, GUARD, recorded, report, took } from "./recorded.ts";

describe("belay replay --rerun", () => {
  const POLICIES: [name: string, hooks: object, code: number, changes: unknown[], said?: RegExp][] = [
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
    [
      "none at all",
      {},
      2,
      [{ changes: ["allowed"], loosened: true }],
      /^belay: no hook ran, and 3 events had run hooks when recorded: none is configured; next: belay check .*\n$/,
    ],
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
      1,
      [{ changes: ["asked", "fault"] }, { changes: ["fault"] }, { changes: ["asked", "fault"] }],
    ],
  ];
  it.each(POLICIES)("%s", async (_, hooks, code, changes, said) => {
    const room = await recorded();
    const before = readFileSync(room.journal, "utf8");
    const found = await report(room, ["--rerun", "--config", room.config(hooks, "new.json")], said);
    expect(found.report.changes).toMatchObject(changes);
    expect(found.code).toBe(code);
    expect(found.report.summary).toMatchObject({ events: 4, changed: changes.length, notComparable: {} });
    expect(readFileSync(room.journal, "utf8")).toBe(before);
  });

  it("one whose rewrite leaves the input as it came", async () => {
    const sanitizer = (change: string) =>
      command(
        "sanitizer",
        `node -e 'const { tool_input: updatedInput } = JSON.parse(require("fs").readFileSync(0, "utf8")); ${change}
          console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } }));'`,
      );
    const strips = 'updatedInput.command = updatedInput.command.replace("-rf", "-i");';
    const room = await recorded(bash(sanitizer(strips)));
    const config = room.config(bash(sanitizer("")), "new.json");
    const { code, report: found } = await report(room, ["--rerun", "--config", config]);
    expect([code, found.changes]).toMatchObject([
      2,
      [
        {
          changes: ["rewrite"],
          loosened: true,
          before: { updatedInput: { command: "rm -i /" } },
          after: { updatedInput: { command: "rm -rf /" } },
        },
      ],
    ]);
  });

  it("one whose second hook of a name no longer answers, as the first never did", async () => {
    const [broken, guard] = [command("g", "echo old >&2; exit 1"), { ...GUARD, name: "g" }];
    const dead = command("g", "echo new >&2; exit 3");
    const ORDERS = [
      [
        [broken, guard],
        [broken, dead],
      ],
      [
        [guard, broken],
        [dead, broken],
      ],
    ] as const;
    for (const [before, after] of ORDERS) {
      const room = await recorded(bash(...before));
      const config = room.config(bash(...after), "new.json");
      const rerun = ["--rerun", "--config", config, "--decision", "go on"];
      const { code, report: found } = await report(room, rerun);
      expect([code, found.changes]).toMatchObject([
        1,
        Array(2).fill({ changes: ["fault"], noAnswer: { hook: "g", why: "exited with 3: new" } }),
      ]);
    }
  });

  it("one by which a record that blocked without a refusal blocks no more", async () => {
    const room = await recorded();
    const [first, ...others] = room.records() as [EventRecord, ...EventRecord[]];
    room.write([{ ...first, outcome: { ...first.outcome, blocked: true } }, ...others]);
    for (const how of [[], ["--rerun", "--config", room.config(bash(GUARD), "new.json")]]) {
      const { code, report: found } = await report(room, how);
      expect([code, found.changes]).toMatchObject([2, [{ changes: ["allowed"], loosened: true }]]);
    }
  });

  it("a slow one", async () => {
    const room = await recorded();
    room.write(room.records().map((record) => took(record, 1)));
    const slow = bash(GUARD, command("slow", "sleep 0.6"));
    const rerun = ["--rerun", "--config", room.config(slow, "new.json")];
    const { code, report: found } = await report(room, rerun);
    expect([code, found.changes.map(({ changes }) => changes)]).toEqual([
      0,
      [["slower"], ["slower"], ["slower"]],
    ]);
    const { stdout } = await room.belay(["replay", ...rerun], { env: { COLUMNS: "160" } });
    expect(stdout).toMatch(/slower .* ms → \d+ ms\n/);
    expect(stdout).toMatch(/\n4 events fired again: all were decided as recorded; 3 slower\n$/);
    expect(found.summary).toMatchObject({ changed: 0, changes: { slower: 3 } });
    const stop = room.config({ Stop: [{ hooks: [command("slow", "sleep 0.6")] }] }, "stop.json");
    const first = await room.belay(["replay", "--rerun", "--config", stop, "--event", "Stop"]);
    expect(first.stdout).toBe("1 event fired again: all were decided as recorded\n");
  });

  it("says what cannot be compared, and compares nothing where all of it is so", async () => {
    const room = await recorded();
    const [first, second, third, stop] = room.records() as [
      EventRecord,
      EventRecord,
      EventRecord,
      EventRecord,
    ];
    const config = room.config(bash(GUARD), "new.json");
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
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^belay: nothing was compared; --in DIR/)]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "of 4 events none can be compared: 1 with secrets taken out of the record",
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
    expect(found.changes.map(({ id }) => id)).toEqual(ids);
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
});

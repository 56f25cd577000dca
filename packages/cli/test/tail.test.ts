import { appendFileSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord } from "@belay/core";
import { describe, expect, it } from "vitest";
import { width } from "../src/render/text.ts";
import { type Scratch, scratch } from "./cli.ts";
import { record } from "./recorded.ts";

const GUARD = {
  PreToolUse: [
    {
      matcher: "Bash",
      hooks: [{ type: "command", name: "guard", command: "echo not on a Friday >&2; exit 2" }],
    },
    { matcher: "Write", hooks: [{ type: "command", name: "日本語の番人", command: "true" }] },
  ],
};

async function withEvents(): Promise<Scratch & { journal: string }> {
  const room = scratch();
  await record(room, "PreToolUse", GUARD);
  await record(room, "PreToolUse", GUARD, { tool: "Write" });
  await record(room, "Stop", GUARD);
  const folder = join(room.home, ".belay/journal");
  const [project = ""] = readdirSync(folder);
  const [file = ""] = readdirSync(join(folder, project));
  return { ...room, journal: join(folder, project, file) };
}

const asTyped = (text: string) =>
  text.replaceAll(/\d\d:\d\d:\d\d/g, "HH:MM:SS").replaceAll(/(?:<1|\d+) ms/g, "N ms");
const lines = (text: string) => text.trimEnd().split("\n");
const squeezed = (text: string) => lines(asTyped(text)).map((line) => line.replaceAll(/ +/g, " "));

describe("belay tail", () => {
  it("shows a line per event, the newest last", async () => {
    const room = await withEvents();
    const { code, stdout, stderr } = await room.belay(["tail"], { env: { COLUMNS: "120" } });
    expect({ code, stderr, lines: squeezed(stdout) }).toEqual({
      code: 0,
      stderr: "",
      lines: [
        "HH:MM:SS PreToolUse Bash npm test deny guard N ms not on a Friday",
        "HH:MM:SS PreToolUse Write notes.txt content: hello ⏎ go on 日本語の番人 N ms",
        "HH:MM:SS Stop The parser now has a test. go on no hook",
      ],
    });
  });

  it("keeps the call and the reason of a refusal in 80 columns, however long another's tool is called", async () => {
    const room = await withEvents();
    const tool = "mcp__github__create_pull_request_review_comment";
    await room.belay(["run", "PreToolUse", "--tool", tool, "--json"]);
    const { stdout } = await room.belay(["tail"], { env: { COLUMNS: "80" } });
    expect(squeezed(stdout)[0]).toMatch(/PreToolUse Bash npm test deny guard (N ms )?not on a Friday$/);
    for (const line of lines(stdout)) expect(width(line)).toBeLessThanOrEqual(80);
  });

  it("fits in any number of columns", async () => {
    const room = await withEvents();
    for (const columns of [200, 80, 45, 20, 5, 1]) {
      const { stdout } = await room.belay(["tail"], { env: { COLUMNS: String(columns) } });
      expect(lines(stdout)).toHaveLength(3);
      for (const line of lines(stdout)) expect(width(line)).toBeLessThanOrEqual(columns);
    }
  });

  it("cuts no line where no terminal has a width", async () => {
    const room = await withEvents();
    const words = "not on a Friday ".repeat(8).trim();
    const config = room.config({
      Stop: [{ hooks: [{ type: "command", command: `echo ${words} >&2; exit 2` }] }],
    });
    await room.belay(["run", "Stop", "--config", config, "--json"]);
    const { stdout } = await room.belay(["tail", "-n", "1"], { env: { COLUMNS: undefined } });
    expect(stdout.trimEnd().endsWith(words)).toBe(true);
  });

  it("-n says how many, --json gives the records as they are", async () => {
    const room = await withEvents();
    const { stdout } = await room.belay(["tail", "-n", "2", "--json"]);
    const records = lines(stdout).map((line) => JSON.parse(line) as unknown);
    expect(records).toMatchObject([
      { version: 1, event: "PreToolUse", payload: { tool_name: "Write" }, hooks: [{ name: "日本語の番人" }] },
      { version: 1, event: "Stop", hooks: [] },
    ]);
  });

  it("-n all is every event", async () => {
    const room = await withEvents();
    const record = readFileSync(room.journal, "utf8");
    appendFileSync(room.journal, record.repeat(10));
    expect(lines((await room.belay(["tail"])).stdout)).toHaveLength(20);
    expect(lines((await room.belay(["tail", "-n", "all", "--json"])).stdout)).toHaveLength(33);
  });

  it("leaves out what is torn, and says so", async () => {
    const room = await withEvents();
    appendFileSync(room.journal, '{"version":1,"id":"7');
    const { code, stdout, stderr } = await room.belay(["tail", "-n", "1"]);
    expect({ code, lines: squeezed(stdout) }).toEqual({
      code: 0,
      lines: ["HH:MM:SS Stop The parser now has a test. go on no hook"],
    });
    expect(stderr).toMatch(
      /^belay: left out a line that was not written to its end: .*\.jsonl, at byte \d+\n$/,
    );
  });

  const FILTERS: [args: string[], shown: string[]][] = [
    [["--event", "Stop"], ["Stop"]],
    [
      ["--event", "Stop", "--event", "PreToolUse"],
      ["Bash", "Write", "Stop"],
    ],
    [["--hook", "GUARD"], ["Bash"]],
    [
      ["--hook", "番人", "--hook", "guard"],
      ["Bash", "Write"],
    ],
    [["--decision", "deny"], ["Bash"]],
    [
      ["--decision", "none"],
      ["Write", "Stop"],
    ],
    [["--decision", "none", "-n", "1"], ["Stop"]],
    [
      ["--decision", "go on"],
      ["Write", "Stop"],
    ],
    [
      ["--decision", "go on", "--decision", "deny"],
      ["Bash", "Write", "Stop"],
    ],
    [["--tool", "Write"], ["Write"]],
    [["--tool", "wri"], ["Write"]],
    [["--tool", "rite"], []],
    [["--tool", "Write", "--decision", "deny"], []],
    [
      ["--since", "1h"],
      ["Bash", "Write", "Stop"],
    ],
    [
      ["--since", "2026-01-31T09:00"],
      ["Bash", "Write", "Stop"],
    ],
    [["--since", "9999-01-01"], []],
  ];
  it("shows only the events that are asked for", async () => {
    const room = await withEvents();
    for (const [args, shown] of FILTERS) {
      const { stdout } = await room.belay(["tail", "--json", ...args]);
      const records = stdout === "" ? [] : lines(stdout).map((line) => JSON.parse(line) as EventRecord);
      expect([args, records.map(({ event, payload }) => payload.tool_name ?? event)]).toEqual([args, shown]);
    }
  });

  it("shows no control characters of a record", async () => {
    const room = scratch();
    const config = room.config({
      PreToolUse: [
        {
          hooks: [
            { type: "command", name: "\u001b[31mred\u202e", command: "printf '\\033[2Jgone' >&2; exit 2" },
          ],
        },
      ],
    });
    await room.belay(["run", "PreToolUse", "--tool", "\u009b2J", "--config", config, "--json"]);
    for (const form of [[], ["--json"]]) {
      const { stdout } = await room.belay(["tail", ...form]);
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it("--decision fault shows events in which a hook had a fault, as the filter of the page does", async () => {
    const room = await withEvents();
    const config = room.config(
      { Stop: [{ hooks: [{ type: "command", command: "sleep 20", timeout: 0.2 }] }] },
      "slow.json",
    );
    await room.belay(["run", "Stop", "--config", config]);
    const { stdout } = await room.belay(["tail", "--decision", "fault", "--json"]);
    expect(stdout.trim().split("\n")).toEqual([expect.stringContaining('"timedOut":true')]);
    const { stdout: more } = await room.belay([
      "tail",
      "--decision",
      "fault",
      "--decision",
      "deny",
      "--json",
    ]);
    expect(more.trim().split("\n")).toHaveLength(2);
  });

  const FOREIGN: readonly [what: string, change: (record: EventRecord) => object, flaw: string][] = [
    [
      "a decision of another version",
      ({ outcome }) => ({ outcome: { ...outcome, decision: { kind: "\u001b[2Jwait" } } }),
      "",
    ],
    ["no decision", ({ outcome }) => ({ outcome: { ...outcome, decision: {} } }), "is no record"],
    [
      "a reason of no words",
      ({ outcome }) => ({ outcome: { ...outcome, decision: { kind: "deny", reason: 7 } } }),
      "is no record",
    ],
    ["no diagnostics", ({ outcome }) => ({ outcome: { ...outcome, diagnostics: undefined } }), ""],
    ["no messages", ({ outcome }) => ({ outcome: { ...outcome, messages: undefined } }), ""],
    ["messages that are none", ({ outcome }) => ({ outcome: { ...outcome, messages: [null, {}] } }), ""],
    [
      "diagnostics that are none",
      ({ outcome }) => ({ extra: [null], outcome: { ...outcome, diagnostics: [null] } }),
      "",
    ],
  ];
  it.each(FOREIGN)("no command that reads a journal stumbles over %s", async (_, change, flaw) => {
    const room = await withEvents();
    const [first = ""] = readFileSync(room.journal, "utf8").split("\n");
    const record = JSON.parse(first) as EventRecord;
    appendFileSync(room.journal, `${JSON.stringify({ ...record, ...change(record) })}\n`);
    const config = room.config(GUARD);
    const fault = ["tail", "--decision", "fault", "--decision", "go on"];
    for (const args of [["tail"], fault, ["stats"], ["replay"], ["replay", "--rerun", "--config", config]]) {
      const { code, stdout, stderr } = await room.belay(args);
      expect([args, code, stdout + stderr]).toEqual([args, 0, expect.stringContaining(flaw)]);
      expect(stdout).not.toContain("\u001b");
    }
  });

  it.each([["tail"], ["tail", "-f"], ["stats"], ["replay"]])(
    "says what cannot be read: %s %s",
    async (...args) => {
      const room = await withEvents();
      rmSync(room.journal);
      symlinkSync(room.journal, room.journal);
      const { code, stdout, stderr } = await room.belay(args);
      expect([code, stdout, stderr]).toEqual([
        1,
        "",
        expect.stringMatching(/^belay: the journal cannot be read: ELOOP: .*; next: ls -l .*\.jsonl\n$/),
      ]);
    },
  );
});

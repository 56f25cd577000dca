import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { width } from "../src/render/text.ts";
import { scratch } from "./cli.ts";
import { journal, lineOf } from "./inspect/journal.ts";
import { serve } from "./inspect/server.ts";
import { recorded } from "./recorded.ts";

/* What the commands that read a journal say of one that is empty, that filters leave nothing of, or that holds very much. */

const WIDE = { env: { COLUMNS: "1000" } };

describe("a project without records", () => {
  it.each(["tail", "stats"])("%s says that, where it looked, and what records an event", async (name) => {
    const room = scratch();
    const { code, stdout, stderr } = await room.belay([name], WIDE);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^nothing has been recorded yet in .*\/\.belay\/journal\/project-\w+\. Next:\n {2}belay run PreToolUse\n$/,
    );
    expect(stdout).toContain(join(room.home, ".belay/journal"));
    mkdirSync(join(room.project, "a b/.git"), { recursive: true });
    const elsewhere = await room.belay([name, "--cwd", "a b"], WIDE);
    expect(elsewhere.stdout).toMatch(/\n {2}belay run PreToolUse --cwd 'a b'\n$/);
    await room.shell("belay run PreToolUse");
    expect((await room.belay(["tail"], WIDE)).stdout).toMatch(/PreToolUse/);
  });

  it.each(["stats", "replay"])("%s has no sessions to name", async (name) => {
    const { code, stderr } = await scratch().belay([name, "s-1"]);
    expect(stderr).toMatch(
      /^belay: "s-1" is no file and no folder, and there are no sessions: nothing has been recorded yet in .*; next: belay run PreToolUse\n$/,
    );
    expect(code).toBe(1);
  });

  it.each([60, 20])("is said in %i columns", async (columns) => {
    for (const name of ["tail", "stats"]) {
      const { stdout } = await scratch().belay([name], { env: { COLUMNS: String(columns) } });
      const words = stdout.split("\n").filter((line) => !line.startsWith("  "));
      expect(words.join(" ")).toMatch(/^nothing has been recorded yet in /);
      for (const line of words) expect(width(line)).toBeLessThanOrEqual(columns);
    }
  });
});

describe("filters that leave nothing", () => {
  it.each([
    ["tail", ["--tool", "Nope"], "--tool Nope"],
    ["stats", ["--tool", "Nope", "--tool", "a b"], "--tool Nope --tool 'a b'"],
    ["tail", ["--since", "9999-01-01"], "--since 9999-01-01"],
    ["stats", ["--decision", "go on", "--hook", "x"], "--hook x --decision 'go on'"],
  ])("%s %j", async (name, args, filter) => {
    const room = await recorded();
    const { code, stdout } = await room.belay([name, ...args], WIDE);
    expect([code, stdout]).toEqual([
      0,
      `of 4 events in ${room.folder} none fits ${filter}. Next:\n  belay tail\n`,
    ]);
  });

  it("guesses the tool that was meant", async () => {
    const room = await recorded();
    const { stdout } = await room.belay(["tail", "--tool", "bahs", "--since", "1h"], WIDE);
    expect(stdout).toBe(
      `of 4 events in ${room.folder} none fits --tool bahs --since 1h (did you mean --tool Bash?). Next:\n  belay tail\n`,
    );
  });

  it("in a file or a session that is named: of its events, and the same without them", async () => {
    const room = await recorded();
    const ofFile = await room.belay(["stats", room.journal, "--tool", "Nope"], WIDE);
    expect(ofFile.stdout).toBe(
      `of 4 events in ${room.journal} none fits --tool Nope. Next:\n  belay stats ${room.journal}\n`,
    );
    const { stdout } = await room.belay(["stats", "s-0", "--tool", "Nope"], WIDE);
    expect(stdout).toMatch(
      /^of 1 event of session s-0 in .* none fits --tool Nope\. Next:\n {2}belay stats s-0\n$/,
    );
  });
});

it("a file without records: the journal of the project may have some", async () => {
  const room = await recorded();
  room.file("empty.jsonl", "");
  const { stdout } = await room.belay(["stats", "empty.jsonl"], WIDE);
  expect(stdout).toBe(
    `nothing is recorded in ${join(room.project, "empty.jsonl")}. Next, for this project's own journal:\n  belay stats\n`,
  );
  const { code, stderr } = await room.belay(["replay", "empty.jsonl"], WIDE);
  expect(stderr).toMatch(
    /^belay: nothing was compared: nothing is recorded in .*empty\.jsonl; next, for this project's own journal: belay replay\n$/,
  );
  expect(code).toBe(1);
});

it("a session that is not there: the last there were", async () => {
  const room = await recorded();
  const { code, stderr } = await room.belay(["replay", "s-9"]);
  const sessions = [...new Set(room.records().map(({ session }) => session))].reverse().slice(0, 3);
  expect([code, stderr]).toEqual([
    1,
    `belay: "s-9" is no file, no folder and no session of this project; its last sessions: ${sessions.join(", ")}\n`,
  ]);
});

/* More hooks in one record than a function can be given as arguments. */

const HOOKS = 150_000;

function recordOfMany() {
  const record = JSON.parse(lineOf({ id: "a" }));
  const [hook] = record.hooks;
  const hooks = Array.from({ length: HOOKS }, (_, number) => ({ ...hook, name: `g${number}` }));
  return { ...record, hooks };
}

describe("a record of very many hooks", () => {
  const COMMANDS: [args: string[], code: number, says: RegExp][] = [
    [["tail"], 0, /PreToolUse +Bash +ls +go on +150000 hooks +1[23] ms\n$/],
    [["stats"], 0, /\n1 event, which waited 1[23] ms for hooks\n/],
    [["replay"], 0, /^1 event decided anew: all as recorded\n$/],
    [["replay", "--rerun"], 1, /^1 event fired again, but no hook ran: all were decided as recorded\n$/],
  ];
  it.each(COMMANDS)("belay %j", async (args, code, says) => {
    const room = scratch();
    journal(room, [`${JSON.stringify({ ...recordOfMany(), cwd: room.project })}\n`]);
    const found = await room.belay(args, { env: { COLUMNS: "160" } });
    expect(found).toMatchObject({ code, stdout: expect.stringMatching(says) });
    expect(found.stderr).not.toContain("went wrong");
  });

  it("has a row in the timeline", async () => {
    const room = scratch();
    journal(room, [`${JSON.stringify(recordOfMany())}\n`]);
    const served = await serve(room);
    const { status, json } = await served.ask("/api/events", { headers: await served.signIn() });
    expect([status, json]).toMatchObject([200, { rows: [{ hooks: HOOKS, took: 12.5 }] }]);
  });
});

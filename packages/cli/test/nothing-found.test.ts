import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { width } from "../src/render/text.ts";
import { BIN, type Scratch, scratch } from "./cli.ts";
import { recorded } from "./recorded.ts";

/* What the commands that read a journal say where there is nothing to show: why, where they looked, what to do. */

const WIDE = { env: { COLUMNS: "1000" } };
const journalOf = (room: Scratch) => join(room.home, ".belay/journal");

describe("a project without records", () => {
  it.each(["tail", "stats"])("%s says that, where it looked, and what records an event", async (name) => {
    const room = scratch();
    const { code, stdout, stderr } = await room.belay([name], WIDE);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^nothing has been recorded yet in .*\/\.belay\/journal\/project-\w+\. Next:\n {2}belay run PreToolUse\n$/,
    );
    expect(stdout).toContain(journalOf(room));
    await room.shell("belay run PreToolUse");
    expect((await room.belay(["tail"], WIDE)).stdout).toMatch(/PreToolUse/);
  });

  it.each(["tail", "stats"])("%s names the folder that is meant", async (name) => {
    const room = scratch();
    mkdirSync(join(room.project, "a b/.git"), { recursive: true });
    const { stdout } = await room.belay([name, "--cwd", "a b"], WIDE);
    expect(stdout).toMatch(/^nothing has been recorded yet .*\n {2}belay run PreToolUse --cwd 'a b'\n$/);
  });

  it.each(["stats", "replay"])("%s has no sessions to name", async (name) => {
    const { code, stderr } = await scratch().belay([name, "s-1"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^belay: "s-1" is no file and no folder, and there are no sessions: nothing has been recorded yet in .*; next: belay run PreToolUse\n$/,
      ),
    ]);
  });

  it.each([60, 20])("is said in %i columns", async (columns) => {
    for (const name of ["tail", "stats"]) {
      const { stdout } = await scratch().belay([name], { env: { COLUMNS: String(columns) } });
      const words = stdout.split("\n").filter((line) => !line.startsWith("  "));
      expect(words.join(" ")).toMatch(/^nothing has been recorded yet in /);
      for (const line of words) expect(width(line)).toBeLessThanOrEqual(columns);
    }
  });

  it("tail -f says what it waits for", async () => {
    const room = scratch();
    const child = spawn(process.execPath, [BIN, "tail", "-f"], {
      cwd: room.project,
      env: { ...process.env, HOME: room.home },
      stdio: ["ignore", "ignore", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    await expect
      .poll(() => said, { timeout: 15_000 })
      .toMatch(/^belay: nothing has been recorded yet in .*; waiting for events, until Ctrl-C\n$/);
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

  it("in a file that is named: the same without them", async () => {
    const room = await recorded();
    const { stdout } = await room.belay(["stats", room.journal, "--tool", "Nope"], WIDE);
    expect(stdout).toBe(
      `of 4 events in ${room.journal} none fits --tool Nope. Next:\n  belay stats ${room.journal}\n`,
    );
  });

  it("in a session: of its events", async () => {
    const room = await recorded();
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
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^belay: nothing was compared: nothing is recorded in .*empty\.jsonl; next, for this project's own journal: belay replay\n$/,
    ),
  ]);
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

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type EventRecord, replay } from "@belay/core";
import { linesFromStart } from "@belay/engine/internal";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { files, open, records } from "./journals.ts";
import { sleep, startHost } from "./processes.ts";
import { codes, fixture, says, scratch } from "./scratch.ts";

/** One JSON line per fired event, in the user's own folder, redacted and bounded (design §7). */

describe("a line", () => {
  it("holds the event, the runs and what became of them; replay reaches the same", async () => {
    const { fire, folder, project, engine, home } = await open([
      { type: "command", command: fixture("exit-2"), name: "guard" },
      says("fyi"),
    ]);
    const outcome = await fire({ tool_input: { command: "ls" } });
    expect(folder.startsWith(join(home, ".belay/journal/project-"))).toBe(true);
    const [record, ...more] = records(folder) as [EventRecord, ...EventRecord[]];
    expect(more).toEqual([]);
    expect(record).toMatchObject({
      version: 1,
      event: "PreToolUse",
      session: engine.sessionId,
      cwd: project,
      payload: { tool_name: "Bash", tool_input: { command: "ls" } },
      hooks: [{ name: "guard", run: { exitCode: 2, stderr: "not on my watch\n" } }, { run: { exitCode: 0 } }],
      outcome: { blocked: true, decision: { kind: "deny", reason: "not on my watch\n".trim() } },
    });
    expect(record).not.toHaveProperty("redacted");
    expect(replay(record)).toEqual(outcome);
  });

  it.each([
    ["", ""],
    ["with a secret", "token=abcdefgh12345678"],
    ["too long to keep", "x".repeat(70_000)],
  ])("holds the payload as the hooks read it, whatever its owner does meanwhile: %s", async (_, more) => {
    const { fire, folder } = await open([{ type: "command", command: "sleep 0.1" }]);
    const tool_input = { command: "ls", more };
    const firing = fire({ tool_input });
    tool_input.command = "rm -rf /";
    await firing;
    expect(records(folder)[0]?.payload).toMatchObject({ tool_input: { command: "ls" } });
  });

  it("is redacted also where only the payload holds a secret", async () => {
    const { fire, folder } = await open([{ type: "command", command: "true" }]);
    await fire({ tool_input: { command: "login --password hunter22" } });
    const payload = { tool_input: { command: "login --password [redacted]" } };
    expect(records(folder)[0]).toMatchObject({ payload, redacted: true });
  });

  it("is written for events without hooks too, and for nobody else's eyes", async () => {
    const { engine, folder } = await open([]);
    for (const event of ["Stop", "PreToolUse", "Notification"] as const) await engine.fire(event);
    expect(records(folder).map(({ event }) => event)).toEqual(["Stop", "PreToolUse", "Notification"]);
    const [file = ""] = files(folder);
    expect(file).toMatch(/^\d{4}-\d\d-\d\d\.jsonl$/);
    const modes = [join(folder, file), folder, join(folder, ".."), join(folder, "../..")].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o700, 0o700, 0o700]);
  });

  it("is for nobody else's eyes either where its file and folders were found open", async () => {
    const { engine, folder } = await open([]);
    const file = join(folder, `${new Date().toISOString().slice(0, 10)}.jsonl`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, "");
    for (const [path, mode] of [
      [file, 0o644],
      [folder, 0o755],
      [join(folder, ".."), 0o755],
    ] as const)
      chmodSync(path, mode);
    await engine.fire("Stop");
    const modes = [file, folder, join(folder, "..")].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o600, 0o700, 0o700]);
    expect(records(folder)).toHaveLength(1);
  });

  it("leaves a host's own folder as it is, and closes the file in it", async () => {
    const { engineFor, root } = scratch();
    const folder = join(root, "journal");
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, `${new Date().toISOString().slice(0, 10)}.jsonl`), "", { mode: 0o644 });
    await (await engineFor("Stop", [says("x")], { journal: folder })).fire("Stop");
    const modes = [folder, ...files(folder).map((name) => join(folder, name))].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o755, 0o600]);
  });

  it("has an id whose first eight digits tell it from the others of its process", async () => {
    const { engine, folder } = await open([]);
    for (let fired = 0; fired < 3; fired += 1) await engine.fire("Stop");
    const ids = records(folder).map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(3);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("goes where it is told to, or nowhere", async () => {
    const { engineFor, root, home } = scratch();
    const elsewhere = await engineFor("Stop", [says("x")], { journal: join(root, "journal") });
    await elsewhere.fire("Stop");
    expect(records(join(root, "journal"))).toHaveLength(1);
    const off = await engineFor("Stop", [says("x")], { journal: false });
    await off.fire("Stop");
    expect([off.journalFolder, existsSync(join(home, ".belay"))]).toEqual([undefined, false]);
  });

  it("two projects of one name have folders of their own", async () => {
    const { engine, root } = scratch();
    const folders = await Promise.all(
      ["a/same", "b/same"].map(async (name) => {
        mkdirSync(join(root, name), { recursive: true });
        return (await engine({ cwd: join(root, name) })).journalFolder;
      }),
    );
    expect(new Set(folders).size).toBe(2);
  });
});

const timeOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 24 * 60 * 60 * 1000);
const nameOf = (daysAgo: number) => `${timeOf(daysAgo).toISOString().slice(0, 10)}.jsonl`;

describe("size", () => {
  it("10 MB in one string", async () => {
    const { fire, folder } = await open();
    await fire({ tool_input: { content: "ä".repeat(10 * 1024 * 1024) } });
    const [record] = records(folder);
    expect(record).toMatchObject({ shortened: true, payload: { tool_name: "Bash" } });
    expect(statSync(join(folder, files(folder)[0] as string)).size).toBeLessThan(1024 * 1024);
  });

  const words = ["ghp_0123456789abcdefghijABCDEFGHIJ", "postgres://app:hunter2-hunter2@db"];
  it.each(words)("no part of a secret that the cut falls into: %s", async (secret) => {
    const { fire, folder } = await open();
    for (let kept = 1; kept < secret.length; kept += 1)
      await fire({ tool_input: { content: `${"x".repeat(64 * 1024 - kept - 2)} ${secret} and on` } });
    const ends = records(folder).map(({ payload }) => JSON.stringify(payload.tool_input).slice(-60));
    expect(ends.filter((end) => !/x ?(?:\S*\[redacted\]\S*)?…"\}$/.test(end))).toEqual([]);
  });

  it("10 MB in many strings", async () => {
    const { fire, folder } = await open();
    await fire({
      tool_input: { lines: Array.from({ length: 100_000 }, (_, n) => `${n} ${"x".repeat(100)}`) },
    });
    expect(records(folder)[0]).toMatchObject({ shortened: true, payload: { tool_name: "Bash" } });
    expect(statSync(join(folder, files(folder)[0] as string)).size).toBeLessThan(2 * 1024 * 1024);
  });

  it("of small files, one a day, those of 30 days before the third newest are kept", async () => {
    const { fire, folder } = await open();
    mkdirSync(folder, { recursive: true });
    for (let daysAgo = 1; daysAgo <= 40; daysAgo += 1) writeFileSync(join(folder, nameOf(daysAgo)), "{}\n");
    await fire();
    expect(files(folder)).toHaveLength(33);
    expect(files(folder)[0]).toBe(nameOf(32));
  });

  const wrongClocks: [clock: string, days: string[], oldest: string][] = [
    ["far ahead, over midnight", ["2098-12-31", "2099-01-01"], nameOf(30)],
    ["20 days ahead", [nameOf(-20).slice(0, 10)], nameOf(31)],
    ["behind", ["1970-01-01"], nameOf(32)],
  ];
  it.each(wrongClocks)(
    "no project loses what is not old, by a clock that is %s",
    async (_, wrong, oldest) => {
      const room = scratch();
      const engines = await Promise.all([room.engine(), room.engine({ cwd: room.root })]);
      const folders = engines.map(({ journalFolder }) => journalFolder as string);
      for (const folder of folders) {
        mkdirSync(folder, { recursive: true });
        for (let daysAgo = 0; daysAgo <= 32; daysAgo += 1)
          writeFileSync(join(folder, nameOf(daysAgo)), "{}\n");
      }
      onTestFinished(() => void vi.useRealTimers());
      for (const [day, engine] of wrong.flatMap((day) => engines.map((engine) => [day, engine] as const))) {
        vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(day) });
        await engine.fire("Stop");
        utimesSync(join(engine.journalFolder as string, `${day}.jsonl`), new Date(), new Date());
      }
      for (const folder of folders)
        expect(files(folder).find((name) => !wrong.includes(name.slice(0, 10)))).toBe(oldest);
    },
  );

  it("what a clock that was ahead wrote makes room first", async () => {
    const { folder, fire } = await open();
    mkdirSync(folder, { recursive: true });
    const ahead = Array.from({ length: 8 }, (_, index) => `2099-01-0${index + 1}.jsonl`);
    for (const name of [nameOf(1), ...ahead]) {
      writeFileSync(join(folder, name), "");
      truncateSync(join(folder, name), 8 * 1024 * 1024);
    }
    await fire();
    expect(files(folder)).toEqual([nameOf(1), nameOf(0), ...ahead.slice(2)]);
  });

  const abandoned: [days: number | undefined, daysAgo: number, isKept: boolean][] = [
    [undefined, 32, true],
    [undefined, 33, false],
    [40, 33, true],
    [40, 43, false],
    [Number.POSITIVE_INFINITY, 4000, true],
  ];
  it.each(abandoned)(
    "of a project that nobody works on: kept for %s days, %s days ago",
    async (days, ago, isKept) => {
      const room = scratch();
      const other = await room.engine({
        cwd: room.root,
        ...(days !== undefined && { limits: { journalDays: days } }),
      });
      await other.fire("Stop");
      await other.close();
      const left = other.journalFolder as string;
      renameSync(join(left, nameOf(0)), join(left, nameOf(ago)));
      const { folder, fire } = await open([says("x")], room);
      mkdirSync(folder, { recursive: true });
      for (const daysAgo of [1, 2]) writeFileSync(join(folder, nameOf(daysAgo)), "{}\n");
      await fire();
      expect(existsSync(join(left, nameOf(ago)))).toBe(isKept);
      expect(existsSync(left)).toBe(isKept);
    },
  );

  it("a full file is followed by another, the oldest go, and the order stays", async () => {
    const { fire, folder } = await open();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "notes.txt"), "mine");
    writeFileSync(join(folder, "2020-01-01.jsonl"), '{"old":true}\n');
    await fire();
    const names: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      const newest = files(folder)
        .filter((name) => name.endsWith(".jsonl"))
        .at(-1) as string;
      names.push(newest);
      truncateSync(join(folder, newest), 8 * 1024 * 1024);
      await fire({ tool_use_id: `${count}` });
    }
    const kept = files(folder).filter((name) => name.endsWith(".jsonl"));
    expect(new Set(names).size).toBe(12);
    expect(kept).toHaveLength(8);
    expect(kept.slice(0, 7)).toEqual(names.slice(-7));
    expect(readFileSync(join(folder, kept.at(-1) as string), "utf8")).toContain('"tool_use_id":"11"');
    expect(existsSync(join(folder, "notes.txt"))).toBe(true);
  });
});

describe("a journal that cannot be written", () => {
  it("a file in the folder's place: told once, work goes on", async () => {
    const room = scratch();
    room.write("home/.belay/journal", "not a folder");
    const { fire } = await open([says("x")], room);
    const first = await fire();
    expect(codes(first)).toEqual(["journal-failed"]);
    expect(first.messages.map(({ hook }) => hook)).toEqual(["PreToolUse[0.0] json", "belay"]);
    expect(codes(await fire())).toEqual([]);
  });

  it("a full disk: told once, work goes on, and lines are whole when there is room again", async () => {
    const { fire, folder } = await open([{ type: "command", command: fixture("exit-2") }]);
    await fire();
    const file = join(folder, files(folder)[0] as string);
    rmSync(file);
    symlinkSync("/dev/full", file);
    const full = await fire();
    expect([full.blocked, codes(full)]).toEqual([true, ["journal-failed"]]);
    expect(full.diagnostics[0]?.message).toMatch(/ENOSPC/);
    expect(codes(await fire())).toEqual([]);
    rmSync(file);
    writeFileSync(file, '{"half a line');
    await fire();
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines[0]).toBe('{"half a line');
    expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ event: "PreToolUse" });
  });

  it("a place where no folder can be made keeps no event waiting", async () => {
    const host = startHost("journal.mjs", ["/proc/self/journal", "s", "2"]);
    const goesOn = await host.printed("1\n");
    host.kill("SIGKILL");
    expect(goesOn).toBe(true);
  });

  it("a folder that is taken away comes back", async () => {
    const { fire, folder } = await open();
    await fire();
    rmSync(folder, { recursive: true });
    expect(codes(await fire())).toEqual([]);
    expect(records(folder)).toHaveLength(1);
  });
});

const today = () => `${new Date().toISOString().slice(0, 10)}.jsonl`;
const modeOf = (path: string) => statSync(path).mode & 0o7777;

describe("a journal where somebody else could write", () => {
  it("does not follow a link in a file's place: a record would end in a file that is none of ours", async () => {
    const { engine, folder } = await open([]);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    const profile = join(folder, "..", "profile");
    writeFileSync(profile, "# mine\n", { mode: 0o644 });
    symlinkSync(profile, join(folder, today()));
    const outcome = await engine.fire("Stop");
    expect(codes(outcome)).toEqual(["journal-failed"]);
    expect(outcome.diagnostics[0]?.message).toContain(`${today()} is a link, not a file`);
    expect([readFileSync(profile, "utf8"), modeOf(profile)]).toEqual(["# mine\n", 0o644]);
  });

  it("is not made by a link that leads nowhere", async () => {
    const { engine, folder } = await open([]);
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(folder, "..", "none"), join(folder, today()));
    expect(codes(await engine.fire("Stop"))).toEqual(["journal-failed"]);
    expect(files(join(folder, ".."))).not.toContain("none");
  });

  it("leaves the folder behind a link as open as it is: it may be used by others", async () => {
    const { engine, folder } = await open([]);
    const journals = dirname(folder);
    const shared = join(dirname(journals), "..", "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    mkdirSync(dirname(journals), { recursive: true });
    symlinkSync(shared, journals);
    await engine.fire("Stop");
    expect([modeOf(shared), modeOf(folder)]).toEqual([0o1777, 0o700]);
    expect(records(folder)).toHaveLength(1);
  });
});

/** The numbers of all records in a journal, by their session, and the flaws of the other lines. */
async function numbersIn(folder: string): Promise<{ bySession: Map<string, string[]>; flaws: string[] }> {
  const bySession = new Map<string, string[]>();
  const flaws: string[] = [];
  for await (const line of linesFromStart(folder)) {
    if ("flaw" in line) {
      flaws.push(line.flaw);
      continue;
    }
    const { session, payload } = line.record;
    bySession.set(session, [...(bySession.get(session) ?? []), String(payload.tool_use_id)]);
  }
  return { bySession, flaws };
}

/** Files of 1 MiB, some 20 records each. */
const BYTES = String(8 * 1024 * 1024);

it("four processes that fill files together lose nothing", { timeout: 60_000 }, async () => {
  const folder = join(scratch().root, "journal");
  const names = ["a", "b", "c", "d"];
  const hosts = names.map((name) => startHost("journal.mjs", [folder, name, "25", BYTES]).finished);
  for (const host of hosts) expect(await host).toMatchObject({ code: 0, stderr: "" });
  const { bySession, flaws } = await numbersIn(folder);
  const all = Array.from({ length: 25 }, (_, done) => String(done));
  expect(flaws).toEqual([]);
  expect(Object.fromEntries(bySession)).toEqual(Object.fromEntries(names.map((name) => [name, all])));
  expect(files(folder).length).toBeGreaterThan(3);
  for (const file of files(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
});

it("of a process that is killed while others write, all that was acknowledged is there", {
  timeout: 60_000,
}, async () => {
  const folder = join(scratch().root, "journal");
  const steady = startHost("journal.mjs", [folder, "steady", "150"]);
  const acknowledged = new Map<string, string[]>();
  for (let round = 0; round < 5; round += 1) {
    const host = startHost("journal.mjs", [folder, `killed-${round}`, "100000"]);
    await host.printed("\n");
    await sleep(20 * round);
    host.kill("SIGKILL");
    const { stdout } = await host.finished;
    acknowledged.set(`killed-${round}`, stdout.split("\n").slice(0, -1));
  }
  const { stdout, stderr } = await steady.finished;
  expect(stderr).toBe("");
  acknowledged.set("steady", stdout.split("\n").slice(0, -1));
  const { bySession, flaws } = await numbersIn(folder);
  expect(flaws.filter((flaw) => flaw !== "torn")).toEqual([]);
  for (const [session, numbers] of acknowledged) {
    expect(numbers.length, session).toBeGreaterThan(0);
    expect(bySession.get(session)?.slice(0, numbers.length), session).toEqual(numbers);
  }
});

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { journalFolder, writeWholeSync } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";
import { type Finished, start } from "./processes.ts";
import { CALL, codes, ROOT, type Scratch, SESSION, said, says, scratch, settings } from "./scratch.ts";

describe("problems of a config file", () => {
  it("are told with the first event, once, and disable their entry alone", async () => {
    const { write, engine } = scratch();
    write("home/.belay/settings.json", {
      hooks: {
        PreToolUse: [{ hooks: [says("good"), { type: "command" }, { type: "json", json: 3 }] }],
        PreTolUse: [],
      },
    });
    const hooks = await engine();
    expect(hooks.problems.map(({ code }) => code)).toEqual([
      "config-bad-entry",
      "config-bad-entry",
      "config-unknown-event",
    ]);
    const first = await hooks.fire("PreToolUse", CALL);
    expect(codes(first)).toEqual(["config-bad-entry", "config-bad-entry", "config-unknown-event"]);
    expect(said(first)[0]).toBe("good");
    expect(said(first).join("\n")).toMatch(/PreTolUse.*PreToolUse/);
    expect(codes(await hooks.fire("PreToolUse", CALL))).toEqual([]);
  });

  it("explain shows them and leaves them to the next event", async () => {
    const { write, engine } = scratch();
    write("home/.belay/settings.json", settings("PreToolUse", says("good"), { type: "nonsense" }));
    const hooks = await engine();
    for (let asked = 0; asked < 2; asked += 1)
      expect((await hooks.explain("PreToolUse", CALL)).problems).toEqual(hooks.problems);
    expect(codes(await hooks.fire("PreToolUse", CALL))).toEqual(["config-unsupported-type"]);
    expect(codes(await hooks.fire("PreToolUse", CALL))).toEqual([]);
  });

  it("are told once also when events come at the same time", async () => {
    const { write, engine } = scratch();
    write("home/.belay/settings.json", settings("PreToolUse", says("good")));
    const hooks = await engine();
    write("home/.belay/settings.json", settings("PreToolUse", says("good"), { type: "nonsense" }));
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => hooks.fire("PreToolUse", CALL)));
    expect(outcomes.flatMap(codes)).toEqual(["config-unsupported-type"]);
  });

  const FILE = "home/.belay/settings.json";
  const linkTo = (target: string) => (room: ReturnType<typeof scratch>) => {
    mkdirSync(join(room.home, ".belay"));
    symlinkSync(target, join(room.root, FILE));
  };
  const broken: [name: string, make: (room: ReturnType<typeof scratch>) => unknown, detail: RegExp][] = [
    ["broken JSON", ({ write }) => write(FILE, '{"hooks": {'), /settings\.json.*line 1/],
    ["a link to nothing", linkTo("gone.json"), /settings\.json.*link to a file that is not there/],
    ["a loop of links", linkTo("settings.json"), /ELOOP/],
    ["no object", ({ write }) => write(FILE, "[]"), /not a JSON object/],
    ["an empty file", ({ write }) => write(FILE, ""), /settings\.json/],
    ["a directory", ({ root }) => mkdirSync(join(root, FILE), { recursive: true }), /folder/],
  ];
  it.each(broken)("a file that cannot be read: %s", async (_name, make, detail) => {
    const room = scratch();
    make(room);
    const hooks = await room.engine();
    const outcome = await hooks.fire("PreToolUse", CALL);
    expect(codes(outcome)).toEqual(["config-unreadable"]);
    expect(said(outcome)[0]).toMatch(detail);
    expect(outcome.blocked).toBe(false);
  });

  it("a named file that is not there is one, a layer that is not there is none", async () => {
    const { engine } = scratch();
    for (const named of [{ configFiles: ["gone.json"] }, { pluginDirs: ["gone"] }])
      expect((await engine(named)).problems).toMatchObject([{ code: "config-unreadable" }]);
    expect((await engine()).problems).toEqual([]);
  });
});

/** Longer than a file is read at every event after a change. */
const SETTLED_MS = 3200;

describe("an edit counts from the next event on", () => {
  const FILE = "home/.belay/settings.json";
  const open = async (options: { reload?: boolean } = {}) => {
    const room = scratch();
    room.write(FILE, settings("PreToolUse", says("one")));
    const hooks = await room.engine(options);
    const fire = (session?: string) =>
      hooks.fire("PreToolUse", { ...CALL, ...(session && { session_id: session }) });
    return { ...room, fire, heard: async (session?: string) => said(await fire(session)) };
  };

  it("also at once, and of the same length", async () => {
    const { write, heard } = await open();
    for (const text of ["one", "two", "six", "ten"]) {
      write(FILE, settings("PreToolUse", says(text)));
      expect(await heard()).toEqual([text]);
    }
  });

  it("not where files are read once, in whichever session", async () => {
    const { write, heard } = await open({ reload: false });
    write(FILE, settings("PreToolUse", says("two")));
    expect([await heard(), await heard(SESSION)]).toEqual([["one"], ["one"]]);
  });

  it("also of a named file, in whichever session", async () => {
    const { write, engine } = scratch();
    const settle = (text: string) => write("project/named.json", settings("PreToolUse", says(text)));
    const hooks = await engine({ configFiles: [settle("one")] });
    const heard = async (session_id: string) => said(await hooks.fire("PreToolUse", { ...CALL, session_id }));
    expect(await heard("a")).toEqual(["one"]);
    settle("two");
    expect([await heard("a"), await heard("b")]).toEqual([["two"], ["two"]]);
  });

  it("also of a file that has been the same for so long that only its times are looked at", async () => {
    const { write, heard } = await open();
    await sleep(SETTLED_MS);
    expect([await heard(), await heard()]).toEqual([["one"], ["one"]]);
    write(FILE, settings("PreToolUse", says("two")));
    expect([await heard(), await heard()]).toEqual([["two"], ["two"]]);
  });

  it("a broken one keeps the last good version and says so once; a mended one is taken", async () => {
    const { write, fire, heard } = await open();
    write(FILE, '{"hooks": ');
    const first = await fire();
    expect(codes(first)).toEqual(["config-unreadable", "config-kept-last-good"]);
    expect(said(first)[0]).toBe("one");
    expect(await heard()).toEqual(["one"]);
    write(FILE, '{"hooks": still broken');
    expect(codes(await fire())).toEqual(["config-unreadable", "config-kept-last-good"]);
    write(FILE, settings("PreToolUse", says("two")));
    expect(await heard()).toEqual(["two"]);
  });

  it("a file that is gone takes its hooks along, and brings them back", async () => {
    const { write, heard, home } = await open();
    rmSync(join(home, ".belay/settings.json"));
    expect(await heard()).toEqual([expect.stringMatching(/is gone, and with it 1 hook/)]);
    expect(await heard()).toEqual([]);
    write(FILE, settings("PreToolUse", says("back")));
    expect(await heard()).toEqual(["back"]);
  });

  it("a pipe is read once and stays in force", async () => {
    const { root, engine } = scratch();
    const pipe = join(root, "pipe");
    await start("mkfifo", [pipe]).finished;
    const text = JSON.stringify(settings("PreToolUse", says("piped")));
    const writer = start("sh", ["-c", `printf %s '${text}' > '${pipe}'`]);
    const hooks = await engine({ configFiles: [pipe] });
    await writer.finished;
    expect(said(await hooks.fire("PreToolUse", CALL))).toEqual(["piped"]);
    expect(said(await hooks.fire("PreToolUse", CALL))).toEqual(["piped"]);
  });

  it("a session's own file is in force without a restart", async () => {
    const { write, engine, trustAll } = scratch();
    const hooks = await engine({ sessionId: SESSION });
    expect(said(await hooks.fire("PreToolUse", CALL))).toEqual([]);
    write(`project/.belay/hooks/hooks.${SESSION}.json`, settings("PreToolUse", says("session")));
    await trustAll({ sessionId: SESSION });
    expect(said(await hooks.fire("PreToolUse", CALL))).toEqual(["session"]);
  });
});

/** Files that are none: they wait for ever, or never come to an end. Each is met by a process of its own. */

const HOST = join(ROOT, "packages/engine/test/hosts/untrusted.mjs");

/** Fires one event in a process that may take neither much memory nor much time. */
async function fired({ project, home }: Scratch): Promise<Finished> {
  const limited = 'ulimit -v 6000000; exec "$@"';
  const host = start("sh", ["-c", limited, "sh", process.execPath, HOST, project, home]);
  const limit = setTimeout(() => host.kill("SIGKILL"), 10_000);
  const finished = await host.finished;
  clearTimeout(limit);
  return finished;
}

describe("a settings file of a project that is a link to an endless file of no size is not read to its end", () => {
  it.each(["settings.json", "settings.local.json"])("%s", async (name) => {
    const room = scratch();
    mkdirSync(join(room.project, ".belay"));
    symlinkSync("/proc/self/pagemap", join(room.project, ".belay", name));
    expect(await fired(room)).toMatchObject({ code: 0, stdout: "config-unreadable\n" });
  });
});

describe("a pipe in the user's own folder holds nothing up", () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const rows: [what: string, path: (room: Scratch) => string, codes: string][] = [
    [
      "the journal",
      ({ project, home }) => join(journalFolder(project, home), `${today()}.jsonl`),
      "journal-failed",
    ],
    [
      "what is trusted",
      ({ home }) => join(home, ".belay/trust.json"),
      "trust-unreadable hook-untrusted hook-skipped",
    ],
  ];
  it.each(rows)("%s", async (_what, path, expected) => {
    const room = scratch();
    if (expected !== "journal-failed")
      room.write("project/.belay/settings.json", settings("Stop", says("x")));
    const pipe = path(room);
    mkdirSync(dirname(pipe), { recursive: true });
    execFileSync("mkfifo", [pipe]);
    expect(await fired(room)).toMatchObject({ code: 0, stdout: `${expected}\n` });
    rmSync(pipe);
  });
});

it("a file is written whole and at once; a mode is kept, or the one that is asked for", () => {
  const { root, write } = scratch();
  const file = write("a.txt", "old");
  chmodSync(file, 0o640);
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  expect([writeWholeSync(file, "new"), readFileSync(file, "utf8"), modeOf(file)]).toEqual([
    "updated",
    "new",
    0o640,
  ]);
  writeWholeSync(file, "newer", 0o600);
  const made = join(root, "deep/er/b.txt");
  expect([writeWholeSync(made, "b", 0o600), modeOf(made), modeOf(file)]).toEqual(["created", 0o600, 0o600]);
  expect(readdirSync(root, { recursive: true }).filter((name) => String(name).endsWith(".tmp"))).toEqual([]);
  expect(() => writeWholeSync(root, "x")).toThrow("it is a folder");
});

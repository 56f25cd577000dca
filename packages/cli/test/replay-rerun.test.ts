import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord } from "@belay/core";
import { describe, expect, it } from "vitest";
import { BELAY } from "../src/args/flags.ts";
import { skippedHooks } from "../src/replay/rerun.ts";
import { scratch } from "./cli.ts";
import { bash, command, GUARD, type Recorded, type Report, recorded, report, took } from "./recorded.ts";

describe("belay replay --rerun", () => {
  // What counts as a change is tested in core: these rows are about exit codes.
  const POLICIES: [name: string, hooks: object, code: number, changes: unknown[], said?: RegExp][] = [
    ["the same policy", bash(GUARD), 0, []],
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

  it("one that rewrites what it changed before to what came", async () => {
    const rewrites = (text: string) => ({
      type: "json",
      json: { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: text } } },
    });
    const room = await recorded(bash(rewrites("rm -i /")));
    const config = room.config(bash(rewrites("rm -rf /")), "new.json");
    const { code, report: found } = await report(room, ["--rerun", "--config", config]);
    const loosened = [false, true, false];
    expect([code, found.changes]).toMatchObject([
      2,
      loosened.map((is) => ({
        changes: ["rewrite"],
        loosened: is,
        before: { updatedInput: { command: "rm -i /" } },
        after: { updatedInput: { command: "rm -rf /" } },
      })),
    ]);
  });

  it.each([false, true])(
    "one whose hook no longer answers, as another of its name never did: %s",
    async (first) => {
      const broken = command("g", "echo old >&2; exit 1");
      const pair = (hook: object) => bash(...(first ? [hook, broken] : [broken, hook]));
      const room = await recorded(pair({ ...GUARD, name: "g" }));
      const config = room.config(pair(command("g", "echo new >&2; exit 3")), "new.json");
      const { code, report: found } = await report(room, [
        "--rerun",
        "--config",
        config,
        "--decision",
        "go on",
      ]);
      const noAnswer = { hook: "g", why: "exited with 3: new" };
      expect([code, found.changes]).toMatchObject([1, Array(2).fill({ changes: ["fault"], noAnswer })]);
    },
  );

  it("a slow one", async () => {
    const room = await recorded();
    room.write(room.records().map((record) => took(record, 1)));
    const slow = bash(GUARD, command("slow", "sleep 0.6"));
    const rerun = ["--rerun", "--config", room.config(slow, "new.json")];
    const { code, report: found } = await report(room, rerun);
    expect([code, found.changes]).toMatchObject([0, Array(3).fill({ changes: ["slower"], slows: "slow" })]);
    expect(found.summary).toMatchObject({ changed: 0, changes: { slower: 3 } });
  });

  it("says what cannot be compared, and compares nothing where all of it is so", async () => {
    const room = await recorded();
    const [first, second, third, stop] = room.records();
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
    const [first] = room.records();
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
    const [, , , stop] = room.records();
    room.write([stop, stop, stop]);
    const once = command("stop", 'grep -q "\\"stop_hook_active\\":true" && exit 0; echo go on >&2; exit 2');
    const config = room.config({ Stop: [{ hooks: [once] }] }, "new.json");
    const { report: found } = await report(room, ["--rerun", "--config", config]);
    expect(found.summary).toMatchObject({ changed: 3, changes: { denied: 3 } });
  });
});

/* When a step in CI is red: 2 when anything loosened, 1 when what was to be compared was not. */

async function gate(room: Recorded, args: readonly string[] = []) {
  const { code, stdout, stderr } = await room.belay(["replay", "--rerun", "--json", ...args]);
  return { code, stderr, summary: (JSON.parse(stdout) as Report).summary };
}

/** The project's own hooks, which need trust. */
function settings(room: Recorded, hooks: object): void {
  room.file(".belay/settings.json", JSON.stringify({ hooks }));
}

const NOTHING = { changed: 0, loosened: 0, changes: {} };
const untrusted = (hooks: string, events: string, next = "belay trust") =>
  `belay: not trusted, and so not run on ${events}: ${hooks}; next: ${next}\n`;

describe("belay replay --rerun, where a hook is not trusted", () => {
  it("calls no event loosened or the same that it would have run on", async () => {
    const room = await recorded();
    // One session: its user is told of the hook once, at the first event.
    room.write(room.records().map((record) => inSession(record, "s-1")));
    settings(room, bash(GUARD));
    expect(await gate(room)).toEqual({
      code: 1,
      stderr: untrusted("guard", "3 events"),
      summary: { ...NOTHING, events: 1, notComparable: { untrusted: 3 } },
    });
    const { stdout } = await room.belay(["replay", "--rerun"], { env: { COLUMNS: "120" } });
    expect(stdout).toBe(
      "1 event fired again, but no hook ran: all were decided as recorded\n" +
        "3 more cannot be compared: 3 with a hook that is not trusted and did not run\n",
    );
    await room.belay(["trust", "--yes"]);
    expect(await gate(room)).toEqual({
      code: 0,
      stderr: "",
      summary: { ...NOTHING, events: 4, notComparable: {} },
    });
  });

  it("runs no other hook on such an event either, and is red with 2 for what did loosen", async () => {
    const room = await recorded();
    const names = ["a", "b", "c", "d", "e", "f\u001b[2J", "g"];
    settings(room, { Stop: [{ hooks: names.map((name) => command(name, `echo ${name}`)) }] });
    const own = { hooks: { Stop: [{ hooks: [command("own", "touch ran")] }] } };
    room.file("../home/.belay/settings.json", JSON.stringify(own));
    expect(await gate(room)).toEqual({
      code: 2,
      stderr: untrusted("a, b, c, d, e and 2 more", "1 event"),
      summary: {
        events: 3,
        changed: 1,
        loosened: 1,
        changes: { allowed: 1 },
        notComparable: { untrusted: 1 },
      },
    });
    expect(existsSync(join(room.project, "ran"))).toBe(false);
  });

  it("counts no refusal of a guard that was edited since it was trusted", async () => {
    const room = await recorded();
    const guard = { ...GUARD, onFailure: "block" };
    settings(room, bash(guard));
    await room.belay(["trust", "--yes"]);
    expect(await gate(room)).toMatchObject({ code: 0 });
    settings(room, bash({ ...guard, command: "true" }));
    expect(await gate(room)).toEqual({
      code: 1,
      stderr: untrusted("guard", "3 events"),
      summary: { ...NOTHING, events: 1, notComparable: { untrusted: 3 } },
    });
  });

  it("names the folder to trust where it is another, as text that paints no screen", async () => {
    const room = await recorded();
    const name = "evil\u001b]0;x\u0007\nbelay: all fine";
    const other = (folder: string) => {
      room.file(`${folder}/.git/HEAD`, "");
      room.config(bash(GUARD), `${folder}/.belay/settings.json`);
      return gate(room, ["--in", folder]);
    };
    expect(await other("other")).toMatchObject({
      code: 1,
      stderr: untrusted("guard", "3 events", `belay trust --cwd ${join(room.project, "other")}`),
    });
    expect((await other(name)).stderr).toMatch(/^belay: not trusted, [^\p{Cc}]*\n$/u);
  });
});

describe("belay replay --rerun, where hooks cannot be read", () => {
  it("compares nothing with them", async () => {
    const room = await recorded();
    room.file("other/.git/HEAD", "");
    room.file("other/.belay/settings.json", "{");
    const [first, ...others] = room.records();
    room.write([{ ...first, cwd: join(room.project, "other") }, ...others]);
    const { code, stderr, summary } = await gate(room, ["--decision", "go on"]);
    expect(summary).toEqual({ ...NOTHING, events: 2, notComparable: { "config-unreadable": 1 } });
    expect(stderr).toMatch(
      /^belay: .*other.*settings\.json cannot be read: .*; next: belay check --cwd .*other\n$/,
    );
    expect(code).toBe(1);
    // A folder that was named for all of them is bad usage.
    expect(await room.belay(["replay", "--rerun", "--in", "other"])).toEqual({ code: 1, stdout: "", stderr });
  });
});

describe("belay replay --rerun, where a hook of the policy cannot answer", () => {
  it("is red for an entry that an error keeps off", async () => {
    const room = await recorded();
    const misspelt = { Stop: [{ hooks: [{ type: "command", comand: "exit 2" }] }] };
    room.file("new.json", JSON.stringify({ hooks: { ...bash(GUARD), ...misspelt } }));
    expect(await gate(room, ["--config", "new.json"])).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^belay: in .* 1 error keeps an entry off; next: belay check --config .*new\.json --cwd .*\n$/,
      ),
      summary: { ...NOTHING, events: 0, notComparable: { "config-unreadable": 4 } },
    });
  });

  it("is red for one that fails where it did not", async () => {
    const room = await recorded();
    const crashes = { Stop: [{ hooks: [command("crashes", "exit 1")] }] };
    room.file("new.json", JSON.stringify({ hooks: { ...bash(GUARD), ...crashes } }));
    expect(await gate(room, ["--config", "new.json"])).toMatchObject({
      code: 1,
      summary: { loosened: 0, changes: { fault: 1 } },
    });
    const { stdout } = await room.belay(["replay", "--rerun", "--config", "new.json"]);
    expect(stdout).toMatch(/\n1 with a hook that does not answer: this run is no proof\n$/);
  });
});

it("a record that no hook can be given is left out, and the others are compared", async () => {
  const room = await recorded();
  const [first, ...others] = room.records();
  let deep: unknown = "x";
  for (let level = 0; level < 1050; level += 1) deep = [deep];
  room.write([{ ...first, payload: { ...first.payload, tool_input: { deep } } }, ...others]);
  room.file("same.json", JSON.stringify({ hooks: bash(GUARD) }));
  expect(await gate(room, ["--config", "same.json"])).toEqual({
    code: 0,
    stderr: "",
    summary: { ...NOTHING, events: 3, notComparable: { "payload-refused": 1 } },
  });
});

it("names the first few folders of many", () => {
  const skipped = skippedHooks({});
  const problems = [{ code: "config-unreadable", severity: "error", message: "no", fix: "" }] as const;
  for (const name of ["a", "b", "c", "d", "e"]) expect(skipped.unreadable(problems, `/${name}`)).toBe(true);
  expect(skipped.sentences()).toEqual([
    ...["a", "b", "c"].map((name) => `no; next: ${BELAY} check --cwd /${name}`),
    "and 2 more of this kind",
  ]);
});

describe("belay replay, where nothing is compared", () => {
  const FORMS = [[], ["--json"], ["--rerun"], ["--rerun", "--json"]];

  it.each(FORMS)("is red: %s %s", async (...form) => {
    const room = await recorded();
    const empty = scratch();
    const none = await empty.belay(["replay", ...form]);
    expect(none.stderr).toMatch(
      /^belay: nothing was compared: nothing has been recorded yet in .*; next: belay run PreToolUse\n$/,
    );
    expect(none.code).toBe(1);
    const filtered = await room.belay(["replay", ...form, "--tool", "Nope", "--limit", "0"]);
    expect(filtered.stderr).toMatch(
      /^belay: nothing was compared: of 4 events in .* none fits --tool Nope --limit 0; next: belay tail\n$/,
    );
    expect(filtered.code).toBe(1);
    for (const { stdout } of [none, filtered])
      if (form.includes("--json")) expect(JSON.parse(stdout)).toMatchObject({ summary: { events: 0 } });
      else expect(stdout).toBe("");
  });

  it("also where none of the events is known", async () => {
    const room = await recorded();
    room.write(room.records().map((record) => ({ ...record, event: "BeforeTheFlood" })));
    const { code, stdout, stderr } = await room.belay(["replay"], { env: { COLUMNS: "120" } });
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout:
        "of 4 events none can be compared: 4 of an event, a dialect, a decision or a failure that is not known here\n",
      stderr: "belay: nothing was compared; name a journal, or filters, with other events\n",
    });
  });

  it("and with a flaw in what is there, says both", async () => {
    const room = await recorded();
    room.write([]);
    appendFileSync(room.journal, '{"version":1');
    const { code, stderr } = await room.belay(["replay"]);
    expect(stderr).toMatch(/^belay: left out a line .*\nbelay: nothing was compared: nothing has been/);
    expect(code).toBe(1);
  });
});

function inSession(record: EventRecord, session: string): EventRecord {
  return { ...record, session, payload: { ...record.payload, session_id: session } };
}

describe("belay replay --rerun, where no hook answers", () => {
  const CRASHES = command("crashes", "echo 'KeyError: tool' >&2; exit 1");

  it("is red when none did when recorded either: nothing was looked at", async () => {
    const room = await recorded(bash(CRASHES));
    const { code, stderr } = await gate(room, ["--config", "old.json"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        "belay: no hook gave an answer, now or when recorded: crashes: exited with 1: KeyError: tool; next: belay run PreToolUse --config old.json\n",
    });
  });

  it("is green when one answered", async () => {
    const room = await recorded(bash(CRASHES, GUARD));
    expect(await gate(room, ["--config", "old.json"])).toMatchObject({ code: 0, stderr: "" });
  });
});

/* A gate must not be green about other scripts than those it was given, nor about none. */

const SCRIPT = command("guard", 'sh "$BELAY_PROJECT_DIR"/guard.sh');
const REFUSING = 'grep -q "rm -rf" && { echo not that >&2; exit 2; }; exit 0\n';

/** A checkout whose guard refuses, its records as a file, and another checkout whose guard lets all through. */
async function twoCheckouts(): Promise<Recorded & { other: string }> {
  const room = await recorded();
  room.file("guard.sh", REFUSING);
  room.file(".belay/settings.json", JSON.stringify({ hooks: bash(SCRIPT) }));
  room.file("../other/guard.sh", "exit 0\n");
  room.file("../other/.belay/settings.json", JSON.stringify({ hooks: bash(SCRIPT) }));
  const other = join(room.project, "../other");
  mkdirSync(join(other, ".git"));
  cpSync(room.journal, join(other, "events.jsonl"));
  return { ...room, other };
}

describe("belay replay --rerun, given in another checkout than the recorded one", () => {
  it("is red, and says whose scripts ran", async () => {
    const { other, project, shell } = await twoCheckouts();
    const replay = "belay replay events.jsonl --rerun --config .belay/settings.json";
    const said = await shell(`cd ../other; ${replay}; echo $?`);
    expect(said).toContain(
      `belay: 4 events fired in ${project}, with the scripts there and not those of ${other}; next: the same with --in .\n`,
    );
    expect(said).toMatch(/all were decided as recorded\n1\n/);
    expect(await shell(`cd ../other; ${replay} --json 2> said`)).toContain('"elsewhere":4');
    const here = await shell(`cd ../other; ${replay} --in .; echo $?`);
    expect(here).toMatch(/1 loosened: .*\n2\n$/);
  });

  it("also where another checkout's settings are named", async () => {
    const { other, shell } = await twoCheckouts();
    const said = await shell("belay replay --rerun --config ../other/.belay/settings.json; echo $?");
    expect(said).toContain(`; next: the same with --in ${other}\n`);
    expect(said).toMatch(/all were decided as recorded\n1\n/);
  });

  it("but not for a plugin, which brings its scripts along from whichever checkout", async () => {
    const { file, shell } = await twoCheckouts();
    const script = command("guard", 'sh "$CLAUDE_PLUGIN_ROOT"/guard.sh');
    for (const [folder, text] of [
      ["plugin", REFUSING],
      ["../other/plugin", "exit 0\n"],
    ] as const) {
      file(`${folder}/guard.sh`, text);
      file(`${folder}/hooks/hooks.json`, JSON.stringify({ hooks: bash(script) }));
    }
    expect(await shell("belay replay --rerun --plugin plugin; echo $?")).toMatch(
      /^4 events fired again: all were decided as recorded\n0\n$/,
    );
    expect(await shell("belay replay --rerun --plugin ../other/plugin; echo $?")).toMatch(
      /1 loosened: .*\n2\n$/,
    );
  });

  it("but not in one's own project, from whichever folder, nor in one of a repository within it", async () => {
    const room = await twoCheckouts();
    room.file("below/within/.git/HEAD", "");
    const [first] = room.records();
    room.write([...room.records(), { ...first, cwd: join(room.project, "below/within") }]);
    for (const line of [
      "belay replay --rerun --config old.json; echo $?",
      "cd below; belay replay --rerun --config ../old.json; echo $?",
      "cd below; belay replay --rerun --config ../.belay/settings.json --decision deny; echo $?",
      "cd ../other; belay replay --rerun --cwd ../project --config ../project/old.json; echo $?",
    ])
      expect([line, await room.shell(line)]).toEqual([
        line,
        expect.stringMatching(/^\d events? fired again: all .*\n0\n$/),
      ]);
  });
});

describe("belay replay --rerun, where no hook runs and hooks had run", () => {
  const ROWS: [name: string, hooks: object, why: string][] = [
    ["none is configured", {}, "none is configured; next: belay check --config new.json"],
    [
      "none fits",
      { PreToolUse: [{ matcher: "Bsh", hooks: [GUARD] }] },
      "none that is configured fits them; next: belay why PreToolUse --config new.json",
    ],
  ];
  it.each(ROWS)("is red: %s", async (_, hooks, why) => {
    const room = await recorded();
    room.config(hooks, "new.json");
    const args = ["replay", "--rerun", "--config", "new.json", "--decision", "go on"];
    expect(await room.belay(args)).toEqual({
      code: 1,
      stdout: "3 events fired again, but no hook ran: all were decided as recorded\n",
      stderr: `belay: no hook ran, and 2 events had run hooks when recorded: ${why}\n`,
    });
  });

  it("is green where none had run either", async () => {
    const room = await recorded();
    const config = room.config({}, "new.json");
    expect(await room.belay(["replay", "--rerun", "--config", config, "--event", "Stop"])).toEqual({
      code: 0,
      stdout: "1 event fired again, but no hook ran: all were decided as recorded\n",
      stderr: "",
    });
  });
});

import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord } from "@belay/core";
import { describe, expect, it } from "vitest";
import { BELAY } from "../src/args/flags.ts";
import { skippedHooks } from "../src/replay/rerun.ts";
import { scratch } from "./cli.ts";
import { bash, command, GUARD, type Recorded, type Report, recorded } from "./recorded.ts";

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

  it("runs no other hook on such an event either", async () => {
    const room = await recorded();
    settings(room, bash(GUARD));
    mkdirSync(join(room.home, ".belay"), { recursive: true });
    const own = { hooks: bash(command("own", "touch ran")) };
    room.file("../home/.belay/settings.json", JSON.stringify(own));
    expect(await gate(room)).toMatchObject({ code: 1, summary: { events: 1 } });
    expect(existsSync(join(room.project, "ran"))).toBe(false);
  });

  it("is red with 2 for what did loosen", async () => {
    const room = await recorded();
    settings(room, { Stop: [{ hooks: [command("bell", "true"), command("log", "true")] }] });
    expect(await gate(room)).toEqual({
      code: 2,
      stderr: untrusted("bell, log", "1 event"),
      summary: {
        events: 3,
        changed: 1,
        loosened: 1,
        changes: { allowed: 1 },
        notComparable: { untrusted: 1 },
      },
    });
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

  it("names the first few hooks of many", async () => {
    const room = await recorded();
    const names = ["a", "b", "c", "d", "e", "f\u001b[2J", "g"];
    settings(room, { Stop: [{ hooks: names.map((name) => command(name, `echo ${name}`)) }] });
    const { code, stderr } = await gate(room, ["--event", "Stop"]);
    expect([code, stderr]).toEqual([1, untrusted("a, b, c, d, e and 2 more", "1 event")]);
  });

  it("names the folder to trust where it is another", async () => {
    const room = await recorded();
    room.file("other/.git/HEAD", "");
    room.file("other/.belay/settings.json", JSON.stringify({ hooks: bash(GUARD) }));
    const folder = join(room.project, "other");
    const { code, stderr } = await gate(room, ["--in", "other"]);
    expect([code, stderr]).toEqual([1, untrusted("guard", "3 events", `belay trust --cwd ${folder}`)]);
  });
});

describe("belay replay --rerun, where hooks cannot be read", () => {
  it("compares nothing with them", async () => {
    const room = await recorded();
    room.file("other/.git/HEAD", "");
    room.file("other/.belay/settings.json", "{");
    const [first, ...others] = room.records() as [EventRecord, ...EventRecord[]];
    room.write([{ ...first, cwd: join(room.project, "other") }, ...others]);
    const { code, stderr, summary } = await gate(room, ["--decision", "go on"]);
    expect(summary).toEqual({ ...NOTHING, events: 2, notComparable: { "config-unreadable": 1 } });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^belay: .*other.*settings\.json cannot be read: .*; next: belay check --cwd .*other\n$/,
      ),
    ]);
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
  const [first, ...others] = room.records() as [EventRecord, ...EventRecord[]];
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

it("a folder's name paints no screen and writes no line of its own", async () => {
  const room = await recorded();
  const name = "evil\u001b]0;x\u0007\nbelay: all fine";
  room.file(`${name}/.git/HEAD`, "");
  room.file(`${name}/.belay/settings.json`, JSON.stringify({ hooks: bash(GUARD) }));
  const { code, stderr } = await gate(room, ["--in", name]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^belay: not trusted, [^\p{Cc}]*\n$/u)]);
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

it("a folder to run in, whose hooks cannot be read, is bad usage", async () => {
  const room = await recorded();
  room.file("other/.git/HEAD", "");
  room.file("other/.belay/settings.json", "{");
  const { code, stdout, stderr } = await room.belay(["replay", "--rerun", "--in", "other"]);
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^belay: .*cannot be read: .*; next: belay check --cwd .*other\n$/),
  });
});

describe("belay replay, where nothing is compared", () => {
  const FORMS = [[], ["--json"], ["--rerun"], ["--rerun", "--json"]];

  it.each(FORMS)("is red: %s %s", async (...form) => {
    const room = await recorded();
    const empty = scratch();
    const none = await empty.belay(["replay", ...form]);
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^belay: nothing was compared: nothing has been recorded yet in .*; next: belay run PreToolUse\n$/,
      ),
    ]);
    const filtered = await room.belay(["replay", ...form, "--tool", "Nope", "--since", "1h"]);
    expect([filtered.code, filtered.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^belay: nothing was compared: of 4 events in .* none fits --tool Nope --since 1h; next: belay tail\n$/,
      ),
    ]);
    for (const { stdout } of [none, filtered])
      if (form.includes("--json")) expect(JSON.parse(stdout)).toMatchObject({ summary: { events: 0 } });
      else expect(stdout).toBe("");
  });

  it("names the limit as a filter", async () => {
    const room = await recorded();
    const { code, stderr } = await room.belay(["replay", "--limit", "0"]);
    const why = `of 4 events in ${room.folder} none fits --limit 0; next: belay tail`;
    expect([code, stderr]).toEqual([1, `belay: nothing was compared: ${why}\n`]);
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
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^belay: left out a line .*\nbelay: nothing was compared: nothing has been/),
    ]);
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

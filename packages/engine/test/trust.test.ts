import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { EngineOptions, EventRecord } from "@belay/engine";
import { checkConfig } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";
import { CALL, codes, command, SESSION, said, says, scratch, settings } from "./scratch.ts";
import { PROJECT, ran } from "./trust-project.ts";

/** Hooks of a project run only after the user has trusted them, as they are (design §7). */

describe("which files need trust", () => {
  const rows: [file: string, options: EngineOptions, runsUntrusted: boolean][] = [
    ["home/.belay/settings.json", {}, true],
    ["named.json", { configFiles: ["../named.json"] }, true],
    ["plug/hooks/hooks.json", { pluginDirs: ["../plug"] }, true],
    [PROJECT, {}, false],
    ["project/.belay/settings.local.json", {}, false],
    [`project/.belay/hooks/hooks.${SESSION}.json`, { sessionId: SESSION }, false],
    ["project/.claude/settings.json", { dialect: "claude-code" }, false],
    ["project/hooks/hooks.json", { dialect: "pact" }, false],
    ["home/.claude/settings.json", { dialect: "claude-code" }, true],
  ];
  it.each(rows)("%s", async (file, options, runsUntrusted) => {
    const room = scratch();
    room.write(file, settings("Stop", says("ran")));
    expect(await ran(room, options)).toBe(runsUntrusted);
    await room.trustAll(options);
    expect(await ran(room, options)).toBe(true);
  });
});

describe("the user is told", () => {
  it("once per session, and again when something else is not trusted", async () => {
    const { write, engine, trustAll } = scratch();
    write(PROJECT, settings("Stop", says("a"), says("b")));
    const hooks = await engine();
    const fire = (session_id: string) => hooks.fire("Stop", { session_id });
    const first = await fire("one");
    expect(codes(first)).toEqual(["hook-untrusted", "hook-skipped"]);
    expect(said(first)[0]).toMatch(/^2 hooks from .*\/project\/\.belay\/settings\.json .*belay trust/);
    expect(codes(await fire("one"))).toEqual(["hook-skipped"]);
    expect(codes(await fire("two"))).toEqual(["hook-untrusted", "hook-skipped"]);
    expect(codes(await fire("two"))).toEqual(["hook-skipped"]);
    await trustAll();
    expect(said(await fire("one"))).toEqual(["a", "b"]);
    write(PROJECT, settings("Stop", says("a"), says("edited")));
    expect(codes(await fire("one"))).toEqual(["hook-untrusted", "hook-skipped"]);
    expect(codes(await fire("one"))).toEqual(["hook-skipped"]);
  });

  it.each([
    [1, "1 hook from FILE not run: it is not trusted (it is for Stop)", "Look at it and trust it: "],
    [
      2,
      "2 hooks from FILE not run: they are not trusted (2 of them for Stop)",
      "Look at them and trust them: ",
    ],
  ])("of %i of them, in these words", async (count, message, fix) => {
    const { engine, write } = scratch();
    const hooks = Array.from({ length: count }, (_, index) => says(`${index}`));
    const file = write(PROJECT, settings("Stop", ...hooks));
    const [told] = (await (await engine()).fire("Stop")).diagnostics;
    expect([told?.message.replace(file, "FILE"), told?.fix.startsWith(fix)]).toEqual([message, true]);
  });

  it("of all files at the first event, whichever it is", async () => {
    const { write, engine } = scratch();
    write(PROJECT, settings("Stop", says("a")));
    write("project/.belay/settings.local.json", settings("PreToolUse", says("b")));
    const hooks = await engine();
    const [message = ""] = said(await hooks.fire("SessionStart", { source: "startup" }));
    expect(message).toMatch(/^2 hooks from .*settings\.json, .*settings\.local\.json /);
    expect(codes(await hooks.fire("Stop"))).toEqual(["hook-skipped"]);
    expect(codes(await hooks.fire("PreToolUse", CALL))).toEqual(["hook-skipped"]);
  });

  it("not of hooks that are switched off", async () => {
    const room = scratch();
    room.write(PROJECT, settings("Stop", says("a", { enabled: false })));
    expect(codes(await (await room.engine()).fire("Stop"))).toEqual([]);
    const { problems } = await checkConfig({ cwd: room.project, home: room.home });
    expect(problems.map(({ code }) => code)).toEqual([]);
  });

  it("of one session again after very many others: what is remembered is bounded", async () => {
    const { write, engine } = scratch();
    write(PROJECT, settings("Stop", says("a")));
    const hooks = await engine({ journal: false });
    const told = async (session_id: string) =>
      codes(await hooks.fire("Stop", { session_id })).filter((code) => code === "hook-untrusted").length;
    const sessions = Array.from({ length: 1000 }, (_, n) => `session ${n}`);
    const counts: number[] = [];
    for (const session of ["one", "one", ...sessions, "session 999", "one"]) counts.push(await told(session));
    expect(counts).toEqual([1, 0, ...sessions.map(() => 1), 0, 1]);
  });
});

describe("the trust file", () => {
  it("is the user's own", async () => {
    const room = scratch();
    room.write(PROJECT, settings("Stop", says("x")));
    await room.trustAll();
    const file = join(room.home, ".belay/trust.json");
    expect([statSync(file).mode & 0o777, statSync(join(file, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  const UNREADABLE = ["", "{", "[]", "null", '{"version":2}', '{"version":2,"projects":null}'];
  const OTHERS = ['{"version":3,"projects":{}}', '{"version":2,"projects":{"PROJECT":["no entry"]}}'];
  it.each([...UNREADABLE, ...OTHERS])(
    "that makes no sense trusts nothing, lets guards refuse, and is left alone: %j",
    async (row) => {
      const room = scratch();
      const text = row.replace("PROJECT", room.project);
      const guard = { type: "command", command: "true", onFailure: "block", name: "guard" };
      room.write(PROJECT, { hooks: { Stop: [{ hooks: [says("x"), guard] }] } });
      await room.trustAll();
      const file = join(room.home, ".belay/trust.json");
      writeFileSync(file, text);
      const outcome = await (await room.engine()).fire("Stop");
      expect([outcome.decision.hook, outcome.blocked, outcome.runs.length]).toEqual(["guard", true, 1]);
      expect(codes(outcome)).toEqual([
        "trust-unreadable",
        "hook-untrusted",
        "hook-skipped",
        "run-failure-blocks",
      ]);
      await expect(room.trustAll()).rejects.toThrow("nothing was trusted");
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );

  it("that is a link stays one, and one that leads nowhere lets guards refuse", async () => {
    const room = scratch();
    const guard = { type: "command", command: "true", onFailure: "block" };
    room.write(PROJECT, settings("Stop", guard));
    const file = join(room.home, ".belay/trust.json");
    const target = room.write("dotfiles/trust.json", { version: 2, projects: {} });
    mkdirSync(join(room.home, ".belay"), { recursive: true });
    symlinkSync(target, file);
    await room.trustAll();
    expect([await ran(room), lstatSync(file).isSymbolicLink()]).toEqual([true, true]);
    renameSync(target, `${target}.away`);
    expect((await (await room.engine()).fire("Stop")).blocked).toBe(true);
  });

  it("of the first version counts for nothing, and is replaced", async () => {
    const room = scratch();
    room.write(PROJECT, settings("Stop", says("x")));
    room.write("home/.belay/trust.json", { version: 1, projects: { [room.project]: ["0.0"] } });
    expect(await ran(room)).toBe(false);
    await room.trustAll();
    expect(await ran(room)).toBe(true);
  });

  it("keeps other projects, and one version of an entry", async () => {
    const room = scratch();
    const file = join(room.home, ".belay/trust.json");
    room.write("home/.belay/trust.json", { version: 2, projects: { "/else": ["abc"] } });
    for (const text of ["x", "y"]) {
      room.write(PROJECT, settings("Stop", says(text)));
      await room.trustAll();
    }
    const { projects } = JSON.parse(readFileSync(file, "utf8")) as { projects: Record<string, string[]> };
    expect(projects["/else"]).toEqual(["abc"]);
    expect(projects[room.project]).toHaveLength(1);
  });

  it("a folder in its place trusts nothing", async () => {
    const room = scratch();
    room.write(PROJECT, settings("Stop", says("x")));
    mkdirSync(join(room.home, ".belay/trust.json"), { recursive: true });
    expect(await ran(room)).toBe(false);
    renameSync(join(room.home, ".belay/trust.json"), join(room.home, "aside"));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
  });
});

/** The user is told once per session; what each record says is true of its own event. */
describe("a record says how many hooks did not run because they are not trusted", () => {
  const on = (matcher: string, ...hooks: object[]) => ({ hooks: { PreToolUse: [{ matcher, hooks }] } });

  it("at every event, though the user is told once", async () => {
    const room = scratch();
    room.write(PROJECT, on("Bash", command("exit 2"), command("exit 3")));
    const journal = join(room.root, "journal");
    const engine = await room.engine({ journal, sessionId: SESSION });
    const told = [
      await engine.fire("SessionStart", { source: "startup" }),
      await engine.fire("PreToolUse", CALL),
      await engine.fire("PreToolUse", CALL),
      await engine.fire("PreToolUse", { ...CALL, tool_name: "Edit" }),
    ].map(codes);
    expect(told).toEqual([["hook-untrusted"], ["hook-skipped"], ["hook-skipped"], []]);
    await room.trustAll();
    await engine.fire("PreToolUse", CALL);
    expect(recordsIn(journal)).toEqual([
      { event: "SessionStart", ran: 0, untrusted: 0 },
      { event: "PreToolUse", ran: 0, untrusted: 2 },
      { event: "PreToolUse", ran: 0, untrusted: 2 },
      { event: "PreToolUse", ran: 0 },
      { event: "PreToolUse", ran: 2 },
    ]);
  });

  it("but not of the copy of one that ran", async () => {
    const room = scratch();
    const journal = join(room.root, "journal");
    room.write("home/.belay/settings.json", settings("Stop", command("exit 0")));
    room.write(PROJECT, settings("Stop", command("exit 0")));
    const engine = await room.engine({ journal });
    await engine.fire("Stop");
    await engine.fire("Stop");
    expect(recordsIn(journal)).toEqual([
      { event: "Stop", ran: 1, untrusted: 0 },
      { event: "Stop", ran: 1, untrusted: 0 },
    ]);
  });
});

function recordsIn(journal: string): object[] {
  const [file = ""] = readdirSync(journal);
  const lines = readFileSync(join(journal, file), "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const { event, hooks, untrusted } = JSON.parse(line) as EventRecord;
    return { event, ran: hooks.length, ...(untrusted !== undefined && { untrusted }) };
  });
}

/* What runs, what refuses because it was edited, what is not trusted: fire, explain and checkConfig say the same. */

const SCRIPT = { type: "command", command: '"$BELAY_PROJECT_DIR"/guard.sh', name: "guard" };
const GUARD = { ...SCRIPT, onFailure: "block" };
const matching = (event: string, matcher: string, hook: object) => ({
  hooks: { [event]: [{ matcher, hooks: [hook] }] },
});

interface Row {
  readonly what: string;
  readonly event?: "PreToolUse" | "SessionStart";
  /** Written, then trusted, then the script is edited. */
  readonly edited?: object;
  /** Written, then trusted. */
  readonly trusted?: object;
  /** Written without being trusted. */
  readonly added?: object;
  readonly blocked?: true;
  readonly told?: string[];
  readonly explained: [fires: boolean, trusted: boolean, because: string][];
  readonly checked?: string[];
}

/** What is said of a hook that does not run. */
const NOT_RUN: Pick<Row, "told" | "explained" | "checked"> = {
  told: ["hook-untrusted", "hook-skipped"],
  explained: [[false, false, "untrusted"]],
  checked: ["config-untrusted"],
};

const ROWS: Row[] = [
  {
    what: "a trusted guard runs",
    trusted: matching("PreToolUse", "Bash", GUARD),
    blocked: true,
    explained: [[true, true, "fires"]],
  },
  {
    what: "an edited guard refuses",
    edited: matching("PreToolUse", "Bash", GUARD),
    blocked: true,
    told: ["hook-edited", "run-failure-blocks"],
    explained: [[true, false, "edited"]],
    checked: ["hook-edited"],
  },
  {
    what: "an edited guard that does not match refuses nothing",
    edited: matching("PreToolUse", "Edit", GUARD),
    explained: [[false, false, "matcher"]],
    checked: ["hook-edited"],
  },
  {
    what: "an edited hook that may fail is not run",
    edited: matching("PreToolUse", "Bash", SCRIPT),
    ...NOT_RUN,
  },
  {
    what: "an edited guard that only observes is not run",
    edited: matching("PreToolUse", "Bash", { ...GUARD, mode: "observe" }),
    ...NOT_RUN,
    told: ["hook-untrusted"],
  },
  {
    what: "an edited guard of an event that refuses nothing is not run",
    event: "SessionStart",
    edited: matching("SessionStart", "startup", GUARD),
    ...NOT_RUN,
    checked: ["config-no-effect", "config-untrusted"],
  },
  {
    what: "a guard never trusted refuses nothing",
    added: matching("PreToolUse", "Bash", GUARD),
    ...NOT_RUN,
  },
  {
    what: "a double that is not trusted does not hide the one that is",
    trusted: matching("PreToolUse", "Bash|Edit", SCRIPT),
    added: matching("PreToolUse", "Bash", SCRIPT),
    blocked: true,
    told: ["hook-untrusted"],
    explained: [
      [false, false, "untrusted"],
      [true, true, "fires"],
    ],
    checked: ["config-duplicate", "config-untrusted"],
  },
];

it.each(ROWS)("fire, explain and check agree: $what", async (row) => {
  const { event = "PreToolUse", edited, trusted = edited, added, blocked = false } = row;
  const room = scratch();
  room.write("project/guard.sh", "#!/bin/sh\nexit 2\n", 0o755);
  if (trusted) room.write("project/.belay/settings.local.json", trusted);
  await room.trustAll();
  if (added) room.write("project/.belay/settings.json", added);
  if (edited) room.write("project/guard.sh", "#!/bin/sh\n: edited\n", 0o755);
  const engine = await room.engine();
  const payload = { tool_name: "Bash", source: "startup" };
  const { matches } = await engine.explain(event, payload);
  const outcome = await engine.fire(event, payload);
  const { problems } = await checkConfig({ cwd: room.project, home: room.home });
  expect({
    blocked: outcome.blocked,
    told: codes(outcome),
    explained: matches.map(({ fires, trusted: isTrusted, because }) => [fires, isTrusted, because]),
    checked: problems.map(({ code }) => code).sort(),
  }).toEqual({ blocked, told: row.told ?? [], explained: row.explained, checked: row.checked ?? [] });
  expect(outcome.runs).toHaveLength(matches.filter(({ fires }) => fires).length);
});

it("the agent reads that a guard was edited, the user how to trust it", async () => {
  const room = scratch();
  room.write("project/guard.sh", "#!/bin/sh\n", 0o755);
  room.write("project/.belay/settings.json", matching("PreToolUse", "Bash", GUARD));
  await room.trustAll();
  room.write("project/guard.sh", "#!/bin/sh\n: edited\n", 0o755);
  const engine = await room.engine({ program: "npx belay" });
  for (let time = 0; time < 2; time += 1) {
    const outcome = await engine.fire("PreToolUse", CALL);
    expect(said(outcome, "agent")).toEqual([
      "hook guard failed and must not (onFailure: block): it was edited since it was trusted, and is not run",
    ]);
    expect(said(outcome).at(-1)).toMatch(
      /^guard changed since you trusted it.*Look at the edit and trust it: npx belay trust --cwd /,
    );
    expect(JSON.stringify(outcome.runs)).not.toContain("belay trust");
  }
});

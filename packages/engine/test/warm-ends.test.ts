import { existsSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { abortedRuns } from "./journals.ts";
import { type Mark, mark, sleep, startHost, until } from "./processes.ts";
import { CALL, codes, command, scratch, settings } from "./scratch.ts";
import { dead, OBEYS, openWarm, warmOf } from "./warm-hooks.ts";

/** The process of a warm hook: when it starts, when it is replaced, and when it ends. */

let marked: Mark | undefined;
afterEach(() => {
  marked?.endAll();
  marked = undefined;
});

describe("an edit", () => {
  const script = (word: string) =>
    `#!/bin/sh\nwhile read -r line; do i=\${line#*:\\"}; printf '{"id":"%s","output":"${word} %s"}\\n' "\${i%%\\"*}" $$; done\n`;

  it("of the script counts from the next call on, also at once and of the same length", async () => {
    const room = scratch();
    room.write("project/hook.sh", script("one"), 0o755);
    const { run } = warmOf(room, await room.engineFor("PreToolUse", [command("./hook.sh", { warm: true })]));
    for (const word of ["two", "six", "ten", "six", "two"]) {
      await run();
      room.write("project/hook.sh", script(word), 0o755);
      expect((await run()).stdout).toMatch(new RegExp(`^${word} `));
    }
  });

  it("of a file that its script imports from the hooks folder, or of one that was not there", async () => {
    const room = scratch();
    const python = `import json, sys
try:
    from extra import word
except ImportError:
    word = "none"
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "output": word}), flush=True)
`;
    room.write("project/hooks/hook.py", python);
    const { run } = warmOf(
      room,
      await room.engineFor("PreToolUse", [command("python3 hooks/hook.py", { warm: true })]),
    );
    expect((await run()).stdout).toBe("none");
    for (const word of ["one", "three"]) {
      room.write("project/hooks/extra.py", `word = "${word}"\n`);
      expect((await run()).stdout).toBe(word);
    }
  });

  it("of another file in the folder starts nothing", async () => {
    const room = scratch();
    room.write("project/hook.sh", script("one"), 0o755);
    const { run } = warmOf(room, await room.engineFor("PreToolUse", [command("./hook.sh", { warm: true })]));
    const { stdout } = await run();
    room.write("project/notes.txt", "x");
    expect((await run()).stdout).toBe(stdout);
    utimesSync(join(room.project, "hook.sh"), new Date(), new Date());
    expect((await run()).stdout).not.toBe(stdout);
  });

  it("of the entry", async () => {
    const room = scratch();
    const entry = command(OBEYS, { warm: true });
    const { who } = warmOf(room, await room.engineFor("PreToolUse", [entry]));
    const { pid } = await who();
    room.write("hooks.json", settings("PreToolUse", { ...entry, timeout: 30 }));
    expect((await who()).pid).not.toBe(pid);
  });

  it("while a call is under way is not that call's", async () => {
    const room = scratch();
    const words = readFileSync(OBEYS.slice(1, -1), "utf8");
    room.write("project/obeys.mjs", words, 0o755);
    const { who } = warmOf(
      room,
      await room.engineFor("PreToolUse", [command("./obeys.mjs", { warm: "parallel" })]),
    );
    const { pid } = await who();
    const slow = who({ after: 500 });
    await sleep(50);
    room.write("project/obeys.mjs", `${words}\n`, 0o755);
    expect((await who()).pid).not.toBe(pid);
    expect((await slow).pid).toBe(pid);
    expect(await dead(pid)).toBe(true);
  });
});

describe("its end", () => {
  it("comes when nobody has asked for a while; the next call starts it anew", async () => {
    const { who } = await openWarm({}, { limits: { warmIdleMs: 200 } });
    const { pid } = await who();
    expect((await who()).pid).toBe(pid);
    expect(await dead(pid)).toBe(true);
    expect(await who()).toMatchObject({ calls: 1 });
  });

  it("may be a quiet one: it has time to go when its stdin ends", async () => {
    const room = scratch();
    const text = `while read -r line; do echo '{"id":"1"}'; done; echo bye; echo gone > ${room.root}/gone`;
    const hooks = await room.engineFor("PreToolUse", [command(text, { warm: true })]);
    expect((await hooks.fire("PreToolUse", CALL)).runs[0]).not.toHaveProperty("failure");
    await hooks.close();
    expect(readFileSync(`${room.root}/gone`, "utf8")).toBe("gone\n");
  });

  it.each(["", " ignores-term"])("comes with close()%s", async (word) => {
    marked = mark();
    const { hooks, who } = await openWarm({ command: OBEYS + word }, { env: marked.env });
    await who();
    expect(marked.alive()).toHaveLength(1);
    await hooks.close();
    expect(await marked.gone()).toEqual([]);
  });

  it("close() ends a call that is under way, and those that wait", async () => {
    marked = mark();
    const { hooks, who, run } = await openWarm({}, { env: marked.env });
    await who();
    const asked = [run({ answer: "none" }), run({})];
    await sleep(50);
    await Promise.allSettled([hooks.close(), ...asked]);
    const runs = await abortedRuns(hooks, ...asked);
    expect(runs.map(({ failure }) => failure?.kind)).toEqual(["abort", "abort"]);
    expect(await marked.gone()).toEqual([]);
  });

  it("by kill -9 while nobody asks: the next call starts it anew", async () => {
    const { who } = await openWarm();
    const { pid } = await who();
    process.kill(pid, "SIGKILL");
    expect(await dead(pid)).toBe(true);
    await sleep(50);
    expect(await who()).toMatchObject({ calls: 1 });
  });

  it("closing its pipes is one, too", async () => {
    const { call } = await openWarm({ command: "read -r line; exec >&-; sleep 30" });
    const { runs } = await call();
    expect(runs[0]?.failure).toEqual({ kind: "warm", detail: "it closed its stdout" });
  });

  const hosts: [how: string, signal: NodeJS.Signals | undefined, expected: object][] = [
    ["ends", undefined, { code: 0, signal: null, stdout: "asked\n" }],
    ["exits", undefined, { code: 7 }],
    ["waits", "SIGINT", { signal: "SIGINT" }],
    ["waits", "SIGTERM", { signal: "SIGTERM" }],
    ["waits", "SIGKILL", { signal: "SIGKILL" }],
  ];
  it.each(hosts)("comes with the host's: it %s %s", { timeout: 20_000 }, async (how, signal, expected) => {
    marked = mark();
    const { root } = scratch();
    const host = startHost("warm.mjs", [how, OBEYS], { ...marked.env, TMPDIR: root }, root);
    expect(await host.printed("asked")).toBe(true);
    if (signal) host.kill(signal);
    expect(await host.finished).toMatchObject(expected);
    expect(await marked.gone(3000)).toEqual([]);
  });
});

describe("at the start of a session", () => {
  const starts = (root: string, text = "while read -r line; do :; done") =>
    `echo started >> ${root}/starts; ${text}`;
  const count = (root: string) =>
    existsSync(`${root}/starts`) ? readFileSync(`${root}/starts`, "utf8").trim().split("\n").length : 0;

  it("every warm hook that may run is started, and no event waits for it", async () => {
    const room = scratch();
    const file = room.write("hooks.json", {
      hooks: {
        PreToolUse: [
          {
            hooks: [
              command(starts(room.root), { warm: true }),
              command(starts(room.root), { warm: true, name: "b" }),
            ],
          },
          { hooks: [command(starts(room.root), { warm: true })] },
          { hooks: [command(starts(room.root), { warm: true, name: "off", enabled: false })] },
          { hooks: [command(starts(room.root), { name: "cold" })] },
        ],
      },
    });
    const hooks = await room.engine({ configFiles: [file] });
    await hooks.fire("SessionStart", { source: "startup" });
    expect(count(room.root)).toBe(0);
    expect(await until(() => count(room.root) === 2)).toBe(true);
    await sleep(100);
    expect(count(room.root)).toBe(2);
  });

  it("the first call finds it there", async () => {
    marked = mark();
    const { hooks, who } = await openWarm({}, { env: marked.env });
    await hooks.fire("SessionStart", { source: "startup" });
    // Asked once: while a shell becomes the program it starts, the process has no environment to be known by.
    let started: readonly number[] = [];
    expect(
      await until(() => {
        started = marked?.alive() ?? [];
        return started.length === 1;
      }),
    ).toBe(true);
    expect(await who()).toMatchObject({ pid: started[0], calls: 1 });
  });

  it("a host that is done with the event starts nothing", async () => {
    const room = scratch();
    const hooks = await room.engineFor("PreToolUse", [command(starts(room.root), { warm: true })]);
    await hooks.fire("SessionStart", { source: "startup" });
    await hooks.close();
    await sleep(200);
    expect(count(room.root)).toBe(0);
  });

  it("only what the user trusts is started, then and ever", { timeout: 20_000 }, async () => {
    const room = scratch();
    room.write(
      "project/hook.sh",
      `#!/bin/sh\n${starts(room.root, `while read -r line; do i=\${line#*:\\"}; echo "{\\"id\\":\\"\${i%%\\"*}\\"}"; done`)}\n`,
      0o755,
    );
    const guard = command("./hook.sh", { warm: true, onFailure: "block", name: "guard" });
    room.write("project/.belay/settings.json", settings("PreToolUse", guard));
    const hooks = await room.engine();
    await hooks.fire("SessionStart", { source: "startup" });
    await sleep(200);
    expect(codes(await hooks.fire("PreToolUse", CALL))).toEqual(["hook-skipped"]);
    expect(count(room.root)).toBe(0);

    await room.trustAll();
    await hooks.fire("SessionStart", { source: "resume" });
    expect(await until(() => count(room.root) === 1)).toBe(true);
    expect((await hooks.fire("PreToolUse", CALL)).runs[0]).not.toHaveProperty("failure");
    expect(count(room.root)).toBe(1);

    room.write("project/hook.sh", `#!/bin/sh\necho started >> ${room.root}/starts\n`, 0o755);
    await hooks.fire("SessionStart", { source: "resume" });
    const { runs, blocked } = await hooks.fire("PreToolUse", CALL);
    expect([blocked, runs[0]?.failure?.kind]).toEqual([true, "edited"]);
    await sleep(200);
    expect(count(room.root)).toBe(1);
  });

  it("one that is edited while a call waits for its turn is not started", { timeout: 20_000 }, async () => {
    const room = scratch();
    const words = readFileSync(OBEYS.slice(1, -1), "utf8");
    room.write("project/obeys.mjs", words, 0o755);
    room.write(
      "project/.belay/settings.json",
      settings("PreToolUse", command("./obeys.mjs", { warm: true })),
    );
    await room.trustAll();
    const { who, run } = warmOf(room, await room.engine());
    await who();
    const [first, second] = [run({ after: 500 }), run()];
    await sleep(100);
    room.write("project/obeys.mjs", `${words}\n`, 0o755);
    expect((await first).failure?.kind).toBe("edited");
    expect((await second).failure?.kind).toBe("edited");
  });
});

it("a thousand calls leave nothing behind", { timeout: 60_000 }, async () => {
  const { root } = scratch();
  const host = startHost("many-warm.mjs", ["1000", OBEYS], { ...process.env, TMPDIR: root });
  const { stdout, stderr } = await host.finished;
  expect(stderr).toBe("");
  const { rssGrowth, ...rest } = JSON.parse(stdout) as { rssGrowth: number };
  expect(rest).toEqual({ answers: 1000, processes: 1, newDescriptors: 0, newHandles: 0, newListeners: 0 });
  expect(rssGrowth).toBeLessThan(64 * 1024 * 1024);
});

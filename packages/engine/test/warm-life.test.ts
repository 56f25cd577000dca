import { existsSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Mark, mark, sleep, startHost, until } from "./processes.ts";
import { CALL, codes, command, fixture, scratch, settings } from "./scratch.ts";
import { OBEYS, openWarm, warmOf } from "./warm-hooks.ts";

/** The process of a warm hook: when it starts, who waits for whom, and when it ends. */

let marked: Mark | undefined;
afterEach(() => {
  marked?.endAll();
  marked = undefined;
});

const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}/environ`) && readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[2] !== "Z";
const dead = (pid: number) => until(() => !isAlive(pid));

describe("who waits for whom", () => {
  it("one call at a time, in the order they came", async () => {
    const { who } = await openWarm();
    const asked = await Promise.all([who({ after: 200 }), who({ after: 50 }), who({})]);
    expect(asked.map(({ calls }) => calls)).toEqual([1, 2, 3]);
    expect(new Set(asked.map(({ pid }) => pid)).size).toBe(1);
  });

  it("stderr belongs to the call that is under way", async () => {
    const { run } = await openWarm();
    const runs = await Promise.all(["a", "b", "c"].map((stderr) => run({ stderr })));
    expect(runs.map(({ stderr }) => stderr)).toEqual(["a", "b", "c"]);
  });

  it('with "parallel" at the same time, each with its own answer', async () => {
    const { who, run } = await openWarm({ warm: "parallel" });
    await who();
    const order: string[] = [];
    const note = async (name: string, todo: object) => {
      const answer = await run(todo);
      order.push(name);
      return answer.stdout;
    };
    const [slow, quick] = await Promise.all([
      note("slow", { after: 600, answer: { output: "slow" } }),
      note("quick", { after: 10, stderr: "mine", answer: { output: "quick" } }),
    ]);
    expect([slow, quick, order]).toEqual(["slow", "quick", ["quick", "slow"]]);
  });

  it("in parallel, stderr belongs to every call under way", async () => {
    const { run } = await openWarm({ warm: "parallel" });
    await run();
    const [slow, quick] = await Promise.all([run({ after: 600 }), run({ stderr: "both" })]);
    expect([slow.stderr, quick.stderr]).toEqual(["both", "both"]);
  });

  it("a slow start holds back the first call alone", async () => {
    const { who } = await openWarm({ command: `sleep 0.5; exec ${OBEYS}` });
    expect(await Promise.all([who(), who()])).toMatchObject([{ calls: 1 }, { calls: 2 }]);
  });

  it("its time is that of the call, not of those before it", async () => {
    const { run } = await openWarm({ timeout: 1 });
    await run();
    const runs = await Promise.all([run({ after: 600 }), run({ after: 600 })]);
    expect(runs.map(({ timedOut }) => timedOut)).toEqual([false, false]);
    for (const { executionTime } of runs) expect(executionTime).toBeLessThan(1000);
  });
});

describe("a call that does not come to its end", () => {
  it("hangs: it is given up at its limit, and the next one gets another process", async () => {
    const { run, who } = await openWarm({ timeout: 0.5 });
    const { pid } = await who();
    const { timedOut, failure, executionTime, exitCode } = await run({ answer: "none", after: 60_000 });
    expect({ timedOut, kind: failure?.kind, exitCode }).toEqual({
      timedOut: true,
      kind: "timeout",
      exitCode: undefined,
    });
    expect(executionTime).toBeLessThan(500 + 200 + 250 + 1000);
    expect(isAlive(pid)).toBe(false);
    expect(await who()).toMatchObject({ calls: 1 });
  });

  it("hangs, and does not listen to TERM nor to the end of its stdin", async () => {
    const { run, who } = await openWarm({ command: `${OBEYS} ignores-term`, timeout: 0.5 });
    const { pid } = await who();
    expect(await run({ answer: "none" })).toMatchObject({ timedOut: true });
    expect(await dead(pid)).toBe(true);
    expect(await who()).toMatchObject({ calls: 1 });
  });

  it("has said half a line: it can restrict", async () => {
    const { call } = await openWarm({ timeout: 0.5 });
    const { decision, runs } = await call({
      raw: '{"id":"ID","output":{"decision":"block","reason":"no"},"exit',
    });
    expect([decision.kind, runs[0]?.timedOut]).toEqual(["deny", true]);
  });

  it("is aborted: those that wait behind it are not", async () => {
    const { run, who } = await openWarm();
    const { pid } = await who();
    const controller = new AbortController();
    const aborted = run({ answer: "none" }, controller.signal);
    const waiting = [who(), who()];
    await sleep(100);
    controller.abort();
    expect((await aborted).failure).toEqual({ kind: "abort", detail: "its group was ended" });
    const answers = await Promise.all(waiting);
    expect(answers.map(({ calls }) => calls)).toEqual([1, 2]);
    expect(isAlive(pid)).toBe(false);
  });

  it("is aborted while it waits: nobody else notices", async () => {
    const { run, who } = await openWarm();
    const { pid } = await who();
    const controller = new AbortController();
    const first = who({ after: 400 });
    const aborted = run({}, controller.signal);
    await sleep(50);
    controller.abort();
    expect((await aborted).failure).toEqual({ kind: "abort", detail: "it was not asked" });
    expect(await first).toMatchObject({ pid, calls: 2 });
    expect(await who()).toMatchObject({ pid, calls: 3 });
  });

  it("in parallel: the others come to their end, and then the process", async () => {
    const { run, who } = await openWarm({ warm: "parallel" });
    const { pid } = await who();
    const controller = new AbortController();
    const aborted = run({ answer: "none" }, controller.signal);
    const other = who({ after: 500 });
    await sleep(100);
    controller.abort();
    expect((await aborted).failure?.kind).toBe("abort");
    const next = await who();
    expect(next.pid).not.toBe(pid);
    expect(await other).toMatchObject({ pid });
    expect(await dead(pid)).toBe(true);
  });

  it("in parallel, a line that is nobody's is a fault of all", async () => {
    const { run } = await openWarm({ warm: "parallel" });
    await run();
    const runs = await Promise.all([run({ answer: "none" }), run({ after: 100, raw: "hello\n" })]);
    expect(runs.map(({ failure }) => failure?.kind)).toEqual(["warm", "warm"]);
  });

  it("an answer that came while the host was busy is no timeout", async () => {
    const { run, who } = await openWarm({ timeout: 0.5 });
    await who();
    const asked = run({ after: 100 });
    await sleep(20);
    for (const end = performance.now() + 1000; performance.now() < end; );
    expect(await asked).toMatchObject({ timedOut: false, exitCode: 0 });
  });
});

describe("floods", () => {
  it("a line without an end is cut, and is a fault", async () => {
    const { call } = await openWarm({}, { limits: { outputCap: 1000 } });
    const long = JSON.stringify({ decision: "block", reason: "x".repeat(200_000) });
    const { runs, decision } = await call({ raw: `{"id":"ID","output":${long}}\n` });
    expect(runs[0]).toMatchObject({
      truncated: true,
      cut: ["stdout"],
      cap: 1000,
      failure: { kind: "warm", detail: "its line was cut" },
    });
    expect(runs[0]?.stdout).toHaveLength(1000);
    expect(decision.kind).toBe("deny");
  });

  it.each(["stdout", "stderr"])("%s without end", { timeout: 20_000 }, async (stream) => {
    marked = mark();
    const flood = stream === "stdout" ? `${OBEYS} flood` : `${fixture("flood-forever")} >&2`;
    const { run } = await openWarm({ command: flood, timeout: 1 }, { env: marked.env });
    const before = process.memoryUsage.rss();
    const { failure, truncated } = await run();
    expect({ kind: failure?.kind, truncated }).toEqual({
      kind: stream === "stdout" ? "warm" : "timeout",
      truncated: true,
    });
    expect(await marked.gone(3000)).toEqual([]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024);
  });

  it("between calls", async () => {
    marked = mark();
    const { who } = await openWarm({}, { env: marked.env });
    const { pid } = await who({ later: "x".repeat(3_000_000) });
    expect(await dead(pid)).toBe(true);
    await expect(who()).rejects.toThrow("its line was cut, while no call waited for it");
    expect(await who()).toMatchObject({ calls: 1 });
  });

  it("a payload that it never reads", async () => {
    const room = scratch();
    const entry = command(fixture("never-reads-stdin"), { warm: true, timeout: 0.5 });
    const hooks = await room.engineFor("PreToolUse", [{ ...entry, command: "sleep 30" }]);
    const { runs } = await hooks.fire("PreToolUse", { ...CALL, tool_input: { text: "x".repeat(2_000_000) } });
    expect(runs[0]).toMatchObject({ timedOut: true });
  });

  it("a large payload and a large answer", async () => {
    const { run } = await openWarm({}, { limits: { outputCap: 4_000_000 } });
    const text = "€".repeat(500_000);
    const { stdout } = await run({ answer: { output: text }, padding: text });
    expect(stdout === text).toBe(true);
  });
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

  it("of what a Python script imports, or of a file that was not there", async () => {
    const room = scratch();
    const python = `import json, sys
try:
    from extra import word
except ImportError:
    word = "none"
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "output": word}), flush=True)
`;
    room.write("project/hook.py", python);
    const { run } = warmOf(
      room,
      await room.engineFor("PreToolUse", [command("python3 hook.py", { warm: true })]),
    );
    expect((await run()).stdout).toBe("none");
    for (const word of ["one", "three"]) {
      room.write("project/extra.py", `word = "${word}"\n`);
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
    await hooks.close();
    expect((await Promise.all(asked)).map(({ failure }) => failure?.kind)).toEqual(["abort", "abort"]);
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
    const { hooks, who } = await openWarm();
    marked = mark();
    await hooks.fire("SessionStart", { source: "startup" });
    await sleep(400);
    expect((await who()).calls).toBe(1);
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
    expect(codes(await hooks.fire("PreToolUse", CALL))).toEqual([]);
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
    expect(await first).not.toHaveProperty("failure");
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

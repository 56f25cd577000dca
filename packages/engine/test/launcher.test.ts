import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { openLauncher } from "../src/launcher/launcher.ts";
import type { EngineOptions } from "../src/types.ts";
import { type Mark, mark, startHost, until } from "./processes.ts";
import { CALL, codes, command, fixture, scratch } from "./scratch.ts";

/** The process that starts hooks for a large host. That it behaves as the host does is shown by the suites that run twice. */

let marked: Mark;
afterEach(() => marked?.endAll());

const of = (pid: number, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
};
const companions = () => marked.alive().filter((pid) => of(pid, "cmdline").includes("/launcher.js"));
/** Besides the companion, in a test whose host is the test itself. */
const hooksAlive = () => marked.alive().filter((pid) => !companions().includes(pid));

/** An engine whose hooks are started by a companion, all of them marked. */
async function launching(hooks: readonly object[], options: EngineOptions = {}) {
  marked = mark();
  const room = scratch();
  Object.assign(process.env, marked.env);
  const engine = await room.engineFor("PreToolUse", hooks, { ...options, launcher: "on" });
  return { engine, fire: (options = {}) => engine.fire("PreToolUse", CALL, options) };
}

describe("a companion that goes", () => {
  it.each(["SIGKILL", "SIGTERM"] as const)(
    "%s: its hooks are faults and end, the next has a new one",
    async (signal) => {
      const hooks = [fixture("fork-and-hang"), fixture("ignore-term"), "true"].map((line) => command(line));
      let ended = 0;
      const { fire } = await launching(hooks, { onHook: ({ phase }) => (ended += Number(phase === "end")) });
      const firing = fire();
      // When the last one has ended, the companion has told the host the processes of those before it.
      expect(await until(() => ended === 1 && hooksAlive().length >= 3)).toBe(true);
      const [first = 0] = companions();
      process.kill(first, signal);
      const outcome = await firing;
      expect(codes(outcome)).toEqual(["run-launcher-lost", "run-launcher-lost"]);
      const lost = expect.stringContaining(signal);
      expect(outcome.runs.map(({ fault }) => fault)).toEqual([lost, lost, undefined]);
      expect(await until(() => hooksAlive().length === 0)).toBe(true);

      const again = fire();
      expect(await until(() => hooksAlive().length >= 3)).toBe(true);
      expect(companions()).not.toContain(first);
      for (const pid of companions()) process.kill(pid, "SIGKILL");
      await again;
    },
  );

  it("closing the engine ends it", async () => {
    const { engine, fire } = await launching([command("true")]);
    await fire();
    expect(companions()).toHaveLength(1);
    await engine.close();
    expect(companions()).toEqual([]);
  });

  it("closing the engine leaves it the children in the background, and it goes with the last of them", async () => {
    const { engine, fire } = await launching([command("sleep 2 & sleep 3 & exit 0")]);
    await fire();
    await Promise.all([engine.close(), engine.close()]);
    expect([companions().length, hooksAlive().length]).toEqual([1, 2]);
    expect(await until(() => hooksAlive().length === 1)).toBe(true);
    expect(companions()).toHaveLength(1);
    expect(await marked.gone(5000)).toEqual([]);
  });

  it("what runs still ends with it, whoever is left in the background", async () => {
    marked = mark();
    const launcher = openLauncher(new URL("../dist/launcher.js", import.meta.url));
    const spec = { cwd: "/", env: marked.env, input: "", timeoutMs: 60_000, graceMs: 200, cap: 1000 };
    await launcher.run({ ...spec, command: "sleep 30 & exit 0" });
    const running = launcher.run({ ...spec, command: fixture("fork-and-hang") });
    expect(await until(() => marked.alive().length >= 1 + 2)).toBe(true);
    await launcher.close();
    expect(await running).toMatchObject({ failure: { kind: "signal" } });
    expect(await until(() => marked.alive().length === 1)).toBe(true);
  });
});

describe("a host that goes", () => {
  it("kill -9 takes the companion and its hooks with it", async () => {
    marked = mark();
    const host = startHost(
      "launches.mjs",
      ['{"launcher":"on"}', fixture("hang"), fixture("ignore-term")],
      marked.env,
    );
    expect(await until(() => hooksAlive().length >= 1 + 2)).toBe(true); // the host, and two hooks
    host.kill("SIGKILL");
    expect(await marked.gone(3000)).toEqual([]);
  });

  it("waits for its events when the companion stands still, which is ended and replaced", async () => {
    marked = mark();
    const host = startHost("launches.mjs", ['{"launcher":"on","times":3}', "echo hello"], marked.env);
    expect(await host.printed("0: hello")).toBe(true);
    for (const pid of companions()) process.kill(pid, "SIGSTOP");
    const stdout = "0: hello  ended\n1:  run-launcher-lost ended\n2: hello  ended\ndone\n";
    expect(await host.finished).toMatchObject({ code: 0, stdout, stderr: "" });
  });

  it("is not kept by an idle companion, which ends with it", async () => {
    marked = mark();
    const host = startHost("launches.mjs", ['{"launcher":"on"}', "echo hello"], marked.env);
    expect(await host.finished).toMatchObject({ code: 0, stdout: "0: hello  ended\ndone\n", stderr: "" });
    expect(await marked.gone(3000)).toEqual([]);
  });
});

describe("a host that goes after close()", () => {
  const rows: [signal: NodeJS.Signals][] = [["SIGKILL"], ["SIGTERM"]];
  it.each(rows)("%s: the companion that stayed goes too", async (signal) => {
    marked = mark();
    const host = startHost("closes.mjs", ["sleep 30 & exit 0"], marked.env);
    expect(await host.printed("closed")).toBe(true);
    expect(companions()).toHaveLength(1);
    host.kill(signal);
    expect(await until(() => marked.alive().length === 1)).toBe(true);
    expect(companions()).toEqual([]);
  });
});

describe("no companion", () => {
  it("none can be started: hooks run all the same, and it is said once", async () => {
    marked = mark();
    const options = { launcher: "on", times: 3, node: "/no/such/program" };
    const host = startHost("launches.mjs", [JSON.stringify(options), "echo hello"], marked.env);
    expect(await host.finished).toMatchObject({
      code: 0,
      stdout: "0: hello launcher-failed ended\n1: hello  ended\n2: hello  ended\ndone\n",
    });
  });

  it("one that ends before it is ready runs nothing twice", async () => {
    const { write, root } = scratch();
    const file = new URL(`file://${write("launcher.js", "setTimeout(() => process.exit(3), 100)")}`);
    const launcher = openLauncher(file);
    const spec = {
      command: "echo x >> ran; cat ran",
      cwd: root,
      env: process.env,
      input: "",
      timeoutMs: 5000,
      graceMs: 200,
      cap: 1000,
    };
    expect(await launcher.run(spec)).toMatchObject({ stdout: "x\n", exitCode: 0 });
    expect(launcher.whyNot()).toContain("code 3");
    expect(await launcher.run(spec)).toMatchObject({ stdout: "x\nx\n", exitCode: 0 });
    await launcher.close();
  });
});

describe("auto", () => {
  const rows: [what: string, megabytes: number, times: number, companions: number][] = [
    ["a small host starts none", 0, 6, 0],
    ["a large one does", 200, 6, 1],
    ["a large one that fires once does not", 200, 1, 0],
  ];
  it.each(rows)("%s", async (_, megabytes, times, expected) => {
    marked = mark();
    const given = JSON.stringify({ launcher: "auto", megabytes, times });
    const host = startHost("launches.mjs", [given, "echo hello"], marked.env);
    expect(await host.printed(`${times - 1}: hello  ended`)).toBe(true);
    expect(companions()).toHaveLength(expected);
    expect(await host.finished).toMatchObject({ code: 0 });
  });
});

it("a large host forks no more than twice, even for many hooks at once", async () => {
  marked = mark();
  const given = JSON.stringify({ launcher: "auto", megabytes: 200 });
  const hooks = Array.from({ length: 12 }, (_, n) => `ps -o ppid= -p $$ # ${n}`);
  const { stdout } = await startHost("launches.mjs", [given, ...hooks], marked.env).finished;
  const parents = stdout.match(/\d+(?= )/g) ?? [];
  const most = [...new Set(parents)].map((pid) => parents.filter((other) => other === pid).length).sort();
  expect({ parents: parents.length, most }).toEqual({ parents: 12, most: [10, 2] });
});

describe("memory", () => {
  const MB = 1024;
  it.each([
    ["at rest", "true", 64 * MB],
    ["under a flood of both streams", `${fixture("flood")} & ${fixture("flood-stderr")}; wait`, 128 * MB],
    ["under 64 floods", "head -c 3000000 /dev/zero & head -c 3000000 /dev/zero >&2; wait", 128 * MB, 64],
    ["under 64 hooks that fill what is kept", "seq 1 20000; seq 1 20000 >&2", 128 * MB, 64],
  ])("%s, and at rest again", async (_, line, limitKb, count = 1) => {
    const hooks = Array.from({ length: count }, (_item, at) => command(line, { name: `hook ${at}` }));
    const peaks: number[] = [];
    // A busy machine only adds to a peak: what is held in fact is held by every companion.
    while (peaks.length < 3 && !peaks.some((peak) => peak < limitKb)) {
      const { engine, fire } = await launching(hooks);
      for (let time = 0; time < 3; time += 1) await fire();
      const [pid = 0] = companions();
      const kb = (which: "VmHWM" | "VmRSS") =>
        Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(of(pid, "status"))?.[1]);
      expect(kb("VmHWM")).toBeGreaterThan(0);
      peaks.push(kb("VmHWM"));
      expect(await until(() => kb("VmRSS") < 64 * MB)).toBe(true);
      await engine.close();
    }
    expect(Math.min(...peaks)).toBeLessThan(limitKb);
  });
});

it("a companion that failed to start once is started again", async () => {
  const { write, root } = scratch();
  const built = new URL("../dist/launcher.js", import.meta.url).href;
  const text = `import fs from "node:fs";
    if (!fs.existsSync("${root}/tried")) { fs.writeFileSync("${root}/tried", ""); process.exit(3); }
    await import("${built}");`;
  const launcher = openLauncher(new URL(`file://${write("launcher.mjs", text)}`));
  const spec = { cwd: root, env: process.env, input: "", timeoutMs: 5000, graceMs: 200, cap: 1000 };
  const parent = async () => (await launcher.run({ ...spec, command: "ps -o ppid= -p $$; true" })).stdout;
  const [first, second, third] = [await parent(), await parent(), await parent()];
  expect([second === first, third === second]).toEqual([false, true]);
  await launcher.close();
});

it("hooks get the umask that the host has now", async () => {
  marked = mark();
  const given = JSON.stringify({ launcher: "on", times: 2, umask: 0o077 });
  const { stdout } = await startHost("launches.mjs", [given, "umask"], marked.env).finished;
  expect(stdout).toMatch(/^0: 0022 {2}ended\n1: 0077 {2}ended\n/);
});

it("hooks are run as the user that the host is now", async () => {
  marked = mark();
  const nobody = 65_534;
  const isRoot = process.getuid?.() === 0;
  const before = process.getuid?.();
  const after = isRoot ? nobody : before;
  const given = JSON.stringify({ launcher: "on", times: 2, ...(isRoot && { user: nobody }) });
  const { stdout } = await startHost("launches.mjs", [given, "id -u"], marked.env).finished;
  expect(stdout).toMatch(new RegExp(`^0: ${before} {2}ended\n1: ${after} .*ended\n`));
  expect(await marked.gone(3000)).toEqual([]);
});

it("what is meant for the host's Node does not reach the companion, and does reach the hooks", async () => {
  marked = mark();
  const env = { ...marked.env, NODE_OPTIONS: "--no-warnings" };
  const host = startHost("launches.mjs", ['{"launcher":"on"}', "echo $NODE_OPTIONS; sleep 0.5"], env);
  expect(await until(() => companions().length === 1)).toBe(true);
  expect(of(companions()[0] ?? 0, "environ")).not.toContain("NODE_OPTIONS");
  expect(await host.finished).toMatchObject({ stdout: expect.stringContaining("--no-warnings") });
});

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { abortedRuns } from "./journals.ts";
import { DENY, denied, fire, open } from "./module-hooks.ts";
import { sleep, startHost } from "./processes.ts";
import { CALL, type Scratch, scratch } from "./scratch.ts";

describe("the start of its thread", () => {
  /** A preload that every thread of the hook runs first: it waits. */
  const preload = (room: Scratch, waitMs: number) => {
    const wait = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${waitMs});`;
    return { NODE_OPTIONS: `--require ${room.write("wait.cjs", wait)}` };
  };
  const hook = (module: string, timeout: number) => ({ type: "module", module, name: "guard", timeout });

  it("is no part of the hook's time", async () => {
    const room = scratch();
    room.write("guard.mjs", `export default (input) => (${DENY});`);
    const env = preload(room, 1500);
    const hooks = await room.engineFor("PreToolUse", [hook("./guard.mjs", 1)], { env });
    expect((await fire(hooks)).decision).toEqual(denied);
  });

  it("is a fault of its own when it never comes, also for those that wait with it", async () => {
    const room = scratch();
    room.write("guard.mjs", `export default (input) => (${DENY});`);
    const env = preload(room, 600_000);
    const limits = { moduleStartMs: 300 };
    const hooks = await room.engineFor("PreToolUse", [hook("./guard.mjs", 0.2)], { env, limits });
    for (const { runs } of await Promise.all([fire(hooks), fire(hooks)])) {
      expect(runs[0]).toMatchObject({
        timedOut: false,
        failure: { kind: "start", detail: "its thread did not start within 0.5 s" },
      });
      expect(runs[0]?.executionTime).toBeLessThan(3000);
    }
  });

  it("does not outlast an abort", async () => {
    const room = scratch();
    room.write("guard.mjs", `export default (input) => (${DENY});`);
    const hooks = await room.engineFor("PreToolUse", [hook("./guard.mjs", 60)], {
      env: preload(room, 600_000),
    });
    const firing = hooks.fire("PreToolUse", CALL, { signal: AbortSignal.timeout(200) });
    expect(await abortedRuns(hooks, firing)).toMatchObject([{ failure: { kind: "abort" } }]);
  });
});

it("a host that does not close may end, whatever the module left open", async () => {
  const room = scratch();
  const module = room.write(
    "busy.mjs",
    `setInterval(() => console.log("still here"), 10); export default () => ({ systemMessage: "x" });`,
  );
  const host = startHost("no-close.mjs", [module]);
  const limit = setTimeout(() => host.kill("SIGKILL"), 10_000);
  expect(await host.finished).toMatchObject({ code: 0, signal: null, stdout: "done\n", stderr: "" });
  clearTimeout(limit);
});

describe("an endless loop", () => {
  const text = `let calls = 0; export default (input) => { calls += 1; if (input.tool_name === "Hang") for (;;); return { systemMessage: "call " + calls }; };`;

  it("is ended at the limit, and the next call works", async () => {
    const { hooks } = await open("guard.mjs", text, { timeout: 0.5 });
    const hung = await hooks.fire("PreToolUse", { tool_name: "Hang", tool_input: {} });
    expect(hung.runs[0]).toMatchObject({ timedOut: true, failure: { kind: "timeout" } });
    expect(hung.runs[0]?.executionTime).toBeLessThan(10_000);
    expect((await fire(hooks)).messages[0]?.block.content).toBe("call 1");
  });

  it("is ended by an abort", async () => {
    const { hooks } = await open("guard.mjs", text);
    const hang = { tool_name: "Hang", tool_input: {} };
    const firing = hooks.fire("PreToolUse", hang, { signal: AbortSignal.timeout(300) });
    const ended = { timedOut: false, failure: { kind: "abort" } };
    expect(await abortedRuns(hooks, firing)).toMatchObject([ended]);
  });
});

describe("a call that blocks its thread in the system", () => {
  const importing = `import { execFileSync, execSync, spawnSync } from "node:child_process"; import { readFileSync } from "node:fs";`;
  const rows: [name: string, text: string, ended: boolean][] = [
    ["execSync", `export default () => { execSync("trap '' TERM; sleep 20; sleep 20"); };`, true],
    ["execFileSync", `export default () => { execFileSync("sleep", ["20"], { timeout: 30_000 }); };`, true],
    ["spawnSync", `export default () => { spawnSync("sleep", ["20"]); };`, true],
    ["at its load", `execSync("sleep 20", undefined); export default () => {};`, true],
    ["a pipe that nobody writes", `export default () => { readFileSync(process.env.FIFO); };`, false],
  ];
  it.each(rows)("%s: is over at the limit, and so is the engine", async (_name, text, ended) => {
    const room = scratch();
    room.write("guard.mjs", `${importing} ${text}`);
    const fifo = join(room.root, "fifo");
    execFileSync("mkfifo", [fifo]);
    const hooks = await room.engineFor(
      "PreToolUse",
      [{ type: "module", module: "./guard.mjs", name: "guard", timeout: 0.5 }],
      // A thread that can be ended is, however busy the machine; one that cannot is not waited for.
      { env: { ...process.env, FIFO: fifo }, limits: { killGraceMs: ended ? 3000 : 200 } },
    );
    const began = performance.now();
    const { runs } = await fire(hooks);
    await hooks.close();
    expect(performance.now() - began).toBeLessThan(5000);
    closeSync(openSync(fifo, "r+")); // its thread can end now
    const detail = `no answer within 0.5 s; ${ended ? "its thread was ended" : "it was given up"}`;
    expect(runs[0]).toMatchObject({ timedOut: true, failure: { kind: "timeout", detail } });
  });

  it("is late, not wrong, for a host that looks up only after its process was ended", async () => {
    const text = `${importing} export default () => { execFileSync("sleep", ["20"]); };`;
    const { hooks } = await open("guard.mjs", text, { timeout: 0.5 });
    const firing = fire(hooks);
    await new Promise((resolve) => setTimeout(resolve, 30));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
    expect((await firing).runs[0]).toMatchObject({ timedOut: true, failure: { kind: "timeout" } });
  });

  it("a process within its time is left alone", async () => {
    const { hooks } = await open(
      "guard.mjs",
      `${importing} export default () => ({ systemMessage: [execSync("echo a"), execFileSync("echo", ["b"]), execFileSync("true"),
        spawnSync("echo", ["c"], { encoding: "utf8" }).stdout, execSync("cat", { input: "d" })].join("") });`,
    );
    expect((await fire(hooks)).messages[0]?.block.content).toBe("a\nb\nc\nd");
  });
});

describe("calls at the same time", () => {
  const text = `export default async ({ tool_name }) => {
    await new Promise((resolve) => setTimeout(resolve, tool_name === "Slow" ? 600_000 : 400));
    return { systemMessage: tool_name };
  };`;

  it("are not ended by another call's abort or timeout", async () => {
    const { hooks } = await open("guard.mjs", text, { timeout: 1.5 });
    await fire(hooks);
    const signal = AbortSignal.timeout(100);
    const slow = hooks.fire("PreToolUse", { tool_name: "Slow", tool_input: {} }, { signal });
    const others = fire(hooks);
    expect(await abortedRuns(hooks, slow)).toMatchObject([{ failure: { kind: "abort" } }]);
    const other = await others;
    expect(other.runs[0]).not.toHaveProperty("failure");
    expect(other.messages[0]?.block.content).toBe("Bash");
  });

  it("are not ended by an edit", async () => {
    const { root, hooks, write } = await open(
      "guard.mjs",
      `import { existsSync, writeFileSync } from "node:fs";
      export default async () => {
        writeFileSync(new URL("called", import.meta.url), "");
        while (!existsSync(new URL("edited", import.meta.url))) await new Promise((next) => setTimeout(next, 10));
        return { systemMessage: "before" };
      };`,
    );
    const before = fire(hooks);
    while (!existsSync(join(root, "called"))) await sleep(10);
    write("guard.mjs", `export default () => ({ systemMessage: "after" });`);
    const after = await fire(hooks);
    write("edited", "");
    expect((await before).messages[0]?.block.content).toBe("before");
    expect(after.messages[0]?.block.content).toBe("after");
  });
});

describe("what a thread sends is bounded there, before the host holds it", () => {
  const huge = '"x".repeat(20_000_000)';
  const rows: [name: string, body: string, lengths: object][] = [
    ["an answer", `return { systemMessage: ${huge} }`, { output: 1001, printed: 0 }],
    ["an error", `throw new Error(${huge})`, { error: 10_000, printed: 0 }],
    ["what it prints", `process.stdout.write(${huge})`, { output: 0, printed: 1_048_576 }],
    [
      "bytes it prints",
      `process.stderr.write(Buffer.alloc(20_000_000, "x"))`,
      { output: 0, printed: 1_048_576 },
    ],
  ];
  it.each(rows)("%s", async (_name, body, lengths) => {
    const file = scratch().write("guard.mjs", `export default () => { ${body}; };`);
    const { port1: port, port2 } = new MessageChannel();
    const worker = new Worker(new URL("../dist/worker.js", import.meta.url), {
      workerData: { file, maxError: 10_000, port: port2 },
      transferList: [port2],
      stdout: true,
      stderr: true,
    });
    port.postMessage({ id: 1, input: "{}", variables: {}, cap: 1000 });
    const [started] = await once(port, "message");
    const [{ output, error, printed }] = await once(port, "message");
    await worker.terminate();
    expect(started).toEqual({ id: "started" });
    expect({ output: output?.length, error: error?.length, printed: printed.length }).toEqual(lengths);
  });

  it("and is known to be cut", async () => {
    const { hooks } = await open("guard.mjs", `export default () => ({ systemMessage: ${huge} });`);
    const { runs } = await fire(hooks);
    expect(runs[0]).toMatchObject({ truncated: true });
    expect(runs[0]?.stdout).toHaveLength(102_400);
  });
});

/** A module hook is anyone's code: whatever it does in its thread, the host gets a Run and goes on. */

const DENIES = `{ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } }`;
/** What stands for an answer to the first call, and for one that came too early. */
const FORGED = `{ id: 1, output: "", printed: "", files: [], unusable: false }`;

async function fired(text: string) {
  const room = scratch();
  room.write("guard.mjs", text);
  const hooks = await room.engineFor("PreToolUse", [{ type: "module", module: "./guard.mjs" }]);
  return hooks.fire("PreToolUse", CALL);
}

describe("a module that talks to its host answers by what it returns", () => {
  const said = [`"ready"`, "null", "7", "[]", "{}", `{ id: 1 }`, `{ id: "started" }`, FORGED];
  const posts = (port: string) =>
    [...said, `{ id: 1, output: 7, printed: null, files: "x" }`].map(
      (message) => `${port}.postMessage(${message});`,
    );
  const rows: [name: string, text: string][] = [
    [
      "when it is loaded",
      `import { parentPort } from "node:worker_threads";
      ${posts("parentPort").join("\n")}
      export default () => (${DENIES});`,
    ],
    [
      "when it is called",
      `import { parentPort } from "node:worker_threads";
      export default async () => {
        ${posts("parentPort").join("\n")}
        await new Promise((resolve) => setTimeout(resolve, 50));
        return ${DENIES};
      };`,
    ],
    [
      "and listens",
      `import { parentPort } from "node:worker_threads";
      parentPort.on("message", () => parentPort.postMessage(${FORGED}));
      export default async () => { await new Promise((resolve) => setTimeout(resolve, 50)); return ${DENIES}; };`,
    ],
    [
      "on every port there is",
      `import { MessagePort } from "node:worker_threads";
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (...given) {
        for (const message of ["ready", null, 7, [], {}, { id: 1 }, { id: 1, output: 7, printed: null, files: "x" }])
          postMessage.call(this, message);
        return postMessage.apply(this, given);
      };
      export default () => (${DENIES});`,
    ],
  ];
  it.each(rows)("%s", async (_name, text) => {
    expect((await fired(text)).decision.kind).toBe("deny");
  });

  it("and is given no port of ours", async () => {
    const { runs } = await fired(
      `import { workerData } from "node:worker_threads";
      export default () => ({ systemMessage: Object.keys(workerData).join() });`,
    );
    expect(runs[0]?.stdout).toBe(`{"systemMessage":"file,timeoutMs,maxError"}`);
  });
});

describe("what a module throws outside the call is a fault, whatever it is", () => {
  const rows: [thrown: string, detail: string][] = [
    [`new Error("loose")`, "loose"],
    [`Object.assign(new Error(), { message: { a: 1 } })`, "{ a: 1 }"],
    [`"words"`, "words"],
    ["null", "null"],
    ["undefined", "undefined"],
    ["{ toString: 1, valueOf: 1 }", "{ toString: 1, valueOf: 1 }"],
    [`new Error("x".repeat(20_000_000))`, "x".repeat(10_000)],
  ];
  it.each(rows)("%s", async (thrown, detail) => {
    const { runs } = await fired(
      `export default () => new Promise(() => setTimeout(() => { throw ${thrown}; }));`,
    );
    expect(runs[0]?.failure).toEqual({ kind: "throw", detail });
  });
});

it("an answer that was sent before the thread ended counts", async () => {
  const { decision } = await fired(
    `export default () => { setImmediate(() => process.exit()); return ${DENIES}; };`,
  );
  expect(decision.kind).toBe("deny");
});

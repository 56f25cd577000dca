import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import type { Engine, Outcome } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { block, sleep, startHost } from "./processes.ts";
import { CALL, type Scratch, scratch, settings } from "./scratch.ts";

/** Module hooks: an object is output, nothing is silence, a throw is a fault (DESIGN §7). */

const DENY = `{ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no " + input.tool_name } }`;
const TYPED = `import { defineHook } from "@belay/engine";
export default defineHook("PreToolUse", (input): any => (${DENY}));`;

async function open(file: string, text: string, entry: object = {}): Promise<Scratch & { hooks: Engine }> {
  const room = scratch();
  room.write(file, text);
  const hooks = await room.engineFor("PreToolUse", [
    { type: "module", module: `./${file}`, name: "guard", ...entry },
  ]);
  return { ...room, hooks };
}

const fire = (hooks: Engine): Promise<Outcome> =>
  hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
const denied = { kind: "deny", reason: "no Bash", hook: "guard" };

describe("what counts as an answer", () => {
  const rows: [name: string, file: string, text: string][] = [
    ["an ES module", "guard.mjs", `export default (input) => (${DENY});`],
    ["an async function", "guard.mjs", `export default async (input) => { await 0; return ${DENY}; };`],
    ["an export named hook", "guard.mjs", `export const hook = (input) => (${DENY});`],
    ["CommonJS", "guard.cjs", `module.exports = (input) => (${DENY});`],
    [
      "TypeScript",
      "guard.ts",
      `interface I { tool_name: string }\nexport default (input: I): unknown => (${DENY});`,
    ],
    [
      "TypeScript with enum",
      "guard.mts",
      `enum A { x = "deny" }\nexport default (input: any) => (void A.x, ${DENY});`,
    ],
    ["defineHook, the package not installed", "guard.ts", TYPED],
    ["defineHook in JavaScript", "guard.mjs", TYPED.replace(": any", "")],
  ];
  it.each(rows)("%s", async (_name, file, text) => {
    const { hooks } = await open(file, text);
    const { decision, runs } = await fire(hooks);
    expect(decision).toEqual(denied);
    expect(runs[0]).not.toHaveProperty("exitCode");
  });

  it.each(["undefined", "null"])("%s is silence", async (value) => {
    const { hooks } = await open("guard.mjs", `export default () => ${value};`);
    expect(await fire(hooks)).toMatchObject({ decision: { kind: "none" }, messages: [], diagnostics: [] });
  });
});

describe("what is a fault", () => {
  const rows: [name: string, text: string, detail: RegExp][] = [
    ["a throw", `export default () => { throw new RangeError("too far"); };`, /RangeError: too far/],
    ["a throw of a string", `export default () => { throw "too far"; };`, /too far/],
    ["a rejection", `export default async () => { throw new Error("too late"); };`, /Error: too late/],
    [
      "an error outside the call",
      `export default () => new Promise(() => setTimeout(() => { throw new Error("loose"); }));`,
      /loose/,
    ],
    ["a string", `export default () => "deny";`, /returned string, not an object/],
    ["a number", `export default () => 2;`, /returned number/],
    ["an array", `export default () => [];`, /returned an array/],
    ["a function", `export default () => () => 1;`, /returned function/],
    ["a Date", `export default () => new Date();`, /no JSON object/],
    ["a circle", `export default () => { const a = {}; a.a = a; return a; };`, /circular/],
    ["no function", `export default { decision: "deny" };`, /exports no function/],
    ["a syntax error", `export default (`, /SyntaxError/],
    ["process.exit", `export default () => process.exit(0);`, /thread ended/],
    ["a missing import", `import "./gone.mjs"; export default () => ({});`, /gone\.mjs/],
    [
      "another event",
      `import { defineHook } from "@belay/engine"; export default defineHook("Stop", () => ({}));`,
      /defined for Stop, but was fired for PreToolUse/,
    ],
  ];
  it.each(rows)("%s", async (_name, text, detail) => {
    const { hooks } = await open("guard.mjs", text);
    const { decision, runs } = await fire(hooks);
    expect(decision).toEqual({ kind: "none" });
    expect(runs[0]).toMatchObject({ failure: { kind: "throw", detail: expect.stringMatching(detail) } });
    expect(runs[0]).not.toHaveProperty("exitCode");
  });

  it("a file that is not there, until it is", async () => {
    const { hooks, write } = await open("other.mjs", "", { module: "./guard.mjs" });
    const { failure } = (await fire(hooks)).runs[0] ?? {};
    expect(failure).toMatchObject({ kind: "throw", detail: expect.stringContaining("/guard.mjs") });
    expect(failure?.detail).not.toMatch(/worker|imported from/);
    write("guard.mjs", `export default (input) => (${DENY});`);
    expect((await fire(hooks)).decision).toEqual(denied);
  });

  it("TypeScript that does not parse", async () => {
    const { hooks } = await open("guard.ts", "export default (input: =>");
    expect((await fire(hooks)).runs[0]?.failure?.detail).toMatch(/SyntaxError/);
  });
});

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
    const { runs } = await hooks.fire("PreToolUse", CALL, { signal: AbortSignal.timeout(200) });
    expect(runs[0]?.failure?.kind).toBe("abort");
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
    expect(hung.runs[0]?.executionTime).toBeLessThan(2000);
    expect((await fire(hooks)).messages[0]?.block.content).toBe("call 1");
  });

  it("is ended by an abort", async () => {
    const { hooks } = await open("guard.mjs", text);
    const outcome = await hooks.fire(
      "PreToolUse",
      { tool_name: "Hang", tool_input: {} },
      { signal: AbortSignal.timeout(300) },
    );
    expect(outcome.runs[0]).toMatchObject({ timedOut: false, failure: { kind: "abort" } });
  });
});

it("a module that is nowhere: every place that was looked at is named", async () => {
  const room = scratch();
  const file = room.write("config/hooks.json", settings("Stop", { type: "module", module: "./gone.mjs" }));
  const { runs } = await (await room.engine({ configFiles: [file] })).fire("Stop");
  expect(runs[0]?.failure).toEqual({
    kind: "throw",
    detail: `there is no ${room.root}/config/gone.mjs and no ${room.project}/gone.mjs`,
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
    const other = await fire(hooks);
    expect((await slow).runs[0]?.failure?.kind).toBe("abort");
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

describe("an edit counts from the next call on", () => {
  const saying = (text: string) => `export default () => ({ systemMessage: ${JSON.stringify(text)} });`;
  const heard = async (hooks: Engine) => (await fire(hooks)).messages[0]?.block.content;

  it("of the module, also at once and of the same length", async () => {
    const { hooks, write } = await open("guard.mjs", saying("one"));
    for (const text of ["two", "six", "ten"]) {
      await heard(hooks);
      write("guard.mjs", saying(text));
      expect(await heard(hooks)).toBe(text);
    }
  });

  it("of what it imports, with or without an extension", async () => {
    const { hooks, write } = await open(
      "guard.ts",
      `import { a } from "./lib/a.ts"; import { b } from "./lib/b.js"; import { c } from "./lib/c";
       export default () => ({ systemMessage: a + b + c });`,
    ).then(async ({ write, hooks }) => {
      for (const name of ["a", "b", "c"]) write(`lib/${name}.ts`, `export const ${name}: string = "1";`);
      return { hooks, write };
    });
    expect(await heard(hooks)).toBe("111");
    for (const [name, expected] of [
      ["a", "211"],
      ["b", "221"],
      ["c", "222"],
    ] as const) {
      write(`lib/${name}.ts`, `export const ${name}: string = "2";`);
      expect(await heard(hooks)).toBe(expected);
    }
  });

  it("of an import that was broken", async () => {
    const { hooks, write, root } = await open(
      "guard.mjs",
      `import { a } from "./a.mjs"; export default () => ({ systemMessage: a });`,
    );
    expect((await fire(hooks)).runs[0]).toHaveProperty("failure");
    write("a.mjs", `export const a = "mended";`);
    expect(await heard(hooks)).toBe("mended");
    rmSync(`${root}/a.mjs`);
    expect((await fire(hooks)).runs[0]).toHaveProperty("failure");
  });
});

describe("the environment", () => {
  const NAMES = ["BELAY_PROJECT_DIR", "WAVE_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT"];
  const SHOWN = [...NAMES, "BELAY_SESSION_ID", "BELAY_EVENT", "MINE", "HOME"];
  const show = `Object.fromEntries(${JSON.stringify(SHOWN)}.map((name) => [name, process.env[name]]))`;
  const shows = `const loaded = ${show};
    export default () => ({ systemMessage: JSON.stringify([loaded, ${show}]) });`;
  const heard = ({ messages }: Outcome): unknown => JSON.parse(messages[0]?.block.content ?? "");

  it("is that of a command hook, when it loads and when it is called", async () => {
    const room = scratch();
    room.write("plug/env.mjs", shows);
    const group = [{ hooks: [{ type: "module", module: "../env.mjs" }] }];
    room.write("plug/hooks/hooks.json", { hooks: { PreToolUse: group, PostToolUse: group } });
    const plugin = `${room.root}/plug`;
    const hooks = await room.engine({ pluginDirs: [plugin], env: { MINE: "yes" } });
    const always = {
      BELAY_PROJECT_DIR: room.project,
      WAVE_PROJECT_DIR: room.project,
      CLAUDE_PROJECT_DIR: room.project,
      CLAUDE_PLUGIN_ROOT: plugin,
      MINE: "yes",
    };
    const first = { ...always, BELAY_SESSION_ID: "one", BELAY_EVENT: "PreToolUse" };
    const second = { ...always, BELAY_SESSION_ID: "two", BELAY_EVENT: "PostToolUse" };
    expect(heard(await hooks.fire("PreToolUse", { ...CALL, session_id: "one" }))).toEqual([first, first]);
    expect(heard(await hooks.fire("PostToolUse", { ...CALL, tool_response: "", session_id: "two" }))).toEqual(
      [first, second],
    );
  });

  it("is the host's where none is given, and has no plugin outside of one", async () => {
    const { hooks, project } = await open("env.mjs", shows);
    const [, called] = heard(await fire(hooks)) as Record<string, string>[];
    expect(called).toMatchObject({ HOME: process.env.HOME, BELAY_PROJECT_DIR: project });
    expect(called).not.toHaveProperty("CLAUDE_PLUGIN_ROOT");
  });
});

it("what it prints is kept out of the host's stdout and stands in stderr", async () => {
  const room = scratch();
  const module = room.write(
    "loud.mjs",
    `export default () => { console.log("loud"); console.error("louder"); process.stdout.write("loudest"); return { systemMessage: "said" }; };`,
  );
  const host = startHost("one-module.mjs", [module]);
  const { stdout, stderr, code } = await host.finished;
  expect([stderr, code]).toEqual(["", 0]);
  expect(JSON.parse(stdout)).toMatchObject({
    stdout: '{"systemMessage":"said"}',
    stderr: "loud\nlouder\nloudest",
  });
});

it("an answer over the cap is cut between characters", async () => {
  const { hooks } = await open("guard.mjs", `export default () => ({ systemMessage: "€".repeat(60_000) });`);
  const { runs, diagnostics } = await fire(hooks);
  expect(runs[0]).toMatchObject({ truncated: true, cut: ["stdout"], cap: 102_400 });
  expect(runs[0]?.stdout).toMatch(/^\{"systemMessage":"€+$/);
  // A module prints nothing on stdout and has no exit code.
  const words = diagnostics.map(({ message, fix }) => `${message}. ${fix}`).join("\n");
  expect(words).toContain("the answer begins like JSON but is none: the cap cut it");
  expect(words).not.toMatch(/stdout|exit code/);
});

it("an answer that came while the host was busy is no timeout", async () => {
  const { hooks } = await open(
    "guard.mjs",
    `export default async (input) => { await new Promise((resolve) => setTimeout(resolve, 100)); return ${DENY}; };`,
    { timeout: 0.5 },
  );
  await fire(hooks);
  const firing = fire(hooks);
  await sleep(20);
  await block(1000);
  expect((await firing).decision).toEqual(denied);
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
      workerData: { file, port: port2 },
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

import { rmSync } from "node:fs";
import type { Engine, Outcome } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { DENY, denied, fire, open } from "./module-hooks.ts";
import { block, sleep, startHost } from "./processes.ts";
import { CALL, scratch, settings } from "./scratch.ts";

/** Module hooks: an object is output, nothing is silence, a throw is a fault (design §7). */

const TYPED = `import { defineHook } from "@belay/engine";
export default defineHook("PreToolUse", (input): any => (${DENY}));`;

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
    ["TypeScript of CommonJS", "guard.cts", `module.exports = (input: unknown): unknown => (${DENY});`],
    [
      "TypeScript of CommonJS that requires",
      "guard.cts",
      `import path = require("node:path"); const { join }: any = require("node:path");
       export = (input: any) => join("a", "b") === path.join("a", "b") && (${DENY});`,
    ],
    [
      "TypeScript of CommonJS that exports",
      "guard.cts",
      `export default (input: unknown): any => (${DENY});`,
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
    ["a string", `export default () => "deny";`, /returned string, not an object/],
    ["a number", `export default () => 2;`, /returned number/],
    ["an array", `export default () => [];`, /returned an array/],
    ["a function", `export default () => () => 1;`, /returned function/],
    ["a Date", `export default () => new Date();`, /no JSON object/],
    ["a circle", `export default () => { const a = {}; a.a = a; return a; };`, /circular/],
    ["no function", `export default { decision: "deny" };`, /exports no function/],
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

  const REQUIRING = `const { said } = require("./said.cjs"); module.exports = () => ({ systemMessage: said });`;
  const requiring: [name: string, file: string, text: string][] = [
    ["CommonJS", "guard.cjs", REQUIRING],
    ["TypeScript of CommonJS", "guard.cts", `let typed: number; ${REQUIRING}`],
    [
      "createRequire",
      "guard.mjs",
      `import { createRequire } from "node:module"; const { said } = createRequire(import.meta.url)("./said.cjs");
       export default () => ({ systemMessage: said });`,
    ],
    ["an import that requires", "guard.mjs", `import hook from "./middle.cjs"; export default hook;`],
    [
      "a call",
      "guard.cjs",
      `module.exports = () => ({ systemMessage: require("./said.cjs").said, ...require("./more.json") });`,
    ],
  ];
  it.each(requiring)("of what is required by %s", async (_name, file, text) => {
    const { hooks, write } = await open(file, text);
    write("middle.cjs", REQUIRING);
    write("more.json", "{}");
    for (const said of ["one", "two", "six"]) {
      write("said.cjs", `exports.said = ${JSON.stringify(said)};`);
      expect(await heard(hooks)).toBe(said);
    }
    if (!text.includes("more.json")) return;
    write("more.json", `{ "systemMessage": "more" }`);
    expect(await heard(hooks)).toBe("more");
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

it("characters that it prints in halves arrive whole, each stream's own", async () => {
  const { hooks } = await open(
    "guard.mjs",
    `const [first, ...rest] = Buffer.from("€");
     export default () => {
       process.stdout.write(Buffer.from([first]));
       process.stderr.write("é");
       process.stdout.write(Buffer.from(rest));
     };`,
  );
  expect((await fire(hooks)).runs[0]).toMatchObject({ stdout: "", stderr: "é€" });
});

it("an answer over the cap is cut between characters", async () => {
  const { hooks } = await open("guard.mjs", `export default () => ({ systemMessage: "€".repeat(60_000) });`);
  const { runs, diagnostics } = await fire(hooks);
  expect(runs[0]).toMatchObject({ truncated: true, cut: ["stdout"], cap: 102_400 });
  expect(runs[0]?.stdout).toMatch(/^\{"systemMessage":"€+$/);
  // A module prints nothing on stdout and has no exit code.
  const words = diagnostics.map(({ message, fix }) => `${message}. ${fix}`).join("\n");
  expect(words).toContain("its output begins like JSON but is not JSON: the cap cut it");
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

describe("a module hook that does not parse names the file and the line", () => {
  const BROKEN = 'export const a = "é";\nexport const b = ((;\n';
  const rows: [name: string, files: Record<string, string>, place: string][] = [
    ["itself", { "a.mjs": BROKEN }, "a.mjs:2"],
    ["itself, as TypeScript", { "a.ts": BROKEN }, "a.ts:2"],
    ["what it imports", { "a.mjs": 'import "./b.mjs";', "b.mjs": BROKEN }, "b.mjs:2"],
    ["TypeScript that it imports", { "a.ts": 'import "./b.ts";', "b.ts": BROKEN }, "b.ts:2"],
  ];
  it.each(rows)("%s", async (_name, files, place) => {
    const room = scratch();
    for (const [name, text] of Object.entries(files)) room.write(name, text);
    const [first = ""] = Object.keys(files);
    const engine = await room.engineFor("Stop", [{ type: "module", module: `./${first}` }]);
    const detail = (await engine.fire("Stop")).runs[0]?.failure?.detail;
    expect(detail).toMatch(/^(?:.*: )?SyntaxError: /);
    expect(detail).toContain(`/${place}: `);
  });

  it("an error of the same name that comes while it runs keeps its own words", async () => {
    const room = scratch();
    room.write("a.mjs", 'export default () => JSON.parse("{");');
    const engine = await room.engineFor("Stop", [{ type: "module", module: "./a.mjs" }]);
    const detail = (await engine.fire("Stop")).runs[0]?.failure?.detail;
    expect(detail).toMatch(/JSON/);
    expect(detail).not.toContain("a.mjs:");
  });
});

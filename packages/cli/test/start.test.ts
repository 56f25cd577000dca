import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

/* What is loaded before a hook runs: `belay run` is on the path of every tool call. */

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "belay-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Says at the end which files were loaded, and whether the first of them came compiled. */
const WATCH = join(folder, "watch.cjs");
writeFileSync(
  WATCH,
  `const vm = require("node:vm");
let compiled = false;
const { Script } = vm;
vm.Script = class extends Script {
  constructor(...args) {
    super(...args);
    compiled = this.cachedDataRejected === false;
  }
};
process.on("exit", () => {
  const files = Object.keys(require.cache).filter((file) => file !== __filename);
  const costly = process.moduleLoadList.filter((name) => /^NativeModule (?:crypto|readline\\/promises)$/.test(name));
  require("node:fs").writeFileSync(process.env.SEEN, JSON.stringify({ compiled, files, costly }));
});
`,
);

function belay(root: string, args: readonly string[], input = "") {
  const seen = join(folder, "seen.json");
  const env = { ...process.env, NODE_OPTIONS: "", HOME: folder, SEEN: seen };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--require", WATCH, join(root, "bin/belay.js"), ...args],
    { cwd: folder, env, input, encoding: "utf8" },
  );
  const { compiled, files, costly } = JSON.parse(readFileSync(seen, "utf8")) as {
    compiled: boolean;
    files: string[];
    costly: string[];
  };
  return { status, stdout, stderr, compiled, costly, files: files.map((file) => basename(file)) };
}

function configWith(matcher: string): string {
  const file = join(folder, "hooks.json");
  const hooks = [{ matcher, hooks: [{ type: "command", command: "true" }] }];
  writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: hooks } }));
  return file;
}

describe("the start of a run", () => {
  it.each([[["--json"]], [[]]])("loads one file, compiled, for a plain matcher: %s", (form) => {
    const { status, compiled, files, costly } = belay(PACKAGE, [
      "run",
      "PreToolUse",
      "--config",
      configWith("Bash"),
      ...form,
    ]);
    expect({ status, compiled, files, costly }).toEqual({
      status: 0,
      compiled: true,
      costly: [],
      files: ["belay.js", "main.cjs"],
    });
    const main = readFileSync(join(PACKAGE, "dist/main.cjs"), "latin1");
    // A word that only the schema library has, and one that only the engine for patterns has.
    expect(main).not.toContain("abortPipeEarly");
    expect(main).not.toContain("missing closing )");
  });

  it("loads one file of its own, compiled, for another agent's hook", () => {
    const call = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {} });
    const { status, compiled, files } = belay(PACKAGE, ["hook", "codex"], call);
    expect({ status, compiled, files }).toEqual({
      status: 0,
      compiled: true,
      files: ["belay.js", "relay.cjs"],
    });
  });

  it("loads the engine for patterns when a matcher is one", () => {
    const { files } = belay(PACKAGE, ["run", "PreToolUse", "--config", configWith("^Ba"), "--json"]);
    expect(files.length).toBeGreaterThan(2);
  });
});

describe("what the build left compiled", () => {
  const CASES: [
    name: string,
    change: (main: string, cache: Buffer) => { main?: string; cache?: Buffer | undefined },
    compiled: boolean,
    version: string,
  ][] = [
    ["as it is", () => ({}), true, "0.1.0"],
    ["is gone", () => ({ cache: undefined }), false, "0.1.0"],
    ["is empty", () => ({ cache: Buffer.alloc(0) }), false, "0.1.0"],
    [
      "is damaged",
      (_, cache) => ({ cache: Buffer.concat([Buffer.alloc(cache.length - 100), cache.subarray(-100)]) }),
      false,
      "0.1.0",
    ],
    [
      "is of another build of the same length",
      (main) => ({ main: main.replaceAll("0.1.0", "9.9.9").replace(/[0-9a-f]{64}$/, "0".repeat(64)) }),
      false,
      "9.9.9",
    ],
  ];
  it.each(CASES)("counts only when it fits: it %s", (_, change, compiled, version) => {
    const copy = mkdtempSync(join(folder, "copy-"));
    cpSync(join(PACKAGE, "bin"), join(copy, "bin"), { recursive: true });
    mkdirSync(join(copy, "dist"));
    const whole = {
      main: readFileSync(join(PACKAGE, "dist/main.cjs"), "latin1"),
      cache: readFileSync(join(PACKAGE, "dist/main.cjs.cache")),
    };
    const { main, cache } = { ...whole, ...change(whole.main, whole.cache) };
    writeFileSync(join(copy, "dist/main.cjs"), main);
    if (cache) writeFileSync(join(copy, "dist/main.cjs.cache"), cache);
    const { stdout, stderr, ...rest } = belay(copy, ["--version"]);
    expect({ stdout, stderr, compiled: rest.compiled }).toEqual({
      stdout: `${version}\n`,
      stderr: "",
      compiled,
    });
  });
});

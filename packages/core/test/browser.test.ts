import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, Script } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "tsdown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/*
 * Core runs in a browser: bundled with everything it needs, it names no module of Node's and runs where there is no
 * Node. The pattern engine is loaded on demand and is a file of its own.
 */

/** Bytes, compressed, of what a page loads at its start. Raise it only for something a page needs. */
const BUDGET = 49_000;

const folder = mkdtempSync(join(tmpdir(), "belay-browser-"));

async function bundle(format: "esm" | "iife"): Promise<Map<string, string>> {
  const outDir = join(folder, format);
  await build({
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    config: false,
    entry: { index: "src/index.ts" },
    outDir,
    format,
    globalName: "belay",
    platform: "browser",
    target: "es2023",
    dts: false,
    minify: true,
    logLevel: "silent",
    deps: { alwaysBundle: [/./], onlyBundle: false },
    inputOptions: {
      resolve: {
        mainFields: ["module", "main"],
        conditionNames: ["@belay/source", "browser", "import", "default"],
      },
    },
    outputOptions: { codeSplitting: format === "esm" },
  });
  return new Map(readdirSync(outDir).map((name) => [name, readFileSync(join(outDir, name), "utf8")]));
}

/** What a file imports at its start, and what only on demand. */
const statically = (code: string) =>
  [...code.matchAll(/(?:\bfrom|\bimport)\s*["'`]([^"'`]+)["'`]/g)].map(([, name]) => name ?? "");
const onDemand = (code: string) =>
  [...code.matchAll(/\bimport\(\s*["'`]([^"'`]+)["'`]/g)].map(([, name]) => name ?? "");

let files: Map<string, string>;
let script: string;
beforeAll(async () => {
  files = await bundle("esm");
  script = [...(await bundle("iife")).values()].join("\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("core in a browser", () => {
  it("imports nothing from outside the bundle, and nothing of Node's", () => {
    const imported = [...files.values()].flatMap((code) => [...statically(code), ...onDemand(code)]);
    expect(imported.filter((name) => !files.has(name.replace("./", "")))).toEqual([]);
    expect(onDemand([...files.values()].join("\n")).length).toBeGreaterThan(0);
    for (const code of files.values()) expect(code).not.toMatch(/["'`]node:|\brequire\(/);
  });

  it("runs without Node: parse, decide, route, and a config with a pattern", async () => {
    const page = createContext({});
    new Script(script).runInContext(page);
    const [outcome, kinds, globals] = await new Script(`(async () => {
      const { parse, ruleFor, decide, route, readConfig, loadPatternEngine } = belay;
      const run = {
        exitCode: 0,
        stdout: 'hi {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}',
        stderr: "", executionTime: 1, timedOut: false, truncated: false,
      };
      const verdict = parse({ name: "guard", onFailure: "continue", mode: "enforce" }, run, ruleFor("PreToolUse", "wave"));
      const decided = decide([verdict]);
      const outcome = route({ event: "PreToolUse", dialect: "wave", fired: [{ source: "s:1", run, verdict }], decided });
      const text = '{"hooks":{"PreToolUse":[{"matcher":"Edit.*","hooks":[{"type":"command","command":"true"}]}]}}';
      const config = readConfig({ file: "s.json", layer: "user", text }, await loadPatternEngine());
      const kinds = config.hooks.map(({ matcher }) => [matcher.kind, matcher.test("MultiEdit"), matcher.test("Read")]);
      return [JSON.stringify(outcome), JSON.stringify(kinds), [typeof process, typeof require, typeof Buffer].join()];
    })()`).runInContext(page);
    expect(JSON.parse(outcome)).toMatchObject({
      action: "block-tool",
      blocked: true,
      decision: { kind: "deny" },
    });
    expect(JSON.parse(kinds)).toEqual([["pattern", true, false]]);
    expect(globals).toBe("undefined,undefined,undefined");
  });

  it("stays within its budget", () => {
    const loaded = new Set(["index.js"]);
    for (const name of loaded)
      for (const next of statically(files.get(name) ?? "")) loaded.add(next.replace("./", ""));
    const size = gzipSync([...loaded].map((name) => files.get(name) ?? "").join("\n")).length;
    expect(size).toBeGreaterThan(BUDGET / 2);
    expect(size).toBeLessThan(BUDGET);
  });
});

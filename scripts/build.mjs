// Builds every package into its dist/. The CLI is one bundle (plus lazily loaded chunks), so that a start is quick.
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import { build as buildPage } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

const { version } = JSON.parse(readFileSync(`${root}packages/cli/package.json`, "utf8"));

/** @type {import("tsdown").InlineConfig} */
const shared = {
  format: "esm",
  platform: "node",
  target: "node20.19",
  logLevel: "warn",
  clean: false,
  checks: { pluginTimings: false },
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
};

/** @type {import("tsdown").InlineConfig} */
const bundled = {
  deps: {
    alwaysBundle: [/^(?!node:|oxc-transform|react-devtools-core)/],
    neverBundle: [/^oxc-transform/, "react-devtools-core"],
    onlyBundle: false,
  },
  // jsonc-parser's "main" is UMD and cannot be bundled; its "module" can.
  inputOptions: {
    treeshake: {
      // These modules have no side effects. Without this line a start would run jsonc-parser's tables for formatting (2 ms),
      // and load all that `check` alone needs.
      moduleSideEffects: [
        { test: /jsonc-parser/, sideEffects: false },
        { test: /packages.(?:core|engine|harness).src/, sideEffects: false },
      ],
    },
    resolve: {
      mainFields: ["module", "main"],
      conditionNames: ["@belay/source", "import", "node", "default"],
    },
  },
};

/**
 * CommonJS, as a build only: Node starts it 7 ms sooner, and `belay run` is on the path of every tool call.
 * @type {import("tsdown").InlineConfig}
 */
const started = {
  format: "cjs",
  shims: true,
  logLevel: "error",
  outExtensions: () => ({ js: ".cjs" }),
  minify: true,
  define: { VERSION: JSON.stringify(version) },
  ...bundled,
  inputOptions: {
    ...bundled.inputOptions,
    transform: { inject: { "performance.now": [`${root}packages/cli/src/clock.ts`, "now"] } },
  },
};

/** @type {(import("tsdown").InlineConfig & { name: string })[]} */
const packages = [
  {
    name: "core",
    entry: {
      index: "src/index.ts",
      internal: "src/internal.ts",
      advise: "src/config/advice/hooks.ts",
      clean: "src/clean.ts",
      shell: "src/shell.ts",
      compare: "src/compare/index.ts",
      schema: "src/schema/json-schema.ts",
    },
    platform: "neutral",
    dts: true,
  },
  {
    name: "engine",
    // The worker and its loader are files of their own: a thread is started from a file.
    entry: {
      index: "src/index.ts",
      internal: "src/internal.ts",
      worker: "src/module/worker.ts",
      "typescript-loader": "src/module/typescript-loader.ts",
      "define-hook": "src/define-hook.ts",
      "warm-hook": "src/warm-hook.ts",
    },
    dts: true,
  },
  {
    name: "engine",
    // The companion, with all it needs and nothing else: it has to stay small.
    entry: { launcher: "src/launcher/companion.ts" },
    ...bundled,
  },
  { name: "harness", entry: { index: "src/index.ts" }, platform: "neutral", dts: true },
  { name: "react", entry: { index: "src/index.ts" }, platform: "neutral", dts: true },
  { name: "agent", entry: { index: "src/index.ts", "ai-sdk": "src/ai-sdk/index.ts" }, dts: true },
  { name: "cli", entry: { main: "src/main.ts" }, ...started },
  {
    name: "cli",
    // `belay hook` alone, which has its own parts: a call of another agent waits for its start.
    entry: { relay: "src/relay/main.ts" },
    ...started,
    outputOptions: { chunkFileNames: "relay-[name]-[hash].cjs" },
  },
  {
    name: "cli",
    // Agent, models and screen, loaded by `belay chat` and `belay demo` alone.
    entry: { chat: "src/chat/index.ts" },
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    ...bundled,
  },
  {
    name: "cli",
    // The server of `belay inspect`, loaded by it alone.
    entry: { inspect: "src/inspect/index.ts" },
    minify: true,
    ...bundled,
  },
  {
    name: "cli",
    // How real agents are driven, loaded by `belay verify` alone.
    entry: { drive: "../../scripts/agents/drive.mjs" },
    minify: true,
    ...bundled,
  },
  {
    name: "cli",
    entry: {
      worker: "../engine/src/module/worker.ts",
      launcher: "../engine/src/launcher/companion.ts",
      "typescript-loader": "../engine/src/module/typescript-loader.ts",
      "define-hook": "../engine/src/define-hook.ts",
    },
    minify: true,
    ...bundled,
  },
];

for (const { name } of packages) rmSync(`${root}packages/${name}/dist`, { recursive: true, force: true });
for (const { name, ...options } of packages) {
  await build({ ...shared, ...options, cwd: `${root}packages/${name}`, config: false });
}

// The page of `belay inspect` is served from inside the package: no network is needed.
await buildPage({
  root: `${root}packages/inspector`,
  configFile: false,
  logLevel: "warn",
  base: "./",
  resolve: {
    conditions: ["@belay/source", "browser", "import", "module", "default"],
    mainFields: ["module", "main"],
  },
  build: {
    outDir: `${root}packages/inspector/dist`,
    target: "es2023",
    emptyOutDir: true,
    // One file of each kind, and nothing inline: the page's own policy forbids it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
cpSync(`${root}packages/inspector/dist`, `${root}packages/cli/dist/inspect`, { recursive: true });

// `belay demo` plays the examples themselves, from inside the package.
const demo = `${root}packages/cli/dist/demo`;
const { hooks } = JSON.parse(readFileSync(`${root}examples/session.json`, "utf8"));
for (const name of ["session.json", ...hooks]) {
  cpSync(`${root}examples/${name}`, `${demo}/${name}`, {
    recursive: true,
    filter: (file) => !/case\.json$|\.hooks\.yaml$/.test(file),
  });
}

for (const name of ["main", "relay"]) {
  takeIn(`${root}packages/cli/dist/`, `${name}.cjs`);
  const compiled = spawnSync(process.execPath, [`${root}scripts/compile-cli.cjs`, name], {
    input: '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}',
    encoding: "utf8",
  });
  if (compiled.status !== 0)
    throw new Error(`${name} was not compiled:\n${compiled.stdout}${compiled.stderr}`);
}

/**
 * Copies the files that `main` loads at its start into `main`: each file would cost a third of a millisecond. The files themselves then
 * re-export the copies, because `main` is always loaded before them.
 * @param {string} folder @param {string} main
 */
function takeIn(folder, main) {
  /** @param {string} code @returns {string} */
  const withParts = (code) =>
    code.replaceAll(/(?<!=>)\brequire\((["'`])\.\/([\w-]+\.cjs)\1\)/g, (_, __, name) => {
      const inside = readFileSync(folder + name, "utf8");
      const asked = `require("./${main}").parts["${name}"]`;
      if (inside.includes(asked)) return `parts["${name}"]`;
      writeFileSync(folder + name, `module.exports=${asked};`);
      return `(parts["${name}"]=(exports=>{${withParts(inside)}\nreturn exports})({}))`;
    });
  const whole = withParts(readFileSync(folder + main, "utf8"));
  writeFileSync(folder + main, `const parts=exports.parts={};${whole}`);
}

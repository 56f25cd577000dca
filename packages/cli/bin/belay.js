#!/usr/bin/env node
// Committed, not built: npm links a bin at install time only when the file is already there.
const { readFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join } = require("node:path");
const { constants, Script } = require("node:vm");

const BUILT = join(__dirname, "../dist/main.cjs");

/**
 * The program, with what the build left compiled of it: that halves the time to load it, and `belay run` is on the path
 * of every tool call.
 * @param {string} source in ASCII @param {Buffer} [cachedData]
 */
function scriptOf(source, cachedData) {
  return new Script(Module.wrap(source), {
    filename: BUILT,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** Runs it as `require` would. @param {Script} script */
function start(script) {
  const main = new Module(BUILT);
  main.filename = BUILT;
  // Commands that are loaded later ask for it.
  require.cache[BUILT] = main;
  script.runInThisContext()(main.exports, Module.createRequire(BUILT), main, BUILT, dirname(BUILT));
}

/**
 * Undefined when nothing was compiled, or from another source, by another version of Node, under other options. V8
 * compares the length of the source alone: the build ends both files with the same line.
 * @param {string} source
 */
function compiled(source) {
  const cache = read(`${BUILT}.cache`);
  const mark = Buffer.from(source.slice(source.lastIndexOf("\n")), "latin1");
  if (!cache?.subarray(-mark.length).equals(mark)) return undefined;
  const script = scriptOf(source, cache.subarray(0, -mark.length));
  return script.cachedDataRejected ? undefined : script;
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

if (require.main === module) {
  const source = read(BUILT)?.toString("latin1");
  if (source === undefined) {
    process.stderr.write("belay: not built yet. Next: npm run build (at the root of the repository)\n");
    process.exit(1);
  }
  const script = compiled(source);
  if (script) start(script);
  else require(BUILT);
}

module.exports = { BUILT, scriptOf, start };

#!/usr/bin/env node
// Committed, not built: npm links a bin at install time only when the file is already there.
const { readFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join } = require("node:path");
const { constants, Script } = require("node:vm");

/** A file of the build that is started. @param {string} name */
const fileOf = (name) => join(__dirname, `../dist/${name}.cjs`);

/** What another agent waits for is a file of its own. @param {readonly string[]} args */
function meantBy([command, ...rest]) {
  const isRelay = command === "hook" && !rest.includes("--help") && !rest.includes("-h");
  return fileOf(isRelay ? "relay" : "main");
}

/**
 * The program, with what the build left compiled of it: that halves the time to load it, and `belay run` is on the path
 * of every tool call.
 * @param {string} file @param {string} source in ASCII @param {Buffer} [cachedData]
 */
function scriptOf(file, source, cachedData) {
  return new Script(Module.wrap(source), {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** Runs it as `require` would. @param {string} file @param {Script} script */
function start(file, script) {
  const main = new Module(file);
  main.filename = file;
  // Parts that are loaded later ask for it.
  require.cache[file] = main;
  script.runInThisContext()(main.exports, Module.createRequire(file), main, file, dirname(file));
}

/**
 * Undefined when nothing was compiled, or from another source, by another version of Node, under other options. V8
 * compares the length of the source alone: the build ends both files with the same line.
 * @param {string} file @param {string} source
 */
function compiled(file, source) {
  const cache = read(`${file}.cache`);
  const mark = Buffer.from(source.slice(source.lastIndexOf("\n")), "latin1");
  if (!cache?.subarray(-mark.length).equals(mark)) return undefined;
  const script = scriptOf(file, source, cache.subarray(0, -mark.length));
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
  const file = meantBy(process.argv.slice(2));
  const source = read(file)?.toString("latin1");
  if (source === undefined) {
    process.stderr.write("belay: not built yet. Next: npm run build (at the root of the repository)\n");
    process.exit(1);
  }
  const script = compiled(file, source);
  if (script) start(file, script);
  else require(file);
}

module.exports = { fileOf, scriptOf, start };

// Installs and builds what a fresh clone lacks; does nothing when nothing has changed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow } from "./files.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

/** @param {string[]} files */
function hashOf(files) {
  const hash = createHash("sha256").update(process.version);
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

/** @param {string} name @param {string[]} inputs @param {string[]} results @param {string[] | undefined} command */
function step(name, inputs, results, command) {
  const stamp = join("node_modules", `.belay-${name}`);
  const hash = hashOf(inputs);
  if (results.every((file) => existsSync(file)) && existsSync(stamp) && readFileSync(stamp, "utf8") === hash)
    return;
  if (command) run(name, command);
  mkdirSync("node_modules", { recursive: true });
  writeFileSync(stamp, hash);
}

/** @param {string} name @param {string[]} command */
function run(name, command) {
  process.stderr.write(`belay: ${name}: ${command.join(" ")}\n`);
  const [program = "", ...args] = command;
  const { status, error } = spawnSync(program, args, {
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    process.stderr.write(`belay: ${name} failed${error ? `: ${error.message}` : ""}\n`);
    process.exit(1);
  }
}

const manifests = readdirSync("packages")
  .map((name) => `packages/${name}/package.json`)
  .filter((file) => existsSync(file));
const sources = [
  ...readdirSync("packages").flatMap((name) => filesBelow(`packages/${name}/src`)),
  ...filesBelow("examples"), // The demo's hooks are part of the build.
  "packages/inspector/index.html",
  ...filesBelow("packages/inspector/public"),
];

/** True when npm runs this at the end of an install: the install is done, and only its stamp is missing. */
const isInstalled = process.argv.includes("--installed");

// Without --ignore-scripts, npm would run `prepare`, which is this script. `npm ci` insists on the optional packages of
// other platforms, which a registry mirror may not have; `npm install` keeps to the lock file as well.
step(
  "install",
  ["package-lock.json", "package.json", ...manifests],
  ["node_modules"],
  isInstalled ? undefined : ["npm", "install", "--no-save", "--ignore-scripts"],
);
// The version in a manifest is part of the build, and so are the dependencies in the lock file.
step(
  "build",
  ["scripts/build.mjs", "package-lock.json", "package.json", ...manifests, ...sources],
  readdirSync("packages").map((name) => `packages/${name}/dist`),
  ["node", "scripts/build.mjs"],
);

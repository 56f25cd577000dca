// The rules of AGENTS.md that no linter knows: each is a few lines that read the sources as text.
// Another tree may be named as the argument.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { filesBelow } from "./files.mjs";

process.chdir(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));

/** @param {RegExp} pattern */
const sources = (pattern) =>
  filesBelow("packages").filter(
    (file) => pattern.test(file) && !file.includes("node_modules") && !file.includes("/dist/"),
  );

/** @type {string[]} */
const broken = [];
/** @param {string} file @param {number} index @param {string} rule */
const report = (file, index, rule) => broken.push(`${file}:${index + 1}: ${rule}`);

const events = [
  ...readFileSync("packages/core/src/tables/events.ts", "utf8").matchAll(/^ {2}([A-Z]\w+): \{$/gm),
].map(([, name]) => name);
const eventLiteral = new RegExp(`["'\`](?:${events.join("|")})["'\`]`);
/** The table itself, the first hook that `init` writes, and the one file in which the agent's moments meet their events. */
const MAY_NAME_EVENTS = [
  "packages/core/src/tables/events.ts",
  "packages/cli/src/hooks/first-hook.ts",
  "packages/agent/src/loop/moments.ts",
];
/** A harness is a table of another agent's events, beside ours. */
const NAMES_EVENTS = /^packages\/harness\/src\/(?:agents|logs)\//;
const IMPURE =
  /["']node:|\b(?:Date\.now|new Date|Math\.random|performance|console|process|setTimeout|setInterval|setImmediate|fetch)\b(?=[.(])/;
/** Packages a package may import, itself aside. Imports point one way. */
const MAY_IMPORT = {
  core: [],
  engine: ["core"],
  agent: ["core", "engine"],
  harness: ["core"],
  react: ["core"],
  inspector: ["core"],
  cli: ["core", "engine", "harness", "agent", "react", "inspector"],
};

/** Which of our packages a specifier leads to, by name or by path. @param {string} specifier @param {string} file */
function packageOf(specifier, file) {
  if (!specifier.startsWith(".")) return /^@belay\/(\w+)/.exec(specifier)?.[1];
  return /^packages\/(\w+)\//.exec(join(file, "..", specifier))?.[1];
}

for (const file of sources(/\.tsx?$/)) {
  const [, name = "", kind = ""] = file.split("/");
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n");
  if (kind !== "src") continue;
  lines.forEach((line, index) => {
    if (/^\s*(?:\/?\*|\/\/)/.test(line)) return; // comments may speak of anything
    if (!MAY_NAME_EVENTS.includes(file) && !NAMES_EVENTS.test(file) && eventLiteral.test(line)) {
      report(file, index, "only the event table names an event");
    }
    if (/dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML/.test(line))
      report(file, index, "hook output is text: nothing becomes markup");
    if ((name === "core" || name === "harness") && IMPURE.test(line))
      report(file, index, "core and harness are pure: no node:*, clock, chance or console");
  });
  const allowed = /** @type {Record<string, string[]>} */ (MAY_IMPORT)[name] ?? [];
  for (const { fileName, pos } of ts.preProcessFile(text).importedFiles) {
    const imported = packageOf(fileName, file);
    if (imported === undefined || imported === name || allowed.includes(imported)) continue;
    report(file, text.slice(0, pos).split("\n").length - 1, `${name} may not import ${imported}`);
  }
}

for (const file of sources(/\.test\.tsx?$/)) {
  readFileSync(file, "utf8")
    .split("\n")
    .forEach((line, index) => {
      if (/\b(?:vi|jest)\.(?:mock|doMock)\(/.test(line))
        report(file, index, "real parts in tests: no module mocks");
      if (/\b(?:it|test|describe)\.(?:only|skip|todo)\b/.test(line))
        report(file, index, "no test is switched off");
    });
}

const MAX_FILES = 25;
/** Every folder of sources, with the number of its files. @type {Map<string, number>} */
const folders = new Map();
for (const folder of sources(/^packages\/\w+\/src\//).map(dirname))
  folders.set(folder, (folders.get(folder) ?? 0) + 1);

/** The folders that have a sentence in the map of AGENTS.md: those of a package are indented below its own line. */
function mappedFolders() {
  const found = new Set();
  let root = "";
  for (const line of readFileSync("AGENTS.md", "utf8").split("\n")) {
    const [, top] = /^(packages\/\w+\/src)\/ +\S/.exec(line) ?? [];
    const [, below] = /^ {2}([\w/-]+)\/ +\S/.exec(line) ?? [];
    if (top) root = top;
    if (top) found.add(top);
    else if (below) found.add(`${root}/${below}`);
    else if (line.startsWith("```")) root = "";
  }
  return found;
}

const mapped = mappedFolders();
for (const [folder, count] of folders) {
  if (count > MAX_FILES) broken.push(`${folder}: ${count} files; a folder holds at most ${MAX_FILES}`);
  if (!mapped.has(folder)) broken.push(`${folder}: the map of AGENTS.md has no sentence for it`);
}
for (const folder of mapped) if (!folders.has(folder)) broken.push(`AGENTS.md: there is no folder ${folder}`);

if (broken.length > 0) {
  process.stdout.write(`${broken.join("\n")}\n`);
  process.exit(1);
}

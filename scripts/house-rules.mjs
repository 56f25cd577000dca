// Rules of this code base that no linter knows (AGENTS.md): each is a few lines that read the sources as text.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { filesBelow } from "./files.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

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
  ...readFileSync("packages/core/src/events.ts", "utf8").matchAll(/^ {2}([A-Z]\w+): \{$/gm),
].map(([, name]) => name);
const eventLiteral = new RegExp(`["'\`](?:${events.join("|")})["'\`]`);
/** The table itself, the first hook that `init` writes, and the one file in which the agent's moments meet their events. */
const MAY_NAME_EVENTS = [
  "packages/core/src/events.ts",
  "packages/cli/src/first-hook.ts",
  "packages/agent/src/loop/moments.ts",
];
const IMPURE =
  /["']node:|\b(?:Date\.now|new Date|Math\.random|performance|console|process|setTimeout|setInterval|setImmediate|fetch)\b(?=[.(])/;
/** Packages a package may import, itself aside. Imports point one way. */
const MAY_IMPORT = {
  core: [],
  engine: ["core"],
  agent: ["core", "engine"],
  react: ["core"],
  cli: ["core", "engine", "agent", "react"],
};

for (const file of sources(/\.tsx?$/)) {
  const [, name = "", kind = ""] = file.split("/");
  if (kind !== "src") continue;
  const lines = readFileSync(file, "utf8").split("\n");
  if (lines.length > 300) report(file, lines.length, "a file has at most 300 lines");
  lines.forEach((line, index) => {
    if (/^\s*(?:\/?\*|\/\/)/.test(line)) return; // comments may speak of anything
    if (!MAY_NAME_EVENTS.includes(file) && eventLiteral.test(line)) {
      report(file, index, "only the event table names an event");
    }
    if (name === "core" && IMPURE.test(line))
      report(file, index, "core is pure: no node:*, clock, chance or console");
    const imported = /(?:from|import\()\s*"@belay\/(\w+)/.exec(line)?.[1];
    const allowed = /** @type {Record<string, string[]>} */ (MAY_IMPORT)[name] ?? [];
    if (imported && imported !== name && !allowed.includes(imported))
      report(file, index, `${name} may not import ${imported}`);
  });
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

if (broken.length > 0) {
  process.stdout.write(`${broken.join("\n")}\n`);
  process.exit(1);
}

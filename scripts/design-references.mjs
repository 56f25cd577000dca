// Resolves every citation of the design: `design §4.9` is a section or rule of docs/design.md, `seed 000 §3` a row of its appendix.
// A citation of a document that is not in the repository fails. Another tree may be named as the argument.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { filesBelow } from "./files.mjs";

process.chdir(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));

const DESIGN = "docs/design.md";
const FOLDERS = ["packages", "scripts", "bench", "examples", "fixtures", "docs"];
/** The section sign, escaped so that this file cites nothing. */
const SIGN = "\u00a7";
const NOT_IN_THE_REPOSITORY = new RegExp(`\\b(?:DESIGN|HOUSE|STYLE|TEAM|EVERY-AGENT)(?:\\.md| ${SIGN}\\S*)`);
const CITATION = new RegExp(
  `(?:\\b(design|seed 00\\d) )?(${SIGN}(?:\\d+(?:\\.\\d+)?)?)|\\b(seed 00\\d) (FR-\\d+|SC-\\d+|US\\d)`,
  "gi",
);

/** What can be cited: a section, a rule in it, and the first cell of a row about a seed. */
function citable() {
  const found = new Set();
  let place = "";
  for (const line of readFileSync(DESIGN, "utf8").split("\n")) {
    const [, section] = /^## (\d+)\. /.exec(line) ?? [];
    const [, seed] = /^### Seed (\d{3})$/.exec(line) ?? [];
    if (section) place = `design ${SIGN}${section}`;
    else if (seed) place = `seed ${seed}`;
    else if (line.startsWith("## ")) place = "";
    if (section) found.add(place);
    const [, rule] = /^(\d+)\. /.exec(line) ?? [];
    if (rule && place.startsWith("design")) found.add(`${place}.${rule}`);
    const [, cell] = /^\| ([^|]+) \|/.exec(line) ?? [];
    if (cell && place.startsWith("seed")) found.add(`${place} ${cell}`);
  }
  return found;
}

const known = citable();
/** @type {string[]} */
const broken = [];

/** @param {string} file @param {string} line @param {number} index */
function checkLine(file, line, index) {
  /** @param {string} problem */
  const report = (problem) => broken.push(`${file}:${index + 1}: ${problem}`);
  const [absent] = NOT_IN_THE_REPOSITORY.exec(line) ?? [];
  if (absent) return report(`${absent} is not in the repository`);
  // A bare section belongs to the document that the line named last; in the design itself, to the design.
  let document = "";
  for (const [, page, section, seed, item] of line.matchAll(CITATION)) {
    const named = page ?? seed;
    const place = section ?? item;
    if (named) document = named.toLowerCase();
    else if (file === DESIGN) document = "design";
    if (document === "") report(`${place} names no document: write design ${place} or seed 000 ${place}`);
    else if (!known.has(`${document} ${place}`)) report(`${DESIGN} has no ${document} ${place}`);
  }
}

const pages = readdirSync(".").filter((file) => file.endsWith(".md"));
for (const file of [...FOLDERS.flatMap(filesBelow), ...pages]) {
  if (/node_modules|[\\/]dist[\\/]|\.png$/.test(file)) continue;
  readFileSync(file, "utf8")
    .split("\n")
    .forEach((line, index) => {
      // The first cell of a row in the appendix is what is cited.
      checkLine(file, file === DESIGN ? line.replace(new RegExp(`^\\| ${SIGN}\\d+ `), "") : line, index);
    });
}

if (broken.length > 0) {
  process.stdout.write(`${broken.join("\n")}\n`);
  process.exit(1);
}

// Writes everything that is derived: schema/, docs/events/, docs/agents/, docs/diagnostics.md, the page on performance, and the marked parts of
// docs/agents/README.md, docs/lifecycle.md, docs/dialects.md, docs/embedding.md and docs/testing.md. With --check it writes nothing, names what has
// drifted and exits 1.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { performanceFiles, RESULTS } from "../bench/page.mjs";
import { filesBelow } from "./files.mjs";
import { agentMatrix, agentPages } from "./generate/agent-pages.mjs";
import { caseTables } from "./generate/cases.mjs";
import { diagnosticsPage } from "./generate/diagnostics.mjs";
import { dialectTable } from "./generate/dialects.mjs";
import { eventPages } from "./generate/event-page.mjs";
import { furtherEvents, lifecycleDrawing } from "./generate/lifecycle.mjs";
import { fence, replaceMarked } from "./generate/markdown.mjs";
import { schemaFiles } from "./generate/schemas.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** Folders that hold nothing but generated files. */
const OWNED = ["schema", "docs/events"];

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** A page whose marked parts are written anew. @param {string} file @param {Record<string, string>} parts @returns {[string, string]} */
const marked = (file, parts) => [
  file,
  Object.entries(parts).reduce(
    (text, [marker, content]) => replaceMarked(file, text, marker, content),
    read(file) ?? "",
  ),
];

/** @type {Map<string, string>} */
const wanted = new Map([
  ...schemaFiles(),
  ...eventPages(),
  ...agentPages(),
  marked("docs/agents/README.md", { matrix: agentMatrix() }),
  ["docs/diagnostics.md", diagnosticsPage()],
  marked("docs/lifecycle.md", { lifecycle: lifecycleDrawing(), further: furtherEvents() }),
  marked("docs/dialects.md", { dialects: dialectTable() }),
  marked("docs/embedding.md", {
    "ai-sdk-loop": fence("js", (read("docs/examples/ai-sdk-loop.mjs") ?? "").trimEnd()),
  }),
  ...performanceFiles(JSON.parse(readFileSync(RESULTS, "utf8"))),
  marked("docs/testing.md", caseTables()),
]);

const stale = OWNED.flatMap((folder) => filesBelow(folder)).filter((file) => !wanted.has(file));
const changed = [...wanted].filter(([file, content]) => read(file) !== content).map(([file]) => file);

if (process.argv.includes("--check")) {
  const drifted = [
    ...changed.map((file) => `${file}: not what the tables say`),
    ...stale.map((file) => `${file}: nothing generates it any more`),
  ];
  if (drifted.length > 0) {
    process.stdout.write(`${drifted.join("\n")}\nRun: npm run generate\n`);
    process.exitCode = 1;
  }
} else {
  for (const file of changed) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, /** @type {string} */ (wanted.get(file)));
  }
  for (const file of stale) rmSync(file);
  process.stdout.write(`${wanted.size} files, ${changed.length} written, ${stale.length} removed\n`);
}

// Writes what was measured, and the page and pictures made of it.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { performanceFiles, RESULTS } from "./page.mjs";

/** @param {import("./page.mjs").Results} results @returns {string[]} the files it wrote */
export function writePage(results) {
  /** @type {[string, string][]} */
  const files = [[RESULTS, `${JSON.stringify(results, null, 2)}\n`], ...performanceFiles(results)];
  for (const [file, content] of files) {
    const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return files.map(([file]) => file);
}

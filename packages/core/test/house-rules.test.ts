import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const SCRIPT = fileURLToPath(new URL("../../../scripts/house-rules.mjs", import.meta.url));

/** A file of a tree, and what the rules say of it. */
const rows: [file: string, text: string, expected: string | undefined][] = [
  ["core/src/tables/events.ts", "export const EVENTS = {\n  Stop: {\n  },\n};\n", undefined],
  ["core/src/by-name.ts", 'export * from "@belay/engine";', "1: core may not import engine"],
  ["core/src/by-path.ts", '\nimport "../../engine/src/a.ts";', "2: core may not import engine"],
  ["core/src/later.ts", 'export const a = () => import(\n  "@belay/cli"\n);', "2: core may not import cli"],
  ["core/src/own.ts", 'export * from "./tables/events.ts";', undefined],
  ["core/src/impure.ts", 'import "node:fs";', "1: core is pure: no node:*, clock, chance or console"],
  ["core/src/event.ts", 'export const a = "Stop";', "1: only the event table names an event"],
  ["core/src/full.ts", "\n".repeat(300), undefined],
  [
    "inspector/src/a.tsx",
    `export const a = <p ${"dangerously"}SetInnerHTML={b} />;`,
    "1: hook output is text: nothing becomes markup",
  ],
  ["inspector/src/b.ts", 'import "@belay/engine";', "1: inspector may not import engine"],
  ["engine/src/a.ts", 'export * from "@belay/core";', undefined],
  ["engine/test/a.test.ts", `vi.${"mock"}("x");`, "1: real parts in tests: no module mocks"],
  ["engine/test/b.test.ts", `it.${"skip"}("x");`, "1: no test is switched off"],
];

it("the house rules name every file that breaks one, and no other", { timeout: 30_000 }, () => {
  const root = mkdtempSync(join(tmpdir(), "belay-rules-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, text] of rows) {
    mkdirSync(dirname(join(root, "packages", file)), { recursive: true });
    writeFileSync(join(root, "packages", file), text);
  }
  const { stdout, status } = spawnSync(process.execPath, [SCRIPT, root], { encoding: "utf8" });
  const expected = rows.flatMap(([file, , said]) => (said === undefined ? [] : [`packages/${file}:${said}`]));
  expect(stdout.trim().split("\n").sort()).toEqual(expected.sort());
  expect(status).toBe(1);
});

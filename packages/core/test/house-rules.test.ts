import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

/** A file of a tree, and what a check says of it: a line of the file and a problem, or a whole sentence. */
type Row = [file: string, text: string, expected: string | undefined];

const RULES: Row[] = [
  ["packages/core/src/tables/events.ts", "export const EVENTS = {\n  Stop: {\n  },\n};\n", undefined],
  ["packages/core/src/by-name.ts", 'export * from "@belay/engine";', "1: core may not import engine"],
  ["packages/core/src/by-path.ts", '\nimport "../../engine/src/a.ts";', "2: core may not import engine"],
  [
    "packages/core/src/later.ts",
    'export const a = () => import(\n  "@belay/cli"\n);',
    "2: core may not import cli",
  ],
  ["packages/core/src/own.ts", 'export * from "./tables/events.ts";', undefined],
  [
    "packages/core/src/impure.ts",
    'import "node:fs";',
    "1: core and harness are pure: no node:*, clock, chance or console",
  ],
  ["packages/core/src/event.ts", 'export const a = "Stop";', "1: only the event table names an event"],
  ["packages/core/src/full.ts", "\n".repeat(300), undefined],
  [
    "packages/inspector/src/a.tsx",
    `export const a = <p ${"dangerously"}SetInnerHTML={b} />;`,
    "1: hook output is text: nothing becomes markup",
  ],
  ["packages/inspector/src/b.ts", 'import "@belay/engine";', "1: inspector may not import engine"],
  ["packages/engine/src/a.ts", 'export * from "@belay/core";', undefined],
  ["packages/engine/test/a.test.ts", `vi.${"mock"}("x");`, "1: real parts in tests: no module mocks"],
  ["packages/engine/test/b.test.ts", `it.${"skip"}("x");`, "1: no test is switched off"],
  ["packages/react/src/a.ts", "", undefined],
  ...Array.from({ length: 25 }, (_, index): Row => [`packages/react/src/full/${index}.ts`, "", undefined]),
  ["packages/react/src/full/25.ts", "", "packages/react/src/full: 26 files; a folder holds at most 25"],
  [
    "packages/react/src/unmapped/a.ts",
    "",
    "packages/react/src/unmapped: the map of AGENTS.md has no sentence for it",
  ],
  [
    "AGENTS.md",
    `packages/core/src/  pure
  tables/  the facts

packages/engine/src/  effects
  gone/  what was here

packages/inspector/src/  the page
packages/react/src/  state
  full/  too much
`,
    "AGENTS.md: there is no folder packages/engine/src/gone",
  ],
];

const SIGN = "\u00a7";
const CITATIONS: Row[] = [
  [
    "docs/design.md",
    `## 1. One\n1. a rule, of ${SIGN}2\n## The seeds\n### Seed 000\n| ${SIGN}3 | asks |\n| FR-001 | asks |\n`,
    `2: docs/design.md has no design ${SIGN}2`,
  ],
  [
    "packages/core/src/good.ts",
    `// design ${SIGN}1.1 and ${SIGN}1, Seed 000 ${SIGN}3, ${"seed"} 000 FR-001`,
    undefined,
  ],
  ["packages/core/src/section.ts", `// (design ${SIGN}9)`, `1: docs/design.md has no design ${SIGN}9`],
  ["bench/rule.mjs", `\n// design ${SIGN}1.2`, `2: docs/design.md has no design ${SIGN}1.2`],
  ["scripts/seed.mjs", `// seed 000 ${SIGN}4`, `1: docs/design.md has no seed 000 ${SIGN}4`],
  ["fixtures/item.mjs", `// ${"seed"} 000 FR-002`, `1: docs/design.md has no ${"seed"} 000 FR-002`],
  [
    "examples/bare.mjs",
    `// see ${SIGN}1`,
    `1: ${SIGN}1 names no document: write design ${SIGN}1 or seed 000 ${SIGN}1`,
  ],
  ["README.md", `As ${"HOUSE"} ${SIGN}3 says`, `1: HOUSE ${SIGN}3 is not in the repository`],
  ["docs/page.md", `${"TEAM"}.md`, `1: ${"TEAM"}.md is not in the repository`],
];

it.each([
  ["house-rules.mjs", RULES],
  ["design-references.mjs", CITATIONS],
])("%s names every file that breaks a rule, and no other", { timeout: 30_000 }, (script, rows) => {
  const root = mkdtempSync(join(tmpdir(), "belay-rules-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, text] of rows) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const path = fileURLToPath(new URL(`../../../scripts/${script}`, import.meta.url));
  const { stdout, status } = spawnSync(process.execPath, [path, root], { encoding: "utf8" });
  const expected = rows.flatMap(([file, , said]) =>
    said === undefined ? [] : [/^\d+:/.test(said) ? `${file}:${said}` : said],
  );
  expect(stdout.trim().split("\n").sort()).toEqual(expected.sort());
  expect(status).toBe(1);
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DIAGNOSTICS, DIALECT_NAMES, EVENT_NAMES, PERMISSION_MODES } from "@belay/core";
import { describe, expect, it } from "vitest";
import { SLASH_COMMANDS } from "../src/tui/handle-input.ts";
import { allPages, ROOT, readPage } from "./docs/pages.ts";
import { scratch } from "./docs/shell.ts";

/* What the pages say of our own tables, exports and dependencies is what these are. */

const pages = allPages();

it("what the page on embedding names is exported", async () => {
  const { run, remove } = scratch();
  const packages = [
    "@belay/agent",
    "@belay/agent/ai-sdk",
    "@belay/engine",
    "@belay/engine/internal",
    "@belay/core",
  ];
  const imports = packages.map((name) => `import("${name}")`).join(", ");
  const { output } = await run(
    `node -e 'Promise.all([${imports}]).then((all) => console.log(all.flatMap(Object.keys).join(" ")))'`,
    ROOT,
  );
  remove();
  const exported = output.split(/\s+/);
  const paragraphs = readPage("docs/embedding.md").prose.split("\n\n");
  const named = paragraphs
    .filter((text) => /^(Its parts are there|`@belay\/(?:engine\/internal|core)` has)/.test(text))
    .flatMap((text) => [...text.matchAll(/`([a-z]\w+)`/g)].map(([, name = ""]) => name));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !exported.includes(name))).toEqual([]);
});

it("the schema that a page's case file names is made on that page", () => {
  const named = pages.flatMap(({ file, fences }) => {
    const text = fences.map(({ content }) => content).join("\n");
    return [...text.matchAll(/\$schema=(\S+)/g)].map(([, schema = ""]) => ({ file, schema, text }));
  });
  expect(named.length).toBeGreaterThan(0);
  for (const { file, schema, text } of named)
    expect({ file, made: text.includes(`belay schema --cases > ${schema}\n`) }).toEqual({ file, made: true });
});

it("the AI SDK's loop with hooks is under 60 lines", () => {
  const lines = readFileSync(join(ROOT, "docs/examples/ai-sdk-loop.mjs"), "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThan(60);
});

describe("what the tables name", () => {
  it("every event has its page, and every page its event", () => {
    const found = pages
      .map(({ file }) => /^docs\/events\/(\w+)\.md$/.exec(file)?.[1])
      .filter((name) => name !== undefined);
    expect(found.sort()).toEqual([...EVENT_NAMES].sort());
  });

  it("no page denies what every event can: stop the agent", () => {
    const said = pages.filter(({ prose }) => /only watch|nothing it answers/i.test(prose));
    expect(said.map(({ file }) => file)).toEqual([]);
    const stops = pages.filter(
      ({ file, prose }) => /^docs\/events\//.test(file) && prose.includes("`continue`"),
    );
    expect(stops.length).toBe(EVENT_NAMES.length);
  });

  it("every diagnostic has its place, and every place its diagnostic", () => {
    const found = [...readPage("docs/diagnostics.md").prose.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
    expect(found.sort()).toEqual(Object.keys(DIAGNOSTICS).sort());
  });

  it("the offline model says itself which sentences it understands", async () => {
    const { run, remove } = scratch();
    const { output } = await run('belay chat -p "hello"');
    remove();
    const said = [...output.matchAll(/^- (.+)$/gm)].map(([, sentence]) => sentence);
    expect(said.length).toBeGreaterThan(0);
    expect(firstCells("docs/chat.md", "### The offline model")).toEqual(said);
  });

  it("every command of the terminal is described", () => {
    const found = firstCells("docs/chat.md", "## In the terminal").map((cell) => /^\/(\w+)/.exec(cell)?.[1]);
    expect(found).toEqual(Object.keys(SLASH_COMMANDS));
  });

  it("every permission mode is described", () => {
    expect(firstCells("docs/permissions.md", "## Modes")).toEqual([...PERMISSION_MODES]);
  });

  /** What stands in backticks at the beginning of each row below a heading. */
  function firstCells(file: string, heading: string): string[] {
    const [, below = ""] = readPage(file).prose.split(`${heading}\n`);
    const [section = ""] = below.split(/^#/m);
    return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, cell = ""]) => cell);
  }

  it("every dialect is described", () => {
    const { prose } = readPage("docs/dialects.md");
    expect(DIALECT_NAMES.filter((name) => !prose.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("dependencies", () => {
  type Manifest = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };
  const packages = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}/package.json`);
  const manifests = ["package.json", "bench/peers/package.json", ...packages];
  const used = manifests.flatMap((file) => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, file), "utf8")) as Manifest;
    return Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([name]) => !name.startsWith("@belay/"),
    );
  });
  const listed = [...readPage("docs/dependencies.md").prose.matchAll(/^\| `([^`]+)` \| (\S+) \|/gm)].map(
    ([, name = "", version = ""]) => `${name} ${version}`,
  );

  it("each has a line with its version and a reason, and each line is a dependency", () => {
    expect(listed.sort()).toEqual([...new Set(used.map((pair) => pair.join(" ")))].sort());
  });

  it("are pinned exactly", () => {
    expect(used.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});

it("AGENTS.md stays short enough to be read, and the paths that it names are there", () => {
  const text = readFileSync(join(ROOT, "AGENTS.md"), "utf8");
  // The map has a line for each folder, and a check holds it to the folders.
  const besides = text.trimEnd().replace(/^```text\n.*?^```\n/ms, "");
  expect(besides.split("\n").length).toBeLessThanOrEqual(80);
  const paths = [...text.matchAll(/`((?:packages|scripts|docs|bench)\/[^`\s]*)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

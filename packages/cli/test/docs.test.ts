import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import {
  DEFAULT_DIALECT,
  DIAGNOSTICS,
  DIALECT_NAMES,
  type DialectName,
  EVENT_NAMES,
  type EventName,
  isEventName,
  loadPatternEngine,
  PERMISSION_MODES,
  parse,
  readConfig,
  ruleFor,
} from "@belay/core";
import { describe, expect, it } from "vitest";
import { SLASH_COMMANDS } from "../src/tui/slash.ts";
import { allPages, anchorsOf, type Fence, linksOf, type Page, ROOT, readPage } from "./docs/pages.ts";
import { scratch } from "./docs/shell.ts";

/*
 * Every command in the docs is run. How a page says what is to be checked:
 *   sh run              executed by `sh -eu`, in order, in one fresh folder per page; its last line may say `# exit 2`
 *   sh run clone        the same, in the root of the clone
 *   text output         each line occurs in what the block before it printed; … stands for anything
 *   sh clone            npm scripts, which must exist: they would run this test again
 *   json config         a settings file without a single problem (or jsonc)
 *   json answer Event   an answer of a hook that raises no diagnostic (a dialect may follow)
 */

const RUN = /^sh run( clone)?$/;
const pages = allPages();
const marked = (page: Page, info: RegExp) => page.fences.filter((fence) => info.test(fence.info));
const place = ({ file }: Page, { line }: Fence) => `${file}:${line}`;

describe("commands in the docs", () => {
  const running = pages.filter((page) => marked(page, RUN).length > 0);
  it.each(running.map((page) => [page.file, page] as const))("%s", async (_file, page) => {
    const { run, remove } = scratch();
    try {
      let printed = "";
      for (const fence of marked(page, /^(sh run( clone)?|text output)$/)) {
        if (fence.info === "text output") {
          expect(missingLines(fence.content, printed), `${place(page, fence)} after:\n${printed}`).toEqual(
            [],
          );
          continue;
        }
        const { code, output } = await run(fence.content, fence.info === "sh run clone" ? ROOT : undefined);
        printed = output;
        expect({ at: place(page, fence), code }, output).toEqual({
          at: place(page, fence),
          code: wantedExit(fence),
        });
      }
    } finally {
      remove();
    }
  });

  it("are all marked, so that none goes unrun", () => {
    const unmarked = pages.flatMap((page) =>
      page.fences
        .filter(({ info, content }) => {
          const isShell = /^(sh|bash|shell|console)\b/.test(info);
          const isMarked = /^(sh (run|run clone|clone)|text output)$/.test(info);
          return !isMarked && (isShell || /^(\$ )?(npx )?belay /m.test(content));
        })
        .map((fence) => place(page, fence)),
    );
    expect(unmarked).toEqual([]);
  });
});

describe("commands that a sentence names", () => {
  const spans = pages.flatMap(({ file, prose }) =>
    [...prose.matchAll(/`belay ([a-z]+)([^`]*)`/g)].map(([, name = "", rest = ""]) => ({
      file,
      name,
      flags: rest.match(/--[a-z-]+/g) ?? [],
    })),
  );
  const names = [...new Set(spans.map(({ name }) => name))];
  it.each(names)("belay %s", async (name) => {
    const { run, remove } = scratch();
    const { code, output } = await run(`belay ${name} --help`);
    remove();
    const flags = spans.filter((span) => span.name === name).flatMap((span) => span.flags);
    const unknown = [...new Set(flags)].filter((flag) => !new RegExp(`${flag}\\b`).test(output));
    expect({ code, unknown }, output).toEqual({ code: 0, unknown: [] });
  });
});

it("the agent loop puts a question to the user once", async () => {
  const { run, remove } = scratch();
  const { code, output } = await run("node docs/examples/agent-loop.mjs", ROOT);
  remove();
  expect({ code, asked: output.match(/Deploy to production\?/g) }).toEqual({
    code: 0,
    asked: ["Deploy to production?"],
  });
});

it("what the page on embedding names is exported", async () => {
  const { run, remove } = scratch();
  const packages = [
    "@belay/agent",
    "@belay/agent/ai-sdk",
    "@belay/engine",
    "@belay/engine/tools",
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
    .filter((text) => /^(Its parts are there|`@belay\/(?:engine\/tools|core)` has)/.test(text))
    .flatMap((text) => [...text.matchAll(/`([a-z]\w+)`/g)].map(([, name = ""]) => name));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !exported.includes(name))).toEqual([]);
});

it("the AI SDK's loop with hooks is under 60 lines", () => {
  const lines = readFileSync(join(ROOT, "docs/examples/ai-sdk-loop.mjs"), "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThan(60);
});

function wantedExit({ content }: Fence): number {
  return Number(/^# exit (\d+)$/m.exec(content)?.[1] ?? 0);
}

const squeeze = (text: string) => text.replaceAll(/\s+/g, " ").trim();

function missingLines(wanted: string, printed: string): string[] {
  const found = squeeze(printed);
  const lines = wanted
    .split("\n")
    .map(squeeze)
    .filter((line) => line !== "");
  return lines.filter((line) => {
    const parts = line.split("…").map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return !new RegExp(parts.join(".*?"), "s").test(found);
  });
}

describe("commands of the clone", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
  const known = [...Object.keys(scripts), "install"];
  const lines = pages.flatMap((page) =>
    marked(page, /^sh clone$/).flatMap(({ content }) =>
      content.split("\n").map((line) => [page.file, line] as const),
    ),
  );
  it.each(lines)("%s: %s", (_file, line) => {
    const command = line.replace(/ *#.*$/, "");
    const program = /^alias belay="node '\$PWD\/(.+)'"$/.exec(command)?.[1];
    if (program !== undefined) expect(existsSync(join(ROOT, program)), command).toBe(true);
    else expect(known, command).toContain(/^npm (?:run )?([\w:-]+)$/.exec(command)?.[1]);
  });
});

describe("settings in the docs", () => {
  const blocks = pages.flatMap((page) =>
    marked(page, /^jsonc? config$/).map((fence) => [place(page, fence), fence] as const),
  );
  it.each(blocks)("%s", async (file, { content }) => {
    const config = readConfig({ file, layer: "config", text: content }, await loadPatternEngine());
    expect(config.problems).toEqual([]);
  });
  it("are there", () => expect(blocks.length).toBeGreaterThan(0));
});

describe("answers in the docs", () => {
  const blocks = pages.flatMap((page) =>
    marked(page, /^json answer /).map((fence) => [place(page, fence), fence] as const),
  );
  it.each(blocks)("%s", (_at, { info, content }) => {
    const [, , event = "", dialect = DEFAULT_DIALECT] = info.split(" ");
    expect(isEventName(event), info).toBe(true);
    expect(DIALECT_NAMES).toContain(dialect);
    const run = {
      exitCode: 0,
      stdout: content,
      stderr: "",
      executionTime: 1,
      timedOut: false,
      truncated: false,
    };
    const rule = ruleFor(event as EventName, dialect as DialectName);
    const verdict = parse({ name: "docs", onFailure: "continue", mode: "enforce" }, run, rule);
    expect({ diagnostics: verdict.diagnostics, read: verdict.read }).toEqual({
      diagnostics: [],
      read: "json",
    });
  });
});

describe("links", () => {
  it.each(pages.map((page) => [page.file, page] as const))("%s", (_file, page) => {
    const broken = linksOf(page).filter(({ path, anchor }) => !resolves(page, path, anchor));
    expect(broken).toEqual([]);
  });

  function resolves(page: Page, path: string, anchor: string): boolean {
    const file = path === "" ? page.file : normalize(join(dirname(page.file), path));
    if (file.startsWith("..") || !existsSync(join(ROOT, file))) return false;
    return anchor === "" || (file.endsWith(".md") && anchorsOf(readPage(file)).includes(anchor));
  }
});

describe("what the tables name", () => {
  it("every event has its page, and every page its event", () => {
    const found = pages
      .map(({ file }) => /^docs\/events\/(\w+)\.md$/.exec(file)?.[1])
      .filter((name) => name !== undefined);
    expect(found.sort()).toEqual([...EVENT_NAMES].sort());
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
  const manifests = ["package.json", ...packages];
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

it("AGENTS.md stays short enough to be read", () => {
  const lines = readFileSync(join(ROOT, "AGENTS.md"), "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(120);
});

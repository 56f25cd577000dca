import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import {
  DEFAULT_DIALECT,
  DIALECT_NAMES,
  type DialectName,
  type EventName,
  isEventName,
  loadPatternEngine,
  parse,
  readConfig,
  ruleFor,
} from "@belay/core";
import { describe, expect, it } from "vitest";
import { missingLines, namedCommands, unrunCommands, wantedExit } from "./docs/commands.ts";
import {
  allPages,
  anchorsOf,
  type Fence,
  linksOf,
  type Page,
  parsePage,
  ROOT,
  readPage,
} from "./docs/pages.ts";
import { scratch } from "./docs/shell.ts";

/*
 * Every command in the docs is run. How a page says what is to be checked of a block:
 *   sh run              executed by `sh -eu`, in order, in one fresh folder per page; its last line may say `# exit 2`
 *   sh run clone        the same, in the root of the clone
 *   js run              executed by node, in the root of the clone
 *   text output         each line occurs in what the block before it printed; … stands for anything
 *   sh clone            scripts of the clone, which may run this test again: whatever they run must be there
 *   json config         a settings file without a single problem (or jsonc)
 *   json answer Event   an answer of a hook that raises no diagnostic (a dialect may follow)
 *   js, tsx             a piece of a program, or one that is run as a file: what it imports of ours must be exported
 *   text, json          nothing to run: a drawing, a payload
 */

const RUN = /^(sh run( clone)?|js run)$/;
const pages = allPages();
const marked = (page: Page, info: RegExp) => page.fences.filter((fence) => info.test(fence.info));
const place = ({ file }: Page, { line }: Fence) => `${file}:${line}`;

/** One command in a fresh home; nothing is left of it. */
async function once(script: string, cwd?: string): Promise<{ code: number | null; output: string }> {
  const { run, remove } = scratch();
  try {
    return await run(script, cwd);
  } finally {
    remove();
  }
}

const scriptOf = ({ info, content }: Fence) =>
  info === "js run" ? `node --input-type=module <<'END-OF-BLOCK'\n${content}\nEND-OF-BLOCK` : content;

describe("commands in the docs", () => {
  const running = pages.filter((page) => marked(page, RUN).length > 0);
  it.each(running.map((page) => [page.file, page] as const))("%s", async (_file, page) => {
    const { run, remove } = scratch();
    try {
      let printed = "";
      for (const fence of marked(page, /^(sh run( clone)?|js run|text output)$/)) {
        if (fence.info === "text output") {
          expect(missingLines(fence.content, printed), `${place(page, fence)} after:\n${printed}`).toEqual(
            [],
          );
          continue;
        }
        const { code, output } = await run(scriptOf(fence), fence.info === "sh run" ? undefined : ROOT);
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
    const unrun = pages.map((page) => [page.file, unrunCommands(page)]);
    expect(unrun.filter(([, found]) => found?.length)).toEqual([]);
  });
});

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

const inClone = (path: string) => existsSync(join(ROOT, path));

/** What is missing for `npm run build`, `npm test`, `node file`, `npx program file` to begin at all. */
function missingFor([program = "", ...args]: readonly string[]): string[] {
  if (program === "node") return args.slice(0, 1).filter((path) => !inClone(path));
  if (program === "npm") return missingForNpm(args[0] === "run" ? args.slice(1) : args);
  const [bin = "", ...rest] = program === "npx" ? args : [program, ...args];
  const files = rest.filter((word) => word.includes("/"));
  return [`node_modules/.bin/${bin}`, ...files].filter((path) => !inClone(path));
}

function missingForNpm([name = ""]: readonly string[]): string[] {
  if (["install", "…", ""].includes(name)) return [];
  const script = scripts[name];
  if (script === undefined) return [`the script ${name}`];
  return script.split(" && ").flatMap((part) => missingFor(part.split(" ")));
}

describe("commands that a sentence names", () => {
  const named = pages.flatMap(namedCommands);
  const ours = named.filter(({ program, args }) => program === "belay" && /^[a-z]+$/.test(args[0] ?? ""));
  it.each([...new Set(ours.map(({ args }) => args[0]))])("belay %s", async (name) => {
    const { code, output } = await once(name === "help" ? "belay help" : `belay ${name} --help`);
    const flags = ours
      .filter(({ args }) => args[0] === name)
      .flatMap(({ args }) => args.join(" ").match(/--[a-z-]+/g) ?? []);
    const unknown = [...new Set(flags)].filter((flag) => !new RegExp(`${flag}\\b`).test(output));
    expect({ code, unknown }, output).toEqual({ code: 0, unknown: [] });
  });

  const others = named
    .filter(({ program }) => program !== "belay")
    .map(({ program, args }) => [program, ...args].join(" "));
  it.each([...new Set(others)])("%s", async (command) => {
    const words = command.split(" ");
    if (words[0] === "node" && words[1]?.startsWith("-")) expect((await once(command)).code).toBe(0);
    else expect(missingFor(words)).toEqual([]);
  });
});

describe("commands of the clone", () => {
  const lines = pages.flatMap((page) =>
    marked(page, /^sh clone$/).flatMap(({ content }) =>
      content.split("\n").map((line) => [page.file, line.replace(/ *#.*$/, "")] as const),
    ),
  );
  const measuring = "npm run bench -- ";
  const plain = lines.filter(([, command]) => !command.startsWith(measuring));
  it.each(plain)("%s: %s", async (_file, command) => {
    if (!command.startsWith("alias ")) {
      expect(command).toMatch(/^npm (run )?[\w:-]+$/);
      expect(missingFor(command.split(" "))).toEqual([]);
      return;
    }
    const { code, output } = await once(`${command}\ncommand -v belay\neval 'belay --version'`, ROOT);
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringMatching(/packages\/cli\/bin\/belay\.js'[^\n]*\n\d+\.\d+/),
    });
  });

  // Its flags are read and nothing measured; the words of a row are looked for by measuring it, however fast it is.
  const measured = lines.filter(([, command]) => command.startsWith(measuring));
  it.each(measured)("%s: %s", { timeout: 60_000 }, async (_file, command) => {
    const args = command.slice(measuring.length);
    const isFlag = args.startsWith("--");
    const { code, output } = await once(
      `node bench/run.mjs ${isFlag ? `${args} 'no such row'` : `--quick --json ${args}`}`,
      ROOT,
    );
    if (isFlag)
      expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/^bench: no row has /) });
    else expect(JSON.parse(output).rows.length).toBeGreaterThan(0);
  });
});

it("what a piece of a program imports of ours is exported", async () => {
  const imports = pages.flatMap((page) =>
    marked(page, /^(js|tsx)$/).flatMap(({ content }) =>
      [...content.matchAll(/import \{([^}]+)\} from "(@belay\/[^"]+)"/g)].flatMap(
        ([, names = "", from = ""]) => names.split(",").map((name) => `${from} ${name.trim()}`),
      ),
    ),
  );
  expect(imports.length).toBeGreaterThan(3);
  const program = `const missing = [];
    for (const wanted of ${JSON.stringify([...new Set(imports)])}) {
      const [from, name] = wanted.split(" ");
      if (!(name in (await import(from)))) missing.push(wanted);
    }
    console.log(JSON.stringify(missing));`;
  const { output } = await once(`node --input-type=module <<'END'\n${program}\nEND`, ROOT);
  expect(JSON.parse(output)).toEqual([]);
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

const fence = (mark: string, info: string, content: string, indent = "") =>
  [`${mark}${info}`, content, mark].map((line) => indent + line).join("\n");

describe("a command that nothing runs is found", () => {
  const rows: [written: string, page: string, found: string[]][] = [
    ["a shell's block without a mark", fence("```", "sh", "ls"), ["1: ```sh"]],
    ["another shell", fence("```", "zsh", "ls"), ["1: ```zsh"]],
    ["a block without a word", fence("```", "", "npm test"), ["1: ```"]],
    ["a block of text", fence("```", "text", "npm run build"), ["1: ```text"]],
    ["with a prompt", fence("```", "text", "$ npx belay run"), ["1: ```text"]],
    ["in a program's block", fence("```", "js", "node x.mjs"), ["1: ```js"]],
    ["tildes", fence("~~~", "sh", "ls"), ["1: ```sh"]],
    ["a block in a list", `- so:\n\n${fence("```", "bash", "ls", "    ")}`, ["3: ```bash"]],
    ["an indented block", "So:\n\n    npm install x\n", ["npm install x"]],
    ["an indented prompt", "So:\n\n\t$ belay run\n", ["$ belay run"]],
    ["a misspelt mark", fence("```", "sh rum", "ls"), ["1: ```sh rum"]],
    ["a marked one", fence("```", "sh run", "belay run"), []],
    ["a marked one in a list", fence("```", "sh run", "belay run", "  "), []],
    ["a drawing", fence("```", "text", "event → match"), []],
    ["fences within a fence", fence("````", "text", fence("```", "sh", "ls")), []],
  ];
  it.each(rows)("%s", (_written, page, found) => {
    expect(unrunCommands(parsePage("page.md", page))).toEqual(found);
  });
});

describe("a command in a sentence is found", () => {
  const rows: [sentence: string, found: string[]][] = [
    ["Try `belay run Stop --json`.", ["belay run Stop --json"]],
    ["Try `npx belay why`.", ["belay why"]],
    ["Try `npm run check` or `$ node x.mjs`.", ["npm run check", "node x.mjs"]],
    ["`node:crypto`, `belay` and `npm` are none.", []],
  ];
  it.each(rows)("%s", (sentence, found) => {
    const named = namedCommands(parsePage("page.md", sentence));
    expect(named.map(({ program, args }) => [program, ...args].join(" "))).toEqual(found);
  });
});

it("a block in a list is read without the list's indent", () => {
  const { fences } = parsePage(
    "page.md",
    fence("```", "sh run", "if x; then\n  y\nfi".replaceAll("\n", "\n  "), "  "),
  );
  expect(fences.map(({ content }) => content)).toEqual(["if x; then\n  y\nfi"]);
});

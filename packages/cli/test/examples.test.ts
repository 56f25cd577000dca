import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { EVENT_NAMES, readConfig } from "@belay/core";
import type { Outcome } from "@belay/engine";
import { describe, expect, it } from "vitest";
import {
  type Case,
  EXAMPLES,
  type Example,
  exampleNames,
  inScratch,
  prepare,
  putPort,
  readExample,
  readIfThere,
  shell,
  startServer,
} from "./example-folders.ts";

/** The field that keeps a process, with the comma before it. */
const WARM = /,\s*"warm": (?:true|"parallel")/;

async function cool(config: string): Promise<void> {
  const text = readFileSync(config, "utf8");
  await writeFile(config, text.replace(WARM, ""));
}

const examples = exampleNames().map(readExample);

describe.each(examples)("example $name", (example) => {
  it.concurrent.each(waysOf(example))("%s", (_, row, isCooled) =>
    inScratch(example, async ({ cwd, env: base }) => {
      const env = { ...base, ...row.env };
      await prepare(cwd, row);
      if (isCooled) await cool(join(cwd, example.config));
      const server = example.server === undefined ? undefined : await startServer(example.server, cwd, env);
      try {
        if (server) await putPort(join(cwd, example.config), server.port);
        const { exit, stdout, stderr } = await shell(`${row.run} --json`, cwd, env);
        expect({ stderr, exit }).toEqual({ stderr: "", exit: row.expect.exit });
        const seen = observed(exit, JSON.parse(stdout) as Outcome, row, cwd);
        expect({ ...seen, ...(server && { server: server.printed() }) }).toEqual(
          expectedOf(example, row, cwd),
        );
      } finally {
        await server?.close();
      }
    }),
  );

  it("has a header that its first case runs", () => {
    const [first] = example.cases;
    expect(first?.run).toBe(example.tryLine);
    const { kind, exit } = (first as Case).expect;
    expect(example.expectLine).toMatch(new RegExp(`^${kind} \\(exit ${exit}\\)`));
    expect(new Set(example.cases.map((row) => row.case)).size).toBe(example.cases.length);
  });

  it("is short", () => {
    for (const file of example.files.filter((name) => name !== "case.json")) {
      const lines = readFileSync(join(EXAMPLES, example.name, file), "utf8").split("\n").length;
      expect(lines, file).toBeLessThan(60);
    }
  });
});

/** Each case, as it is configured; one that keeps its process also with a process for each event. */
function waysOf({ name, config, cases }: Example): [title: string, row: Case, isCooled: boolean][] {
  const isWarm = WARM.test(readFileSync(join(EXAMPLES, name, config), "utf8"));
  return cases.flatMap((row) => [
    [row.case, row, false],
    ...(isWarm ? [[`cold: ${row.case}`, row, true] as [string, Case, boolean]] : []),
  ]);
}

/** What came out, in the words of a case. */
function observed(exit: number | null, outcome: Outcome, row: Case, cwd: string) {
  const { decision, action, messages, diagnostics, updatedInput, updatedPrompt } = outcome;
  const to = (reader: "user" | "agent") =>
    messages
      .filter((message) => message.to === reader)
      .map(({ hook, block }) => `${block.type} ${hook}: ${block.content}`);
  return {
    exit,
    kind: decision.kind,
    action,
    user: to("user"),
    agent: to("agent"),
    diagnostics: diagnostics.map(({ code }) => code),
    ...(decision.interrupt !== undefined && { interrupt: decision.interrupt }),
    ...(updatedInput && { updatedInput }),
    ...(updatedPrompt !== undefined && { updatedPrompt }),
    ...(row.expect.files && {
      files: Object.fromEntries(
        Object.keys(row.expect.files).map((name) => [name, readIfThere(join(cwd, name))]),
      ),
    }),
  };
}

function expectedOf({ server }: Example, { expect: expected }: Case, cwd: string): unknown {
  const all = { diagnostics: [], ...(server !== undefined && { server: "" }), ...expected };
  return fill(all, cwd);
}

/** {cwd} is the scratch folder; … stands for anything. */
function fill(value: unknown, cwd: string): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, cwd));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, cwd)]));
  if (typeof value !== "string") return value;
  const filled = value.replaceAll("{cwd}", cwd);
  if (!filled.includes("…")) return filled;
  const parts = filled.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return expect.stringMatching(new RegExp(`^${parts.join("[^]*")}$`));
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ".sh": "shell",
  ".py": "Python",
  ".mjs": "Node",
  ".ts": "TypeScript",
  ".jsonc": "JSON",
};

/** What a row of examples/README.md must say about an example. */
function tableRow({ name, what, main, config }: Example): string {
  const file = join(EXAMPLES, name, config);
  const { hooks, problems } = readConfig({ file, layer: "config", text: readFileSync(file, "utf8") });
  expect(problems, name).toEqual([]);
  const [hook] = hooks;
  const { type } = hook?.handler ?? {};
  const language = LANGUAGES[extname(main)] ?? "";
  const how =
    type === "module" ? `${language.replace("Node", "ES")} module` : type === "http" ? "http" : language;
  return `| [${name}](${name}) | ${what} | ${how} | ${hook?.event} |`;
}

it("the test cases of examples pass", async () => {
  const [first] = examples;
  if (first === undefined) throw new Error("there are no examples");
  await inScratch(first, async ({ env }) => {
    const { exit, stdout, stderr } = await shell("belay test", EXAMPLES, env);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toMatch(/^5 passed, /m);
  });
});

describe("examples/README.md", () => {
  const rows = readFileSync(join(EXAMPLES, "README.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ["))
    // The formatter pads the columns.
    .map((line) => line.replaceAll(/ +/g, " "));

  it("has one row for each example, and says what its header and config say", () => {
    expect([...rows].sort()).toEqual(examples.map(tableRow).sort());
  });

  it("shows every event and every kind of hook", () => {
    for (const event of EVENT_NAMES)
      expect(rows.filter((row) => row.includes(`| ${event} |`))).not.toEqual([]);
    for (const how of ["shell", "Python", "Node", "TypeScript module", "ES module", "JSON", "http"])
      expect(
        rows.filter((row) => row.includes(`| ${how} |`)),
        how,
      ).not.toEqual([]);
  });

  it("shows every decision", () => {
    const kinds = new Set(examples.map(({ cases }) => cases[0]?.expect.kind));
    expect([...kinds].sort()).toEqual(["allow", "ask", "block", "deny", "none", "stop"]);
  });

  it("stands beside nothing but examples", () => {
    const files = readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
    expect(files.map(({ name }) => name).sort()).toEqual([".gitignore", "README.md", "session.json"]);
  });
});

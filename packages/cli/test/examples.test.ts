import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, extname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { readConfig } from "@belay/core";
import { COMMON_EVENT_NAMES } from "@belay/core/internal";
import type { Outcome } from "@belay/engine";
import { describe, expect, it } from "vitest";

const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));
const BELAY = fileURLToPath(new URL("../bin/belay.js", import.meta.url));

/** What a case expects. Messages are "type hook: content"; … in a text stands for anything. */
interface Expected {
  readonly exit: number;
  readonly kind: string;
  readonly action: string;
  readonly user: readonly string[];
  readonly agent: readonly string[];
  readonly diagnostics?: readonly string[];
  readonly interrupt?: true;
  readonly updatedInput?: object;
  readonly updatedPrompt?: string;
  /** Files afterwards. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the example's own server printed. */
  readonly server?: string;
}

interface Case {
  readonly case: string;
  /** A shell line; the first one of an example is the Try line of its header. */
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  readonly expect: Expected;
}

interface Example {
  readonly name: string;
  readonly files: readonly string[];
  /** The file with the header, and its three lines. */
  readonly main: string;
  readonly what: string;
  readonly tryLine: string;
  readonly expectLine: string;
  readonly config: string;
  readonly server?: string;
  readonly cases: readonly Case[];
}

function exampleNames(): string[] {
  return readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

const HEADER = /^(?:#|\/\/) ([\w-]+): (.+)\n(?:#|\/\/) Try: (.+)\n(?:#|\/\/) Expect: (.+)\n/;

function readExample(name: string): Example {
  const folder = join(EXAMPLES, name);
  const files = readdirSync(folder).sort();
  const headers = files.flatMap((file) => {
    const [, title, what = "", tryLine = "", expectLine = ""] =
      HEADER.exec(readFileSync(join(folder, file), "utf8")) ?? [];
    return title === name ? [{ main: file, what, tryLine, expectLine }] : [];
  });
  const [header] = headers;
  if (!header || headers.length > 1)
    throw new Error(`examples/${name}: exactly one file begins with "${name}: …", Try and Expect`);
  const config = files.find((file) => /^hooks\.jsonc?$/.test(file));
  if (!config) throw new Error(`examples/${name}: there is no hooks.json`);
  if (!files.includes("case.json")) throw new Error(`examples/${name}: there is no case.json`);
  const data = JSON.parse(readFileSync(join(folder, "case.json"), "utf8")) as Pick<
    Example,
    "cases" | "server"
  >;
  return { name, files, config, ...header, ...data };
}

/** A copy of an example in a folder of its own, with a home of its own; everything is gone at the end. */
async function inScratch<T>(
  example: Example,
  use: (scratch: { cwd: string; env: NodeJS.ProcessEnv }) => Promise<T>,
): Promise<T> {
  const root = realpathSync(await mkdtemp(join(tmpdir(), "belay-example-")));
  const cwd = join(root, "project");
  const bin = join(root, "bin");
  try {
    await cp(join(EXAMPLES, example.name), cwd, { recursive: true });
    await rm(join(cwd, "case.json"));
    await mkdir(bin);
    await mkdir(join(root, "home"));
    await writeFile(join(bin, "belay"), `#!/bin/sh\nexec "${process.execPath}" "${BELAY}" "$@"\n`);
    await chmod(join(bin, "belay"), 0o755);
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: join(root, "home") };
    return await use({ cwd, env });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function prepare(cwd: string, { files = {}, remove = [] }: Case): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), content);
  }
  for (const name of remove) await rm(join(cwd, name));
}

async function shell(
  line: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ exit: number | null; stdout: string; stderr: string }> {
  const child = spawn("sh", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exit: await exit, stdout, stderr };
}

interface Server {
  readonly port: number;
  /** What it has printed since it listens. */
  printed(): string;
  close(): Promise<void>;
}

/** Starts an example's own server on a free port. */
async function startServer(file: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Server> {
  const child: ChildProcess = spawn(process.execPath, [file, "0"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines: string[] = [];
  const first = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`${file} ended before it listened`)));
    const reader = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    reader.once("line", (line) => {
      resolve(line);
      reader.on("line", (later) => lines.push(`${later}\n`));
    });
  });
  return {
    port: Number(/"port":(\d+)/.exec(first)?.[1]),
    printed: () => lines.join(""),
    close: () => {
      child.kill();
      return ended;
    },
  };
}

/** Points the config of a copied example at the server's port. */
async function putPort(config: string, port: number): Promise<void> {
  const before = readFileSync(config, "utf8");
  const after = before.replace(/(127\.0\.0\.1):\d+/, `$1:${port}`);
  if (after === before) throw new Error(`${config} names no port on loopback`);
  await writeFile(config, after);
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

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

  it("shows every common event and every kind of hook", () => {
    for (const event of COMMON_EVENT_NAMES)
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

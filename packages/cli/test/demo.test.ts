import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const CLI = fileURLToPath(new URL("..", import.meta.url));
const TERMINAL = fileURLToPath(new URL("./terminal.py", import.meta.url));
const STEPS = 12;

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "belay-demo-test-"));
  await mkdir(join(root, "tmp"));
  await mkdir(join(root, "home"));
});
afterEach(async () => {
  // Whatever a test did: the demo leaves nothing in the temp folder and nothing in the home.
  const left = [...readdirSync(join(root, "tmp")), ...readdirSync(join(root, "home"))];
  await rm(root, { recursive: true, force: true });
  expect(left).toEqual([]);
});

interface Started {
  readonly child: ChildProcess;
  /** Everything printed so far. */
  printed(): string;
  until(text: string): Promise<void>;
  type(keys: string): void;
  readonly exit: Promise<number | null>;
}

function start(command: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    env: {
      PATH: process.env.PATH,
      TERM: "xterm-256color",
      TMPDIR: join(root, "tmp"),
      HOME: join(root, "home"),
      CI: "true", // The demo has a user in it, wherever it is played.
      ...env,
    },
  });
  let printed = "";
  let look = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
      look();
    });
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    child,
    printed: () => printed,
    until: (text) =>
      new Promise((resolve, reject) => {
        look = () => printed.includes(text) && resolve();
        look();
        void exit.then(() => reject(new Error(`ended without ${JSON.stringify(text)}:\n${printed}`)));
      }),
    type: (keys) => child.stdin.write(keys),
    exit,
  };
}

const demo = (cli = CLI) => [process.execPath, join(cli, "bin", "belay.js"), "demo"];
const inTerminal = (columns: number, ...flags: string[]) =>
  start(["python3", TERMINAL, `${columns}`, ...demo(), ...flags]);

/** One row per kind of answer: what its step must show, on both sides. */
const KINDS: readonly { shows: string; decides: string; user: string; agent: string }[] = [
  { shows: "allow", decides: "allow by allow-reading", user: "reading inside the project", agent: "nothing" },
  { shows: "deny", decides: "deny by no-force-push", user: "nothing", agent: "--force-with-lease" },
  { shows: "ask", decides: "ask by ask-before-deploy", user: "This reaches production", agent: "nothing" },
  { shows: "rewrite", decides: '"timeout":120000', user: "nothing", agent: "nothing" },
  { shows: "context", decides: "go on (context-injected)", user: "nothing", agent: "The parser is in src" },
  {
    shows: "blocked prompt",
    decides: "block by no-keys-in-prompt",
    user: "held an AWS key",
    agent: "nothing",
  },
  {
    shows: "blocked stop",
    decides: "block by tests-before-stop",
    user: "nothing",
    agent: "not ok 1 - sum adds",
  },
  { shows: "warning", decides: "go on (continue)", user: "by the package manager", agent: "nothing" },
  { shows: "fault", decides: "go on (error-displayed)", user: "timed out", agent: "nothing" },
  { shows: "observe", decides: "go on (continue)", user: "would have said deny", agent: "nothing" },
  { shows: "stop", decides: "stop by stop-when-told", user: "There is a file STOP", agent: "nothing" },
];

describe("in a pipe", () => {
  it("shows every kind of answer with what each side sees, and exits 0", async () => {
    const run = start(demo(), { COLUMNS: "60" });
    expect(await run.exit).toBe(0);
    const steps = new Map(
      run
        .printed()
        .split(/^(?=\d+\/\d+ {2})/m)
        .map((step) => [/^\d+\/\d+ {2}([\w ]+?) ━/.exec(step)?.[1], step] as const)
        .reverse(), // The first of a kind is the one a row is about.
    );
    const seen = KINDS.map(({ shows, ...row }) => {
      const [, decides = "", user = "", agent = ""] =
        /^decide([\s\S]*?)^the user sees$([\s\S]*?)^the agent sees$([\s\S]*?)^$/m.exec(
          steps.get(shows) ?? "",
        ) ?? [];
      const found = { decides, user, agent };
      const part = (name: keyof typeof row) => (found[name].includes(row[name]) ? row[name] : found[name]);
      return { shows, decides: part("decides"), user: part("user"), agent: part("agent") };
    });
    expect(seen).toEqual(KINDS);
  });

  it.each([60, 120])("stays within %i columns, without colours", async (columns) => {
    const run = start(demo(), { COLUMNS: `${columns}` });
    expect(await run.exit).toBe(0);
    expect(run.printed()).toBe(stripVTControlCharacters(run.printed()));
    const lines = run.printed().split("\n");
    expect(lines.filter((line) => [...line].length > columns)).toEqual([]);
    expect(lines.filter((line) => /^ \S/.test(line))).toEqual([]); // The space of a line break is no indent.
    const heads = lines.filter((line) => /^the user sees/.test(line));
    expect(heads).toHaveLength(STEPS);
    for (const head of heads) expect(head.includes("│ the agent sees")).toBe(columns === 120);
  });

  it("plays from the published files alone", async () => {
    const { files } = JSON.parse(readFileSync(join(CLI, "package.json"), "utf8")) as { files: string[] };
    const installed = join(root, "installed");
    for (const name of [...files, "package.json"])
      await cp(join(CLI, name), join(installed, name), { recursive: true });
    symlinkSync(join(CLI, "..", "..", "node_modules"), join(installed, "node_modules"));
    const run = start(demo(installed));
    expect(await run.exit).toBe(0);
    expect(run.printed()).toContain('rewritten to {"command":"npm install","timeout":120000}');
  });

  it("cleans up when its reader leaves early", async () => {
    const [node, bin] = demo();
    const line = '"$0" "$1" demo | head -n 1; echo "exit ${PIPESTATUS[0]}"';
    const run = start(["bash", "-c", line, node ?? "", bin ?? ""]);
    expect(await run.exit).toBe(0);
    // Nobody pressed Ctrl-C.
    expect(run.printed()).toBe("belay demo\nexit 0\n");
    await expect.poll(() => readdirSync(join(root, "tmp"))).toEqual([]);
  });

  it("cleans up when it is ended while a hook runs", async () => {
    const run = start(demo());
    await run.until("6/12  fault");
    run.child.kill("SIGTERM");
    expect(await run.exit).toBe(130);
    expect(run.printed()).not.toContain("belay init");
  });

  it("refuses an argument it has no use for", async () => {
    const run = start([...demo(), "quickly"]);
    expect(await run.exit).toBe(1);
    expect(run.printed()).toBe('belay: "quickly" is one argument too many; usage: belay demo [--fast]\n');
  });
});

const PROMPT = "Enter: next step";

describe.each([60, 120])("on a terminal of %i columns", (columns) => {
  it("waits after each step, goes on with Enter and space, and ends with q", async () => {
    const run = inTerminal(columns);
    await run.until(PROMPT);
    expect(run.printed()).toContain("1/12");
    expect(run.printed()).not.toContain("2/12");
    run.type("\r");
    await run.until("The user pastes a secret key");
    await promptAfter(run, "2/12");
    expect(run.printed()).not.toContain("3/12");
    run.type(" ");
    await promptAfter(run, "3/12");
    run.type("q");
    expect(await run.exit).toBe(0);
    expect(run.printed()).not.toContain("4/12");
    expect(stripVTControlCharacters(run.printed())).not.toBe(run.printed());
  });
});

describe("on a terminal", () => {
  it("plays through with --fast", async () => {
    const run = inTerminal(80, "--fast");
    expect(await run.exit).toBe(0);
    expect(run.printed()).toContain("12/12");
    expect(run.printed()).toContain("belay init");
    expect(run.printed()).not.toContain(PROMPT);
  });

  it("goes to the end with Enter alone", async () => {
    const run = inTerminal(80);
    for (let step = 1; step < STEPS; step++) {
      await promptAfter(run, `${step}/${STEPS}`);
      run.type("\r");
    }
    await run.until("Enter: end");
    run.type("\r");
    expect(await run.exit).toBe(0);
    expect(run.printed()).toContain("belay init");
  });

  it("ends at Ctrl-C while a hook runs", async () => {
    const run = inTerminal(80);
    for (let step = 1; step < 6; step++) {
      await promptAfter(run, `${step}/${STEPS}`);
      run.type("\r");
    }
    await run.until("6/12");
    run.type("\u0003");
    expect(await run.exit).toBe(130);
    expect(run.printed()).not.toContain("7/12");
  });

  it("has no colours with NO_COLOR", async () => {
    const run = start(["python3", TERMINAL, "80", ...demo(), "--fast"], { NO_COLOR: "1" });
    expect(await run.exit).toBe(0);
    expect(run.printed()).toContain("12/12");
    expect(run.printed()).toBe(stripVTControlCharacters(run.printed()));
  });
});

/** Waits until a step was shown and the prompt stands below it. */
async function promptAfter(run: Started, step: string): Promise<void> {
  await run.until(step);
  await expect
    .poll(() => run.printed().lastIndexOf(PROMPT), { timeout: 20_000 })
    .toBeGreaterThan(run.printed().indexOf(step));
}

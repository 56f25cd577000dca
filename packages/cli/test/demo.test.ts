import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { width } from "../src/render/text.ts";

const CLI = fileURLToPath(new URL("..", import.meta.url));

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
  readonly exit: Promise<number | null>;
}

function start(command: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    env: {
      PATH: process.env.PATH,
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
    exit,
  };
}

const demo = (cli = CLI) => [process.execPath, join(cli, "bin", "belay.js"), "demo"];

/** The steps of what was printed, each without what differs from run to run: times, and where they break a line. */
function stepsOf(printed: string): string[][] {
  return printed
    .split(/^(?=\d+\/\d+ {2})/m)
    .slice(1)
    .map((step) =>
      (step.split(/\n\n/)[1] ?? "")
        .replaceAll(/\n {9}(?! )/g, " ")
        .replaceAll(/ ?(?:<?\d+ ms|[\d.]+ s(?= ·|$))/gm, "")
        .split("\n")
        .filter((line) => line !== ""),
    );
}

/** What each step must show, line by line; a line that ends with … may go on. */
const STEPS: readonly (readonly [shows: string, ...lines: string[]])[] = [
  [
    "context",
    "hooks    SessionStart: welcome-context context,",
    "→ agent  Notes of this project (startup): sum() is in sum.mjs. The tests run with node --test.",
  ],
  [
    "blocked prompt",
    "user     › read sum.mjs, and the key is AKIAIOSFODNN7EXAMPLE",
    "hooks    UserPromptSubmit: no-keys-in-prompt block,",
    "→ user   ✗ Your prompt held an AWS key, so it was not sent. Take the key out and revoke it.",
    "→ agent  nothing: the prompt is erased",
  ],
  [
    "allow",
    "user     › read sum.mjs",
    "hooks    UserPromptSubmit: no-keys-in-prompt",
    "agent    A hook told me: “Notes of this project (startup): sum() is in sum.mjs. …",
    "hooks    PreToolUse: allow-reading allow,",
    "→ user   reading inside the project",
    "tool     ● Read  sum.mjs",
    "           1  export const sum = (a, b) => a + b;",
    "agent    I read `sum.mjs`: “1 export const sum = (a, b) => a + b;”.",
    "hooks    Stop: tests-before-stop",
  ],
  [
    "blocked stop",
    "user     › edit sum.mjs: (a, b) => a + b -> (...numbers) => numbers.length",
    "hooks    UserPromptSubmit: no-keys-in-prompt",
    "hooks    PreToolUse: warn-lockfile-edit",
    "tool     ● Edit  sum.mjs  old_string: (a, b) => a + b  new_string: (...numbers) => numbers.length",
    "           updated sum.mjs: 1 replacement, at line 1",
    "agent    I edited `sum.mjs`: “updated sum.mjs: 1 replacement, at line 1”.",
    "hooks    Stop: tests-before-stop block,",
    "→ agent  The tests fail. Fix them, then run node --test before you stop: …",
    "agent    A hook told me: “The tests fail. Fix them, then run node --test before you stop: …",
    "hooks    PreToolUse: limit-command-time rewrite, · no-force-push · ask-before-deploy",
    "asks     May the agent use Bash?  node --test",
    "           a hook changed timeout: none -> 120000",
    "           it runs a command",
    "user     yes, once",
    "tool     ✗ Bash  node --test",
    "           a hook changed timeout: none -> 120000",
    "agent    I ran `node --test`, and it failed (exit code 1): …",
    "hooks    Stop: tests-before-stop",
  ],
  [
    "no objection",
    "user     › edit sum.mjs: numbers.length -> numbers.reduce((a, b) => a + b, 0)",
    "tool     ● Edit  sum.mjs  old_string: numbers.length  new_string: numbers.reduce((a, b) => a + b, 0)",
    "agent    I edited `sum.mjs`: “updated sum.mjs: 1 replacement, at line 1”.",
    "hooks    Stop: tests-before-stop",
  ],
  [
    "rewrite, fault",
    "user     › run node build.mjs",
    "hooks    PreToolUse: limit-command-time rewrite, · no-force-push · ask-before-deploy",
    "asks     May the agent use Bash?  node build.mjs",
    "           a hook changed timeout: none -> 120000",
    "           it runs a command",
    "user     yes, once",
    "tool     ● Bash  node build.mjs",
    "           a hook changed timeout: none -> 120000",
    "           sums 1.0.0 is built.",
    "hooks    PostToolUse: never-wait-long fault,",
    "→ user   ✗ hook never-wait-long: the hook timed out: …",
    "agent    I ran `node build.mjs`: …",
    "hooks    Stop: tests-before-stop",
  ],
  [
    "warning",
    "user     › edit package-lock.json: 1.0.0 -> 1.1.0",
    "hooks    PreToolUse: warn-lockfile-edit message,",
    "→ user   ! package-lock.json is written by the package manager; an edit by hand is easily wrong.",
    "tool     ● Edit  package-lock.json  old_string: 1.0.0  new_string: 1.1.0",
    "           updated package-lock.json: 1 replacement, at line 1",
    "agent    I edited `package-lock.json`: “updated package-lock.json: 1 replacement, at line 1”.",
    "hooks    Stop: tests-before-stop",
  ],
  [
    "deny",
    "user     › run git push --force origin main",
    "hooks    PreToolUse: limit-command-time rewrite, · no-force-push deny, · ask-before-deploy",
    "tool     ✗ Bash  git push --force origin main",
    "→ agent  A forced push can erase the work of others. Use git push --force-with-lease.",
    "agent    I could not run `git push --force origin main`: “A forced push can erase the work of …",
    "hooks    Stop: tests-before-stop",
  ],
  [
    "ask",
    "user     › run node deploy.mjs",
    "hooks    PreToolUse: limit-command-time rewrite, · no-force-push · ask-before-deploy ask,",
    "asks     May the agent use Bash?  node deploy.mjs",
    "           a hook changed timeout: none -> 120000",
    "           This reaches production: node deploy.mjs (ask-before-deploy)",
    "user     no: not on a Friday",
    "tool     ✗ Bash  node deploy.mjs",
    "           The user did not allow this: not on a Friday",
    "agent    stops here: the user's no ends its turn",
  ],
];

/** What must not stand in a step: a call that was refused has not run. */
const NEVER: readonly (readonly [shows: string, text: string])[] = [
  ["blocked prompt", "tool "],
  ["allow", "asks "],
  ["no objection", "→ agent"],
  ["warning", "asks "],
  ["deny", "asks "],
  ["ask", "is live"],
];

describe("in a pipe", () => {
  it("prints the whole conversation, with each kind of answer and whom it reached, and exits 0", async () => {
    const run = start(demo(), { COLUMNS: "100" });
    expect(await run.exit).toBe(0);
    const titles = [...run.printed().matchAll(/^\d+\/\d+ {2}(.+?) ━/gm)].map(([, title]) => title);
    expect(titles).toEqual(STEPS.map(([shows]) => shows));
    const steps = stepsOf(run.printed());
    // In order, though other lines may stand between.
    const found = STEPS.map(([shows, ...lines], index) => {
      let rest = steps[index] ?? [];
      const seen = lines.filter((line) => {
        const [begin = "", more] = line.split(" …");
        const at = rest.findIndex((each) => (more === undefined ? each === line : each.startsWith(begin)));
        if (at >= 0) rest = rest.slice(at + 1);
        return at >= 0;
      });
      return [shows, ...seen];
    });
    expect(found).toEqual(STEPS);
    const unwanted = NEVER.filter(([shows, text]) =>
      steps[titles.indexOf(shows)]?.some((line) => line.includes(text)),
    );
    expect(unwanted).toEqual([]);
  });

  it.each([50, 120])("stays within %i columns, without colours", async (columns) => {
    const run = start(demo(), { COLUMNS: `${columns}` });
    expect(await run.exit).toBe(0);
    expect(run.printed()).toBe(stripVTControlCharacters(run.printed()));
    const lines = run.printed().split("\n");
    expect(lines.filter((line) => width(line) > Math.min(columns, 100))).toEqual([]);
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
  });

  it("plays from the published files alone, in colours where they are asked for", async () => {
    const { files } = JSON.parse(readFileSync(join(CLI, "package.json"), "utf8")) as { files: string[] };
    const installed = join(root, "installed");
    for (const name of [...files, "package.json"])
      await cp(join(CLI, name), join(installed, name), { recursive: true });
    symlinkSync(join(CLI, "..", "..", "node_modules"), join(installed, "node_modules"));
    const run = start(demo(installed), { FORCE_COLOR: "1" });
    expect(await run.exit).toBe(0);
    const plain = stripVTControlCharacters(run.printed());
    expect(plain).toContain("a hook changed timeout: none -> 120000");
    expect(run.printed()).not.toBe(plain);
  });

  it("cleans up when its reader leaves early", async () => {
    const [node, bin] = demo();
    const line = '"$0" "$1" demo | head -n 1; echo "exit ${PIPESTATUS[0]}"';
    const run = start(["bash", "-c", line, node ?? "", bin ?? ""]);
    expect(await run.exit).toBe(0);
    // Nobody pressed Ctrl-C.
    expect(run.printed()).toBe("belay demo\nexit 0\n");
    await expect.poll(() => readdirSync(join(root, "tmp")), { timeout: 10_000 }).toEqual([]);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "cleans up when %s comes while a hook hangs",
    async (signal) => {
      const run = start(demo());
      await run.until("sums 1.0.0 is built.");
      run.child.kill(signal);
      expect(await run.exit).toBe(130);
      expect(run.printed()).not.toContain("belay init");
    },
  );

  it("refuses an argument it has no use for", async () => {
    const run = start([...demo(), "quickly"]);
    expect(await run.exit).toBe(1);
    expect(run.printed()).toBe('belay: "quickly" is one argument too many; usage: belay demo [--fast]\n');
  });
});

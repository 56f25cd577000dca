import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { width } from "../src/render/text.ts";
import { BIN } from "./cli.ts";
import { hasTmux, openTerminal, type Terminal } from "./tmux.ts";

const CLI = fileURLToPath(new URL("..", import.meta.url));

let root = "";
/** The names in the folder for temporary files and in the home. */
const left = () => ["tmp", "home"].flatMap((name) => readdirSync(join(root, name)));
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "belay-demo-test-"));
  await mkdir(join(root, "tmp"));
  await mkdir(join(root, "home"));
});
afterEach(async () => {
  // Whatever a test did: the demo leaves nothing behind, though one that lost its terminal needs a moment.
  await expect.poll(left).toEqual([]);
  await rm(root, { recursive: true, force: true });
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

/** What each step must show: who decided what, and whom it reached. A line that ends with … may go on. */
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
    "hooks    UserPromptSubmit: no-keys-in-prompt",
    "hooks    PreToolUse: allow-reading allow,",
    "→ user   reading inside the project",
    "tool     ● Read  sum.mjs",
    "           1  export const sum = (a, b) => a + b;",
    "agent    I read `sum.mjs`: “1 export const sum = (a, b) => a + b;”.",
  ],
  [
    "blocked stop",
    "hooks    Stop: tests-before-stop block,",
    "→ agent  The tests fail. Fix them, then run node --test before you stop: …",
    "agent    A hook told me: “The tests fail. Fix them, then run node --test before you stop: …",
    "asks     May the agent use Bash?  node --test",
    "           a hook changed timeout: none -> 120000",
    "           it runs a command",
    "user     yes, once",
    "tool     ✗ Bash  node --test",
  ],
  [
    "no objection",
    "tool     ● Edit  sum.mjs  old_string: numbers.length  new_string: numbers.reduce((a, b) => a + b, 0)",
    "hooks    Stop: tests-before-stop",
  ],
  [
    "rewrite, fault",
    "hooks    PreToolUse: limit-command-time rewrite, · no-force-push · ask-before-deploy",
    "tool     ● Bash  node build.mjs",
    "           a hook changed timeout: none -> 120000",
    "           sums 1.0.0 is built.",
    "hooks    PostToolUse: never-wait-long fault,",
    "→ user   ✗ hook never-wait-long: the hook timed out: …",
  ],
  [
    "warning",
    "hooks    PreToolUse: warn-lockfile-edit message,",
    "→ user   ! package-lock.json is written by the package manager; an edit by hand is easily wrong.",
    "tool     ● Edit  package-lock.json  old_string: 1.0.0  new_string: 1.1.0",
  ],
  [
    "deny",
    "hooks    PreToolUse: limit-command-time rewrite, · no-force-push deny, · ask-before-deploy",
    "tool     ✗ Bash  git push --force origin main",
    "→ agent  A forced push can erase the work of others. Use git push --force-with-lease.",
  ],
  [
    "ask",
    "hooks    PreToolUse: limit-command-time rewrite, · no-force-push · ask-before-deploy ask,",
    "           This reaches production: node deploy.mjs (ask-before-deploy)",
    "user     no: not on a Friday",
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

/** No row is wider than this, none ends with spaces, and none has colours. */
function expectRoom(printed: string, columns: number): void {
  expect(printed).toBe(stripVTControlCharacters(printed));
  const lines = printed.split("\n");
  expect(lines.filter((line) => width(line) > columns || line !== line.trimEnd())).toEqual([]);
}

describe("in a pipe", () => {
  it("prints the whole conversation, with each kind of answer and whom it reached, and exits 0", async () => {
    const run = start(demo(), { COLUMNS: "120" });
    expect(await run.exit).toBe(0);
    expectRoom(run.printed(), 100);
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

  it("plays from the published files alone, on few columns, in colours where they are asked for", async () => {
    const { files } = JSON.parse(readFileSync(join(CLI, "package.json"), "utf8")) as { files: string[] };
    const installed = join(root, "installed");
    for (const name of [...files, "package.json"])
      await cp(join(CLI, name), join(installed, name), { recursive: true });
    symlinkSync(join(CLI, "..", "..", "node_modules"), join(installed, "node_modules"));
    const run = start(demo(installed), { FORCE_COLOR: "1", COLUMNS: "50" });
    expect(await run.exit).toBe(0);
    const plain = stripVTControlCharacters(run.printed());
    expect(plain).toContain("a hook changed timeout: none -> 120000");
    expect(run.printed()).not.toBe(plain);
    expectRoom(plain, 50);
  });

  it("cleans up when its reader leaves early", async () => {
    const [node, bin] = demo();
    const line = '"$0" "$1" demo | head -n 1; echo "exit ${PIPESTATUS[0]}"';
    const run = start(["bash", "-c", line, node ?? "", bin ?? ""]);
    expect(await run.exit).toBe(0);
    // Nobody pressed Ctrl-C.
    expect(run.printed()).toBe("belay demo\nexit 0\n");
  });

  it("cleans up when it is interrupted while a hook hangs", async () => {
    const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
    const ends = signals.map(async (signal) => {
      const run = start(demo());
      await run.until("sums 1.0.0 is built.");
      run.child.kill(signal);
      return [signal, await run.exit, run.printed().includes("belay init")];
    });
    expect(await Promise.all(ends)).toEqual(signals.map((signal) => [signal, 130, false]));
  });

  it("refuses an argument it has no use for", async () => {
    const run = start([...demo(), "quickly"]);
    expect(await run.exit).toBe(1);
    expect(run.printed()).toBe('belay: "quickly" is one argument too many; usage: belay demo [--fast]\n');
  });
});

interface Shown extends Terminal {
  /** Everything that was shown, without its line breaks. */
  readonly text: () => string;
  until(text: string): Promise<void>;
}

const MAY = "May the agent use Bash?";
const NEXT = "Enter sends this";

function shown({ columns = 100, flags = "", env = "" } = {}): Shown {
  const command = `env -u CI ${env} '${process.execPath}' '${BIN}' demo ${flags}`;
  const terminal = openTerminal(command, {
    columns,
    rows: 40,
    cwd: root,
    env: { HOME: join(root, "home"), TMPDIR: join(root, "tmp"), TERM: "xterm-256color" },
  });
  const text = () => terminal.all().replaceAll(/\s+/g, " ");
  const until = (wanted: string) => expect.poll(text, { interval: 50 }).toContain(wanted);
  return { ...terminal, text, until };
}

describe.runIf(hasTmux())("on a terminal", () => {
  it.each([50, 100])(
    "goes on with Enter, asks, takes prompts in between, and leaves with q, on %i columns",
    async (columns) => {
      const demo = shown({ columns });
      await demo.until("2/9 blocked prompt");
      await demo.until("sum() is in sum.mjs.");
      await demo.until(NEXT);
      expect(demo.text()).not.toContain("3/9");
      demo.press("Enter");
      await demo.until("3/9 allow");
      expect(demo.text()).not.toContain("› read sum.mjs, and the key");
      expect(demo.text().match(/2\/9|held an AWS key/g)).toEqual(["2/9", "held an AWS key"]);
      demo.type("run echo mine");
      demo.press("Enter");
      await demo.until(MAY);
      await demo.until("Yes, once");
      demo.type("1");
      await demo.until("I ran `echo mine`");
      await demo.until(NEXT);
      expect(demo.text().match(/3\/9/g)).toHaveLength(1);
      demo.press("Enter");
      await demo.until("4/9 blocked stop");
      expect(demo.text()).toContain("reading inside the project");
      expect(left()).toHaveLength(1);
      demo.type("q");
      expect(await demo.ended()).toBe(0);
      expect(demo.text()).toContain("belay init");
      expect(demo.text()).toContain("The 9 hooks are a few lines long each");
      expect(left()).toEqual([]);
    },
  );

  it("plays by itself with --fast, answers included, and ends", async () => {
    const demo = shown({ flags: "--fast" });
    for (const text of ["4/9 blocked stop", MAY, "9/9 ask", "The user did not allow this: not on a Friday"])
      await demo.until(text);
    await demo.until("The end");
    expect(await demo.ended()).toBe(0);
    const steps = [...demo.all().matchAll(/^(\d)\/9 {2}/gm)].map(([, step]) => Number(step));
    expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  }, 90_000);

  it("takes a no of the user's as it does anywhere, and Ctrl-C leaves an open question", async () => {
    const demo = shown();
    await demo.until(NEXT);
    demo.type("run touch made");
    demo.press("Enter");
    await demo.until("4 No");
    demo.type("n");
    await demo.until("Why not?");
    demo.type("not yet");
    demo.press("Enter");
    await demo.until("The user did not allow this: not yet");
    await demo.shows(NEXT);
    demo.type("run sleep 30");
    demo.press("Enter");
    await demo.shows("4 No");
    demo.press("C-c");
    expect(await demo.ended()).toBe(0);
    expect(left()).toEqual([]);
  });

  it("leaves nothing when the terminal is closed while a tool runs", async () => {
    const demo = shown();
    await demo.until(NEXT);
    demo.type("run sleep 30");
    demo.press("Enter");
    await demo.until("Yes, once");
    demo.type("1");
    await demo.until("running Bash");
    expect(left()).toHaveLength(1);
    demo.hangUp();
  });

  it("in CI nobody is there to press Enter: it prints the conversation", async () => {
    const demo = shown({ env: "CI=true" });
    expect(await demo.ended()).toBe(0);
    expect(demo.all()).toContain("user     no: not on a Friday");
  });
});

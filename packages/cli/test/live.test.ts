import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { milliseconds } from "../src/render/text.ts";
import { BIN, background, scratch } from "./cli.ts";
import { lineOf } from "./inspect/journal.ts";
import { hasTmux, openTerminal } from "./tmux.ts";

const waiting = (name: string, file: string) => ({
  type: "command",
  command: `while [ ! -e ${file} ]; do sleep 0.05; done`,
  name,
});

describe.runIf(hasTmux())("while hooks run, on a terminal", () => {
  const open = () => {
    const { config, file, project, home } = scratch();
    const settings = config({
      PreToolUse: [{ hooks: [waiting("quick", "one"), waiting("slow", "two")] }],
    });
    const line = `${process.execPath} ${BIN} run PreToolUse --config ${settings}`;
    const env = { HOME: home, NO_COLOR: "", FORCE_COLOR: "" };
    return { file, ...openTerminal(line, { columns: 90, rows: 40, cwd: project, env }) };
  };

  it("says what fired at once, and which of them are being waited for", async () => {
    const { file, screen, shows, all, ended } = open();
    await shows("running: quick, slow");
    expect(screen()).toMatch(/^event +PreToolUse[\s\S]*match +2 of 2 hooks/);
    file("one", "");
    await shows("running: slow ");
    expect(screen()).not.toMatch(/decide|running: quick/);
    file("two", "");
    expect(await ended()).toBe(0);
    expect(all()).toMatch(/match +2 of 2 hooks.*\n+run +quick/);
    expect(all()).not.toContain("running:");
    expect(all().match(/event /g)).toHaveLength(1);
  });

  it("Ctrl-C names what was running", async () => {
    const { file, screen, shows, press, ended } = open();
    await shows("running: quick, slow");
    file("one", "");
    await shows("running: slow ");
    press("C-c");
    expect(await ended()).toBe(130);
    expect(screen()).toMatch(
      /^belay: interrupted while slow was running; it was ended, and nothing is decided$/m,
    );
    expect(screen()).not.toContain("running: slow");
  });
});

test.each([[[]], [["--json"]]])("a signal names what was running in a pipe too: %j", async (flags) => {
  const room = scratch();
  const settings = room.config({
    Stop: [{ hooks: [{ type: "command", command: "touch here; sleep 60", name: "guard" }] }],
  });
  const { child, printed, ended } = background(room, ["run", "Stop", "--config", settings, ...flags]);
  await expect.poll(() => existsSync(join(room.project, "here")), { timeout: 20_000 }).toBe(true);
  child.kill("SIGTERM");
  expect(await ended).toBe(143);
  expect(printed.all).toContain(
    "belay: interrupted while guard was running; it was ended, and nothing is decided\n",
  );
  expect(printed.all).not.toMatch(/\u001b|running: /);
});

describe("times", () => {
  const rows: [time: number, text: string][] = [
    [0.2, "<1 ms"],
    [12.4, "12 ms"],
    [999.4, "999 ms"],
    [999.6, "1.0 s"],
    [6010, "6.0 s"],
    [61_000, "61.0 s"],
  ];
  for (const [time, text] of rows) it(text, () => expect(milliseconds(time)).toBe(text));
});

/** A script that waits for a file which is named after its event. */
const WAITS = `#!/bin/sh
# Stop and SubagentStop
event=$(sed 's/.*"hook_event_name":"\\([A-Za-z]*\\)".*/\\1/')
while [ ! -e "$event.done" ]; do sleep 0.05; done
`;

describe.runIf(hasTmux())("belay try of a script that takes its time, on a terminal", () => {
  const open = (columns: number) => {
    const { file, project, home } = scratch();
    file("slow.sh", WAITS, 0o755);
    const line = `${process.execPath} ${BIN} try slow.sh`;
    const env = { HOME: home, NO_COLOR: "", FORCE_COLOR: "" };
    return { file, ...openTerminal(line, { columns, rows: 40, cwd: project, env }) };
  };

  it("says what is being waited for and for how long at most, and leaves nothing of that", async () => {
    const { file, shows, all, ended } = open(90);
    await shows(/^\d+ s of at most 60, running: slow\.sh at Stop \(1 of 2\) {3}Ctrl-C ends it$/m);
    file("Stop.done", "");
    await shows(/^\d+ s of at most 60, running: slow\.sh at SubagentStop \(2 of 2\)/m);
    file("SubagentStop.done", "");
    expect(await ended()).toBe(0);
    expect(all()).toMatch(/^event +Stop/);
    expect(all()).not.toContain("running:");
  });

  it("has the limit that its help names", async () => {
    const { stdout } = await scratch().belay(["try", "--help"]);
    expect(stdout).toContain("60 seconds");
  });

  it("Ctrl-C names what was running", async () => {
    const { screen, shows, press, ended } = open(40);
    await shows(/^\d+ s of at most 60, running: slow/m);
    press("C-c");
    expect(await ended()).toBe(130);
    expect(screen().replaceAll("\n", " ")).toMatch(
      /^belay: interrupted while slow\.sh was running; it was ended, and nothing is decided/,
    );
  });
});

it("says nothing of it in a pipe", async () => {
  const { file, belay } = scratch();
  file("slow.sh", "#!/bin/sh\nsleep 1.5\n", 0o755);
  const { code, stdout, stderr } = await belay(["try", "slow.sh", "Stop"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).not.toMatch(/\u001b|running: /);
});

const HANGS = `#!/bin/sh
touch "$BELAY_PROJECT_DIR/began"
sleep 60
`;
/** A thread, which no signal reaches. */
const MODULE = `import { writeFileSync } from "node:fs";
export default async () => {
  writeFileSync(process.env.BELAY_PROJECT_DIR + "/began", "");
  await new Promise((resolve) => setTimeout(resolve, 600_000));
};
`;
const CASES = JSON.stringify({
  hook: "hangs.sh",
  cases: [
    { name: "done", event: "Stop", skip: "not about this" },
    { name: "hangs", event: "Stop", expect: { decision: "none" } },
  ],
});
const HANGING = JSON.stringify({
  hooks: { Stop: [{ hooks: [{ type: "command", command: "./hangs.sh" }] }] },
});

const OF_MODULE = JSON.stringify({
  hook: "hangs.mjs",
  cases: ["one", "two"].map((name) => ({ name, event: "Stop", expect: { decision: "none" } })),
});

const COMMANDS: readonly [args: readonly string[], said: string][] = [
  [["test", "a.hooks.json"], "belay: interrupted after 1 of 2 cases; the hooks that ran were ended\n"],
  [
    ["test", "a.hooks.json", "-t", "hangs"],
    "belay: interrupted after 0 of 1 case; the hooks that ran were ended\n",
  ],
  [
    ["test", "module.hooks.json", "-p", "1"],
    "belay: interrupted after 0 of 2 cases; the hooks that ran were ended\n",
  ],
  [
    ["try", "hangs.sh", "Stop"],
    "belay: interrupted while hangs.sh was running; it was ended, and nothing is decided\n",
  ],
];
const REPLAY: (typeof COMMANDS)[number] = [
  ["replay", "events.jsonl", "--rerun", "--in", ".", "--config", "hooks.json"],
  "belay: interrupted; not all events were replayed\n",
];
function hanging() {
  const room = scratch();
  const { file, home } = room;
  file("hangs.sh", HANGS, 0o755);
  file("hangs.mjs", MODULE);
  file("a.hooks.json", CASES);
  file("events.jsonl", lineOf({ id: "a", event: "Stop" }));
  file("hooks.json", HANGING);
  file("module.hooks.json", OF_MODULE);
  const TMPDIR = join(home, "tmp");
  mkdirSync(TMPDIR);
  return { ...room, TMPDIR };
}

const ROWS = (["SIGINT", "SIGTERM", "SIGHUP"] as const).flatMap((signal) =>
  [...COMMANDS, REPLAY].map(([args, said]) => ({ signal, args, said })),
);

it.each(ROWS)("$signal ends belay $args, which leaves nothing behind", async ({ signal, args, said }) => {
  const { TMPDIR, ...room } = hanging();
  const { child, printed, ended } = background(room, args, { TMPDIR });
  await expect.poll(() => existsSync(join(room.project, "began")), { timeout: 20_000 }).toBe(true);
  child.kill(signal);
  expect([await ended, printed.stderr, readdirSync(TMPDIR)]).toEqual([130, said, []]);
});

describe.runIf(hasTmux())("a terminal that is closed", () => {
  it.each(COMMANDS.map(([args]) => ({ args })))(
    "ends belay $args, which leaves nothing behind",
    async ({ args }) => {
      const { project, home, TMPDIR } = hanging();
      const line = `${process.execPath} ${BIN} ${args.join(" ")}`;
      const { hangUp } = openTerminal(line, {
        columns: 80,
        rows: 20,
        cwd: project,
        env: { HOME: home, TMPDIR },
      });
      await expect.poll(() => existsSync(join(project, "began")), { timeout: 20_000 }).toBe(true);
      expect(readdirSync(TMPDIR)).toHaveLength(1);
      hangUp();
      await expect.poll(() => readdirSync(TMPDIR), { timeout: 10_000 }).toEqual([]);
    },
  );
});

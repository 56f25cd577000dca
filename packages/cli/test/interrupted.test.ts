import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, scratch } from "./cli.ts";
import { lineOf } from "./inspect/journal.ts";
import { hasTmux, openTerminal } from "./tmux.ts";

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
  const { file, project, home } = scratch();
  file("hangs.sh", HANGS, 0o755);
  file("hangs.mjs", MODULE);
  file("a.hooks.json", CASES);
  file("events.jsonl", lineOf({ id: "a", event: "Stop" }));
  file("hooks.json", HANGING);
  file("module.hooks.json", OF_MODULE);
  const TMPDIR = join(home, "tmp");
  mkdirSync(TMPDIR);
  return { project, home, TMPDIR };
}

const ROWS = (["SIGINT", "SIGTERM", "SIGHUP"] as const).flatMap((signal) =>
  [...COMMANDS, REPLAY].map(([args, said]) => ({ signal, args, said })),
);

it.each(ROWS)("$signal ends belay $args, which leaves nothing behind", async ({ signal, args, said }) => {
  const { project, home, TMPDIR } = hanging();
  const env = { ...process.env, HOME: home, TMPDIR };
  const child = spawn(process.execPath, [BIN, ...args], { cwd: project, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise((resolve) => child.on("close", resolve));
  await expect.poll(() => existsSync(join(project, "began")), { timeout: 20_000 }).toBe(true);
  child.kill(signal);
  expect([await ended, stderr, readdirSync(TMPDIR)]).toEqual([130, said, []]);
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

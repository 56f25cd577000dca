import { describe, expect, it } from "vitest";
import { BIN, scratch } from "./cli.ts";
import { hasTmux, openTerminal } from "./tmux.ts";

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

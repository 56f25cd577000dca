import { describe, expect, it } from "vitest";
import { run } from "./case-files.ts";
import { command, recorded } from "./recorded.ts";

const cases = (expected: string) => `cases: [{ name: one, event: PreToolUse, expect: ${expected} }]\n`;

describe("the way to name a script by is said", () => {
  const ROWS: readonly [line: string, isSaid: boolean][] = [
    ["./gone.sh", true],
    ["hooks/gone.sh --strict", true],
    ["bash ./gone.sh", true],
    ['"$BELAY_PROJECT_DIR"/gone.sh', false],
    ['true && "$BELAY_PROJECT_DIR"/hooks/gone.sh', false],
    ['bash "$BELAY_PROJECT_DIR/gone.sh"', false],
  ];
  it.each(ROWS)("%s: %s", async (line, isSaid) => {
    const yaml = `config: c.json\n${cases("{ decision: deny }")}`;
    const { code, stdout } = await run({ "a.hooks.yaml": yaml }, [], ({ config }) =>
      config({ PreToolUse: [{ hooks: [command("guard", line)] }] }, "c.json"),
    );
    expect([code, stdout.includes('name the script by "$BELAY_PROJECT_DIR"/…')]).toEqual([2, isSaid]);
  });
});

describe("why a Python hook crashed is its exception, where one line is shown", () => {
  const CRASH = `#!/usr/bin/env python3
def read():
    raise OSError("no disk\\nnone at all")
try:
    read()
except OSError as error:
    raise ValueError("no guard") from error
`;

  it("in belay test", async () => {
    const yaml = `hook: crash.py\n${cases("{ decision: none }")}`;
    const { stdout } = await run({ "a.hooks.yaml": yaml }, [], ({ file }) => file("crash.py", CRASH, 0o755));
    expect(stdout).toContain("crash.py failed: exited with 1: ValueError: no guard; a case about that");
    expect(stdout).toContain("crash.py: failed, exit 1, stderr: ValueError: no guard\n");
  });

  it("in belay replay", async () => {
    const room = await recorded();
    room.file("crash.py", CRASH, 0o755);
    const config = room.config(
      { PreToolUse: [{ hooks: [command("guard", `${room.project}/crash.py`)] }] },
      "new.json",
    );
    const { stdout } = await room.belay(["replay", "--rerun", "--config", config], {
      env: { COLUMNS: "200", NO_COLOR: "1" },
    });
    expect(stdout).toContain("no answer: exited with 1: ValueError: no guard");
  });
});

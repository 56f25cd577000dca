import { describe, expect, it } from "vitest";
import { run } from "./case-files.ts";
import type { Scratch } from "./cli.ts";
import { command, recorded } from "./recorded.ts";

const cases = (expected: string) => `cases: [{ name: one, event: PreToolUse, expect: ${expected} }]\n`;

describe("the way to name a script by is said", () => {
  const WAY = 'name the script by "$BELAY_PROJECT_DIR"/… in the settings';
  const OF_CLAUDE = WAY.replace("BELAY", "CLAUDE");
  const FOLDER = ", folder: .";
  const ROWS: readonly [file: string, line: string, way: string | undefined, more?: string][] = [
    ["c.json", "./calls.sh", WAY],
    ["c.json", "hooks/calls.sh --strict", WAY],
    ["c.json", "bash ./calls.sh", WAY],
    ["c.json", "./gone.sh", undefined],
    ["c.json", '"$BELAY_PROJECT_DIR"/gone.sh', undefined],
    ["c.json", 'true && "$BELAY_PROJECT_DIR"/hooks/gone.sh', undefined],
    ["c.json", 'bash "$BELAY_PROJECT_DIR/gone.sh"', undefined],
    [".claude/settings.json", "hooks/calls.sh", OF_CLAUDE],
    [".claude/settings.json", '"$CLAUDE_PROJECT_DIR"/hooks/calls.sh', undefined],
    ["c.json", 'bash "$BELAY_PROJECT_DIR"/calls.sh', undefined],
    ["c.json", "./calls.sh", undefined, FOLDER],
  ];
  it.each(ROWS)("in %s, %s: %s", async (file, line, way, more = "") => {
    const yaml = `config: ${file}\n${cases("{ decision: deny }").replace(" }]", `${more} }]`)}`;
    const { code, stdout } = await run({ "a.hooks.yaml": yaml }, [], (project) => {
      project.config({ PreToolUse: [{ hooks: [command("guard", line)] }] }, file);
      for (const name of ["calls.sh", "hooks/calls.sh"])
        project.file(name, "#!/bin/bash\nno-such-program\n", 0o755);
    });
    expect([code, /name the script by .* in the settings/.exec(stdout)?.[0]]).toEqual([2, way]);
  });

  it("in no command that has said it already", async () => {
    const yaml = `hook: bash "$BELAY_PROJECT_DIR"/calls.sh\n${cases("{ decision: deny }")}`;
    const { code, stdout } = await run({ "a.hooks.yaml": yaml }, [], ({ file }) =>
      file("calls.sh", "no-such-program\n"),
    );
    expect([code, stdout]).toEqual([2, expect.not.stringContaining("a case runs in a folder of its own")]);
  });
});

describe("why no hook ran is said as belay why says it", () => {
  const yaml = `config: c.json\n${cases("{ decision: deny }")}`;
  const hooks = (...matchers: string[]) => ({
    PreToolUse: matchers.map((matcher) => ({ matcher, hooks: [command(`of ${matcher}`, "exit 2")] })),
    Stop: [{ hooks: [command("last", "exit 2")] }],
  });
  const NO_RUN = "no hook ran: none matched this event";
  const LOWER = 'of bash: tool_name "Bash" is none of "bash" (names are case-sensitive)';
  const other = (name: string) => `of ${name}: tool_name "Bash" is none of "${name}"`;
  const NAMES = Array.from({ length: 10 }, (_, index) => `Tool${index}`);
  const ROWS: readonly [what: string, config: object, said: readonly string[]][] = [
    ["hooks of other events", hooks(), [NO_RUN]],
    ["a name in another case", hooks("bash"), [NO_RUN, LOWER]],
    ["as many as are read", hooks(...NAMES), [NO_RUN, ...NAMES.map(other)]],
    ["more", hooks(...NAMES, "X", "Y"), [NO_RUN, ...NAMES.map(other), "and 2 hooks more"]],
  ];
  it.each(ROWS)("%s", async (_, config, said) => {
    const put = (project: Scratch) => void project.config(config, "c.json");
    const { stdout } = await run({ "a.hooks.yaml": yaml }, [], put);
    expect(stdout).toContain(`\n${said.map((line) => `      ${line}\n`).join("")}\n1 failed`);
    const tap = await run({ "a.hooks.yaml": yaml }, ["--reporter", "tap"], put);
    for (const line of said) expect(tap.stdout).toContain(line.replaceAll('"', '\\"'));
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

import { describe, expect, it } from "vitest";
import { run, runEach } from "./case-files.ts";
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
  const IN_COMMAND = `hook: bash "$BELAY_PROJECT_DIR"/calls.sh\n${cases("{ decision: deny }")}`;
  it("but where it is not the way that is missing", async () => {
    // A file of another agent's settings has a name of its own: such rows share a folder's name, not a folder.
    const nameOf = (file: string, index: number) =>
      file === "c.json" ? `c${index}.json` : `n${index}/${file}`;
    const texts = ROWS.map(
      ([file, , , more = ""], index) =>
        `config: ${nameOf(file, index)}\n${cases("{ decision: deny }").replace(" }]", `${more} }]`)}`,
    );
    const { code, blocks } = await runEach([...texts, IN_COMMAND], [], (project) => {
      for (const [index, [file, line]] of ROWS.entries())
        project.config({ PreToolUse: [{ hooks: [command("guard", line)] }] }, nameOf(file, index));
      for (const name of ["calls.sh", "hooks/calls.sh"])
        project.file(name, "#!/bin/bash\nno-such-program\n", 0o755);
    });
    expect(code).toBe(2);
    for (const [index, [file, line, way]] of ROWS.entries()) {
      expect(blocks[index]).toMatch(/^✗/);
      const said = /name the script by .* in the settings/.exec(blocks[index] ?? "")?.[0];
      expect([file, line, said]).toEqual([file, line, way]);
    }
    expect(blocks.at(-1)).not.toContain("a case runs in a folder of its own");
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
  it("in the text and in TAP", async () => {
    const texts = ROWS.map((_, index) => yaml.replace("c.json", `c${index}.json`));
    const put = (project: Scratch) => {
      for (const [index, [, config]] of ROWS.entries()) project.config(config, `c${index}.json`);
    };
    const { blocks, project } = await runEach(texts, [], put);
    const tap = (await project.belay(["test", "--reporter", "tap"])).stdout.split(/^not ok/m).slice(1);
    for (const [index, [, , said]] of ROWS.entries()) {
      expect(blocks[index]?.trimEnd().endsWith(said.join(" "))).toBe(true);
      for (const line of said) expect(tap[index]).toContain(line.replaceAll('"', '\\"'));
    }
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

import { describe, expect, it } from "vitest";
import { run, runEach } from "./case-files.ts";
import { scratch } from "./cli.ts";
import { bash, command, GUARD, recorded, report } from "./recorded.ts";

const WIDE = { env: { COLUMNS: "200", NO_COLOR: "1" } };
/** Not even its first line can be read. */
const BROKEN = "#!/usr/bin/env python3\ndef guard(:\n";
/** A shell exits with 2 for it, as a hook does that refuses. */
const UNPARSED = "#!/bin/sh\nif true; then\n";
const CRASH = "echo 'Traceback: boom' >&2; echo more >&2; exit 1";

const cases = (hook: string, expected: string, event = "PreToolUse") =>
  `hook: ${JSON.stringify(hook)}\ncases: [{ name: one, event: ${event}, expect: ${expected} }]\n`;
const settings = (onFailure: string) => ({
  PreToolUse: [{ hooks: [{ ...command("guard", CRASH), onFailure }] }],
});

describe("a hook that failed has passed no test", () => {
  const NONE = "{ decision: none, agent: [] }";
  const CRASHED = "failed: exited with 1: Traceback: boom; ";
  const USER = "a case about that expects what the user reads, user: […]";
  const EXIT_2 = "exit 1 does not refuse; exit 2 does";
  const ROWS: readonly [what: string, yaml: string, said: string | undefined][] = [
    [
      "a script that cannot be read",
      cases("./broken.py", NONE),
      "broken.py failed: exited with 1: SyntaxError: ",
    ],
    ["an exception", cases(CRASH, NONE), CRASHED + USER],
    ["no diagnostic is expected, and none is there", cases(CRASH, "{ diagnostics: [] }"), CRASHED + USER],
    ["where nothing can be refused", cases(CRASH, NONE, "SessionEnd"), CRASHED + USER],
    ["a refusal is expected", cases(CRASH, "{ decision: deny }"), `${CRASHED}${EXIT_2} decision`],
    ["that it is refused is", cases(CRASH, "{ blocked: true }"), `${CRASHED}${EXIT_2} blocked`],
    ["how it is refused is", cases(CRASH, "{ action: block-stop }", "Stop"), `${CRASHED}${EXIT_2} action`],
    ["a refusal where there is none", cases(CRASH, "{ blocked: true }", "SessionEnd"), CRASHED + USER],
    [
      "printed nonsense",
      cases("echo '{oops'", NONE),
      "a case about that expects diagnostics: [output-malformed]",
    ],
    ["died", cases("kill -9 $$", NONE), "a case about that expects diagnostics: [run-killed]"],
    [
      "a guard that must answer",
      `config: block.json\n${cases("", "{ decision: deny }").replace(/^.*\n/, "")}`,
      "a case about that expects diagnostics: [run-failure-blocks]",
    ],
    ["what the user is told is expected", cases(CRASH, "{ decision: none, user: [Traceback] }"), undefined],
    ["the diagnostic is", cases("kill -9 $$", "{ diagnostics: [run-killed] }"), undefined],
    ["a refusal with nonsense beside it", cases("echo '{oops'; exit 2", "{ decision: deny }"), undefined],
    [
      "an answer beside exit 1",
      cases(`echo '{"continue":false,"stopReason":"no"}'; exit 1`, "{ decision: stop }"),
      undefined,
    ],
  ];
  it("but where a case is about that", async () => {
    const { code, blocks } = await runEach(
      ROWS.map(([, yaml]) => yaml),
      [],
      ({ file, config }) => {
        file("broken.py", BROKEN, 0o755);
        config(settings("block"), "block.json");
      },
    );
    expect([code, blocks.length]).toEqual([2, ROWS.length]);
    for (const [index, [what, , said]] of ROWS.entries())
      expect([what, blocks[index]]).toEqual([
        what,
        said === undefined ? expect.stringMatching(/^✓/) : expect.stringContaining(said),
      ]);
  });

  const named = (line: string) => ({ PreToolUse: [{ hooks: [command("guard", line)] }] });
  const SHELLS: readonly [what: string, line: string, isFault: boolean][] = [
    ["a script that is broken", '"$BELAY_PROJECT_DIR"/bad.sh', true],
    ["one for bash", 'bash "$BELAY_PROJECT_DIR/bad.sh" --strict', true],
    ["a command that is broken", "grep -q rm && { exit 2", true],
    [
      "a refusal with a shell's last words, which looks the same",
      "/bin/sh -n -c 'if true; then' || exit 2",
      true,
    ],
    [
      "a refusal with words of its own",
      "sh -n -c 'if true; then'; echo 'Mind your words.' >&2; exit 2",
      false,
    ],
  ];
  it("nor has a shell that cannot read its script, and so refuses", async () => {
    const { code, blocks } = await runEach(
      SHELLS.map(
        (_, index) => `config: c${index}.json\n${cases("", "{ decision: deny }").replace(/^.*\n/, "")}`,
      ),
      [],
      ({ file, config }) => {
        file("bad.sh", UNPARSED, 0o755);
        for (const [index, [, line]] of SHELLS.entries()) config(named(line), `c${index}.json`);
      },
    );
    expect(code).toBe(2);
    for (const [index, [what, , isFault]] of SHELLS.entries())
      expect([what, blocks[index]]).toEqual([
        what,
        isFault ? expect.stringContaining("diagnostics: [run-script-syntax]") : expect.stringMatching(/^✓/),
      ]);
  });

  it("is a fault in the coverage", async () => {
    const yaml = cases(CRASH, "{ user: [boom] }");
    const { stdout } = await run({ "a.hooks.yaml": yaml }, ["--coverage"]);
    expect(stdout).toContain("1 case: fault\n");
    expect(stdout).toMatch(/no case saw: .*stop, silence\n/);
  });
});

describe("belay try", () => {
  it("exits 2 where the script failed, and says so", async () => {
    const { belay, file } = scratch();
    file("broken.py", BROKEN, 0o755);
    const { code, stdout } = await belay(["try", "./broken.py", "PreToolUse"], WIDE);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^run .* failed +exit 1$/m);
    expect(stdout).toContain(
      "It gave no answer of its own: any exit code but 0 and 2 is an error that the user reads, and work goes on.",
    );
    expect(stdout).not.toMatch(/It said nothing|exit 1 does not refuse/);
  });

  it("says of how many, where it answered the others", async () => {
    const { belay, file } = scratch();
    file("some.sh", "#!/bin/sh\ngrep -q PreToolUse && exit 1\nexit 0 # PreToolUse, Stop\n", 0o755);
    const { code, stdout } = await belay(["try", "./some.sh"], WIDE);
    expect(code).toBe(2);
    expect(stdout).toContain("To 1 of 2 payloads it gave no answer of its own: any exit code but 0 and 2 is");
  });

  const UNREAD: readonly [what: string, given: string, code: string][] = [
    ["not there", "sh gone.sh", "run-script-not-found"],
    ["not to be parsed", "./bad.sh", "run-script-syntax"],
  ];
  it.each(UNREAD)("exits 2 where the script is %s, which looks like a refusal", async (_, given, said) => {
    const { belay, file } = scratch();
    file("bad.sh", UNPARSED, 0o755);
    const { code, stdout } = await belay(["try", given, "PreToolUse"], WIDE);
    expect([code, stdout]).toEqual([2, expect.stringContaining(said)]);
    expect(stdout).not.toContain("any exit code but 0 and 2");
  });

  it("exits 0 where it said nothing", async () => {
    const { code, stdout } = await scratch().belay(["try", "true", "PreToolUse"], WIDE);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("no answer")]);
  });
});

describe("what was recorded of a hook that failed", () => {
  it("is among the failed of belay stats, and no fault", async () => {
    const { belay, config } = scratch();
    const file = config(settings("continue"));
    await belay(["run", "PreToolUse", "--config", file]);
    const { stdout } = await belay(["stats", "--json"]);
    expect(JSON.parse(stdout).hooks).toMatchObject([{ hook: "guard", runs: 1, faults: 0, failed: 1 }]);
  });

  it("is a fault in belay replay, where it gave an answer before", async () => {
    const room = await recorded();
    const args = ["--rerun", "--config", room.config(bash(GUARD, command("new", CRASH)), "new.json")];
    const found = await report(room, args);
    expect(found.report.changes.map(({ changes }) => changes)).toEqual([["fault"], ["fault"], ["fault"]]);
  });

  it("is both also where its script is gone, and its interpreter exits with 2", async () => {
    const room = await recorded();
    const config = room.config(bash(command("guard", "sh gone.sh")), "new.json");
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    const { stdout } = await room.belay(["stats", "--json"]);
    expect(JSON.parse(stdout).hooks).toMatchObject([
      { runs: 3, faults: 0, failed: 0 },
      { runs: 1, faults: 0, failed: 1 },
    ]);
    const found = await report(room, ["--rerun", "--config", config]);
    expect(found).toMatchObject({ code: 1, report: { summary: { loosened: 0, changes: { fault: 3 } } } });
  });
});

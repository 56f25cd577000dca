import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CALL, type Scratch, SESSION, says, scratch, settings } from "./scratch.ts";
import { PROJECT, ran } from "./trust-project.ts";

describe("what asks again", () => {
  const entry = { type: "command", command: "./guard.sh", timeout: 5 };
  const group = { hooks: { Stop: [{ hooks: [entry] }] } };
  const grouped = (more: object) => ({ hooks: { Stop: [{ ...more, hooks: [entry] }] } });
  const edited = (more: object) => settings("Stop", { ...entry, ...more });
  const GUARD = "project/guard.sh";
  const rows: [what: string, file: string, content: object | string, asksAgain: boolean][] = [
    ["spaces in the file", PROJECT, JSON.stringify(group, null, 4), false],
    [
      "the order of keys",
      PROJECT,
      settings("Stop", { timeout: 5, command: "./guard.sh", type: "command" }),
      false,
    ],
    ["another file", "project/readme", "x", false],
    ["the command", PROJECT, edited({ command: "./guard.sh -x" }), true],
    ["the timeout", PROJECT, edited({ timeout: 6 }), true],
    ["onFailure", PROJECT, edited({ onFailure: "block" }), true],
    ["the dialect", PROJECT, { dialect: "pact", ...group }, true],
    ["the matcher", PROJECT, grouped({ matcher: "x" }), true],
    ["sequential", PROJECT, grouped({ sequential: true }), true],
    ["the script", GUARD, "#!/bin/sh\n: edited", true],
  ];
  it.each(rows)("%s", async (_what, file, content, asksAgain) => {
    const room = scratch();
    room.write(GUARD, "#!/bin/sh\n", 0o755);
    room.write(PROJECT, group);
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    room.write(file, content, 0o755);
    expect(await ran(room)).toBe(!asksAgain);
  });

  it("a script that is gone", async () => {
    const room = scratch();
    const script = room.write(GUARD, "#!/bin/sh\n", 0o755);
    room.write(PROJECT, group);
    await room.trustAll();
    rmSync(script);
    expect(await ran(room)).toBe(false);
  });

  it("a script that is edited while somebody looks at what matched", async () => {
    const room = scratch();
    const script = room.write(GUARD, "#!/bin/sh\n", 0o755);
    room.write(PROJECT, group);
    await room.trustAll();
    const onMatched = () => writeFileSync(script, "#!/bin/sh\ntouch ran\n");
    await (await room.engine()).fire("Stop", {}, { onMatched });
    expect(existsSync(join(room.project, "ran"))).toBe(false);
  });

  it("a trust is for one project", async () => {
    const room = scratch();
    room.write(PROJECT, settings("Stop", says("x")));
    await room.trustAll();
    mkdirSync(join(room.root, "other/.git"), { recursive: true });
    room.write("other/.belay/settings.json", settings("Stop", says("x")));
    expect(await ran(room, { cwd: join(room.root, "other") })).toBe(false);
  });
});

describe("an edit of a covered file asks again", () => {
  it("two scripts between which text was moved", async () => {
    const room = scratch();
    const b = join(room.project, "b.sh");
    const write = (one: string, two: string) => {
      room.write("project/a.sh", one, 0o755);
      room.write("project/b.sh", two, 0o755);
    };
    write("true\n", `: moved\0${b}\0true\n`);
    room.write(PROJECT, settings("Stop", { type: "command", command: "./a.sh; ./b.sh" }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    write(`true\n\0${b}\0: moved`, "true\n");
    expect(await ran(room)).toBe(false);
  });

  it("a script behind a link, when its target is edited and when the link is turned", async () => {
    const room = scratch();
    room.write("scripts/one.sh", "#!/bin/sh\n", 0o755);
    room.write("scripts/two.sh", "#!/bin/sh\n: two\n", 0o755);
    const link = join(room.project, "guard.sh");
    symlinkSync(join(room.root, "scripts/one.sh"), link);
    room.write(PROJECT, settings("Stop", { type: "command", command: "./guard.sh" }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    room.write("scripts/one.sh", "#!/bin/sh\n: edited\n", 0o755);
    expect(await ran(room)).toBe(false);
    await room.trustAll();
    rmSync(link);
    symlinkSync(join(room.root, "scripts/two.sh"), link);
    expect(await ran(room)).toBe(false);
  });

  it("a script of the folder the agent went to", async () => {
    const room = scratch();
    room.write("project/guard.sh", "#!/bin/sh\n", 0o755);
    room.write("project/sub/guard.sh", "#!/bin/sh\n: another\n", 0o755);
    room.write(PROJECT, settings("Stop", { type: "command", command: "./guard.sh" }));
    await room.trustAll();
    const hooks = await room.engine();
    const at = async (cwd: string) => (await hooks.fire("Stop", { cwd })).runs.length;
    expect(await at(room.project)).toBe(1);
    expect(await at(join(room.project, "sub"))).toBe(0);
  });

  it("a module, and a script of a plugin that is the project", async () => {
    const room = scratch();
    room.write("project/.belay/guard.mjs", "export default () => {};");
    room.write(PROJECT, settings("Stop", { type: "module", module: "./guard.mjs" }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    room.write("project/.belay/guard.mjs", "export default () => ({});");
    expect(await ran(room)).toBe(false);

    room.write("project/say.sh", "#!/bin/sh\n", 0o755);
    room.write(
      "project/hooks/hooks.json",
      settings("Stop", { type: "command", command: "${CLAUDE_PLUGIN_ROOT}/say.sh" }),
    );
    await room.trustAll({ dialect: "pact" });
    expect(await ran(room, { dialect: "pact" })).toBe(true);
    room.write("project/say.sh", "#!/bin/sh\n: edited\n", 0o755);
    expect(await ran(room, { dialect: "pact" })).toBe(false);
  });
});

it("a file too large to be read whole asks again when it was written to, wherever", async () => {
  const room = scratch();
  const MiB = 1024 * 1024;
  const content = Buffer.alloc(12 * MiB, "#");
  const file = room.write("project/guard.sh", "", 0o755);
  writeFileSync(file, content);
  room.write(PROJECT, settings("Stop", { type: "command", command: "./guard.sh" }));
  await room.trustAll();
  expect(await ran(room)).toBe(true);
  writeFileSync(file, content.fill("x", 6 * MiB, 6 * MiB + 1));
  expect(await ran(room)).toBe(false);
});

describe("a version that is put back asks again, once a newer one was trusted", () => {
  const write = (room: Scratch, script: string, command = "./guard.sh", files = [PROJECT]) => {
    room.write("project/guard.sh", `#!/bin/sh\n: ${script}\n`, 0o755);
    for (const file of files) room.write(file, settings("Stop", { type: "command", command }));
  };

  it("of a script, and of an entry", async () => {
    const room = scratch();
    for (const script of ["1", "2"]) {
      write(room, script);
      await room.trustAll();
    }
    write(room, "1");
    expect(await ran(room)).toBe(false);
    write(room, "2", "./guard.sh --strict");
    await room.trustAll();
    write(room, "2");
    expect(await ran(room)).toBe(false);
  });

  it("also where another file had it as well", async () => {
    const room = scratch();
    write(room, "1", "./guard.sh", [PROJECT, `project/.belay/hooks/hooks.${SESSION}.json`]);
    await room.trustAll({ sessionId: SESSION });
    write(room, "2");
    await room.trustAll();
    write(room, "1");
    expect(await ran(room)).toBe(false);
  });
});

describe("a file that is written while its hook runs makes the run a fault", () => {
  const rows: [what: string, script: string, isFault: boolean][] = [
    ["the script", 'echo ": 2" >> "$0"', true],
    ["the script, put back as it was", 'cp "$0" copy && cat copy > "$0"', true],
    ["a file beside it in the hooks folder", ': > "$BELAY_PROJECT_DIR/hooks/lib.sh"', true],
    ["its log", 'echo x >> "$BELAY_PROJECT_DIR/hooks/guard.log"', false],
  ];
  it.each(rows)("%s", async (_what, script, isFault) => {
    const room = scratch();
    room.write("project/hooks/guard.sh", `#!/bin/sh\n${script}\n`, 0o755);
    const hook = { type: "command", command: "hooks/guard.sh", onFailure: "block" };
    room.write(PROJECT, settings("PreToolUse", hook));
    await room.trustAll();
    const outcome = await (await room.engine()).fire("PreToolUse", CALL);
    expect([outcome.blocked, outcome.runs[0]?.failure?.kind]).toEqual(
      isFault ? [true, "edited"] : [false, undefined],
    );
  });
});

describe("a guard that was edited refuses until it is trusted again", () => {
  const guard = { type: "command", command: "./guard.sh", onFailure: "block", name: "guard" };
  const edited = (more: object) => settings("PreToolUse", { ...guard, ...more });
  const matched = { hooks: { PreToolUse: [{ matcher: "Bas", hooks: [guard] }] } };
  const before = settings("PreToolUse", { ...guard, command: "true" }, guard);
  const rows: [what: string, file: string, content: object | string, refuses: boolean][] = [
    ["its script", "project/guard.sh", "#!/bin/sh\n: 2\n", true],
    ["its command", PROJECT, edited({ command: "true" }), true],
    ["its mode", PROJECT, edited({ mode: "observe" }), true],
    ["that it must not fail", PROJECT, edited({ onFailure: "continue" }), true],
    ["its switch", PROJECT, edited({ enabled: false }), true],
    ["its matcher", PROJECT, matched, true],
    ["its if, which does not fit now", PROJECT, edited({ if: "Bash(never *)" }), true],
    ["its if, which fits", PROJECT, edited({ if: "Bash" }), true],
    ["that nobody waits for it", PROJECT, edited({ async: true }), true],
    ["its event", PROJECT, settings("Stop", guard), true],
    ["a new one before it, which is only not run", PROJECT, before, false],
  ];
  it.each(rows)("%s", async (_what, file, content, refuses) => {
    const room = scratch();
    room.write("project/guard.sh", "#!/bin/sh\n", 0o755);
    room.write(PROJECT, settings("PreToolUse", guard));
    await room.trustAll();
    room.write(file, content, 0o755);
    const { blocked, runs } = await (await room.engine()).fire("PreToolUse", CALL);
    expect([blocked, runs.length]).toEqual([refuses, 1]);
    await room.trustAll();
    expect((await (await room.engine()).fire("PreToolUse", CALL)).blocked).toBe(false);
  });
});

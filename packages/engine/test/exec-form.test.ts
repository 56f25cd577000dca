import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DialectName } from "@belay/engine";
import { DIALECT_NAMES } from "@belay/engine";
import { configLoader, configPlaces, coveredFiles } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";
import { CALL, type Scratch, said, scratch } from "./scratch.ts";

/** A command with `args` is a program and its arguments; no shell reads any of it. */

const REFUSES = "#!/bin/sh\necho guarded >&2\nexit 2\n";
/** Says what it was given, in JSON, to the user. */
const TELLS =
  "process.stdout.write(JSON.stringify({ systemMessage: JSON.stringify(process.argv.slice(2)) }))";

function room(): Scratch {
  const made = scratch();
  made.write("project/guard.sh", REFUSES, 0o755);
  made.write("project/tell.cjs", TELLS);
  return made;
}

async function call({ engineFor }: Scratch, entry: object, dialect?: DialectName) {
  const engine = await engineFor("PreToolUse", [{ type: "command", ...entry }], dialect && { dialect });
  return engine.fire("PreToolUse", { tool_name: "Bash", tool_input: { command: "echo $(touch pwned)" } });
}

describe("the arguments reach the program", () => {
  it.each(DIALECT_NAMES)("and an interpreter reads its script, not the payload: %s", async (dialect) => {
    const made = room();
    const { decision } = await call(made, { command: "bash", args: ["./guard.sh"] }, dialect);
    expect(decision).toMatchObject({ kind: "deny", reason: "guarded" });
    expect(existsSync(join(made.project, "pwned"))).toBe(false);
  });

  const rows: [args: string[], given: string[] | ((project: string) => string[])][] = [
    [[], []],
    [
      ["a b", "", "'", '"'],
      ["a b", "", "'", '"'],
    ],
    [
      ["$HOME", "$(echo x)", "*", "~", "a;b", "`x`", "${HOME}"],
      ["$HOME", "$(echo x)", "*", "~", "a;b", "`x`", "${HOME}"],
    ],
    [
      ["${CLAUDE_PROJECT_DIR}/x", "a${BELAY_PROJECT_DIR}", "$CLAUDE_PROJECT_DIR"],
      (project) => [`${project}/x`, `a${project}`, "$CLAUDE_PROJECT_DIR"],
    ],
    [["${CLAUDE_PLUGIN_ROOT}/x"], ["${CLAUDE_PLUGIN_ROOT}/x"]],
  ];
  it.each(rows)("as they stand: %j", async (args, given) => {
    const made = room();
    const outcome = await call(made, { command: process.execPath, args: ["tell.cjs", ...args] });
    const expected = typeof given === "function" ? given(made.project) : given;
    expect(said(outcome)).toEqual([JSON.stringify(expected)]);
  });

  it("a plugin's folder, whatever its name", async () => {
    const { write, engine } = scratch();
    const plugin = "plug $(touch pwned)'s";
    write(`${plugin}/guard.sh`, REFUSES, 0o755);
    const entry = { type: "command", command: "${CLAUDE_PLUGIN_ROOT}/guard.sh", args: [] };
    write(`${plugin}/hooks/hooks.json`, { hooks: { PreToolUse: [{ hooks: [entry] }] } });
    const made = await engine({ pluginDirs: [`../${plugin}`] });
    expect((await made.fire("PreToolUse", CALL)).decision.kind).toBe("deny");
  });
});

describe("a program that cannot be started is a fault", () => {
  const rows: [entry: { command: string; args: string[] }, detail: RegExp][] = [
    [{ command: "echo hi", args: [] }, /there is no program echo hi/],
    [{ command: "./none", args: ["x"] }, /there is no program \.\/none/],
    [{ command: "./tell.cjs", args: [] }, /\.\/tell\.cjs is not executable/],
    [{ command: "true", args: ["a\0b"] }, /null bytes/],
  ];
  it.each(rows)("%j", async (entry, detail) => {
    const { runs, decision } = await call(room(), { ...entry, onFailure: "block" });
    expect(decision.kind).toBe("deny");
    expect(runs[0]?.failure).toMatchObject({ kind: "start", detail: expect.stringMatching(detail) });
  });
});

describe("trust covers the files that arguments name", () => {
  const rows: [command: string, args: string[], files: string[]][] = [
    ["bash", ["./guard.sh"], ["guard.sh"]],
    ["bash", ["${CLAUDE_PROJECT_DIR}/guard.sh", "--x=tell.cjs"], ["guard.sh", "tell.cjs"]],
    ["./guard.sh", [], ["guard.sh"]],
    ["sh", ["-c", "true && ./guard.sh"], []],
    ["sh", ["a folder/it's.sh"], ["a folder/it's.sh"]],
    ["sh", ["$x.sh"], ["$x.sh"]],
    ["sh", ["~/guard.sh"], ["~/guard.sh"]],
    ["bash", ["missing.sh"], []],
    ["true", ["hello"], []],
  ];
  it.each(rows)("%s %j", async (command, args, files) => {
    const { write, project, home } = room();
    mkdirSync(join(project, "a folder"));
    for (const name of ["a folder/it's.sh", "$x.sh", "~/guard.sh"]) write(`project/${name}`, REFUSES);
    write("project/.belay/settings.json", {
      hooks: { Stop: [{ hooks: [{ type: "command", command, args }] }] },
    });
    const { hooks } = await configLoader().load(configPlaces({ cwd: project, home, sessionId: "" }));
    const found = hooks.flatMap((hook) => coveredFiles(hook, { project, cwd: project, home }).files);
    expect(found).toEqual(files.map((file) => join(project, file)));
  });
});

describe("the shell that an entry names", () => {
  const cold = '[[ "$(cat)" == *tool_name* ]] && { echo by bash >&2; exit 2; }';
  const warm = `while read -r line; do
    [[ $line =~ ([0-9]+) ]] && echo "{\\"id\\":\\"\${BASH_REMATCH[1]}\\",\\"exitCode\\":2,\\"stderr\\":\\"by bash\\"}"
  done`;
  it.each([
    ["of a cold hook", { command: cold }],
    ["of a warm hook", { command: warm, warm: true }],
  ])("reads the command %s", async (_, entry) => {
    const { decision } = await call(scratch(), { ...entry, shell: "bash" });
    expect(decision).toMatchObject({ kind: "deny", reason: "by bash" });
  });
});

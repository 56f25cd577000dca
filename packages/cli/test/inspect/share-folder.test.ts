import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseYaml } from "../../src/testing/read/yaml.ts";
import { type Scratch, scratch } from "../cli.ts";
import { sharedOf } from "./shared.ts";

const INSIDE = `f=$(sed -n 's/.*"file_path":"\\([^"]*\\)".*/\\1/p'); case "$f" in "$PWD"/*) exit 0;; *) echo "$f is outside" >&2; exit 2;; esac`;
const OF_HOME = `f=$(sed -n 's/.*"file_path":"\\([^"]*\\)".*/\\1/p'); case "$f" in "$HOME"/*) echo "$f is yours" >&2; exit 2;; esac`;
const REWRITES = `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"cd %s"}}}' "$PWD"`;

const write = (path: string) => ["--tool", "Write", "--tool-input", JSON.stringify({ file_path: path })];

async function fired(room: Scratch, command: string, args: readonly string[] = ["--tool", "Bash"]) {
  const hooks = { PreToolUse: [{ hooks: [{ type: "command", command }] }] };
  room.file(".belay/settings.json", JSON.stringify({ hooks }));
  await room.belay(["trust", "--yes"]);
  await room.belay(["run", "PreToolUse", ...args]);
}

/** The last line and the case, of a case that is saved in another project with the same files and hooks. */
async function testedElsewhere(room: Scratch, testCase: string): Promise<string> {
  const other = scratch();
  await other.shell(`cp -a "${room.project}/." .`);
  other.file("case.hooks.yaml", testCase);
  const { code, stdout, stderr } = await other.belay(["test", "case"]);
  return code === 0 ? "" : stdout + stderr + testCase;
}

describe("an event that is about its folder", () => {
  const ROWS: [what: string, command: string, args: (room: Scratch) => readonly string[]][] = [
    ["a payload", INSIDE, ({ project }) => write(`${project}/src/a.ts`)],
    ["a folder beside it", INSIDE, ({ project }) => write(`${project}-two/a.ts`)],
    ["a file of the user's", OF_HOME, ({ home }) => write(`${home}/.ssh/id`)],
    ["a reason", "echo not in $PWD. >&2; exit 2", () => ["--tool", "Bash"]],
    ["a reason that begins with it", "echo $PWD/x is not yours >&2; exit 2", () => ["--tool", "Bash"]],
    ["a rewrite", REWRITES, () => ["--tool", "Bash"]],
  ];

  it.each(ROWS)("is a case that passes on another machine: %s", async (_, command, args) => {
    const room = scratch();
    await fired(room, command, args(room));
    const [shared] = await sharedOf(room);
    expect(await testedElsewhere(room, shared?.testCase ?? "")).toBe("");
    expect(shared?.testCase).not.toMatch(new RegExp(`${room.project}(?!-two)|${room.home}`));
  });
});

describe("an event that is about a folder whose name only holds its own", () => {
  const ROWS: [command: (folder: string) => string, expected: string | undefined][] = [
    [(folder) => `ls /mnt${folder}/x`, undefined],
    [(folder) => `ls ./copy-${folder}`, undefined],
    [(folder) => `ls ..${folder}`, undefined],
    [(folder) => `ls "\${ROOT}${folder}"`, undefined],
    [(folder) => `ls /mnt/${folder}`, undefined],
    [(folder) => `ls -I${folder}/x`, "ls -I{cwd}/x"],
    [(folder) => `PATH=${folder}/bin:${folder} ls file://${folder}`, "PATH={cwd}/bin:{cwd} ls file://{cwd}"],
  ];

  it.each(ROWS)("keeps that name, and no other: %s", async (commandIn, expected) => {
    const room = scratch();
    const command = commandIn(room.project);
    await fired(room, "true", ["--tool", "Bash", "--tool-input", JSON.stringify({ command })]);
    const [shared] = await sharedOf(room);
    const { value } = await parseYaml(shared?.testCase ?? "");
    expect(value).toMatchObject({ cases: [{ payload: { tool_input: { command: expected ?? command } } }] });
  });
});

describe("an event whose hook reads its folder", () => {
  const ROWS = [
    "test -f package.json && { echo has a package >&2; exit 2; }; exit 0",
    "grep -q secret notes.txt && { echo secret >&2; exit 2; }; exit 0",
    "cd sub && ./g.sh",
  ];

  it.each(ROWS)("is a case that passes in the project's root: %s", async (command) => {
    const room = scratch();
    room.file("package.json", "{}");
    room.file("notes.txt", "secret");
    room.file("sub/g.sh", "#!/bin/sh\necho not here >&2; exit 2\n", 0o755);
    await fired(room, command);
    const [shared] = await sharedOf(room);
    expect(shared?.testCase).toContain("decision: deny");
    expect(await testedElsewhere(room, shared?.testCase ?? "")).toBe("");
  });

  it("says what the copy of the folder is without", async () => {
    const room = scratch();
    await fired(room, "git status --porcelain | grep -q . && exit 2; exit 0");
    const [shared] = await sharedOf(room);
    expect(shared?.lacks).toContain(
      "Commands of hooks took part: the test case gives them a copy of their folder, folder: ., without .git and node_modules.",
    );
  });

  it("does not copy a home, and says that the case has an empty folder", async () => {
    const room = scratch();
    const home = { ...room, project: room.home };
    mkdirSync(`${room.home}/.belay`, { recursive: true });
    await room.shell(
      `cd "${room.home}" && belay run Stop --config "${room.config({
        Stop: [{ hooks: [{ type: "command", command: "echo no >&2; exit 2" }] }],
      })}"; true`,
    );
    const [shared] = await sharedOf(home, ["--config", `${room.project}/hooks.json`]);
    expect(shared?.testCase).not.toContain("folder:");
    expect(shared?.lacks).toContain(
      `Commands of hooks took part in ${room.home}: the test case gives them an empty folder.`,
    );
  });

  it("says nothing of folders where no command ran", async () => {
    const room = scratch();
    const config = room.config({ Stop: [{ hooks: [{ type: "json", json: {} }] }] });
    await room.belay(["run", "Stop", "--config", config]);
    const [shared] = await sharedOf(room);
    expect(`${shared?.testCase} ${shared?.lacks}`).not.toContain("folder");
  });
});

describe("an event whose hook was not trusted", () => {
  it("says that a test case runs it", async () => {
    const room = scratch();
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: "echo no >&2; exit 2" }] }] };
    room.file(".belay/settings.json", JSON.stringify({ hooks }));
    await room.belay(["run", "PreToolUse", "--tool", "Bash"]);
    const [shared] = await sharedOf(room);
    expect(shared?.lacks).toContain(
      "1 hook did not run, as it was not trusted: a test case runs it, and may decide otherwise.",
    );
  });
});

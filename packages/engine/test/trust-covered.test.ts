import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { coveredFiles } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";
import { type Scratch, scratch, settings } from "./scratch.ts";
import { hooksOf, PROJECT } from "./trust-project.ts";

/*
 * Trust covers the entry as it is written, the scripts that it names, and the code in the hooks folder that such a script
 * stands in. "files" adds to this, or takes away. Nothing else.
 */

const PROGRAM = "#!/bin/sh\n";

async function covered(room: Scratch, hook: object, cwd = room.project) {
  room.write(PROJECT, settings("Stop", hook));
  const [first] = await hooksOf(room);
  if (!first) throw new Error("no hook was read");
  const folders = { project: room.project, cwd, home: room.home };
  const { files, tooMuch } = coveredFiles(first, folders);
  return { files: files.map((file) => file.replace(`${room.project}/`, "")), tooMuch };
}

function withFiles(files: Readonly<Record<string, string>>): Scratch {
  const room = scratch();
  for (const [file, text] of Object.entries(files)) room.write(`project/${file}`, text);
  return room;
}

describe("the scripts that a command names", () => {
  const rows: [command: string, files: string[]][] = [
    ["./guard.sh", ["guard.sh"]],
    ["guard.sh --strict; true", ["guard.sh"]],
    ["python3 'my tools/a guard.py'", ["my tools/a guard.py"]],
    ["./my\\ tools/a\\ guard.py", ["my tools/a guard.py"]],
    ['"$CLAUDE_PROJECT_DIR"/guard.sh', ["guard.sh"]],
    ["sh ${BELAY_PROJECT_DIR}/guard.sh", ["guard.sh"]],
    ["${CLAUDE_PROJECT_DIR:-.}/guard.sh", ["guard.sh"]],
    ["${GUARD:-./guard.sh}", ["guard.sh"]],
    ["GUARD=guard.sh; sh $GUARD", ["guard.sh"]],
    ["node --import=./lib.mjs -e 0", ["lib.mjs"]],
    ['"$(git rev-parse --show-toplevel)/guard.sh"', ["guard.sh"]],
    ["`pwd`/guard.sh", ["guard.sh"]],
    ["${D:-./tools}/real.sh", ["tools/real.sh"]],
    ["cd tools && ./real.sh", ["tools/real.sh"]],
    ['D=tools; "$D"/real.sh', ["tools/real.sh"]],
    [`echo "\${x:-it's}"; ./guard.sh`, ["guard.sh"]],
    ["cat <<X\nisn't it\nX\n./guard.sh", ["guard.sh"]],
    ["echo $'don\\'t'; ./guard.sh", ["guard.sh"]],
    ["node --import file://$BELAY_PROJECT_DIR/lib.mjs", ["lib.mjs"]],
    ["$ROOT/guard.sh", ["guard.sh"]],
    ["echo $(./guard.sh) | (sh lib.mjs)", ["guard.sh", "lib.mjs"]],
    ["sh<guard.sh>out.log 2>&1&", ["guard.sh"]],
    [". ./guard.sh && ./tool", ["guard.sh", "tool"]],
    ["./../project/guard.sh", ["guard.sh"]],
    // Data is not covered, whatever a command does with it.
    ["grep -q x package-lock.json .env notes.md guard.pyc out.log plain", []],
    // Words inside a string of code are not looked at.
    ["python3 -c 'exec(open(\"guard.sh\").read())'", []],
    ["sh -c './guard.sh --strict'", []],
    ["true # ./guard.sh", []],
    ["/bin/sh -c true", []],
  ];
  it.each(rows)("%s", async (command, files) => {
    const room = withFiles({
      "guard.sh": "",
      "lib.mjs": "",
      "tools/real.sh": "",
      "my tools/a guard.py": "",
      "package-lock.json": "{}",
      ".env": "A=1",
      "notes.md": "",
      "guard.pyc": "",
      "out.log": "",
      plain: "text",
    });
    room.write("project/tool", PROGRAM, 0o755);
    expect((await covered(room, { type: "command", command })).files).toEqual(files);
  });

  it("in args, as they are written, and in a module", async () => {
    const room = withFiles({ "guard.sh": "", ".belay/guard.mjs": "" });
    const args = ["-x", "${BELAY_PROJECT_DIR}/guard.sh"];
    expect((await covered(room, { type: "command", command: "sh", args })).files).toEqual(["guard.sh"]);
    const module = { type: "module", module: "./guard.mjs" };
    expect((await covered(room, module)).files).toEqual([".belay/guard.mjs"]);
  });

  it("from the event's working folder, wherever that is, and from the project's", async () => {
    const room = withFiles({ "guard.sh": "", "sub/guard.sh": "" });
    room.write("elsewhere/guard.sh", "");
    const hook = { type: "command", command: "./guard.sh" };
    expect((await covered(room, hook, join(room.project, "sub"))).files).toEqual([
      "guard.sh",
      "sub/guard.sh",
    ]);
    const elsewhere = join(room.root, "elsewhere");
    expect((await covered(room, hook, elsewhere)).files).toEqual([join(elsewhere, "guard.sh"), "guard.sh"]);
    // A folder called hooks where the agent works now is none that the entry names.
    room.write("project/sub/hooks/useState.ts", "");
    room.write("project/hooks/real.sh", "");
    const there = join(room.project, "sub");
    expect((await covered(room, { type: "command", command: "hooks/real.sh" }, there)).files).toEqual([
      "hooks/real.sh",
    ]);
  });

  it("behind a link, by its name and by what it leads to", async () => {
    const room = withFiles({ "tools/real.sh": "" });
    room.write("elsewhere/shared.sh", "");
    symlinkSync("tools/real.sh", join(room.project, "guard.sh"));
    symlinkSync(join(room.root, "elsewhere/shared.sh"), join(room.project, "shared.sh"));
    const hook = { type: "command", command: "./guard.sh; ./shared.sh" };
    expect((await covered(room, hook)).files).toEqual(["guard.sh", "shared.sh", "tools/real.sh"]);
  });

  it("not more than ten thousand paths", async () => {
    const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join(" ");
    const command = `ls a b c ${words(2600)}`;
    const room = withFiles({ "a/x": "", "b/x": "", "c/x": "" });
    const { tooMuch } = await covered(room, { type: "command", command });
    expect(tooMuch).toBe("its command leads to more than 10000 paths: move it into a script");
    expect((await covered(scratch(), { type: "command", command })).tooMuch).toBeUndefined();
  });
});

describe("the hooks folder", () => {
  const FILES = {
    ".belay/hooks/guard.sh": ". ./lib.sh",
    ".belay/hooks/lib.sh": "",
    ".belay/hooks/deep/policy.py": "",
    ".belay/hooks/deep/__pycache__/policy.cpython-311.pyc": "",
    ".belay/hooks/node_modules/x/index.js": "",
    ".belay/hooks/tool": PROGRAM,
    ".belay/hooks/state.json": "{}",
    ".belay/hooks/README": "words",
    "other/hooks/x.sh": "",
  };
  const CODE = ["deep/policy.py", "guard.sh", "lib.sh", "tool"].map((file) => `.belay/hooks/${file}`);

  it.each([
    [".belay/hooks/guard.sh", CODE],
    ["node .belay/hooks/deep/policy", CODE],
    ["cd .belay/hooks && ./guard.sh", CODE],
    ["sh .belay/hooks/$NAME.sh", CODE],
    ["echo >> .belay/hooks/out.log", CODE],
    ["true", []],
  ])("%s", async (command, files) => {
    expect((await covered(withFiles(FILES), { type: "command", command })).files).toEqual(files);
  });

  it("is none when it is the project's own folder, and none outside of the project", async () => {
    const room = scratch();
    room.write(
      "hooks/.belay/settings.json",
      settings("Stop", { type: "command", command: "./a.sh ../../hooks/b.sh" }),
    );
    room.write("hooks/a.sh", "");
    room.write("hooks/c.sh", "");
    const project = join(room.root, "hooks");
    const [hook] = await hooksOf(room, project);
    const { files } = coveredFiles(hook as never, { project, cwd: project, home: room.home });
    expect(files).toEqual([join(project, "a.sh")]);
  });

  it("may be a link, and one that leads back to itself ends", async () => {
    const room = withFiles({ "shared/guard.sh": "" });
    symlinkSync("../shared", join(room.root, "project/shared/loop"));
    symlinkSync("shared", join(room.project, "hooks"));
    expect((await covered(room, { type: "command", command: "hooks/guard.sh" })).files).toEqual([
      "hooks/guard.sh",
      "shared/guard.sh",
    ]);
  });

  it("that holds too much cannot be trusted until it is narrowed", async () => {
    const room = withFiles({ "hooks/guard.sh": "" });
    for (let n = 0; n < 501; n += 1) room.write(`project/hooks/generated/${n}.js`, "");
    const hook = { type: "command", command: "hooks/guard.sh" };
    expect((await covered(room, hook)).tooMuch).toMatch(/hooks holds more than 500 files or 5 MB .*"files"/);
    const narrowed = { ...hook, files: ["!hooks/generated/**"] };
    expect(await covered(room, narrowed)).toEqual({ files: ["hooks/guard.sh"] });
  });
});

it("files of the entry add to it, and take away", async () => {
  const room = withFiles({
    "hooks/guard.sh": "",
    "hooks/draft.sh": "",
    "policy/a.json": "",
    "policy/b.log": "",
    "policy/deep/c.txt": "",
  });
  const files = ["policy/**", "!policy/*.log", "!hooks/draft.sh"];
  expect((await covered(room, { type: "command", command: "hooks/guard.sh", files })).files).toEqual([
    "hooks/guard.sh",
    "policy/a.json",
    "policy/deep/c.txt",
  ]);
});

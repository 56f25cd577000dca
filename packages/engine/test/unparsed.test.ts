import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratch } from "./scratch.ts";

/** Two lines that every shell runs, then what none can read. */
const BROKEN = "echo started\n: ok\nif then\n";
const GUARDS = {
  "g.sh": BROKEN,
  "my guard.sh": BROKEN,
  "traced.sh": `set -x\n${BROKEN}`,
  "direct.sh": `#!/bin/sh\n${BROKEN}`,
  "direct.bash": `#!/usr/bin/env bash\n${BROKEN}`,
  "nobody.sh": BROKEN,
  "hooks/deep.sh": BROKEN,
  "answers.sh": `echo '{"decision":"block"}'\n${BROKEN}`,
  "chatty.sh": `head -c 9000 /dev/zero | tr '\\0' x >&2; echo >&2\n${BROKEN}`,
  "fine.sh": "sh -n -c 'if true; then' || exit 2\n",
  "piped.sh": 'printf "echo )" | sh -n || exit 2\n',
  "linter.sh": "#!/bin/sh\nsh -n g.sh || exit 2\n",
  "evals.sh": "eval 'echo )' || exit 2\n",
  "sources.sh": ". ./g.sh\n",
  "glob.sh": "shopt -s extglob\ncase x in @(a|b)) : ;; esac\nsh -n g.sh || exit 2\n",
  "attached.sh": "sh -n -c 'if true; then' || exit 2\nexit 0\nif then\n",
  "says.py": "#!/usr/bin/env python3\nimport os, sys\nos.system('sh -n g.sh')\nsys.exit(2)\n",
  "twice.sh": `echo ran >> count\n${BROKEN}`,
} as const;

async function fired(entry: object) {
  const room = scratch();
  for (const [name, text] of Object.entries(GUARDS)) room.write(`project/${name}`, text, 0o755);
  const engine = await room.engineFor("PreToolUse", [{ type: "command", ...entry }]);
  const { decision, diagnostics } = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
  const said = diagnostics.find(({ code }) => code === "run-script-syntax")?.message;
  return {
    room,
    decision: decision.kind,
    unread: said?.replace(/^.* cannot read (.*?): .*$/s, "$1").replaceAll(room.project, "<project>"),
  };
}

describe("exit 2 of a shell that could not read the hook", () => {
  const OWN: readonly [command: string, unread: string, args?: readonly string[]][] = [
    ["sh g.sh", '"g.sh"'],
    ["bash g.sh", '"g.sh"'],
    ["sh g.sh -n", '"g.sh"'],
    ["bash -x g.sh --strict", '"g.sh"'],
    ['test -n "$HOME" && sh g.sh', '"g.sh"'],
    ["LC_ALL=xx_YY bash g.sh", '"g.sh"'],
    ['sh "my guard.sh"', '"my guard.sh"'],
    ["bash traced.sh", '"traced.sh"'],
    ["sh traced.sh", '"traced.sh"'],
    ["bash answers.sh", '"answers.sh"'],
    ["sh chatty.sh", '"chatty.sh"'],
    ["./direct.sh", '"./direct.sh"'],
    ["./direct.bash -n --strict", '"./direct.bash"'],
    ["true && ./nobody.sh", '"./nobody.sh"'],
    ['"$BELAY_PROJECT_DIR"/direct.sh', '"<project>/direct.sh"'],
    ['true && (timeout 5 sh "$BELAY_PROJECT_DIR/g.sh")', '"<project>/g.sh"'],
    ["cd hooks && sh ./deep.sh", '"./deep.sh"'],
    ["bash -c 'cd hooks && bash deep.sh'", '"deep.sh"'],
    ['sh "$(pwd)/hooks/deep.sh"', '"<project>/hooks/deep.sh"'],
    ["D=hooks; bash $D/deep.sh", '"hooks/deep.sh"'],
    ['S="$BELAY_PROJECT_DIR"/hooks/deep.sh; sh "$S"', '"<project>/hooks/deep.sh"'],
    [". ./g.sh", '"./g.sh"'],
    ["bash -c 'source ./g.sh'", '"./g.sh"'],
    ["sh < g.sh", '"g.sh"'],
    ["bash -c 'true && bash g.sh'", '"g.sh"'],
    ["bash", '"g.sh"', ["g.sh"]],
    ["bash", "its command", ["-c", "echo )"]],
    ["bash -c 'echo )'", "its command"],
    ["true; sh -c 'if then'", "its command"],
    ["echo )", "its command"],
    ["echo 'x", "its command"],
    ["grep -q rm && { exit 2", "its command"],
  ];
  it.each(OWN)("is told, and denies: %s", async (command, unread, args) => {
    expect(await fired({ command, ...(args && { args }) })).toMatchObject({ decision: "deny", unread });
  });

  const OTHERS: readonly [what: string, command: string][] = [
    ["a guard that has a shell read a command", "sh fine.sh"],
    ["the same in bash", "bash fine.sh"],
    ["one that pipes it to a shell", "sh piped.sh"],
    ["the same in bash", "bash piped.sh"],
    ["a guard that has a broken script read", "./linter.sh g.sh"],
    ["a guard's eval", "sh evals.sh"],
    ["a script that another one runs", "bash sources.sh"],
    ["a script that parses by what it sets", "bash glob.sh"],
    ["what a guard never comes to", "sh attached.sh"],
    ["a guard that is no shell's", "./says.py"],
    ["the same, behind its interpreter", "python3 says.py"],
    ["a command that has a script read", "sh -n g.sh || exit 2"],
    ["the same, by its long name", "bash -o noexec g.sh || exit 2"],
    ["the same, from stdin", "bash -en < g.sh || exit 2"],
    ["a command that has another one read", "/bin/sh -n -c 'if true; then' || exit 2"],
    ["the same, in one option", "bash -nc 'if true; then' || exit 2"],
    ["a command that the environment holds", 'x="echo )"; sh -c "$x" || exit 2'],
    ["words like a shell's", "echo 'g.sh: 1: Syntax error: mind your words' >&2; exit 2"],
    ["a refusal", "echo no >&2; exit 2"],
  ];
  it.each(OTHERS)("is not told of %s: %s", async (_, command) => {
    expect(await fired({ command })).toMatchObject({ decision: "deny", unread: undefined });
  });

  it("is not told of another exit code", async () => {
    expect(await fired({ command: "sh g.sh || exit 1" })).toMatchObject({ unread: undefined });
  });

  it("is found without running the hook again", async () => {
    const { room, unread } = await fired({ command: "bash -i twice.sh" });
    expect(unread).toBe('"twice.sh"');
    expect(readFileSync(`${room.project}/count`, "utf8")).toBe("ran\n");
  });
});

describe("what a hook prints, which may be what an agent gave it,", () => {
  /** A sound guard that repeats the call it refuses, beside a script of its name that names an interpreter of the project. */
  async function refused(command: string, call: string, shebang: string) {
    const room = scratch();
    room.write("project/guard.sh", "#!/bin/sh\ncat >&2\nexit 2\n", 0o755);
    room.write("project/docs/guard.sh", `${shebang}\nfi\n`, 0o755);
    room.write("project/docs/bash", "#!/bin/sh\necho ran > ran.txt\n", 0o755);
    const engine = await room.engineFor("PreToolUse", [{ type: "command", command }]);
    const { decision, diagnostics } = await engine.fire("PreToolUse", { ...CALL, tool_input: { call } });
    const codes = diagnostics.map(({ code }) => code);
    return { decision: decision.kind, codes, ran: existsSync(join(room.project, "ran.txt")) };
  }
  const CALL = { tool_name: "Bash" };
  const SAID = '\n"docs/guard.sh: 2: Syntax error: \\"fi\\" unexpected';
  const ROWS = ["./guard.sh", "sh guard.sh", '"$BELAY_PROJECT_DIR"/guard.sh', 'sh "$(pwd)"/guard.sh'];
  it.each(ROWS)("starts no program of the project: %s", async (command) => {
    const { decision, ran } = await refused(command, SAID, "#!docs/bash");
    expect([decision, ran]).toEqual(["deny", false]);
  });
  it.each(ROWS.slice(0, 3))("does not make a sound guard a broken one: %s", async (command) => {
    expect(await refused(command, SAID, "#!/bin/sh")).toMatchObject({ decision: "deny", codes: [] });
  });
});

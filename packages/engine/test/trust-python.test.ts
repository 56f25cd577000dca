import type { Hook } from "@belay/core";
import { describe, expect, it } from "vitest";
import { growthOf, LINEAR } from "../../core/test/growth.ts";
import { filesOf } from "../src/config/named-files.ts";
import { pythonImports } from "../src/config/python-imports.ts";
import { openSearch } from "../src/config/search.ts";
import { codes, says, scratch, settings } from "./scratch.ts";
import { PROJECT, ran } from "./trust-project.ts";

/** What of Python is a hook's script and what is not; imported files are in trust-imports.test.ts. */

describe("none of a hook's scripts", () => {
  const rows: [what: string, command: string, edited: string][] = [
    ["what the folder runs as", 'python3 "$CLAUDE_PROJECT_DIR"/hooks/x.py', "__main__.py"],
    ["the package that the folder is", 'python3 -c "import json, sys; sys.exit()"', "__init__.py"],
    ["a package that is looked through", "python3 -m mypy app || true", "app/__init__.py"],
    ["a program that is looked through", "python3 -m mypy app || true", "app/__main__.py"],
    ["one behind an option", "python3 -mmypy --strict app || true", "app/__main__.py"],
    ["one that a script looks through", 'python3 "$CLAUDE_PROJECT_DIR"/hooks/x.py app', "app/__main__.py"],
    ["one that code looks through", "python3 -c 'pass' app", "app/__main__.py"],
    ["one that is named as no module is", 'python3 "$CLAUDE_PROJECT_DIR"/hooks/x.py', "hooks/re.txt"],
    ["one where Python does not look", 'python3 "$CLAUDE_PROJECT_DIR"/hooks/x.py', "re.py"],
    ["a folder that is no package", 'python3 -c "import json"', "code/x.py"],
    ["what was compiled of a source", 'python3 "$CLAUDE_PROJECT_DIR"/hooks/x.py', "hooks/policy.pyc"],
    ["one that a tool looks through", "uv run ruff check src/app || true", "src/app/__main__.py"],
  ];
  it.each(rows)("%s: %s", async (_what, command, edited) => {
    const room = scratch();
    room.write("project/hooks/x.py", "import json, policy");
    room.write("project/hooks/policy.py", "");
    room.write(`project/${edited}`, "");
    room.write(PROJECT, settings("Stop", { type: "command", command }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    room.write(`project/${edited}`, "pass");
    expect(await ran(room)).toBe(true);
  });
});

describe("an import is found in every spelling", () => {
  const rows: [what: string, command: string, files: Record<string, string>, edited: string][] = [
    ["of Python, behind a mark", "python3 .belay/a.py", { "a.py": "\ufeffimport b", "b.py": "" }, "b.py"],
    [
      "of Python, in other letters",
      "python3 .belay/a.py",
      { "a.py": "import règles", "règles.py": "" },
      "règles.py",
    ],
    [
      "from it, in other letters",
      "python3 .belay/a.py",
      { "a.py": "from règles import x", "règles.py": "" },
      "règles.py",
    ],
    ["of Python, all of it", "python3 .belay/a.py", { "a.py": "from b import*", "b.py": "" }, "b.py"],
    ["of Python, in brackets", "python3 .belay/a.py", { "a.py": "from b import(c)", "b/c.py": "" }, "b/c.py"],
    [
      "of Python, behind a dot",
      "python3 .belay/a.py",
      { "a.py": "import b.c", "b/c.py": "from .import d", "b/d.py": "" },
      "b/d.py",
    ],
    [
      "of Python, on the next line",
      "python3 .belay/a.py",
      { "a.py": "from b \\\n import c", "b.py": "" },
      "b.py",
    ],
    ["a module of another name", "cd .belay; python3 -m my-guard", { "my-guard.py": "" }, "my-guard.py"],
    [
      "a module by a long option",
      "cd .belay; uv() { true; }; uv run --module a.b",
      { "a/b.py": "" },
      "a/b.py",
    ],
  ];
  it.each(rows)("%s", async (_what, command, files, edited) => {
    const room = scratch();
    for (const [name, text] of Object.entries(files)) room.write(`project/.belay/${name}`, text);
    room.write(PROJECT, settings("Stop", { type: "command", command }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    room.write(`project/.belay/${edited}`, "pass");
    expect(await ran(room)).toBe(false);
  });
});

describe("a new file of the name of a module of Python's library is one of a hook's scripts", () => {
  const rows: [command: string, added: string][] = [
    ["python3 hooks/x.py", "hooks/re.py"],
    ["python3 hooks/x.py", "hooks/re/__init__.py"],
    ["python3 hooks/x.py", "hooks/_json.cpython-312-x86_64-linux-gnu.so"],
    ['python3 -c "import json"', "re.py"],
    ["cd hooks; python3 -m x", "hooks/re.py"],
    ["python3 many/x.py", "many/re.py"],
    ["python3 .claude/g.py", ".claude/json.py"],
  ];
  it.each(rows)("%s: %s", async (command, added) => {
    const room = scratch();
    for (const file of ["hooks/x.py", "many/x.py", ".claude/g.py"])
      room.write(`project/${file}`, "import json");
    const others = command.includes("many") ? 2100 : 0;
    for (let n = 0; n < others; n += 1) room.write(`project/many/${n}`, "");
    room.write(PROJECT, settings("Stop", { type: "command", command }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    room.write(`project/${added}`, "pass");
    expect(await ran(room)).toBe(false);
  });
});

describe("a folder that Python is only given is none that it imports from", () => {
  const rows: [runs: boolean, command: string][] = [
    [true, "python3 -m compileall -q src/app >&2"],
    [true, "python3 -m black -q src/app || true"],
    [true, 'cd "$CLAUDE_PROJECT_DIR" && python3 -m mypy src/app || true'],
    [true, "cd $(git rev-parse --show-toplevel) && python3 -m mypy src/app || true"],
    [true, "PYTHONPATH=.:$PYTHONPATH python3 -m mypy src/app || true"],
    [true, "ls src/app; python3 -c 'import sys'"],
    [true, `python3 -c "import json, sys; print('src/app' in sys.argv)"`],
    [true, "python3 .claude/g.py --rules src/app/rules.json"],
    [true, "python3 .claude/g.py src/app"],
    [false, "python3 src/app/g.py"],
    [false, "python3 src/app"],
    [false, "env python3 -u src/app/g.py"],
    [false, "cat src/app/g.py | python3"],
    [false, "uv() { true; }; uv run src/app/g.py"],
    [false, "poetry() { true; }; poetry run python src/app/g.py"],
    [false, "cd src/app; python3 -c 'import json'"],
    [false, "cd -P src; cd app; python3 -m json.tool --help"],
    [false, 'cd "$(git rev-parse --show-toplevel)/src/app"; python3 -m json.tool --help'],
    [false, "D=src/app; cd $D; python3 -c 'import json'"],
    [false, `sh -c 'cd "$0"; python3 -c "import json"' src/app`],
    [false, "env -C src/app python3 -c 'import json'"],
    [false, "uv() { true; }; uv run --directory=src/app python -c 'import json'"],
    [false, "PYTHONPATH=src/app python3 -c 'import json'"],
    [false, "pwsh() { true; }; pwsh -c '$env:PYTHONPATH=\"src/app\"; python -m json.tool'"],
    [false, "fish() { true; }; fish -c 'set -x PYTHONPATH src/app; python3 -m json.tool'"],
    [false, ': "${PYTHONPATH:=src/app}"; export PYTHONPATH; python3 -m json.tool --help'],
    [
      false,
      "env -- python3 -c \"import os; os.environ['PYTHONPATH']='src/app'; os.system('python3 -m json.tool -h')\"",
    ],
    [false, "export PYTHONPATH=$PYTHONPATH:src/app; python3 -m json.tool --help"],
    [false, "D=src/app; PYTHONPATH=.:$D python3 -c 'import json'"],
    [false, "python3 -c 'import os; os.chdir(\"src/app\"); import json'"],
    [false, "python3 -c 'import sys; sys.path[:0] = [\"src/app\"]; import json'"],
  ];
  it.each(rows)("%j: %s", async (runs, command) => {
    const room = scratch();
    for (const folder of ["src/app", ".claude"]) room.write(`project/${folder}/g.py`, "import json");
    for (const name of ["models.py", "__main__.py"]) room.write(`project/src/app/${name}`, "import json");
    room.write("project/src/app/types.py", "from .models import X");
    room.write("project/src/app/rules.json", "{}");
    room.write(PROJECT, settings("Stop", { type: "command", command }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    room.write("project/src/app/models.py", "import json, sys");
    expect(await ran(room)).toBe(runs);
  });
});

describe("what Python takes before the source of a module, or has without it, is one of a hook's scripts", () => {
  const rows: [command: string, added: string][] = [
    ["python3 hooks/x.py", "hooks/policy.so"],
    ["python3 hooks/x.py", "hooks/policy.cpython-312-x86_64-linux-gnu.so"],
    ["python3 hooks/x.py", "hooks/policy.abi3.so"],
    ["python3 hooks/x.py", "hooks/policy.pyd"],
    ["python3 hooks/x.py", "hooks/policy/__init__.so"],
    ["python3 hooks/x.py", "hooks/alone.pyc"],
    ["python3 hooks/x.py", "hooks/json/__init__.so"],
    ["cd hooks; python3 -m policy", "hooks/policy.so"],
    ["cd hooks; python3 -m policy", "hooks/policy/__main__.pyc"],
    ["python3 hooks", "hooks/__main__.so"],
    ["python3 many/x.py", "many/policy.so"],
  ];
  it.each(rows)("%s: %s", async (command, added) => {
    const room = scratch();
    for (const folder of ["hooks", "many"]) {
      room.write(`project/${folder}/x.py`, "import policy, alone");
      room.write(`project/${folder}/policy.py`, "");
      room.write(`project/${folder}/__main__.py`, "");
    }
    const others = command.includes("many") ? 2100 : 0;
    for (let n = 0; n < others; n += 1) room.write(`project/many/${n}`, "");
    room.write(PROJECT, settings("Stop", { type: "command", command }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    room.write(`project/${added}`, "");
    expect(await ran(room)).toBe(false);
  });
});

describe("a script whose imports are made to be hard to find is one that was edited", () => {
  const dotted = (parts: number) => "a.".repeat(parts).slice(0, -1);
  const rows: [what: string, text: string][] = [
    ["very many dots", `from ${".".repeat(12_000)} import x`],
    ["a deep package", `from ${dotted(400)} import ${"c,".repeat(400)}c`],
    ["a deep module", `import ${dotted(1500)}`],
    ["very many modules", `import ${Array.from({ length: 20_000 }, (_, n) => `a${n}`).join()}`],
    [
      "very many on one line",
      `import ${"a,".repeat(4_000_000)}${Array.from({ length: 20_000 }, (_, n) => `a${n}`).join()}`,
    ],
    ["very many of one package", `import ${Array.from({ length: 300_000 }, (_, n) => `a.a${n}`).join()}`],
  ];
  it.each(rows)("%s", async (_what, text) => {
    const room = scratch();
    const guard = { type: "command", command: "python3 guard.py", onFailure: "block", name: "guard" };
    room.write("project/guard.py", "");
    room.write(PROJECT, settings("PreToolUse", guard));
    room.write("home/.belay/settings.json", settings("PreToolUse", says("asked", { name: "other" })));
    await room.trustAll();
    const engine = await room.engine();
    const fire = () => engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
    expect((await fire()).blocked).toBe(false);
    room.write("project/guard.py", text);
    await room.trustAll();
    const outcome = await fire();
    expect([outcome.blocked, codes(outcome)]).toEqual([true, ["hook-edited", "run-failure-blocks"]]);
    expect(outcome.runs.map(({ hook }) => hook)).toContain("other");
  });
});

it("whatever goes wrong in the search for the files of a hook, it alone cannot be trusted", async () => {
  const room = scratch();
  room.write(PROJECT, settings("Stop", { type: "command", command: "./guard.sh" }));
  const [listed] = await (await room.engine()).hooks();
  const search = openSearch();
  const broken = {
    ...search,
    stat: () => {
      throw new Error("no disk");
    },
  };
  expect(
    filesOf(listed?.hook as Hook, { project: room.project, cwd: room.project, home: room.home }, broken),
  ).toEqual([]);
  expect(search.unclear).toBe("its files cannot be looked for: no disk");
});

it("a command that imports a deep module cannot be trusted", async () => {
  const room = scratch();
  const command = `python3 -c 'import ${"a.".repeat(8000)}a'`;
  room.write(PROJECT, settings("Stop", { type: "command", command }));
  await room.trustAll();
  expect(codes(await (await room.engine()).fire("Stop"))).toEqual(["hook-untrusted", "hook-not-trustable"]);
});

it.each([
  "import a.a\n",
  "import a,",
  "from . import a\n",
  ";from a import a, a",
  "import \\\n",
  "from from ",
  "from.",
  "from . ",
  "import a\\",
  ":import(",
  "from\\\n",
  "\\\n",
])("a script made of %j is not slow to look through", (piece) => {
  const places = { own: "/p", all: ["/p"], path: ["/p"] };
  const look = (text: string) => pythonImports(text, places, openSearch());
  expect(growthOf(piece.repeat(2000), look)).toBeLessThan(LINEAR);
});

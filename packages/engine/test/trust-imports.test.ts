import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratch, settings } from "./scratch.ts";
import { PROJECT, ran } from "./trust-project.ts";

describe("an edited import asks again", () => {
  const command = (text: string) => ({ type: "command", command: text });
  const module = (file: string) => ({ type: "module", module: file });
  const rows: [name: string, hook: object, files: Record<string, string>, edited: string][] = [
    ["of a module", module("./a.mjs"), { "a.mjs": 'import { b } from "./b.mjs";', "b.mjs": "" }, "b.mjs"],
    [
      "of a module by its folder",
      module("${BELAY_PROJECT_DIR}/.belay/a.mjs"),
      { "a.mjs": 'import { b } from "./b.mjs";', "b.mjs": "" },
      "b.mjs",
    ],
    ["for its effects", module("./a.mjs"), { "a.mjs": "import '../b.js';", "../b.js": "" }, "../b.js"],
    ["exported on", module("./a.ts"), { "a.ts": 'export * from "./b.ts";', "b.ts": "" }, "b.ts"],
    ["loaded when needed", module("./a.mjs"), { "a.mjs": "await import(`./b.mjs`)", "b.mjs": "" }, "b.mjs"],
    ["by require", module("./a.cjs"), { "a.cjs": 'require("./b")', "b.js": "" }, "b.js"],
    ["data", module("./a.cjs"), { "a.cjs": 'require("./b")', "b.json": "{}" }, "b.json"],
    ["a folder", module("./a.cjs"), { "a.cjs": 'require("./b")', "b/index.js": "" }, "b/index.js"],
    ["the folder itself", module("./a.cjs"), { "a.cjs": 'require(".")', "index.js": "" }, "index.js"],
    ["of another alphabet", module("./a.mjs"), { "a.mjs": 'import "./bé.mjs"', "bé.mjs": "" }, "bé.mjs"],
    ["behind a comment", module("./a.mjs"), { "a.mjs": 'import(/* x */ "./b.mjs")', "b.mjs": "" }, "b.mjs"],
    [
      "glued to a comment",
      module("./a.mjs"),
      { "a.mjs": 'export * from/**/"./b.mjs"', "b.mjs": "" },
      "b.mjs",
    ],
    ["on the next line", module("./a.mjs"), { "a.mjs": 'import( // x\n"./b.mjs")', "b.mjs": "" }, "b.mjs"],
    ["with a query", module("./a.mjs"), { "a.mjs": 'import "./b.mjs?v=1"', "b.mjs": "" }, "b.mjs"],
    ["as a URL", module("./a.mjs"), { "a.mjs": 'import "./b%20c.mjs"', "b c.mjs": "" }, "b c.mjs"],
    ["with an escape", module("./a.mjs"), { "a.mjs": 'import "./\\u0062.mjs"', "b.mjs": "" }, "b.mjs"],
    ["with a long escape", module("./a.mjs"), { "a.mjs": 'import "./\\u{62}.mjs"', "b.mjs": "" }, "b.mjs"],
    [
      "with a short escape",
      module("./a.cjs"),
      { "a.cjs": 'require("./\\x62\\.\\152s")', "b.js": "" },
      "b.js",
    ],
    ["TypeScript as .js", module("./a.ts"), { "a.ts": 'import "./b.js";', "b.ts": "" }, "b.ts"],
    ["TypeScript as .mjs", module("./a.ts"), { "a.ts": 'import "./b.mjs";', "b.mts": "" }, "b.mts"],
    ["TypeScript without an ending", module("./a.ts"), { "a.ts": 'import "./b";', "b.ts": "" }, "b.ts"],
    [
      "of an import, in a circle",
      module("./a.mjs"),
      { "a.mjs": 'import "./b.mjs"', "b.mjs": 'import "./a.mjs"; import "./lib/c.mjs"', "lib/c.mjs": "" },
      "lib/c.mjs",
    ],
    ["of a script", command("node .belay/a.js"), { "a.js": 'require("./b")', "b.js": "" }, "b.js"],
    [
      "of a script in quotes",
      command("sh -c 'cd .belay; node a'"),
      { "a.js": "require('./b')", "b.js": "" },
      "b.js",
    ],
    ["a script without its ending", command("node .belay/a"), { "a.js": "" }, "a.js"],
    ["a script that is a folder", command("node .belay/a"), { "a/index.js": "" }, "a/index.js"],
    ["by its name on Debian", command("nodejs() { true; }; nodejs .belay/a"), { "a.js": "" }, "a.js"],
    ["a preload", command("node -r ./.belay/p -e 0"), { "p.js": "" }, "p.js"],
    [
      "of a script that says who reads it",
      command(".belay/a"),
      { a: '#!/usr/bin/env node\nrequire("./b")', "b.js": "" },
      "b.js",
    ],
    ["of Python", command("python3 .belay/a.py"), { "a.py": "import b", "b.py": "" }, "b.py"],
    [
      "of Python, one of many on a line",
      command("python3 .belay/a.py"),
      { "a.py": "import os, sys as s; import json, b as c  # why", "b.py": "" },
      "b.py",
    ],
    [
      "of Python, in a function",
      command("python3 .belay/a.py"),
      { "a.py": "def f():\n\tfrom b import c", "b.py": "" },
      "b.py",
    ],
    [
      "of a Python package",
      command("python3 .belay/a.py"),
      { "a.py": "from b.c import d", "b/c/d.py": "" },
      "b/c/d.py",
    ],
    [
      "that runs because its package is imported",
      command("python3 .belay/a.py"),
      { "a.py": "import b.c", "b/__init__.py": "", "b/c.py": "" },
      "b/__init__.py",
    ],
    [
      "of an import of Python, by its place and by the script's",
      command("python3 .belay/a.py"),
      { "a.py": "import b.c", "b/c.py": "from . import d", "b/d.py": "import e", "e.py": "" },
      "e.py",
    ],
    [
      "of a folder that Python runs",
      command("python3 .belay/a"),
      { "a/__main__.py": "import b", "a/b.py": "" },
      "a/b.py",
    ],
    [
      "a folder that Python runs",
      command("cd .belay && python3 a"),
      { "a/__main__.py": "" },
      "a/__main__.py",
    ],
    ["a module that Python runs", command("cd .belay; python3 -B -m a.b"), { "a/b.py": "" }, "a/b.py"],
    [
      "a package that Python runs",
      command("cd .belay; python3 -ma"),
      { "a/__main__.py": "" },
      "a/__main__.py",
    ],
    ["by code of Python in a command", command("cd .belay; python3 -c 'import a'"), { "a.py": "" }, "a.py"],
    [
      "of an import by code of Python in a command",
      command("cd .belay; python3 -c 'import json; from a.b import c'"),
      { "a/b.py": "import d", "d.py": "" },
      "d.py",
    ],
    [
      "a module in one of several homes",
      command("PYTHONPATH=.belay:$PYTHONPATH python3 -m a"),
      { "a.py": "" },
      "a.py",
    ],
    ["a module in a home of its own", command("PYTHONPATH=.belay python3 -m a"), { "a.py": "" }, "a.py"],
    ["a module, its option glued to others", command("cd .belay; python3 -Im a"), { "a.py": "" }, "a.py"],
    [
      "of a module that Python runs, from where it was found",
      command("cd .belay; python3 -m a.b"),
      { "a/b.py": "import c", "c.py": "" },
      "c.py",
    ],
    [
      "of Python, on a line that goes on",
      command("python3 .belay/a.py"),
      { "a.py": "import os, \\\n  b", "b.py": "" },
      "b.py",
    ],
    [
      "by the package.json of a folder behind options with values",
      command("node -r ./.belay/p.js --title=x .belay/a"),
      { "a/package.json": '{"main":"lib/x"}', "a/lib/x.js": "", "p.js": "" },
      "a/lib/x.js",
    ],
    [
      "by a folder's package.json",
      command("node .belay/a"),
      { "a/package.json": '{"main":"lib/x"}', "a/lib/x.js": "" },
      "a/lib/x.js",
    ],
    [
      "a folder's package.json",
      command("node --no-warnings .belay/a"),
      { "a/package.json": '{"main":"x.js"}', "a/x.js": "", "a/y.js": "" },
      "a/package.json",
    ],
    [
      "an imported folder's package.json",
      command("node .belay/a.cjs"),
      { "a.cjs": 'require("./b")', "b/package.json": '{"main":"c.js"}', "b/c.js": "" },
      "b/c.js",
    ],
    [
      "of Python that a command holds",
      command("cd .belay; python3 - <<'EOF'\nimport json, a\nEOF"),
      { "a.py": "" },
      "a.py",
    ],
    [
      "of a script of Python without an ending",
      command("python3 .belay/a"),
      { a: "import b", "b.py": "" },
      "b.py",
    ],
    [
      "of a script of JavaScript without an ending",
      command("node .belay/a"),
      { a: 'require("./b")', "b.js": "" },
      "b.js",
    ],
    [
      "by the package.json of a folder that code in a command loads",
      command(`node -e "require('./.belay/a')"`),
      { "a/package.json": '{"main":"lib.js"}', "a/lib.js": "" },
      "a/lib.js",
    ],
    [
      "a folder that an option in a variable loads",
      command('NODE_OPTIONS="--require ./.belay/a" node -e 0'),
      { "a/index.js": "" },
      "a/index.js",
    ],
    [
      "the same, glued",
      command("NODE_OPTIONS=--require=./.belay/a node -e 0"),
      { "a/index.js": "" },
      "a/index.js",
    ],
    [
      "the folder that code stands in",
      command(`cd .belay; node -e "const a = 1; require('.')"`),
      { "package.json": '{"main":"a.js"}', "a.js": "" },
      "a.js",
    ],
    [
      "the same, by a require of its own",
      command(`cd .belay; node -e "require('module').createRequire(process.cwd() + '/x')('./')"`),
      { "package.json": '{"main":"a.js"}', "a.js": "" },
      "a.js",
    ],
    [
      "of a script that says Python reads it",
      command(".belay/a"),
      { a: "#!/usr/bin/env python3\nimport b", "b.py": "" },
      "b.py",
    ],
  ];
  it.each(rows)("%s", async (_name, hook, files, edited) => {
    const room = scratch();
    for (const [name, text] of Object.entries(files)) room.write(`project/.belay/${name}`, text, 0o755);
    room.write(PROJECT, settings("Stop", hook));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    room.write(`project/.belay/${edited}`, "/* edited */", 0o755);
    expect(await ran(room)).toBe(false);
  });

  it("one that comes to stand before the one trusted, and one that was missing", async () => {
    const room = scratch();
    room.write("project/.belay/a.cjs", 'require("./b"); try { require("./c") } catch {}');
    room.write("project/.belay/b.json", "{}");
    room.write(PROJECT, settings("Stop", module("./a.cjs")));
    for (const name of ["b.js", "c.js"]) {
      await room.trustAll();
      expect(await ran(room)).toBe(true);
      room.write(`project/.belay/${name}`, "");
      expect(await ran(room)).toBe(false);
    }
  });

  it("two hundred of them, and one that is endless to read, do no harm", async () => {
    const room = scratch();
    const names = Array.from({ length: 200 }, (_, n) => `n${n}.js`);
    for (const name of names) room.write(`project/.belay/${name}`, `from${" ".repeat(1000)}`);
    const text = names.map((name) => `require("./${name}");`).join("\n");
    const slow = ["from ", "from/*", "from//", "from'", "require(/**/"].map((piece) => piece.repeat(50_000));
    room.write("project/.belay/a.js", `${text}\nfrom${" ".repeat(300_000)}\n${slow.join("\n")}`);
    symlinkSync("/dev/zero", join(room.project, ".belay/zero.js"));
    room.write(PROJECT, settings("Stop", command("true node .belay/a.js .belay/zero")));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
  });
});

import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, test } from "vitest";
import { BIN, type Scratch, scratch } from "./cli.ts";
import { inTerminal } from "./tmux.ts";

const UUID = "0b8f1d6e-0000-4000-8000-000000000001";

function project(): Scratch {
  const place = scratch();
  place.file("guard.sh", "#!/bin/sh\ntouch ran\n", 0o755);
  place.file(
    ".belay/settings.json",
    `{ "hooks": { "PreToolUse": [ { "matcher": "Bash|Edit", "hooks": [
  { "type": "command", "command": "./guard.sh --strict", "name": "no-force" } ] } ],
 "Stop": [ { "hooks": [
  { "type": "json", "json": { "systemMessage": "bye" } } ] } ] } }`,
  );
  return place;
}

const LIST = (guard: string, stop: string) => `${guard}  PreToolUse Bash|Edit  no-force
  runs  ./guard.sh --strict
  file  guard.sh (20 bytes)
  from  .belay/settings.json:2

${stop}  Stop
  runs  json {"systemMessage":"bye"}
  from  .belay/settings.json:4

`;

const TRUE = { type: "command", command: "true" };

/** A project with these hooks of one event. */
function withHooks(...hooks: object[]): Scratch {
  const place = scratch();
  place.config({ Stop: [{ hooks }] }, ".belay/settings.json");
  return place;
}

async function runs({ belay }: Scratch, event: string, ...args: string[]): Promise<number> {
  const { stdout } = await belay(["run", event, "--json", ...args]);
  return (JSON.parse(stdout) as { runs: unknown[] }).runs.length;
}

describe("trust", () => {
  test("without a terminal and without --yes it only lists, and names the next command", async () => {
    const place = project();
    expect(await place.belay(["trust"])).toEqual({
      code: 1,
      stdout: `${LIST("new", "new")}2 new hooks not trusted. Next, on a terminal or with --yes:\n  belay trust --yes\n`,
      stderr: "",
    });
    expect(await runs(place, "PreToolUse")).toBe(0);
  });

  test("trust that cannot be kept is no trust, and leaves nothing behind", async () => {
    const place = project();
    const file = join(place.home, ".belay", "trust.json");
    mkdirSync(file, { recursive: true });
    const { code, stderr } = await place.belay(["trust", "--yes"]);
    const why = `${file} cannot be read: it is a folder; move it away`;
    expect([code, stderr]).toEqual([1, `belay: nothing was trusted: ${why}\n`]);
    expect(readdirSync(join(place.home, ".belay"))).toEqual(["trust.json"]);
  });

  test("arguments are shown as they are given, with the scripts they name", async () => {
    const place = project();
    const hooks = [{ type: "command", command: "bash", args: ["./guard.sh", "a; b"] }];
    place.config({ Stop: [{ hooks }] }, ".claude/settings.json");
    const { stdout } = await place.belay(["trust", "--dialect", "claude-code"]);
    expect(stdout).toContain(
      "new  Stop\n  runs without a shell  bash ./guard.sh 'a; b'\n  file  guard.sh (20 bytes)\n",
    );
  });

  test("--yes trusts what it shows; then there is nothing to do", async () => {
    const place = project();
    expect(await place.belay(["trust", "--yes"])).toEqual({
      code: 0,
      stdout: `${LIST("new", "new")}Trusted 2 hooks. An edit of an entry or of its code asks again. Next:\n  belay run PreToolUse\n`,
      stderr: "",
    });
    expect(await runs(place, "PreToolUse")).toBe(1);
    expect(await place.belay(["trust"])).toMatchObject({
      code: 0,
      stdout: `${LIST("trusted", "trusted")}2 hooks trusted as they are: nothing to do.\n`,
    });
  });

  test("what was edited is trusted again, and counted alone", async () => {
    const place = project();
    await place.belay(["trust", "--yes"]);
    place.file("guard.sh", "#!/bin/sh\ntouch bad\n", 0o755);
    expect(await runs(place, "PreToolUse")).toBe(0);
    const { stdout } = await place.belay(["trust", "--yes"]);
    expect(stdout).toContain(LIST("changed", "trusted").replace("(20 bytes)", "(20 bytes, edited since)"));
    expect(stdout).toContain("Trusted 1 hook.");
    expect(await runs(place, "PreToolUse")).toBe(1);
  });

  test.each([["BELAY_AGENT"], ["CLAUDECODE"], ["GEMINI_CLI"]])(
    "an agent does not trust itself: %s",
    async (name) => {
      const place = project();
      for (const args of [["--yes"], ["--revoke"]]) {
        const { code, stderr } = await place.belay(["trust", ...args], { env: { [name]: "1" } });
        expect(stderr).toContain(`${name} says that this is an agent's tool call`);
        expect(code).toBe(1);
      }
      expect(await runs(place, "PreToolUse")).toBe(0);
    },
  );

  test("entries that are gone are trusted no longer, once that was looked at", async () => {
    const place = project();
    const settings = readFileSync(join(place.project, ".belay/settings.json"), "utf8");
    await place.belay(["trust", "--yes"]);
    place.file(".belay/settings.json", "{}");
    expect((await place.belay(["trust"])).stdout).toContain("nothing to trust");
    place.file(".belay/settings.json", settings);
    expect(await runs(place, "PreToolUse")).toBe(0);
  });

  test("--revoke takes the trust back, from the hooks that are named or from all", async () => {
    const place = project();
    await place.belay(["trust", "--yes"]);
    expect((await place.belay(["trust", "--revoke", "no-force"])).stdout).toBe(
      "1 entry is no longer trusted.\n",
    );
    expect([await runs(place, "PreToolUse"), await runs(place, "Stop")]).toEqual([0, 1]);
    expect((await place.belay(["trust", "--revoke", "json"])).code).toBe(0);
    expect(await runs(place, "Stop")).toBe(0);
    expect((await place.belay(["trust", "--revoke"])).stdout).toBe("Nothing of that was trusted.\n");
    // Also of a version that was edited since, of a hook that is gone, and where the settings cannot be read.
    const settings = readFileSync(join(place.project, ".belay/settings.json"), "utf8");
    for (const edit of [settings.replace("--strict", "--loose"), "{}", "{ broken"]) {
      place.file(".belay/settings.json", settings);
      await place.belay(["trust", "--yes"]);
      place.file(".belay/settings.json", edit);
      await place.belay(["trust", "--revoke", ...(edit === "{ broken" ? [] : ["no-force"])]);
      place.file(".belay/settings.json", settings);
      expect(await runs(place, "PreToolUse")).toBe(0);
    }
    const { code, stderr } = await place.belay(["trust", "--revoke", "nobody"]);
    expect(stderr).toContain('no hook called "nobody"; belay trust lists them');
    expect(code).toBe(1);
  });

  test("a session's hooks are listed with the session", async () => {
    const place = scratch();
    place.config({ Stop: [{ hooks: [TRUE] }] }, `.belay/hooks/hooks.${UUID}.json`);
    expect(await place.belay(["trust"], { env: { COLUMNS: "200" } })).toMatchObject({
      code: 0,
      stdout: `This project has no hooks of its own, so there is nothing to trust; found hooks of session ${UUID}; try: belay trust --session ${UUID}\n`,
    });
    const listed = await place.belay(["trust", "--session", UUID]);
    expect(listed.stdout).toContain(`belay trust --session ${UUID} --yes`);
    expect((await place.belay(["trust", "--session", UUID, "--yes"])).code).toBe(0);
    expect(await runs(place, "Stop", "--session", UUID)).toBe(1);
  });

  test("the user's own hooks need none", async () => {
    const place = scratch();
    place.config({ Stop: [{ hooks: [TRUE] }] }, "../home/.belay/settings.json");
    expect((await place.belay(["trust"])).stdout).toContain("nothing to trust");
    expect(await runs(place, "Stop")).toBe(1);
  });

  test("what is shown is whole and cannot repaint the terminal", async () => {
    const long = { ...TRUE, command: `true \u001b[2K\u001b[1A\u202e ${"x".repeat(300)} && ./evil` };
    const coloured = { ...TRUE, command: "true \u001b[0;1;m ; true" };
    const { stdout } = await withHooks(long, coloured).belay(["trust"], { env: { COLUMNS: "60" } });
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
    expect(stdout.replaceAll(/\s/g, "")).toContain(`${"x".repeat(300)}&&./evil`);
    // A shell runs what is in something that looks like a colour.
    expect(stdout).toContain("  runs  true \\u001b[0;1;m ; true\n");
  });

  test("a hook that cannot be trusted as it is holds up no other, and why is said", async () => {
    const much = { ...TRUE, command: Array.from({ length: 10_001 }, (_, n) => `w${n}`).join(" ") };
    const place = withHooks(much, TRUE);
    const both = await place.belay(["trust", "--yes"], { env: { COLUMNS: "200" } });
    expect(both.code).toBe(0);
    expect(both.stdout).toContain(
      "  cannot be trusted  its command leads to more than 10000 paths: move it into a script\n",
    );
    expect(both.stdout).toContain(
      "1 hook cannot be trusted as it is. When that is mended: belay trust\nTrusted 1 hook.",
    );
    expect(await runs(place, "Stop")).toBe(1);
    place.config({ Stop: [{ hooks: [much] }] }, ".belay/settings.json");
    const one = await place.belay(["trust", "--yes"]);
    expect([one.code, one.stdout]).toEqual([1, expect.stringMatching(/mended: belay trust\n$/)]);
    expect(await runs(place, "Stop")).toBe(0);
  });

  test("a config that does not parse is said on stderr", async () => {
    const place = scratch();
    place.file(".belay/settings.json", "{");
    expect(await place.belay(["trust", "--yes"])).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/json cannot be read: .* on line 1, column 2: \{; next: belay check\n$/),
    });
  });

  test("an http hook is shown with all that it sends, and the hooks are counted by their state", async () => {
    const http = {
      type: "http",
      url: "http://127.0.0.1:9/x",
      headers: { Authorization: "Bearer $TOKEN", "X-Team": "a" },
      allowedEnvVars: ["TOKEN"],
    };
    const script = { type: "command", command: "sh ./a.sh" };
    const place = withHooks(script, http);
    place.file("a.sh", "true");
    await place.belay(["trust", "--yes"]);
    place.file("a.sh", "false");
    const hooks = [script, { ...http, timeout: 2 }, { type: "json", json: {} }];
    place.config({ Stop: [{ hooks }] }, ".belay/settings.json");
    const { stdout } = await place.belay(["trust"]);
    expect(stdout).toContain(`  runs  http http://127.0.0.1:9/x
  sends  Authorization: Bearer $TOKEN
  sends  X-Team: a
  reads  $TOKEN
`);
    expect(stdout).toContain("1 new and 2 changed hooks not trusted. Next, on a terminal");
  });

  test("what a project's settings allow is shown and trusted too; what they deny needs no trust", async () => {
    const place = scratch();
    const settings = (allow: string[], defaultMode: string, more = "") =>
      place.file(
        ".belay/settings.json",
        `{ ${more}"permissions": { "deny": ["Read(.env)"],\n"allow": ${JSON.stringify(allow)},\n"defaultMode": "${defaultMode}" } }`,
      );
    settings(["Bash(npm test)", "Bash(rm \u202e*)"], "acceptEdits");
    const list = (rule: string, mode: string, change = "") => `${rule}  allow Bash(npm test)
  from  .belay/settings.json:2

new  allow Bash(rm *)
  from  .belay/settings.json:2

${mode}
  from  .belay/settings.json:3
${change}
`;
    const shown = await place.belay(["trust"]);
    expect(shown.stdout).not.toContain("\u202e");
    settings(["Bash(npm test)", "Bash(rm *)"], "acceptEdits");
    expect(await place.belay(["trust"])).toEqual({
      code: 1,
      stdout: `${list("new", "new  defaultMode acceptEdits")}3 new permissions not trusted. Next, on a terminal or with --yes:\n  belay trust --yes\n`,
      stderr: "",
    });
    const hook = '"hooks": { "Stop": [{ "hooks": [{ "type": "json", "json": {} }] }] }, ';
    settings(["Bash(npm test)"], "acceptEdits", hook);
    expect((await place.belay(["trust"])).stdout).toContain("1 new hook, 2 new permissions not trusted.");
    settings(["Bash(npm test)"], "acceptEdits");
    expect((await place.belay(["trust", "--yes"])).stdout).toContain("\n\nTrusted 2 permissions.\n");
    expect((await place.belay(["trust"])).stdout).toContain(
      "2 permissions trusted as they are: nothing to do.",
    );
    settings(["Bash(npm test)", "Bash(rm *)"], "bypass");
    expect((await place.belay(["trust"])).stdout).toBe(
      `${list("trusted", "changed  defaultMode bypass", '  was  defaultMode: "acceptEdits"\n  now  defaultMode: "bypass"\n')}1 new and 1 changed permission not trusted. Next, on a terminal or with --yes:\n  belay trust --yes\n`,
    );
  });

  const answers: [keys: string[], ended: string, said: string, trusted: number][] = [
    [["y", "Enter"], "ended 0", "Trusted 2 hooks.", 1],
    [["n", "Enter"], "ended 1", "Nothing was trusted.", 0],
    [["Enter"], "ended 1", "Nothing was trusted.", 0],
    [["C-d"], "ended 1", "Nothing was trusted.", 0],
    [["C-c"], "ended 1", "Nothing was trusted.", 0],
  ];
  test.each(answers)("on a terminal it asks: %j", async (keys, ended, said, trusted) => {
    const place = project();
    const screen = await inTerminal(`${process.execPath} ${BIN} trust`, {
      columns: 80,
      cwd: place.project,
      env: { HOME: place.home, NO_COLOR: "1" },
      answer: { prompt: "Trust 2 new hooks? [y/N]", keys },
    });
    expect(screen).toContain(said);
    expect(screen).toContain(ended);
    expect(await runs(place, "PreToolUse")).toBe(trusted);
  });
});

const GUARD = { type: "command", command: "./guard.sh --strict", name: "guard", timeout: 5 };

function settings(place: Scratch, hooks: object, more: object = {}): void {
  place.file(".belay/settings.json", JSON.stringify({ hooks, ...more }, null, 2));
}

/** A project whose one hook was trusted as it was. */
async function trustedAs(more: object = {}): Promise<Scratch> {
  const place = scratch();
  place.file("guard.sh", "#!/bin/sh\n", 0o755);
  settings(place, onBash(GUARD), more);
  await place.belay(["trust", "--yes"]);
  return place;
}

/** The rows below a head, without those that are no change. */
const changes = (stdout: string) =>
  stdout.split("\n").filter((row) => /^\w+ {2}\w|^ {2}(was|now)|edited/.test(row));

const onBash = (...hooks: object[]) => ({ PreToolUse: [{ matcher: "Bash", hooks }] });
const edited = (more: object) => onBash({ ...GUARD, ...more });
const CHANGED = "changed  PreToolUse Bash  guard";

it.each<[what: string, hooks: object, shown: string[]]>([
  ["nothing", onBash(GUARD), ["trusted  PreToolUse Bash  guard"]],
  [
    "that its process is kept",
    edited({ warm: "parallel" }),
    [CHANGED, "  was  warm: none", '  now  warm: "parallel"'],
  ],
  [
    "the command and the time",
    edited({ command: "./guard.sh", timeout: 600 }),
    [
      CHANGED,
      '  was  command: "./guard.sh --strict"',
      '  now  command: "./guard.sh"',
      "  was  timeout: 5",
      "  now  timeout: 600",
    ],
  ],
  [
    "the matcher",
    { PreToolUse: [{ hooks: [GUARD] }] },
    ["changed  PreToolUse  guard", '  was  matcher: "Bash"', "  now  matcher: none"],
  ],
  [
    "the event",
    { PostToolUse: onBash(GUARD).PreToolUse },
    ["changed  PostToolUse Bash  guard", '  was  event: "PreToolUse"', '  now  event: "PostToolUse"'],
  ],
  ["all of it, the name too", onBash({ type: "http", url: "http://127.0.0.1:1/" }), ["new  PreToolUse Bash"]],
  [
    "one of two that are new",
    onBash(TRUE, { ...GUARD, timeout: 6 }),
    ["new  PreToolUse Bash", CHANGED, "  was  timeout: 5", "  now  timeout: 6"],
  ],
  [
    "another hook beside it",
    { ...onBash(GUARD), Stop: [{ hooks: [TRUE] }] },
    ["trusted  PreToolUse Bash  guard", "new  Stop"],
  ],
])("what changed in an entry is shown: %s", async (_what, hooks, shown) => {
  const place = await trustedAs();
  settings(place, hooks);
  expect(changes((await place.belay(["trust"], { env: { COLUMNS: "120" } })).stdout)).toEqual(shown);
});

it("compares with what was trusted last", async () => {
  const place = await trustedAs();
  for (const timeout of [6, 7]) {
    settings(place, edited({ timeout }));
    const { stdout } = await place.belay(["trust", "--yes"]);
    expect(changes(stdout)).toContain(`  was  timeout: ${timeout - 1}`);
  }
});

it("names the script that was edited, and the mode that was another", async () => {
  const place = await trustedAs({ permissions: { defaultMode: "plan" } });
  place.file("guard.sh", "#!/bin/sh\nexit 2\n", 0o755);
  settings(place, onBash(GUARD), { permissions: { defaultMode: "bypass" } });
  expect(changes((await place.belay(["trust"])).stdout)).toEqual([
    "changed  PreToolUse Bash  guard",
    "  file  guard.sh (17 bytes, edited since)",
    "changed  defaultMode bypass",
    '  was  defaultMode: "plan"',
    '  now  defaultMode: "bypass"',
  ]);
});

const SEEN_IN_GIT =
  "  edit  git diff HEAD -- guard.sh\n  edit  git log -p -- guard.sh, where it is committed\n";
const COMMIT = "git add . && git -c user.name=a -c user.email=a@example.com commit -q -m first";

it.each([
  ["true", ""],
  ["git init -q && git add .", ""],
  [`git init -q && ${COMMIT} && git pack-refs --all`, SEEN_IN_GIT],
  [`git init -q && ${COMMIT} && git checkout -q --detach`, SEEN_IN_GIT],
  [`rmdir .git && git init -q --separate-git-dir ../kept && ${COMMIT}`, SEEN_IN_GIT],
])("says where an edit of a script may be seen, as only its hash was kept: after %s", async (git, seen) => {
  const place = await trustedAs();
  expect(await place.shell(git)).not.toContain("fatal");
  place.file("guard.sh", "#!/bin/sh\nexit 2\n", 0o755);
  expect((await place.belay(["trust"])).stdout).toContain(
    `  file  guard.sh (17 bytes, edited since)\n${seen}  from  `,
  );
});

it.each([
  [["check"], "Belay does not run 1 hook of this file (guard): it was edited since you trusted it"],
  [["why", "PreToolUse"], "but its script was edited since you trusted it. Next: belay trust"],
  [["run", "PreToolUse"], "1 matches but is not trusted (1 edited since you trusted it); next: belay trust"],
  [["run", "PreToolUse", "--json"], "not run: it was edited since you trusted it (it is for PreToolUse)"],
])("belay %j tells a script that was edited from a hook that is new", async (args, said) => {
  const place = await trustedAs();
  place.file("guard.sh", "#!/bin/sh\nexit 2\n", 0o755);
  const { stdout } = await place.belay(args, { env: { COLUMNS: "400" } });
  expect(stdout).toContain(said);
});

it("a process that is kept is shown as such", async () => {
  const place = scratch();
  const entries = [{ command: "./a.sh" }, { command: "sh", args: ["./a.sh"] }];
  const hooks = entries.map((entry) => ({ type: "command", ...entry, warm: true }));
  settings(place, { Stop: [{ hooks }] });
  const { stdout } = await place.belay(["trust"]);
  expect(stdout.split("\n").filter((row) => row.startsWith("  runs"))).toEqual([
    "  runs warm  ./a.sh",
    "  runs warm without a shell  sh ./a.sh",
  ]);
});

const PROJECTS = ["a", "b", "c", "d", "e", "f"];

/** Projects in one home, with a hook each. */
function projects(room: Scratch): string[] {
  return PROJECTS.map((name) => {
    const hook = { type: "command", command: `echo ${name}` };
    room.file(`${name}/.belay/settings.json`, JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }));
    return join(room.project, name);
  });
}

const trusted = (room: Scratch) =>
  Object.keys(JSON.parse(readFileSync(join(room.home, ".belay/trust.json"), "utf8")).projects).sort();

const MANY = `
import { trust } from "@belay/engine/internal";
const print = (n) => n.toString(16).padStart(16, "0") + "." + "0".repeat(64);
const item = (n) => ({ print: print(n), file: "f", place: "p" + n, fields: {}, scripts: {} });
for (let n = 0; n < 20; n += 1) trust(process.argv[1], [item(n)], { home: process.argv[2] });
`;

it("six processes that trust at the same time lose nothing of each other", async () => {
  const room = scratch();
  await Promise.all(
    PROJECTS.map((name) =>
      promisify(execFile)(process.execPath, ["--input-type=module", "-e", MANY, name, room.home], {
        cwd: import.meta.dirname,
      }),
    ),
  );
  const { projects: found } = JSON.parse(readFileSync(join(room.home, ".belay/trust.json"), "utf8"));
  const counts = Object.entries(found).map(([name, prints]) => [name, (prints as string[]).length]);
  expect(counts.sort()).toEqual(PROJECTS.map((name) => [name, 20]));
  expect(readdirSync(join(room.home, ".belay"))).toEqual(["trust.json"]);
});

const LEFT: readonly [by: string, holder: string][] = [
  ["a dead process", "999999999"], // no process has this id on any system
  ["one whose number another has since", `${process.pid} an-earlier-boot:1`],
];

it.each(LEFT)("a lock that %s left blocks nobody", async (_, holder) => {
  const room = scratch();
  const folders = projects(room);
  const lock = room.file("../home/.belay/trust.json.lock", holder);
  utimesSync(lock, new Date(0), new Date(0));
  const results = await Promise.all(folders.map((folder) => room.belay(["trust", "--yes", "--cwd", folder])));
  expect(results.map(({ code }) => code)).toEqual(folders.map(() => 0));
  expect(trusted(room)).toEqual(folders);
  expect(readdirSync(join(room.home, ".belay"))).toEqual(["trust.json"]);
});

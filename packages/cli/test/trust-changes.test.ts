import { expect, it } from "vitest";
import { type Scratch, scratch } from "./cli.ts";

const GUARD = { type: "command", command: "./guard.sh --strict", name: "guard", timeout: 5 };

function settings(place: Scratch, hooks: object, more: object = {}): void {
  place.file(".belay/settings.json", JSON.stringify({ hooks, ...more }, null, 2));
}

/** A project whose one hook was trusted as it was. */
async function trusted(more: object = {}): Promise<Scratch> {
  const place = scratch();
  place.file("guard.sh", "#!/bin/sh\n", 0o755);
  settings(place, before(GUARD), more);
  await place.belay(["trust", "--yes"]);
  return place;
}

/** The rows below a head, without those that are no change. */
const changes = (stdout: string) =>
  stdout.split("\n").filter((row) => /^\w+ {2}\w|^ {2}(was|now)|edited/.test(row));

const before = (...hooks: object[]) => ({ PreToolUse: [{ matcher: "Bash", hooks }] });
const edited = (more: object) => before({ ...GUARD, ...more });
const TRUE = { type: "command", command: "true" };
const CHANGED = "changed  PreToolUse Bash  guard";

it.each<[what: string, hooks: object, shown: string[]]>([
  ["nothing", before(GUARD), ["trusted  PreToolUse Bash  guard"]],
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
    { PostToolUse: before(GUARD).PreToolUse },
    ["changed  PostToolUse Bash  guard", '  was  event: "PreToolUse"', '  now  event: "PostToolUse"'],
  ],
  ["all of it, the name too", before({ type: "http", url: "http://127.0.0.1:1/" }), ["new  PreToolUse Bash"]],
  [
    "one of two that are new",
    before(TRUE, { ...GUARD, timeout: 6 }),
    ["new  PreToolUse Bash", CHANGED, "  was  timeout: 5", "  now  timeout: 6"],
  ],
  [
    "another hook beside it",
    { ...before(GUARD), Stop: [{ hooks: [TRUE] }] },
    ["trusted  PreToolUse Bash  guard", "new  Stop"],
  ],
])("what changed in an entry is shown: %s", async (_what, hooks, shown) => {
  const place = await trusted();
  settings(place, hooks);
  expect(changes((await place.belay(["trust"], { env: { COLUMNS: "120" } })).stdout)).toEqual(shown);
});

it("compares with what was trusted last", async () => {
  const place = await trusted();
  for (const timeout of [6, 7]) {
    settings(place, edited({ timeout }));
    const { stdout } = await place.belay(["trust", "--yes"]);
    expect(changes(stdout)).toContain(`  was  timeout: ${timeout - 1}`);
  }
});

it("names the script that was edited, and the mode that was another", async () => {
  const place = await trusted({ permissions: { defaultMode: "plan" } });
  place.file("guard.sh", "#!/bin/sh\nexit 2\n", 0o755);
  settings(place, before(GUARD), { permissions: { defaultMode: "bypass" } });
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
  [`git init -q && ${COMMIT}`, SEEN_IN_GIT],
  [`git init -q && ${COMMIT} && git pack-refs --all`, SEEN_IN_GIT],
  [`git init -q && ${COMMIT} && git checkout -q --detach`, SEEN_IN_GIT],
  [`rmdir .git && git init -q --separate-git-dir ../kept && ${COMMIT}`, SEEN_IN_GIT],
])("says where an edit of a script may be seen, as only its hash was kept: after %s", async (git, seen) => {
  const place = await trusted();
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
  const place = await trusted();
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

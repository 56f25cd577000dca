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
  settings(place, { PreToolUse: [{ matcher: "Bash", hooks: [GUARD] }] }, more);
  await place.belay(["trust", "--yes"]);
  return place;
}

/** The rows below a head, without those that are no change. */
const changes = (stdout: string) =>
  stdout.split("\n").filter((row) => /^\w+ {2}\w|^ {2}(was|now)|edited/.test(row));

it.each<{ what: string; hooks: object; shown: readonly string[] }>([
  {
    what: "nothing",
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [GUARD] }] },
    shown: ["trusted  PreToolUse Bash  guard"],
  },
  {
    what: "that its process is kept",
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ ...GUARD, warm: "parallel" }] }] },
    shown: ["changed  PreToolUse Bash  guard", "  was  warm: none", '  now  warm: "parallel"'],
  },
  {
    what: "the command and the time",
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ ...GUARD, command: "./guard.sh", timeout: 600 }] }] },
    shown: [
      "changed  PreToolUse Bash  guard",
      '  was  command: "./guard.sh --strict"',
      '  now  command: "./guard.sh"',
      "  was  timeout: 5",
      "  now  timeout: 600",
    ],
  },
  {
    what: "the matcher",
    hooks: { PreToolUse: [{ hooks: [GUARD] }] },
    shown: ["changed  PreToolUse  guard", '  was  matcher: "Bash"', "  now  matcher: none"],
  },
  {
    what: "the event",
    hooks: { PostToolUse: [{ matcher: "Bash", hooks: [GUARD] }] },
    shown: ["changed  PostToolUse Bash  guard", '  was  event: "PreToolUse"', '  now  event: "PostToolUse"'],
  },
  {
    what: "all of it, the name too",
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "http", url: "http://127.0.0.1:1/" }] }] },
    shown: ["new  PreToolUse Bash"],
  },
  {
    what: "one of two that are new",
    hooks: {
      PreToolUse: [
        { matcher: "Bash", hooks: [{ type: "command", command: "true" }] },
        { matcher: "Bash", hooks: [{ ...GUARD, timeout: 6 }] },
      ],
    },
    shown: [
      "new  PreToolUse Bash",
      "changed  PreToolUse Bash  guard",
      "  was  timeout: 5",
      "  now  timeout: 6",
    ],
  },
  {
    what: "another hook beside it",
    hooks: {
      PreToolUse: [{ matcher: "Bash", hooks: [GUARD] }],
      Stop: [{ hooks: [{ type: "command", command: "true" }] }],
    },
    shown: ["trusted  PreToolUse Bash  guard", "new  Stop"],
  },
])("what changed in an entry is shown: $what", async ({ hooks, shown }) => {
  const place = await trusted();
  settings(place, hooks);
  expect(changes((await place.belay(["trust"], { env: { COLUMNS: "120" } })).stdout)).toEqual(shown);
});

it("compares with what was trusted last", async () => {
  const place = await trusted();
  for (const timeout of [6, 7]) {
    settings(place, { PreToolUse: [{ matcher: "Bash", hooks: [{ ...GUARD, timeout }] }] });
    const { stdout } = await place.belay(["trust", "--yes"]);
    expect(changes(stdout)).toContain(`  was  timeout: ${timeout - 1}`);
  }
});

it("names the script that was edited, and the mode that was another", async () => {
  const place = await trusted({ permissions: { defaultMode: "plan" } });
  place.file("guard.sh", "#!/bin/sh\nexit 2\n", 0o755);
  settings(
    place,
    { PreToolUse: [{ matcher: "Bash", hooks: [GUARD] }] },
    { permissions: { defaultMode: "bypass" } },
  );
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

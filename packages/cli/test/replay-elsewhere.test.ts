import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, command, GUARD, type Recorded, type Report, recorded } from "./recorded.ts";

/* A gate must not be green about other scripts than those it was given, nor about none. */

const SCRIPT = command("guard", 'sh "$BELAY_PROJECT_DIR"/guard.sh');
const REFUSES = 'grep -q "rm -rf" && { echo not that >&2; exit 2; }; exit 0\n';

/** A checkout whose guard refuses, its records as a file, and another checkout whose guard lets all through. */
async function twoCheckouts(): Promise<Recorded & { other: string }> {
  const room = await recorded();
  room.file("guard.sh", REFUSES);
  room.file(".belay/settings.json", JSON.stringify({ hooks: bash(SCRIPT) }));
  room.file("../other/guard.sh", "exit 0\n");
  room.file("../other/.belay/settings.json", JSON.stringify({ hooks: bash(SCRIPT) }));
  const other = join(room.project, "../other");
  mkdirSync(join(other, ".git"));
  cpSync(room.journal, join(other, "events.jsonl"));
  return { ...room, other };
}

describe("belay replay --rerun, given in another checkout than the recorded one", () => {
  it("is red, and says whose scripts ran", async () => {
    const { other, project, shell } = await twoCheckouts();
    const replay = "belay replay events.jsonl --rerun --config .belay/settings.json";
    const said = await shell(`cd ../other; ${replay}; echo $?`);
    expect(said).toContain(
      `belay: 4 events fired in ${project}, with the scripts there and not those of ${other}; next: the same with --in .\n`,
    );
    expect(said).toMatch(/all were decided as recorded\n1\n/);
    expect(await shell(`cd ../other; ${replay} --json 2> said`)).toContain('"elsewhere":4');
    const here = await shell(`cd ../other; ${replay} --in .; echo $?`);
    expect(here).toMatch(/1 loosened: .*\n2\n$/);
  });

  it("also where another checkout's settings are named", async () => {
    const { other, shell } = await twoCheckouts();
    const said = await shell("belay replay --rerun --config ../other/.belay/settings.json; echo $?");
    expect(said).toContain(`; next: the same with --in ${other}\n`);
    expect(said).toMatch(/all were decided as recorded\n1\n/);
  });

  it("but not for a plugin, which brings its scripts along from whichever checkout", async () => {
    const { file, shell } = await twoCheckouts();
    const script = command("guard", 'sh "$CLAUDE_PLUGIN_ROOT"/guard.sh');
    for (const [folder, text] of [
      ["plugin", REFUSES],
      ["../other/plugin", "exit 0\n"],
    ] as const) {
      file(`${folder}/guard.sh`, text);
      file(`${folder}/hooks/hooks.json`, JSON.stringify({ hooks: bash(script) }));
    }
    expect(await shell("belay replay --rerun --plugin plugin; echo $?")).toMatch(
      /^4 events fired again: all were decided as recorded\n0\n$/,
    );
    expect(await shell("belay replay --rerun --plugin ../other/plugin; echo $?")).toMatch(
      /1 loosened: .*\n2\n$/,
    );
  });

  it("but not in one's own project, from whichever folder, nor in one of a repository within it", async () => {
    const room = await twoCheckouts();
    room.file("below/within/.git/HEAD", "");
    const [first] = room.records();
    room.write([...room.records(), { ...first, cwd: join(room.project, "below/within") }]);
    for (const line of [
      "belay replay --rerun --config old.json; echo $?",
      "cd below; belay replay --rerun --config ../old.json; echo $?",
      "cd below; belay replay --rerun --config ../.belay/settings.json --decision deny; echo $?",
      "cd ../other; belay replay --rerun --cwd ../project --config ../project/old.json; echo $?",
    ])
      expect([line, await room.shell(line)]).toEqual([
        line,
        expect.stringMatching(/^\d events? fired again: all .*\n0\n$/),
      ]);
  });
});

describe("belay replay --rerun, where no hook runs and hooks had run", () => {
  const ROWS: [name: string, hooks: object, why: string][] = [
    ["none is configured", {}, "none is configured; next: belay check --config new.json"],
    [
      "none fits",
      { PreToolUse: [{ matcher: "Bsh", hooks: [GUARD] }] },
      "none that is configured fits them; next: belay why PreToolUse --config new.json",
    ],
  ];
  it.each(ROWS)("is red: %s", async (_, hooks, why) => {
    const room = await recorded();
    room.config(hooks, "new.json");
    const args = ["replay", "--rerun", "--config", "new.json", "--decision", "go on"];
    expect(await room.belay(args)).toEqual({
      code: 1,
      stdout: "3 events fired again, but no hook ran: all were decided as recorded\n",
      stderr: `belay: no hook ran, and 2 events had run hooks when recorded: ${why}\n`,
    });
  });

  it("is green where none had run either", async () => {
    const room = await recorded();
    const config = room.config({}, "new.json");
    expect(await room.belay(["replay", "--rerun", "--config", config, "--event", "Stop"])).toEqual({
      code: 0,
      stdout: "1 event fired again, but no hook ran: all were decided as recorded\n",
      stderr: "",
    });
  });
});

it("what the agent is told is compared", async () => {
  const tells = (name: string, additionalContext: string) => ({
    type: "json",
    name,
    json: { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext } },
  });
  const room = await recorded();
  const start = (hooks: object[]) => ({ SessionStart: [{ hooks }] });
  const old = room.config(start([tells("tells", "the branch is main")]), "old.json");
  await room.belay(["run", "SessionStart", "--config", old, "--json"]);
  const told = async (hooks: object[]) => {
    const config = room.config(start(hooks), "new.json");
    const args = ["replay", "--rerun", "--config", config, "--event", "SessionStart"];
    const { code, stdout } = await room.belay(args, { env: { COLUMNS: "200" } });
    const json = JSON.parse((await room.belay([...args, "--json"])).stdout) as Report;
    return {
      code,
      stdout,
      changes: json.changes
        .map(({ changes }) => changes.filter((one) => one !== "slower"))
        .filter((changes) => changes.length > 0),
    };
  };
  expect(await told([tells("other", "the branch is main")])).toMatchObject({ code: 0, changes: [] });
  const gone = await told([command("tells", "true")]);
  expect(gone).toMatchObject({ code: 0, changes: [["context"]] });
  expect(gone.stdout).toMatch(/context changed.* context gone, it was: the branch is main/);
  expect(gone.stdout).toContain("1 changed (1 context changed)");
  const edited = await told([tells("tells", "the branch is dev")]);
  expect(edited.stdout).toMatch(/context: the branch is main → the branch is dev/);
});

import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Scratch, scratch } from "./cli.ts";
import { callLine, LOGS, withLogs } from "./session-logs.ts";

const FROM = ["replay", "--from", "claude-code"];

function withPolicy(): Scratch & { replay(config: string, ...more: string[]): ReturnType<Scratch["belay"]> } {
  const room = withLogs();
  return { ...room, replay: (config, ...more) => room.belay([...FROM, "--config", config, ...more]) };
}

const answer = (permissionDecision: string, permissionDecisionReason = "so") => ({
  type: "json",
  json: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason } },
});
const before = (matcher: string, ...hooks: object[]) => ({ PreToolUse: [{ matcher, hooks }] });

/** A script of the project, as a hook. */
function script({ file }: Scratch, name: string, lines: string): object {
  file(name, `#!/bin/sh\n${lines}\n`, 0o755);
  return { type: "command", name, command: `"$BELAY_PROJECT_DIR"/${name}` };
}

/** A session of Claude Code in which a shell ran these. */
function logOf({ home }: Scratch, commands: readonly string[]): void {
  const folder = join(home, ".claude", "projects", "-p");
  mkdirSync(folder, { recursive: true });
  const lines = commands.map((command, index) => {
    const uuid = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    const timestamp = `2026-05-01T01:00:00.${String(index).padStart(3, "0")}Z`;
    return callLine(`t${index}`, "Bash", { command }, { uuid, timestamp, sessionId: "s" });
  });
  writeFileSync(join(folder, "a.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

describe("belay replay --from", () => {
  it("says what a policy would have refused, and what it would let through", async () => {
    const room = withPolicy();
    const hooks = {
      PreToolUse: [
        {
          matcher: "Bash",
          hooks: [script(room, "guard.sh", "grep -q 'rm -rf' && { echo never >&2; exit 2; }; exit 0")],
        },
        { matcher: "Write", hooks: [answer("deny", "no files")] },
        { matcher: "WebFetch", hooks: [answer("allow")] },
      ],
    };
    const { code, stdout } = await room.replay(room.config(hooks), "--yes", "--json");
    const { changes, hooks: asked, summary } = JSON.parse(stdout);
    const told = changes.map(({ event, about, call, change, before }: Record<string, never>) =>
      [change, event, about, call, before && Object.values(before).slice(0, 2)].flat(),
    );
    expect(told.map((row: unknown[]) => row.filter((cell) => cell !== undefined).join(" | ")).sort()).toEqual(
      [
        "denied | PreToolUse | Write | b.txt content: one ⏎",
        "loosened | PermissionRequest | Bash | touch y.txt description: run it | hook | permreq says no",
        "loosened | PermissionRequest | Bash | touch y.txt description: run it | hook | permreq says no",
        "loosened | PreToolUse | Bash | curl -sS https://example.invalid description: run it | hook | no network here",
        "loosened | PreToolUse | WebFetch | https://example.invalid prompt: x | nobody | Claude requested permissions to use WebFetch, but you haven't granted it yet.",
        "loosened | UserPromptSubmit | MAIN_PROMPT BLOCKME | hook | not this prompt",
      ],
    );
    expect(
      asked.map(({ hook, runs, denies, allows, verdict }: Record<string, unknown>) => [
        hook,
        runs,
        denies,
        allows,
        verdict,
      ]),
    ).toEqual([
      ["guard.sh", 24, 2, 0, "decidable"],
      [expect.stringContaining("json"), 1, 1, 0, "decidable"],
      [expect.stringContaining("json"), 1, 0, 1, "decidable"],
    ]);
    const { events, loosened, denied } = summary;
    expect({ code, events, loosened, denied }).toEqual({ code: 2, events: 34, loosened: 5, denied: 1 });
  });

  it("says before it runs what will run, and asks", async () => {
    const room = withPolicy();
    const hook = script(room, "guard.sh", 'touch "$BELAY_PROJECT_DIR/ran"');
    const config = room.config(before("Bash", hook));
    const { code, stdout, stderr } = await room.replay(config, "--sample", "17");
    expect([code, stderr]).toEqual([
      1,
      "belay: the hooks would run, and nobody is there to be asked; add --yes to run them, and --sample 100 for a first look\n",
    ]);
    expect(stdout).toMatch(
      /^34 events of 4 sessions, 2026-11-18\n {2}Claude Code: 28 PreToolUse, 4 UserPromptSubmit, 2 PermissionRequest\nOf these, 17 are taken evenly.\n1 hook will be run on what it fits, \d+ at a time, in scratch folders with a\sscratch HOME. Nothing of a session is executed.\n {2}PreToolUse {2}guard.sh .*, \d+ events\nThis takes about /,
    );
    expect(readdirSync(room.project)).not.toContain("ran");
  });

  it("takes sessions of two agents that have one id for two", async () => {
    const room = scratch();
    for (const agent of ["qwen", "droid"]) cpSync(join(LOGS, agent), room.home, { recursive: true });
    const config = room.config(before("Bash", answer("deny")));
    const found = async (from: string) => {
      const { stdout } = await room.belay(["replay", "--from", from, "--config", config, "--yes", "--json"]);
      return JSON.parse(stdout).summary;
    };
    const [qwen, droid, both] = [await found("qwen"), await found("droid"), await found("all")];
    expect([both.denied, both.sessions]).toEqual([
      qwen.denied + droid.denied,
      qwen.sessions + droid.sessions,
    ]);
  });

  it("runs hooks in empty folders, with the paths of the session moved there", async () => {
    const room = scratch();
    logOf(room, ["cat /home/you/project/a.txt", "rm /home/you/project/b"]);
    const lines = [
      "input=$(cat)",
      'case "$input" in *"\\"command\\":\\"cat $PWD/a.txt"*|*"rm $PWD/b"*) ;; *) echo "not moved: $input" >&2; exit 2;; esac',
      '[ -z "$(ls -A "$HOME")" ] || { echo "a home with something in it" >&2; exit 2; }',
      '[ "$PWD" != "$BELAY_PROJECT_DIR" ] || exit 2',
      'touch left here; mkdir -p "$HOME"/.cache/x',
    ];
    const config = room.config(before("Bash", script(room, "look.sh", lines.join("\n"))));
    const { code, stdout } = await room.belay([...FROM, "--config", config, "--yes", "--json"]);
    expect([code, JSON.parse(stdout).changes]).toEqual([0, []]);
    expect(readdirSync(room.project).sort()).toEqual([".git", "hooks.json", "look.sh"]);
  });

  it("tells hooks that look around from those that need the call alone", async () => {
    const room = scratch();
    logOf(room, ["git commit -m x", "ls"]);
    const branch = 'grep -q commit && [ -n "$(git branch --show-current 2>/dev/null)" ] && exit 2; exit 0';
    const hooks = [
      script(room, "branch.sh", branch),
      script(room, "words.sh", "grep -q commit && exit 2; exit 0"),
      script(room, "broken.sh", "exit 1"),
    ];
    const { code, stdout } = await room.belay([
      ...[...FROM, "--config", room.config(before("Bash", ...hooks)), "--yes"],
    ]);
    expect(
      [...stdout.matchAll(/^(\w+\.sh) .* (\S+)$/gm)].slice(0, 3).map(([, hook, says]) => [hook, says]),
    ).toEqual([
      ["branch.sh", "no"],
      ["words.sh", "yes"],
      ["broken.sh", "no"],
    ]);
    expect(stdout).toContain("not decidable: branch.sh, broken.sh. In another scratch folder");
    expect(stdout).toContain("broken.sh gave no answer at all: exited with 1\n");
    expect(code).toBe(1);
  });

  it("shows no secret of a log", async () => {
    const room = scratch();
    logOf(room, ["curl -H 'Authorization: Bearer abcdefghij0123456789'"]);
    const config = room.config(before("Bash", script(room, "echo.sh", "cat >&2; exit 2")));
    for (const more of [[], ["--json"]]) {
      const { stdout } = await room.belay([...FROM, "--config", config, "--yes", ...more]);
      expect(stdout).toContain("[redacted]");
      expect(stdout).not.toContain("abcdefghij");
    }
  });

  it.each([
    [
      ["--config", "empty.json"],
      "no hook that is configured answers UserPromptSubmit, PreToolUse, PermissionRequest; next: belay check --config empty.json",
    ],
    [[], "name a file with hooks: belay replay --from claude-code --config FILE"],
    [
      ["--config", "other.json"],
      "none of the hooks fits any of 34 events of these logs; next: belay check --config other.json",
    ],
    [
      ["--config", "other.json", "--since", "2030-01-01"],
      "HOME/.claude/projects fits --since 2030-01-01; next, to see what is there: belay stats --from claude-code",
    ],
    [
      ["--config", "other.json", "--event", "PreCompact"],
      'there is no event that a session log tells of "PreCompact"',
    ],
    [
      ["--config", "other.json", "--in", "."],
      "--in has no meaning with --from; hooks of logged events run in scratch folders",
    ],
    [["--config", "other.json", "--sample", "0"], '--sample "0" is no number of events'],
    [["--config", "nope.json"], "nope.json"],
  ])("refuses %j with a sentence", async (args, expected) => {
    const room = withPolicy();
    room.config({}, "empty.json");
    room.config(before("Nope", answer("deny")), "other.json");
    const { code, stdout, stderr } = await room.belay([...FROM, ...args]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.replace(room.home, "HOME")).toContain(expected);
  });
});

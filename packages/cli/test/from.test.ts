import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Scratch, scratch } from "./cli.ts";
import { callLine, LOGS, withLogs, withoutLogs } from "./session-logs.ts";

/** More levels than a program has room for. */
const DEEP = "[".repeat(20_000) + "]".repeat(20_000);

interface Call {
  readonly id: string;
  readonly tool?: string;
  readonly hook?: { readonly command: string; readonly ms: number; readonly event?: string };
}

/** A session as Claude Code writes it down: calls that succeed, each with a hook. */
function session(id: string, calls: readonly Call[], more: object = {}): string {
  const line = (fields: object, index: number) => ({
    parentUuid: null,
    isSidechain: false,
    ...fields,
    uuid: `00000000-0000-4000-8000-${id}${String(index).padStart(4, "0")}`,
    timestamp: `2026-05-01T0${id.at(-1)}:00:00.${String(index).padStart(3, "0")}Z`,
    cwd: "/home/you/project",
    sessionId: id,
    version: "2.1.325",
    ...more,
  });
  return calls
    .flatMap(({ id: call, tool = "Write", hook }, index) => [
      line(callLine(call, tool, {}), 2 * index),
      ...(hook
        ? [
            line(
              {
                type: "attachment",
                attachment: {
                  type: "hook_success",
                  hookEvent: hook.event ?? "PostToolUse",
                  toolUseID: call,
                  command: hook.command,
                  durationMs: hook.ms,
                  exitCode: 0,
                },
              },
              2 * index + 1,
            ),
          ]
        : []),
    ])
    .map((one) => `${JSON.stringify(one)}\n`)
    .join("");
}

/** Calls of Write, each with a run of this hook. */
const callsOf = (name: string, length: number, command: string | undefined): Call[] =>
  Array.from({ length }, (_, index) => ({
    id: `${name}${index}`,
    ...(command !== undefined && { hook: { command, ms: 5 } }),
  }));

const SCREEN_80 = `Claude Code, 2026-11-18
4 sessions in 1 folder, 4 prompts, 28 calls, 2 of them by subagents
It waited 3.7 s for hooks, 917 ms for each prompt.

hook                                event  runs  failed  refused     p95  waited
node hook.mjs hang             PreToolUse     1       1        –   1.1 s   1.0 s
node hook.mjs slow                   Stop     2       –        –  546 ms  821 ms
node hook.mjs chatty          PostToolUse     4       –        –  155 ms  442 ms
node hook.mjs contfa…          PreToolUse     2       –        –  122 ms  239 ms
node hook.mjs rewrite          PreToolUse     1       –        –  197 ms  196 ms
nothere.sh                     PreToolUse    14      14        –   44 ms  182 ms
node hook.mjs broken           PreToolUse     1       1        –  146 ms  147 ms
node hook.mjs ask              PreToolUse     1       –        –  135 ms  134 ms
node hook.mjs malfor…          PreToolUse     2       –        –   62 ms  117 ms
node hook.mjs chatty         SessionStart     1       –        –  106 ms  106 ms
node hook.mjs chatty   PostToolUseFailure     2       –        –   58 ms   97 ms
node hook.mjs post            PostToolUse     1       –        –   83 ms   84 ms
node hook.mjs chatty     UserPromptSubmit     1       –        –   57 ms   57 ms
(not named)                    PreToolUse    15      14        1       –       –
(not named)                   PostToolUse     6       –        –       –       –
and 6 hooks more, with --json
Of hooks that ran together the slowest is waited for.

failed: nothere.sh (PreToolUse), all 14 runs; the last: /bin/sh: 1:
        /home/you/nothere.sh: not found
failed: (not named) (PreToolUse), 14 of 15 runs; the last: connect ECONNREFUSED
        127.0.0.1:9
failed: node hook.mjs hang (PreToolUse), its one run; the last: no answer within
        1000 ms
failed: node hook.mjs broken (PreToolUse), its one run; the last: broken: boom

tool      calls  failed  denied
Bash         24       3       9
Write         1       –       –
Read          1       –       –
WebFetch      1       –       1
Agent         1       –       –

denied: 10 of 28 calls
     3 × Bash as nobody was there to allow it: Output redirection to
         '/home/you/project/x.txt' needs approval. The path is inside the
         working directories for this ses…
     2 × Bash by the hook node hook.mjs guard: guard: never rm -rf
     2 × Bash by a hook: permreq says no
     1 × Bash by a hook: no network here
     1 × Bash by a permission rule: Permission to use Bash with command mkfs
         /dev/null has been denied.
     1 × WebFetch as nobody was there to allow it: Claude requested permissions
         to use WebFetch, but you haven't granted it yet.

Claude Code writes down a hook's run if the hook printed something, failed, or
answered Stop. Other runs are not in its logs.
`;

describe("belay stats --from", () => {
  it("shows what hooks cost, what failed and who denied", async () => {
    const { belay } = withLogs();
    const env = { COLUMNS: "80", TZ: "UTC" };
    const { code, stdout, stderr } = await belay(["stats", "--from", "claude-code"], { env });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(SCREEN_80);
  });

  it("counts each line once, though a fork has copies", async () => {
    const { belay } = withLogs();
    const { stdout } = await belay(["stats", "--from", "claude-code", "--json"]);
    const [logs] = JSON.parse(stdout).logs;
    const { sessions, projects, prompts, calls, bySubagents, failed, denied, tools } = logs;
    expect({ sessions, projects, prompts, calls, bySubagents, failed, denied, tools }).toEqual({
      sessions: 4,
      projects: 1,
      prompts: 4,
      calls: 28,
      bySubagents: 2,
      failed: 3,
      denied: 10,
      tools: [
        { tool: "Bash", calls: 24, failed: 3, denied: 9 },
        { tool: "Write", calls: 1, failed: 0, denied: 0 },
        { tool: "Read", calls: 1, failed: 0, denied: 0 },
        { tool: "WebFetch", calls: 1, failed: 0, denied: 1 },
        { tool: "Agent", calls: 1, failed: 0, denied: 0 },
      ],
    });
  });

  it("lets the slowest of the hooks that ran together stand for what was waited", async () => {
    const { belay } = withLogs();
    const { stdout } = await belay(["stats", "--from", "claude-code", "--event", "Stop", "--json"]);
    const [{ waited, hooks }] = JSON.parse(stdout).logs;
    // Two stops: one hook without a time beside 277 ms, then 306 beside 544.
    expect(waited).toBe(821);
    expect(hooks).toMatchObject([
      { hook: "node ~/hook.mjs slow", runs: 2, failed: 0, refused: 0, timed: 2, waited: 821, share: 1 },
      { hook: "node ~/hook.mjs stopblock", runs: 2, failed: 0, refused: 1, timed: 1, waited: 0, share: 0 },
    ]);
  });

  it.each([
    [["--tool", "write"], /^4 sessions in 1 folder, 4 prompts, 1 call$/],
    [["--since", "2026-11-18T21:22:15"], /^2 sessions in 1 folder, 2 prompts, 7 calls$/m],
    [["--hook", "guard"], /^node hook\.mjs guard +PreToolUse +2 +– +2/m],
    [["--hook", "nobody"], /^no session log of Claude Code in \S+ fits --hook nobody\. Next:$/],
    [["--tool", "Nope", "--since", "2020-01-01"], /fits --tool Nope --since 2020-01-01\. Next:/],
    [["--project", "."], /fits --project \.\. Next:/],
  ])("narrows down with %j", async (args, expected) => {
    const { belay } = withLogs();
    const { stdout } = await belay(["stats", "--from", "claude-code", ...args], {
      env: { COLUMNS: "400", TZ: "UTC" },
    });
    expect(stdout.split("\n").find((line) => expected.test(line)) ?? stdout).toMatch(expected);
  });

  it("takes the sessions of a project, and of the folders below it", async () => {
    const { belay, folder, project } = withLogs();
    const below = session("00000001", [{ id: "a" }], { cwd: join(project, "src") });
    writeFileSync(
      join(folder, "below.jsonl"),
      below + session("00000002", [{ id: "b" }], { cwd: `${project}2` }),
    );
    const { stdout } = await belay(["stats", "--from", "claude-code", "--project", ".", "--json"]);
    expect(JSON.parse(stdout).logs).toMatchObject([{ sessions: 1, calls: 1 }]);
  });

  it("says once of each line what cannot be read, and reads the rest", async () => {
    const { belay, folder } = withoutLogs();
    const [first = "", second = ""] = session("00000001", [{ id: "a" }, { id: "b" }]).split("\n");
    const long = `{"type":"user","message":{"content":"${"x".repeat(17 * 1024 * 1024)}"}}`;
    const foreign = '{"type":"user","message":{"role":"user"}}';
    // Of what says nothing it does not matter how long it is.
    const aside = `{"type":"file-history-snapshot","files":"${"x".repeat(17 * 1024 * 1024)}"}`;
    const lines = ["", first, second.slice(0, 99), long, foreign, aside, second];
    writeFileSync(join(folder, "a.jsonl"), lines.join("\r\n"));
    // An editor has put a mark before its first line.
    writeFileSync(join(folder, "m.jsonl"), `\ufeff${session("00000002", [{ id: "c" }])}`);
    appendFileSync(join(folder, "b.jsonl"), "\u0000\n[]\n");
    const { code, stdout, stderr } = await belay(["stats", "--from", "claude-code", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).logs).toMatchObject([{ calls: 3, files: 2 }]);
    expect(stderr.replaceAll(folder, "F").split("\n")).toEqual([
      "belay: left out line 3 of F/a.jsonl: it was not written to its end",
      "belay: left out line 4 of F/a.jsonl: it is longer than 16 MB",
      "belay: left out line 5 of F/a.jsonl: its format is not known",
      "belay: and 2 more places of logs that cannot be read",
      "",
    ]);
  });

  it("leaves out a line that holds what no agent writes, and reads the rest", async () => {
    const { belay, home, config } = scratch();
    const put = (folder: string, name: string, lines: readonly unknown[]) => {
      mkdirSync(join(home, folder), { recursive: true });
      const texts = lines.map((line) => JSON.stringify(line).replace('"DEEP"', DEEP));
      writeFileSync(join(home, folder, name), `${texts.join("\n")}\n`);
    };
    const timestamp = "2026-05-01T01:00:00.000Z";
    const line = (fields: object) => ({ timestamp, sessionId: "s", cwd: "/p", ...fields });
    const call = (id: string, fields: object = {}, input: unknown = {}) => {
      const message = { role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input }] };
      return line({ type: "assistant", message, ...fields });
    };
    const failed = (id: string) => ({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, is_error: true, content: "no" }],
    });
    const noText = { toString: "no function", valueOf: 1 };
    put(".claude/projects/-p", "a.jsonl", [
      call("a"),
      line({ type: "user", message: failed("a"), toolUseResult: "DEEP" }),
      line({ message: { role: "user", content: "x" }, type: "toString" }),
      line({ message: { role: "user", content: "x" }, type: "__proto__" }),
      call("b", { timestamp: "yesterday" }),
      call("c", {}, { command: "ls", more: "DEEP" }),
      call("d"),
    ]);
    const meta = { timestamp, type: "session_meta", payload: { id: "s", cwd: "/p" } };
    const shell = (call_id: string, command: unknown) => {
      const payload = { type: "function_call", call_id, name: "shell", arguments: { command } };
      return { timestamp, type: "response_item", payload };
    };
    put(".codex/sessions", "rollout-a.jsonl", [
      meta,
      shell("a", [noText]),
      shell("b", "DEEP"),
      shell("c", "ls"),
    ]);
    const started = { type: "session.start", timestamp, data: { sessionId: "s" } };
    const said = (source: unknown) => ({ type: "user.message", timestamp, data: { content: "hi", source } });
    put(".copilot/session-state/s", "events.jsonl", [started, said(noText), said("user")]);

    const { stdout } = await belay(["stats", "--from", "all", "--json"]);
    expect(JSON.parse(stdout).logs).toMatchObject([
      { agent: "claude-code", calls: 2, last: timestamp },
      { agent: "codex", calls: 1 },
      { agent: "copilot", prompts: 1 },
    ]);
    const hooks = { PreToolUse: [{ hooks: [{ type: "json", json: {}, exitcode: 2 }] }] };
    for (const [args, code] of [
      [["tail", "-n", "all"], 0],
      [["replay", "--yes", "--config", config(hooks)], 0],
    ] as const)
      expect((await belay([...args, "--from", "all"])).code, args[0]).toBe(code);
  });

  it("doubts logs of a later version, and those of which hardly a line can be read", async () => {
    const { belay, folder } = withLogs();
    const later = session("00000001", [{ id: "a" }], { version: "3.0.1" });
    writeFileSync(join(folder, "a.jsonl"), later + `{"kind":"call","of":"another format"}\n`.repeat(60_000));
    const { stdout } = await belay(["stats", "--from", "claude-code"], { env: { COLUMNS: "1000" } });
    expect(stdout.trimEnd().split("\n").slice(-4)).toEqual([
      "Some of these logs are of Claude Code 3.0.1; they are read as Claude Code 2.1.325 writes them.",
      "Hardly any line of these logs says something: the format may have changed; they are read as Claude Code 2.1.325 writes them.",
      "If the numbers look wrong, a hook can write down what is fired. Next: belay record claude-code",
      expect.stringContaining("Claude Code writes down a hook's run"),
    ]);
  });

  it("prints no control character of a log", async () => {
    const { belay, folder } = withLogs();
    const bad = "\u001b[31m\u009b2J\u202e\u0007";
    const command = `format${bad}`;
    const calls = [{ id: "a", tool: `Tool${bad}`, hook: { command, ms: 9000 } }];
    writeFileSync(join(folder, "a.jsonl"), session("00000001", calls, { version: `99.0${bad}` }));
    for (const args of [
      ["stats"],
      ["stats", "--json"],
      ["tail", "-n", "all"],
      ["tail", "-n", "all", "--json"],
    ]) {
      const { stdout, stderr } = await belay([...args, "--from", "claude-code"]);
      expect(`${stdout}${stderr}`).not.toMatch(/[^\P{C}\n]/u);
    }
  });

  it("finds sessions in which a hook was due and did not fire", async () => {
    const { belay, folder } = withLogs();
    const command = "node format.mjs";
    const calls = (name: string, hook = true) => callsOf(name, 6, hook ? command : undefined);
    writeFileSync(
      join(folder, "a.jsonl"),
      session("00000001", calls("a")) +
        session("00000002", calls("b", false), { agentId: "x" }) +
        session("00000003", calls("c")) +
        session("00000004", calls("d", false), { cwd: "/elsewhere" }),
    );
    const { stdout } = await belay(["stats", "--from", "claude-code", "--json"]);
    expect(JSON.parse(stdout).logs[0].missed).toEqual([
      { hook: command, event: "PostToolUse", tool: "Write", sessions: 1, subagents: 1, calls: 6 },
    ]);
  });

  it("shows what did not fire, and of a long command its beginning", async () => {
    const { belay, folder } = withoutLogs();
    const command = `cd "$CLAUDE_PROJECT_DIR" && node hooks/format.mjs ${"--flag ".repeat(30)}`;
    const calls = (name: string, hook = true) => callsOf(name, 10, hook ? command : undefined);
    writeFileSync(
      join(folder, "a.jsonl"),
      session("00000001", calls("a")) +
        session("00000002", calls("b", false), { agentId: "x" }) +
        session("00000003", calls("c")),
    );
    const { stdout } = await belay(["stats", "--from", "claude-code"], { env: { COLUMNS: "80" } });
    expect(stdout).toContain(`
did not fire: hooks that left a run at nearly every such call elsewhere
    10 × Write without node format.mjs --flag --flag --flag --flag --flag --flag
         -… (PostToolUse), in 1 subagent
`);
  });

  it("says what to do where the logs have no run of a hook", async () => {
    const { belay, home, folder } = withoutLogs();
    writeFileSync(join(folder, "a.jsonl"), session("00000001", [{ id: "a" }]));
    cpSync(join(LOGS, "pi"), home, { recursive: true });
    const next = `
Next, a hook that writes each event into the journal and decides nothing:
  belay record claude-code
`;
    const { stdout } = await belay(["stats", "--from", "claude-code"]);
    expect(stdout).toContain("\nno run of a hook is in these logs\n");
    expect(stdout.endsWith(next)).toBe(true);
    expect((await belay(["stats", "--from", "claude-code", "--tool", "write"])).stdout).not.toContain(next);
    // Its hooks are no programs.
    expect((await belay(["stats", "--from", "pi"])).stdout).not.toContain("belay record");
  });

  it("shows no secret of a hook's command or a reason", async () => {
    const { belay, folder } = withLogs();
    const command = "curl -H 'Authorization: Bearer abcdefghij0123456789'";
    writeFileSync(join(folder, "a.jsonl"), session("00000001", [{ id: "a", hook: { command, ms: 9000 } }]));
    for (const args of [[], ["--json"]]) {
      const { stdout } = await belay(["stats", "--from", "claude-code", ...args]);
      expect(stdout).toContain("[redacted]");
      expect(stdout).not.toContain("abcdefghij");
    }
  });

  it.each([
    [
      ["--from", "claude"],
      'no session logs can be read of an agent called "claude"; did you mean --from claude-code?',
    ],
    [["--from", "clade-code"], 'an agent called "clade-code"; did you mean --from claude-code?'],
    [["--from", "nobody"], 'an agent called "nobody"; one of: claude-code'],
    [["--from", ""], 'an agent called ""; one of: claude-code'],
    [["--from", "Claude-Code"], 'an agent called "Claude-Code"; did you mean --from claude-code?'],
    [["--from", "nobody,all"], 'an agent called "nobody"; one of: claude-code'],
    [
      ["--from", "cursor"],
      "the session logs of Cursor are not read; next, for what it does from now on, a hook in it: belay record cursor",
    ],
    [
      ["--from", "claude-code"],
      "Claude Code has left no session logs: there is no HOME/.claude/projects; if they are elsewhere, set CLAUDE_CONFIG_DIR to the folder that holds projects",
    ],
    [["--from", "all"], "no agent has left session logs here; those that can be read are of: Claude Code"],
    [
      ["--from", "claude-code", "x.jsonl"],
      '"x.jsonl" names a journal, and --from reads session logs; keep one of them',
    ],
    [
      ["--from", "claude-code", "--cwd", "."],
      "--cwd has no meaning with --from; --project DIR takes the sessions of one project",
    ],
    [
      ["--from", "claude-code", "--decision", "deny"],
      "--decision has no meaning with --from; calls and runs are counted",
    ],
    [
      ["--project", "."],
      "--project narrows session logs down; for example: belay stats --from claude-code --project .",
    ],
    [
      ["--from", "claude-code", "--project", "nope"],
      '--project "nope" is no folder; name a folder that exists',
    ],
  ])("refuses %j with a sentence", async (args, expected) => {
    const { belay, home } = scratch();
    const { code, stdout, stderr } = await belay(["stats", ...args]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.replace(home, "HOME")).toContain(expected);
  });

  it.each([
    ["a file", (path: string) => writeFileSync(path, ""), "the session logs cannot be read: ENOTDIR"],
    ["a link to itself", (path: string) => symlinkSync(path, path), "the session logs cannot be read: ELOOP"],
  ])("says that %s is no folder of logs, and reads the others", async (_, make, expected) => {
    const { belay, home } = scratch();
    cpSync(join(LOGS, "gemini"), home, { recursive: true });
    mkdirSync(join(home, ".codex"));
    const place = join(home, ".codex", "sessions");
    make(place);
    const one = await belay(["stats", "--from", "codex"]);
    expect([one.code, one.stdout]).toEqual([1, ""]);
    expect(one.stderr).toContain(expected);
    expect(one.stderr).toContain(`next: ls -ld ${place}`);
    const all = await belay(["stats", "--from", "all", "--json"]);
    expect(all.code).toBe(0);
    expect(all.stderr).toContain(`belay: left out ${place}: `);
    expect(JSON.parse(all.stdout).logs).toMatchObject([
      { agent: "codex", calls: 0 },
      { agent: "gemini", calls: 10 },
    ]);
  });

  it("takes a file where a folder would have to be for no logs", async () => {
    const { belay, home } = scratch();
    writeFileSync(join(home, ".claude"), "");
    const { code, stderr } = await belay(["stats", "--from", "claude-code"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Claude Code has left no session logs")]);
  });

  it.each([
    [
      "an empty folder",
      [],
      "there are no session logs of Claude Code in F. Next, for this project's own journal:\n  belay stats\n",
    ],
    ["an empty file", [""], "1 file in F is empty. Next, for this project's own journal:\n  belay stats\n"],
    [
      "a format that is not known",
      ['{"a":1}\n'],
      "1 file in F says nothing that can be read; the format may have changed since Claude Code 2.1.325. Next, to see what is there:\n  ls -l F\n",
    ],
  ])("says what to do with %s", async (_, lines, expected) => {
    const { belay, home } = scratch();
    const folder = join(home, "claude", "projects");
    mkdirSync(folder, { recursive: true });
    for (const line of lines) writeFileSync(join(folder, "a.jsonl"), line);
    const env = { CLAUDE_CONFIG_DIR: join(home, "claude"), COLUMNS: "1000" };
    const { code, stdout } = await belay(["stats", "--from", "claude-code"], { env });
    expect([code, stdout.replaceAll(folder, "F")]).toEqual([0, expected]);
  });
});

describe("belay tail --from", () => {
  const rows = async (room: Scratch, args: readonly string[]) => {
    const env = { COLUMNS: "1000", TZ: "UTC" };
    const { code, stdout, stderr } = await room.belay(["tail", "--from", "claude-code", ...args], { env });
    expect([code, stderr]).toEqual([0, ""]);
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replaceAll(/ +/g, " ").replace(/^(\d\d-\d\d )?\d\d:\d\d:\d\d /, ""));
  };

  it("shows the last events of all sessions, with who refused them", async () => {
    expect(await rows(withLogs(), ["-n", "6"])).toEqual([
      "PostToolUseFailure Bash exit 4 description: run it go on node ~/hook.mjs chatty 39 ms",
      expect.stringMatching(
        /^PreToolUse Bash date > x\.txt description: run it deny \(! failed\) nobody to ask 15 ms Output redirection/,
      ),
      "PreToolUse Bash touch y.txt description: run it go on (! failed) ~/nothere.sh 10 ms the hook could not start: exit 127: /bin/sh: 1: /home/you/nothere.sh: not found",
      "PermissionRequest Bash touch y.txt description: run it deny a hook permreq says no",
      "PreToolUse Bash echo contfalse description: run it go on (! 1 of 2 failed) 2 hooks 123 ms the hook could not start: exit 127: /bin/sh: 1: /home/you/nothere.sh: not found",
      "PostToolUse Bash echo contfalse description: run it go on",
    ]);
  });

  it.each([
    [
      ["--decision", "deny", "--tool", "WebFetch"],
      [
        "PreToolUse WebFetch https://example.invalid prompt: x deny nobody to ask Claude requested permissions to use WebFetch, but you haven't granted it yet.",
      ],
    ],
    [
      ["--hook", "stopblock", "-n", "all"],
      ["Stop block node ~/hook.mjs stopblock 277 ms run the tests first", "Stop go on 2 hooks 544 ms"],
    ],
    [
      ["--event", "UserPromptSubmit", "--since", "2026-11-18T21:22:15"],
      [
        "UserPromptSubmit MAIN_PROMPT BLOCKME block a hook not this prompt",
        "UserPromptSubmit MAIN_PROMPT again go on",
      ],
    ],
    [
      ["--tool", "nope"],
      [
        expect.stringMatching(/^no session log of Claude Code in \S+ fits --tool nope\. Next:$/),
        " belay tail --from claude-code",
      ],
    ],
  ])("narrows down with %j", async (args, expected) => {
    expect(await rows(withLogs(), args)).toEqual(expected);
  });

  it("prints records, oldest first, that other commands read as a journal", async () => {
    const room = withLogs();
    const { stdout } = await room.belay(["tail", "--from", "claude-code", "-n", "all", "--json"]);
    const times = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).time);
    expect(times).toEqual([...times].sort());
    const last = await room.belay(["tail", "--from", "claude-code", "-n", "999", "--json"]);
    expect(
      last.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).time),
    ).toEqual(times);
    const journal = room.file("events.jsonl", stdout);
    const read = await room.belay(["stats", journal, "--json"]);
    expect(read.stderr).toBe("");
    expect(JSON.parse(read.stdout)).toMatchObject({ events: times.length });
  });

  it("hides secrets in what tools were given", async () => {
    const { belay, folder } = withLogs();
    rmSync(join(folder, "-home-you-project"), { recursive: true });
    const [call = ""] = session("00000001", [{ id: "a", tool: "Bash" }]).split("\n");
    const secret = "AKIAIOSFODNN7EXAMPLE";
    writeFileSync(
      join(folder, "a.jsonl"),
      call.replace('"input":{}', `"input":{"command":"aws --key ${secret}"}`),
    );
    for (const more of [[], ["--json"]]) {
      const { stdout } = await belay(["tail", "--from", "claude-code", "-n", "1", ...more]);
      expect(stdout).toContain("[redacted]");
      expect(stdout).not.toContain(secret);
    }
  });

  it.each([
    [
      ["-f"],
      "--follow has no meaning with --from; a log is read as it is now: belay tail --from claude-code",
    ],
    [["--cwd", "."], "--cwd has no meaning with --from"],
  ])("refuses %j with a sentence", async (args, expected) => {
    const { code, stderr } = await withLogs().belay(["tail", "--from", "claude-code", ...args]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(expected)]);
  });
});

describe("session logs of several agents", () => {
  /** A home in which these agents have left the logs of one session. */
  function withAgents(...agents: readonly string[]): Scratch {
    const room = scratch();
    for (const agent of agents) cpSync(join(LOGS, agent), room.home, { recursive: true });
    return room;
  }

  it("are counted one after the other", async () => {
    const room = withAgents("claude-code", "codex", "gemini", "qwen", "copilot", "droid", "pi");
    rmSync(join(room.home, ".codex/sessions/2025"), { recursive: true });
    const { stdout, stderr } = await room.belay(["stats", "--from", "all", "--json"]);
    expect(stderr).toBe("");
    const counts = JSON.parse(stdout).logs.map(({ agent, sessions, calls, denied }: LogCounts) => [
      agent,
      sessions,
      calls,
      denied,
    ]);
    expect(counts).toEqual([
      ["claude-code", 1, 12, 2],
      ["codex", 1, 9, 2],
      ["copilot", 1, 12, 2],
      ["gemini", 1, 10, 2],
      ["qwen", 1, 12, 2],
      ["droid", 1, 12, 2],
      ["pi", 1, 10, 0],
    ]);
  });

  it("share out evenly what hooks that ran together took, where the log has one time for all", async () => {
    const { stdout } = await withAgents("droid").belay(["stats", "--from", "droid", "--json"]);
    const [{ hooks, waited }] = JSON.parse(stdout).logs;
    const before = hooks.filter(({ event }: { event: string }) => event === "PreToolUse");
    expect(before).toMatchObject([
      { hook: "node /home/you/hooks/guard.mjs", runs: 12, refused: 2, timed: 12 },
      { hook: "node /home/you/hooks/slow-look.mjs", runs: 12, refused: 0, timed: 12 },
    ]);
    expect(before[0].waited).toBe(before[1].waited);
    const all = hooks.reduce((sum: number, { waited }: { waited: number }) => sum + waited, 0);
    expect(waited).toBeCloseTo(all);
  });

  it("are one timeline, which names the agent", async () => {
    const room = withAgents("claude-code", "gemini");
    const env = { COLUMNS: "1000" };
    const { stdout } = await room.belay(["tail", "--from", "claude-code,gemini", "-n", "all"], { env });
    expect(stdout).toMatch(/ gemini PreToolUse +Bash/);
    expect(stdout).toMatch(/ claude-code PreToolUse +Bash/);
  });

  it("may be compressed", async () => {
    const room = withAgents("codex");
    const folder = join(room.home, ".codex/sessions");
    const count = async () => {
      const { stdout } = await room.belay(["stats", "--from", "codex", "--json"]);
      const [{ files, calls, denied }] = JSON.parse(stdout).logs;
      return { files, calls, denied };
    };
    rmSync(join(folder, "2026"), { recursive: true });
    expect(await count()).toEqual({ files: 1, calls: 9, denied: 2 });
    const [name = ""] = readdirSync(join(folder, "2025/01/05"));
    const plain = readFileSync(
      join(LOGS, "codex/.codex/sessions/2026/01/05", name.replace("2025", "2026").replace(".zst", "")),
    );
    writeFileSync(join(folder, "2025/01/05", name.replace(".zst", "")), plain);
    expect(await count()).toEqual({ files: 1, calls: 9, denied: 2 });
  });

  it("that are compressed and broken are said, and the rest is read", async () => {
    const room = withAgents("codex");
    const folder = join(room.home, ".codex/sessions/2025/01/05");
    const [name = ""] = readdirSync(folder);
    writeFileSync(join(folder, name), readFileSync(join(folder, name)).subarray(0, 4000));
    writeFileSync(join(folder, "rollout-none.jsonl.zst"), "no such format");
    // A frame that says its window is of 2 GB.
    const frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x03, 0x00, 0x00, 0x61];
    writeFileSync(join(folder, "rollout-wide.jsonl.zst"), Buffer.from(frame));
    const { stdout, stderr } = await room.belay(["stats", "--from", "codex", "--json"]);
    expect(JSON.parse(stdout).logs[0].calls).toBeGreaterThanOrEqual(9);
    expect(stderr.replaceAll(folder, "F")).toMatch(
      /^belay: left out (?:the rest of )?F\/rollout-2025.*\nbelay: left out (?:the rest of )?F\/rollout-none\.jsonl\.zst: .*\nbelay: left out (?:the rest of )?F\/rollout-wide\.jsonl\.zst: .*\n$/,
    );
  });
});

interface LogCounts {
  readonly agent: string;
  readonly sessions: number;
  readonly calls: number;
  readonly denied: number;
}

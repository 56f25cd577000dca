import { readConfig } from "@belay/core";
import { adviseOnHooks } from "@belay/core/advise";
import { hooksOf } from "@belay/core/internal";
import { describe, expect, it } from "vitest";
import { advice, command, patterns, read } from "./advising.ts";

describe("a matcher", () => {
  const told = (event: string, matcher: string) =>
    advice({ [event]: [{ matcher, hooks: [command, { ...command, name: "twin" }] }] });

  const FINE = ["", "*", "Bash", "Write|Edit, MultiEdit", "mcp__memory__create", "mcp__memory__.*"];
  const ANCHORED = [".*", "^Edit", "Edit$", "^(Edit|Write)$", "Notebook.*", "[A-Z]"];
  it.each([
    ...[...FINE, ...ANCHORED].map((matcher) => ["PreToolUse", matcher] as const),
    ["PreCompact", "manual"],
    ["SubagentStop", "anything-goes"],
  ] as const)("%s %s is fine", (event, matcher) => {
    expect(told(event, matcher)).toEqual([]);
  });

  const INPUT = "and let the hook look at tool_input.";
  it.each([
    ["PreToolUse", "bash", '"bash"', " (did you mean Bash?)", 'Write "Bash"; names are case-sensitive.'],
    ["PostToolUse", "Write|Edti", '"Edti" in "Write|Edti"', " (did you mean Edit?)", 'Write "Edit".'],
    ["PreToolUse", "mcp__memory", '"mcp__memory"', " (a server is no tool)", 'Write "mcp__memory__.*".'],
    [
      "PreToolUse",
      "Bash(a:*)",
      '"Bash(a:*)"',
      " (a permission rule is no matcher)",
      `Write "Bash", ${INPUT}`,
    ],
    [
      "PreToolUse",
      "!Bash",
      '"!Bash"',
      " (a matcher cannot say not)",
      "Leave the matcher out, and let the hook look at tool_name.",
    ],
    ["SessionStart", "restart", '"restart"', "", "Known: startup, resume, clear, compact, fork."],
  ])("%s %s matches nothing", (event, matcher, shown, guess, fix) => {
    const field = event === "SessionStart" ? "source" : "tool_name";
    const message = `${shown} matches no ${field} that is known for ${event}${guess}`;
    expect(told(event, matcher)).toEqual([["config-matcher-matches-nothing", message, fix]]);
  });

  it.each([
    [
      "[Write, Grep]",
      "Read, Edit, MultiEdit, Glob, Agent, WebFetch, WebSearch, NotebookEdit, NotebookRead, TodoWrite, BashOutput, KillShell, ExitPlanMode, AskUserQuestion, Skill, PowerShell, EnterPlanMode, TaskOutput",
      "Write|Grep",
    ],
    ["Edit.*", "MultiEdit, NotebookEdit", "^(Edit.*)$"],
    ["(Write|Edit)", "MultiEdit, NotebookEdit, TodoWrite", "^(Write|Edit)$"],
    ["^Edit|Write$", "TodoWrite", "^(Edit|Write)$"],
  ])("%s catches more than it names", (matcher, names, anchored) => {
    expect(told("PreToolUse", matcher)).toEqual([
      [
        "config-matcher-catches-more",
        `"${matcher}" is an unanchored pattern and also catches ${names}`,
        `Write "${anchored}" to match whole names.`,
      ],
    ]);
  });

  it("on an event that has none is ignored", () => {
    expect(told("Stop", "Bash")).toEqual([
      [
        "config-matcher-ignored",
        'Stop has no matcher; "Bash" is ignored and the hook fires every time',
        "Remove the matcher, and let the hook look at its input.",
      ],
    ]);
  });

  it("that could hang is not tried out", () => {
    expect(advice({ PreToolUse: [{ matcher: "(?=x)(\\w+)+!", hooks: [command] }] })).toEqual([]);
  });
});

describe("an entry", () => {
  const codes = (event: string, entry: object, dialect?: "claude-code") =>
    adviseOnHooks(read({ [event]: [{ hooks: [entry] }] }, dialect), patterns).map(({ code }) => code);

  it.each([
    [60, []],
    [600, []],
    [1800, []],
    [3600, []],
    [1000, ["config-timeout-unit"]],
    [5000, ["config-timeout-unit"]],
    [30_000, ["config-timeout-unit"]],
    [60_000, ["config-timeout-unit"]],
  ])("with a timeout of %i", (timeout, expected) => {
    expect(codes("Stop", { ...command, timeout })).toEqual(expected);
  });

  it("that asks a model says that it needs one", () => {
    expect(codes("Stop", { type: "prompt", prompt: "Are we done?" })).toEqual(["prompt-needs-model"]);
  });

  it.each([
    ["PreToolUse", undefined, []],
    ["SessionEnd", undefined, ["config-no-effect"]],
    ["PreCompact", undefined, ["config-no-effect"]],
    ["PreCompact", "claude-code", []],
  ] as const)("that blocks on failure on %s (%s)", (event, dialect, expected) => {
    expect(codes(event, { ...command, onFailure: "block" }, dialect)).toEqual(expected);
  });

  it("with a fixed answer is read as it will be when it fires", () => {
    const json = (output: object) => ({ type: "json", json: output });
    const deny = { hookEventName: "PostToolUse", permissionDecision: "deny" };
    expect(codes("PostToolUse", json({ hookSpecificOutput: deny }))).toEqual(["output-cannot-answer"]);
    expect(codes("Stop", json({ sytemMessage: "x" }))).toEqual(["output-misspelt-field"]);
    expect(codes("Stop", json({ systemMessage: "x" }))).toEqual([]);
  });

  it("whose headers name a variable that is not allowed", () => {
    const http = { type: "http", url: "http://127.0.0.1/", headers: { A: "Bearer $TOKEN ${OTHER}" } };
    expect(codes("Stop", { ...http, allowedEnvVars: ["TOKEN", "OTHER"] })).toEqual([]);
    expect(codes("Stop", { ...http, allowedEnvVars: ["OTHER"] })).toEqual(["http-variable"]);
  });

  it.each([
    ["PreToolUse", "grep -q x && exit 1", ["script-exit-1"]],
    ["PreToolUse", "grep -q x && exit 2; exit 1", []],
    ["SessionEnd", "exit 1", []],
    ["PreToolUse", `echo '{"decision":"block"}'`, ["script-block-as-deny"]],
  ])("on %s whose command is %s", (event, text, expected) => {
    expect(codes(event, { type: "command", command: text })).toEqual(expected);
  });

  it("that is switched off is left alone", () => {
    expect(codes("SessionEnd", { ...command, timeout: 5000, onFailure: "block", enabled: false })).toEqual(
      [],
    );
  });
});

describe("the same handler twice", () => {
  const group = (matcher: string) => ({ matcher, hooks: [command] });
  it.each([
    ["Bash", "Bash", ["config-duplicate"]],
    ["Bash", "*", ["config-duplicate"]],
    ["Bash|Edit", "Edit|Write", ["config-duplicate"]],
    ["Bash", "^B", ["config-duplicate"]],
    ["Bash", "Edit", []],
  ])("under %s and %s", (first, second, expected) => {
    expect(advice({ PreToolUse: [group(first), group(second)] }).map(([code]) => code)).toEqual(expected);
  });
});

/* A file of Claude Code's may hold fields of Belay's: what they say does not hold there, and that is said here. */

const HERE = "/p/.claude/settings.json";

function elsewhere(hooks: readonly object[], { file = HERE, group = {}, more = {} } = {}) {
  const text = JSON.stringify({ hooks: { PreToolUse: [{ ...group, hooks }] }, ...more }, undefined, 1);
  const config = readConfig({ file, layer: "project", text, dialect: "claude-code" });
  return adviseOnHooks(hooksOf([config])).filter(({ code }) => code === "config-belay-field");
}

describe("fields that only Belay reads, in a file of Claude Code", () => {
  const KEEP = "keep the hook in .belay/settings.json.";
  const FAULT = "for a prompt, a fault lets work go on there";
  const REMOVE = "Remove the entry to switch it off there too.";
  const NOT_RUN = "the hook does not run there";
  const COLD = "there it is started for each event, and gets the bare payload";
  const ROWS: readonly [field: string, entry: object, instead: string, fix: string][] = [
    ['"onFailure": "block"', { type: "prompt", prompt: "ok?", onFailure: "block" }, FAULT, "Use a command."],
    [
      '"mode": "observe"',
      { ...command, mode: "observe" },
      "its answer counts there",
      `Until it is to count, ${KEEP}`,
    ],
    ['"enabled": false', { ...command, enabled: false }, "the hook runs there", REMOVE],
    ['"warm"', { ...command, warm: true }, COLD, `Let it answer that as well, or ${KEEP}`],
    ['"warm"', { ...command, warm: "parallel" }, COLD, `Let it answer that as well, or ${KEEP}`],
    ['"type": "json"', { type: "json", json: {} }, NOT_RUN, `Write a command, or ${KEEP}`],
    ['"type": "module"', { type: "module", module: "./a.mjs" }, NOT_RUN, `Write a command, or ${KEEP}`],
  ];
  it.each(ROWS)("%s", (field, entry, instead, fix) => {
    expect(elsewhere([command, entry])).toEqual([
      {
        code: "config-belay-field",
        severity: "warning",
        message: `\`${field}\` is not read by Claude Code: ${instead}`,
        fix,
        hook: expect.stringContaining("PreToolUse[0.1]"),
        path: `${HERE}:10`,
      },
    ]);
    for (const file of ["/p/.claude/settings.local.json", "C:\\p\\.claude\\settings.json"])
      expect(elsewhere([entry], { file })).toHaveLength(1);
  });

  it.each([
    [{ type: "mcp_tool", server: "a", tool: "b" }, "mcp_tool"],
    [{ type: "agent", prompt: "ok?" }, "agent"],
  ])("and the other way round: %j", (entry, type) => {
    const text = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [entry] }] } });
    const { hooks, problems } = readConfig({ file: HERE, layer: "project", text });
    expect(problems).toEqual([]);
    expect(
      adviseOnHooks(hooks).map(({ code, message }) => [code, message.includes(`type ${type} `)]),
    ).toEqual([["config-elsewhere", true]]);
  });

  it("sequential, once for its group, where there is more than one hook", () => {
    const group = { sequential: true };
    const found = elsewhere([command, { ...command, command: "false" }, { ...command, command: ":" }], {
      group,
    });
    expect(found.map(({ message, fix }) => [message, fix])).toEqual([
      [
        '`"sequential": true` is not read by Claude Code: the hooks of this group run at the same time there',
        "Let one command do it all in turn.",
      ],
    ]);
    expect(elsewhere([command], { group })).toEqual([]);
  });

  it("nothing that says what holds anyway, is Claude Code's too, or is off there as well", () => {
    const defaults = { onFailure: "continue", mode: "enforce", enabled: true, warm: false };
    expect(
      elsewhere(
        [{ ...command, ...defaults, name: "a", timeout: 3, onFailure: "block", async: true, if: "Bash" }],
        {
          group: { matcher: "Bash", sequential: false },
        },
      ),
    ).toEqual([]);
    expect(
      elsewhere([
        { type: "prompt", prompt: "ok?" },
        { type: "http", url: "http://127.0.0.1" },
      ]),
    ).toEqual([]);
    const observing = [{ ...command, mode: "observe" }];
    expect(elsewhere(observing, { more: { disableAllHooks: true } })).toEqual([]);
    expect(elsewhere(observing)).toHaveLength(1);
  });

  it.each([
    "/p/.belay/settings.json",
    "/p/.wave/settings.json",
    "/p/.claude/hooks.json",
    "/p/.claude/hooks/hooks.0b8f1d6e-0000-4000-8000-000000000001.json",
    "/p/hooks/hooks.json",
  ])("nothing in %s, which is not known to be read elsewhere", (file) => {
    expect(elsewhere([{ ...command, mode: "observe" }], { file })).toEqual([]);
  });
});

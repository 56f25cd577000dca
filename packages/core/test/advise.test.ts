import { loadPatternEngine, readConfig } from "@belay/core";
import { adviseOnHooks, adviseOnScript } from "@belay/core/advise";
import { describe, expect, it } from "vitest";

const patterns = await loadPatternEngine();

function read(hooks: object, dialect?: "wave" | "session-hooks" | "claude-code") {
  const text = JSON.stringify({ hooks });
  return readConfig({ file: "/p/s.json", layer: "config", text, ...(dialect && { dialect }) }, patterns)
    .hooks;
}

const advice = (hooks: object) =>
  adviseOnHooks(read(hooks), patterns).map(({ code, message, fix }) => [code, message, fix]);

const command = { type: "command", command: "true" };

describe("a matcher", () => {
  const nothing = (matcher: string, event: string, guess: string, fix: string, field = "tool_name") => [
    "config-matcher-matches-nothing",
    `${matcher} matches no ${field} that is known for ${event}${guess}`,
    fix,
  ];
  const more = (matcher: string, names: string, anchored: string) => [
    "config-matcher-catches-more",
    `${matcher} is an unanchored pattern and also catches ${names}`,
    `Write ${anchored} to match whole names.`,
  ];
  const rows: [event: string, matcher: string, expected: unknown[]][] = [
    ["PreToolUse", "", []],
    ["PreToolUse", "*", []],
    ["PreToolUse", "Bash", []],
    ["PreToolUse", "Write|Edit, MultiEdit", []],
    ["PreToolUse", "mcp__memory__create", []],
    ["PreToolUse", "mcp__memory__.*", []],
    ["PreToolUse", ".*", []],
    ["PreToolUse", "^Edit", []],
    ["PreToolUse", "Edit$", []],
    ["PreToolUse", "^(Edit|Write)$", []],
    ["PreToolUse", "Notebook.*", []],
    [
      "PreToolUse",
      "bash",
      [nothing('"bash"', "PreToolUse", " (did you mean Bash?)", 'Write "Bash"; names are case-sensitive.')],
    ],
    [
      "PostToolUse",
      "Write|Edti",
      [nothing('"Edti" in "Write|Edti"', "PostToolUse", " (did you mean Edit?)", 'Write "Edit".')],
    ],
    [
      "PreToolUse",
      "mcp__memory",
      [nothing('"mcp__memory"', "PreToolUse", " (a server is no tool)", 'Write "mcp__memory__.*".')],
    ],
    [
      "PreToolUse",
      "Bash(git push:*)",
      [
        nothing(
          '"Bash(git push:*)"',
          "PreToolUse",
          " (a permission rule is no matcher)",
          'Write "Bash", and let the hook look at tool_input.',
        ),
      ],
    ],
    [
      "PreToolUse",
      "!Bash",
      [
        nothing(
          '"!Bash"',
          "PreToolUse",
          " (a matcher cannot say not)",
          "Leave the matcher out, and let the hook look at tool_name.",
        ),
      ],
    ],
    [
      "SessionStart",
      "restart",
      [nothing('"restart"', "SessionStart", "", "Known: startup, resume, clear, compact, fork.", "source")],
    ],
    ["PreCompact", "manual", []],
    ["SubagentStop", "anything-goes", []],
    ["PreToolUse", "Edit.*", [more('"Edit.*"', "MultiEdit, NotebookEdit", '"^(Edit.*)$"')]],
    [
      "PreToolUse",
      "(Write|Edit)",
      [more('"(Write|Edit)"', "MultiEdit, NotebookEdit, TodoWrite", '"^(Write|Edit)$"')],
    ],
    ["PreToolUse", "^Edit|Write$", [more('"^Edit|Write$"', "TodoWrite", '"^(Edit|Write)$"')]],
    [
      "Stop",
      "Bash",
      [
        [
          "config-matcher-ignored",
          'Stop has no matcher; "Bash" is ignored and the hook fires every time',
          "Remove the matcher, and let the hook look at its input.",
        ],
      ],
    ],
  ];
  it.each(rows)("%s %s", (event, matcher, expected) => {
    expect(advice({ [event]: [{ matcher, hooks: [command, { ...command, name: "twin" }] }] })).toEqual(
      expected,
    );
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

describe("a script's text", () => {
  const rows: [what: string, event: string, text: string, expected: string[]][] = [
    ["nothing special", "PreToolUse", "#!/bin/sh\nexit 2\n", []],
    ["no event name", "PreToolUse", 'print({"hookSpecificOutput": {}})', ["script-no-event-name:1"]],
    ["an event name", "PreToolUse", 'print({"hookSpecificOutput": {"hookEventName": "PreToolUse"}})', []],
    [
      "an event name in one branch only",
      "PreToolUse",
      `ok='{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}'
no='{"hookSpecificOutput": {"permissionDecision": "deny", "updatedInput": {}}}'`,
      ["script-no-event-name:2"],
    ],
    [
      "the same, escaped in shell",
      "PreToolUse",
      `echo "{\\"hookSpecificOutput\\":{\\"permissionDecision\\":\\"deny\\"}}"
jq -n '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "allow"}}'`,
      ["script-no-event-name:1"],
    ],
    [
      "an event name that comes from elsewhere",
      "PreToolUse",
      `const named = { hookEventName: "PreToolUse" };
a = { hookSpecificOutput: { ...named, permissionDecision: "deny" } };
b = { hookSpecificOutput: named };`,
      [],
    ],
    [
      "an event name that is set later",
      "PreToolUse",
      `a = { hookSpecificOutput: { permissionDecision: "deny" } };
a.hookSpecificOutput.hookEventName = input.hook_event_name;`,
      [],
    ],
    ["an event name from the input", "PreToolUse", "hookSpecificOutput: { hookEventName: input.event }", []],
    ["only a comment", "PreToolUse", "# hookSpecificOutput\n// permissionDecision", []],
    [
      "another event's name",
      "PostToolUse",
      'x\nhookSpecificOutput: { hookEventName: "PreToolUse" }',
      ["script-wrong-event:2"],
    ],
    [
      "another event's name, escaped in shell",
      "PostToolUse",
      'echo "{\\"hookSpecificOutput\\":{\\"hookEventName\\":\\"PreToolUse\\"}}"',
      ["script-wrong-event:1"],
    ],
    [
      "a module for another event",
      "Stop",
      'export default defineHook("PreToolUse", f)',
      ["script-wrong-event:1"],
    ],
    ["a field the event lacks", "PostToolUse", "a\nb permissionDecision", ["script-cannot-answer:2"]],
    [
      "fields the event has",
      "PreToolUse",
      "hookSpecificOutput: { hookEventName, permissionDecision, updatedInput }",
      [],
    ],
    ["an answer at the top level", "PreToolUse", "x\n{ permissionDecision }", ["script-top-level:2"]],
    ["context at the top level", "UserPromptSubmit", "{ additionalContext }", ["script-top-level:1"]],
    [
      "a block that is taken as a deny",
      "PreToolUse",
      'x\necho \'{"decision": "block"}\'',
      ["script-block-as-deny:2"],
    ],
    ["the same for a permission", "PermissionRequest", '{"decision": "block"}', ["script-block-as-deny:1"]],
    ["an approval where there is none", "PreToolUse", '{"decision": "approve"}', ["script-cannot-answer:1"]],
    ["a rewrite of a prompt", "UserPromptSubmit", "updatedPrompt", []],
    ["context on a stop, which wave refuses", "Stop", "additionalContext", ["script-cannot-answer:1"]],
    [
      "a deny as a decision",
      "PreToolUse",
      `x\njq -n '{decision: "deny", reason: "no"}'`,
      ["script-bad-decision:2"],
    ],
    ["a deny of a stop", "Stop", 'echo "{\\"decision\\": \\"deny\\"}"', ["script-bad-decision:1"]],
    ["a variable of that name", "PreToolUse", 'decision = "deny"\nexit 2', []],
    [
      "a deny beside the right field",
      "PreToolUse",
      'log({"decision": "deny"}); hookSpecificOutput: { hookEventName, permissionDecision }',
      [],
    ],
    ["a block where nothing is blocked", "SessionEnd", '{"decision": "block"}', ["script-cannot-answer:1"]],
    ["a block of a stop", "Stop", '{"decision": "block"}', []],
    ["the long permission form", "PermissionRequest", '{"decision": {"behavior": "deny"}}', []],
    ["exit 1 alone", "PreToolUse", "exit 1", ["script-exit-1:1"]],
    ["exit 1 in Python", "PreToolUse", "sys.exit(1)", ["script-exit-1:1"]],
    ["exit 1 in Node", "PreToolUse", "process.exit(1)", ["script-exit-1:1"]],
    ["exit 1 at the end, in Node", "PreToolUse", "process.exitCode = 1", ["script-exit-1:1"]],
    ["exit 1, spaced", "PreToolUse", "sys.exit( 1 )", ["script-exit-1:1"]],
    ["SystemExit", "PreToolUse", "raise SystemExit(1)", ["script-exit-1:1"]],
    ["exit 1 beside a variable", "PreToolUse", 'if decision == "bad":\n  exit(1)', ["script-exit-1:2"]],
    ["exit 1 and 2 in Python", "PreToolUse", "sys.exit(1)\nsys.exit(2)", []],
    ["exit 1 and 2 at the end, in Node", "PreToolUse", "exitCode = 1; exitCode = 2", []],
    ["an exit code that was computed", "PreToolUse", "exit(1)\nsys.exit(main())", []],
    ["exit 1 beside an answer", "Stop", 'exit 1\n{"decision": "block"}', []],
    ["exit 1 and 2", "PreToolUse", "exit 1\nexit 2", []],
    ["exit 1 where nothing is refused", "SessionEnd", "exit 1", []],
  ];
  it.each(rows)("%s", (_what, event, text, expected) => {
    const hooks = read({ [event]: [{ hooks: [command] }] });
    const found = adviseOnScript({ file: "/p/guard", shown: "guard" }, text, hooks);
    expect(found.map(({ code, path }) => `${code}:${path?.replace("/p/guard:", "")}`)).toEqual(expected);
  });

  it("that approves where one allows is told how", () => {
    const hooks = read({ PreToolUse: [{ hooks: [command] }] });
    const found = adviseOnScript({ file: "/p/g", shown: "g" }, '{"decision": "approve"}', hooks);
    expect(found.map(({ fix }) => fix)).toEqual([
      'To allow, answer with hookSpecificOutput.permissionDecision "allow".',
    ]);
    const fixed = { type: "json", json: { decision: "approve" } };
    expect(advice({ PreToolUse: [{ hooks: [fixed] }] }).map(([, , fix]) => fix)).toEqual([
      'To allow, answer with hookSpecificOutput.permissionDecision "allow".',
    ]);
  });

  it.each([
    ["PreToolUse", 'Answer with hookSpecificOutput.permissionDecision "deny".'],
    ["Stop", 'Answer with decision "block".'],
    ["SessionEnd", "Use one of: continue, stopReason, systemMessage, suppressOutput."],
  ])("that denies by a decision on %s is told how", (event, fix) => {
    const hooks = read({ [event]: [{ hooks: [command] }] });
    const found = adviseOnScript({ file: "/p/g", shown: "g" }, '{"decision": "deny"}', hooks);
    expect(found).toMatchObject([
      { message: `g writes decision "deny", which is no answer on ${event}`, fix },
    ]);
  });

  const stops = { Stop: [{ hooks: [command] }], SessionEnd: [{ hooks: [command] }] };
  it.each([
    ["does not look which it is given", stops, '{"decision": "block"}', ["script-cannot-answer"]],
    ["looks which it is given", stops, 'input["hook_event_name"] {"decision": "block"}', []],
    ["looks at the variable", stops, '[ "$BELAY_EVENT" = Stop ] && echo {"decision": "block"}', []],
    [
      "is told by its arguments",
      { ...stops, SessionEnd: [{ hooks: [{ ...command, command: "true end" }] }] },
      '{"decision": "block"}',
      [],
    ],
  ] as const)("that serves several events and %s", (_what, config, text, expected) => {
    const found = adviseOnScript({ file: "/p/g", shown: "g" }, text, read(config));
    expect(found.map(({ code }) => code)).toEqual(expected);
    const [first] = found;
    if (first) expect(first.message).toBe("g writes `decision`, which SessionEnd cannot answer");
  });

  it("needs no event name in a dialect that requires none", () => {
    const hooks = read({ PreToolUse: [{ hooks: [command] }] }, "session-hooks");
    expect(adviseOnScript({ file: "/p/g", shown: "g" }, "hookSpecificOutput", hooks)).toEqual([]);
  });
});

import { adviseOnScript } from "@belay/core/advise";
import { describe, expect, it } from "vitest";
import { advice, command, read } from "./advising.ts";
import { growthOf, LINEAR } from "./growth.ts";

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
    ["a helper that may name the event", "PreToolUse", "print({'hookSpecificOutput': answer('deny')})", []],
    ["a word in a text", "PreToolUse", "Prints hookSpecificOutput.", []],
    ...['echo "$TOOL_NAME"', "jq . <<<${CLAUDE_TOOL_INPUT}", "os.environ['TOOL_INPUT']"].map(
      (text): (typeof rows)[number] => [
        `a variable that nobody sets: ${text}`,
        "PreToolUse",
        `x\n${text}`,
        ["script-unset-variable:2"],
      ],
    ),
    ["one that the script sets", "PreToolUse", 'TOOL_NAME=$(jq -r .tool_name); echo "$TOOL_NAME"', []],
    ["one that the script reads", "PreToolUse", 'read -r _ TOOL_NAME; echo "$TOOL_NAME"', []],
    ["one with another value behind it", "PreToolUse", 'echo "${TOOL_INPUT:-$(cat)}"', []],
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
    ...["block", "Deny", "defer"].map((word): (typeof rows)[number] => [
      `a permission of ${word}`,
      "PreToolUse",
      `x\necho '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "${word}"}}'`,
      ["script-bad-decision:2"],
    ]),
    ["a deny of a stop", "Stop", 'echo "{\\"decision\\": \\"deny\\"}"', ["script-bad-decision:1"]],
    ["a variable of that name", "PreToolUse", 'decision = "deny"\nexit 2', []],
    [
      "a deny beside the right field",
      "PreToolUse",
      'log({"decision": "deny"}); hookSpecificOutput: { hookEventName, permissionDecision }',
      [],
    ],
    ["a block where nothing is blocked", "SessionEnd", '{"decision": "block"}', ["script-cannot-answer:1"]],
    ["a block of a stop", "Stop", '{"decision": "block", "reason": "x"}', []],
    ["the long permission form", "PermissionRequest", '{"decision": {"behavior": "deny"}}', []],
    ["exit 1 alone", "PreToolUse", "exit 1", ["script-exit-1:1"]],
    ["exit 1 in Python", "PreToolUse", "sys.exit(1)", ["script-exit-1:1"]],
    ["exit 1 in Node", "PreToolUse", "process.exit(1)", ["script-exit-1:1"]],
    ["exit 1 at the end, in Node", "PreToolUse", "process.exitCode = 1", ["script-exit-1:1"]],
    ["SystemExit", "PreToolUse", "raise SystemExit(1)", ["script-exit-1:1"]],
    ["exit 1 beside a variable", "PreToolUse", 'if decision == "bad":\n  exit(1)', ["script-exit-1:2"]],
    ["exit 1 and 2 at the end, in Node", "PreToolUse", "exitCode = 1; exitCode = 2", []],
    ["an exit code that was computed", "PreToolUse", "exit(1)\nsys.exit(main())", []],
    ["exit 1 beside an answer", "Stop", 'exit 1\n{"decision": "block", "reason": "x"}', []],
    ["exit 1 and 2", "PreToolUse", "exit 1\nexit 2", []],
    ["exit 1 where nothing is refused", "SessionEnd", "exit 1", []],
    ["exit 2 where nothing is refused", "Notification", "x\nexit 2", ["script-exit-2:2"]],
    ["the same in Node", "SessionStart", "process.exit( 2 )", ["script-exit-2:1"]],
    ["another code that begins so", "SessionEnd", "exit 20; exit 2>&1; sys.exit(21)", []],
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
      { message: `g writes decision "deny", which is not how ${event} is answered`, fix },
    ]);
  });

  it.each([
    [["Stop", "SessionEnd"], []],
    [
      ["SessionEnd", "Notification"],
      ["`decision`, which SessionEnd, Notification cannot", "exits with 2, and at SessionEnd, Notification"],
    ],
  ])("that serves %j is told what none of them accepts", (events, said) => {
    const hooks = read(Object.fromEntries(events.map((event) => [event, [{ hooks: [command] }]])));
    const text = '{"decision": "block", "reason": "r"}; exit 2';
    const found = adviseOnScript({ file: "/p/g", shown: "g" }, text, hooks);
    expect(found.map(({ message }) => message)).toEqual(said.map((words) => expect.stringContaining(words)));
  });

  it("that exits with 2 may refuse in one dialect and not in another", () => {
    const found = (dialect: "wave" | "claude-code") =>
      adviseOnScript(
        { file: "/p/g", shown: "g" },
        "exit 2",
        read({ PreCompact: [{ hooks: [command] }] }, dialect),
      );
    expect([found("wave").length, found("claude-code").length]).toEqual([1, 0]);
  });

  it.each([
    ["a command", { ...command, command: "echo no >&2; exit 2" }],
    ["a fixed answer", { type: "json", json: {}, exitcode: 2 }],
  ])("%s that exits with 2 where nothing is refused", (_what, hook) => {
    const told = advice({ Notification: [{ hooks: [hook] }] });
    expect(told.map(([code]) => code)).toEqual(["script-exit-2"]);
    expect(advice({ Stop: [{ hooks: [hook] }] })).toEqual([]);
  });

  it("needs no event name in a dialect that requires none", () => {
    const hooks = read({ PreToolUse: [{ hooks: [command] }] }, "session-hooks");
    expect(adviseOnScript({ file: "/p/g", shown: "g" }, "hookSpecificOutput", hooks)).toEqual([]);
  });
});

function advised(event: string, text: string) {
  return adviseOnScript({ file: "/p/g.sh", shown: "g.sh" }, text, read({ [event]: [{ hooks: [command] }] }));
}

const DENY = `"hookEventName":"PreToolUse","permissionDecision":"deny"`;

describe("an answer that a script writes out is read as the engine would read it", () => {
  const rows: [what: string, event: string, text: string, said: string][] = [
    [
      "a misspelt field",
      "PreToolUse",
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permisionDecision":"deny"}}'`,
      "unknown field `hookSpecificOutput.permisionDecision` was ignored (did you mean permissionDecision?)",
    ],
    [
      "one at the top, in Python",
      "Stop",
      `print(json.dumps({'decison': 'block', 'reason': "no"}))`,
      "`decison`",
    ],
    ["one beside a variable", "Stop", `jq -n --arg r x '{decison:"block",reason:$r}'`, "`decison`"],
    ["a block without its reason", "Stop", `echo '{"decision":"block"}'`, "`reason` is required"],
    ["the same, escaped", "Stop", `echo "{\\"decision\\":\\"block\\"}"`, "`reason` is required"],
    ["a stop without its reason", "Stop", `print({"continue": False})`, "`stopReason` is required"],
    ["a word for a truth", "Stop", `echo '{"continue":"false","stopReason":"x"}'`, "`continue` is not valid"],
    ["a number for words", "Stop", `echo '{"systemMessage": 5}'`, "`systemMessage` is not valid"],
    [
      "a behaviour that there is not",
      "PermissionRequest",
      `echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"refuse"}}}'`,
      "`hookSpecificOutput.decision.behavior` is not valid",
    ],
    [
      "an event that there is not",
      "PreToolUse",
      `echo '{"hookSpecificOutput":{"hookEventName":"PreTolUse","permissionDecision":"deny"}}'`,
      'hookSpecificOutput.hookEventName is "PreTolUse"',
    ],
  ];
  it.each(rows)("%s", (_what, event, text, said) => {
    const found = advised(event, `#!/bin/sh\n${text}\n`);
    expect(found).toMatchObject([
      { code: "script-answer", path: "/p/g.sh:2", message: expect.stringContaining(said) },
    ]);
  });

  const fine: [what: string, event: string, text: string][] = [
    ["a whole one", "PreToolUse", `echo '{"hookSpecificOutput":{${DENY}}}'`],
    ["a reason that comes later", "Stop", `out = {"decision": "block"}\nout["reason"] = why`],
    ["a reason that is filled in", "Stop", `jq -n --arg r "$why" '{decision: "block", reason: $r}'`],
    ["an object that is somebody else's", "PreToolUse", `curl -d '{"text":"x","channel":"y"}'`],
    ["a piece of something else", "PreToolUse", `a = { x: f(), y: { "decision": "block" } }; reason`],
    [
      "a decision that is filled in",
      "PreToolUse",
      `{"hookSpecificOutput":{"hookEventName":"$E","permissionDecision":"$D"}}`,
    ],
    [
      "one that printf fills in",
      "PreToolUse",
      `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"%s"}}' deny`,
    ],
    [
      "a word for sed",
      "PreToolUse",
      `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"DECISION"}}`,
    ],
    ["a word that is not in quotes", "Stop", `echo '{"continue":'$B',"stopReason":"x"}'`],
    ["a line of a log", "Stop", `f.write(json.dumps({'decision': 'allowed', 'time': 1}))`],
    ["a body for somebody else", "Stop", `curl -d '{"decision":"yes","text":"x"}' "$URL"`],
  ];
  it.each(fine)("%s is fine", (_what, event, text) => {
    expect(advised(event, text).filter(({ code }) => code === "script-answer")).toEqual([]);
  });

  it("is not told of twice", () => {
    const text = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"block"}}'`;
    expect(advised("PreToolUse", text).map(({ code }) => code)).toEqual(["script-bad-decision"]);
  });
});

it("a script made to be slow to look through is not", () => {
  const hooks = read({ Stop: [{ hooks: [command] }] });
  for (const piece of ["{}\n", '{"a":1}\n', "{'a':", '{"decision":"x"}'])
    expect(
      growthOf(piece.repeat(4000), (text) => adviseOnScript({ file: "/p/g.sh", shown: "g.sh" }, text, hooks)),
    ).toBeLessThan(LINEAR);
});

it("is told once, of the first hook that runs the script, in the terms of its event", () => {
  const advise = (hooks: Parameters<typeof adviseOnScript>[2]) =>
    adviseOnScript({ file: "/p/g.sh", shown: "g.sh" }, `echo '{"reason": 5}'`, hooks);
  const hooks = read({ Stop: [{ hooks: [command] }], PostToolUse: [{ hooks: [command] }] });
  expect(advise(hooks)).toEqual(advise(hooks.slice(0, 1)));
  expect(advise(hooks)).toMatchObject([{ code: "script-answer", hook: hooks[0]?.name }]);
});

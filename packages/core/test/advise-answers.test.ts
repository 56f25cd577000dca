import { adviseOnScript } from "@belay/core/advise";
import { describe, expect, it } from "vitest";
import { command, read } from "./advising.ts";
import { growthOf, LINEAR } from "./growth.ts";

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
    ["one in Node", "Stop", `console.log(JSON.stringify({ decison: "block", reason: "no" }))`, "`decison`"],
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

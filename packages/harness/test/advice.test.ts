import { readConfig } from "@belay/core";
import { describe, expect, it } from "vitest";
import { adviseAs, harnessNamed } from "../src/index.ts";

function hookOf(event: string, entry: object) {
  const text = JSON.stringify({ hooks: { [event]: [{ hooks: [entry] }] } });
  const { hooks } = readConfig({ text, file: "hooks.json", layer: "project" });
  const [hook] = hooks;
  if (!hook) throw new Error("no hook");
  return hook;
}

const GUARD = { type: "command", command: "./guard.sh", name: "guard", onFailure: "block" };
const NOTE = { type: "command", command: "./note.sh", name: "note" };

describe("what a hook means in another agent", () => {
  const rows: [name: string, agent: string, event: string, entry: object, script: string, said: string[]][] =
    [
      ["nothing to say", "claude-code", "PreToolUse", GUARD, "jq -r .tool_input.command", []],
      [
        "an event that it lacks",
        "kimi",
        "PreCompact",
        NOTE,
        "",
        ["agent-no-event Kimi Code has no event like PreCompact: this hook never runs there"],
      ],
      [
        "http where it is skipped",
        "droid",
        "PreToolUse",
        { type: "http", url: "http://127.0.0.1:1/" },
        "",
        ["agent-skips-type Factory Droid runs no http hooks"],
      ],
      ["a prompt hook", "claude-code", "PreToolUse", { type: "prompt", prompt: "is it ok" }, "", []],
      [
        "http where there is no such thing",
        "codex",
        "PreToolUse",
        { type: "http", url: "http://127.0.0.1:1/" },
        "",
        ["agent-skips-type Codex runs no http hooks"],
      ],
      [
        "a module",
        "codex",
        "PreToolUse",
        { type: "module", module: "./a.mjs" },
        "",
        ["agent-skips-type Codex runs no module hooks"],
      ],
      [
        "a guard that nothing closes",
        "codex",
        "PreToolUse",
        GUARD,
        "",
        [
          "agent-stays-open Codex does not read onFailure: when this hook fails or is late, the step goes on there",
        ],
      ],
      [
        "a guard that no answer serves",
        "auggie",
        "Stop",
        GUARD,
        "",
        [
          "agent-no-answer Auggie reads no answer to Stop: this hook can only observe there",
          "agent-stays-open Auggie does not read onFailure: when this hook fails or is late, the step goes on there",
        ],
      ],
      [
        "a field that is not sent",
        "droid",
        "PreToolUse",
        NOTE,
        "jq -r .tool_use_id",
        ["agent-no-field note.sh reads .tool_use_id, which Factory Droid does not send at PreToolUse"],
      ],
      [
        "a field that one other agent sends",
        "codex",
        "PreToolUse",
        NOTE,
        "jq -r .effort.level",
        ["agent-no-field note.sh reads .effort, which Codex does not send at PreToolUse"],
      ],
      ["a field that is sent", "codex", "PreToolUse", NOTE, "jq -r .tool_use_id", []],
      [
        "a field in Python",
        "droid",
        "PreToolUse",
        NOTE,
        'p["tool_use_id"]',
        ["agent-no-field note.sh reads .tool_use_id, which Factory Droid does not send at PreToolUse"],
      ],
      ["a word of an answer is no field", "gemini", "SessionEnd", NOTE, '{"reason": "x"}', []],
      [
        "a variable that is not set",
        "codex",
        "PreToolUse",
        NOTE,
        'cd "$CLAUDE_PROJECT_DIR"',
        ["agent-no-variable note.sh reads $CLAUDE_PROJECT_DIR, which Codex does not set"],
      ],
      ["a variable with a default", "codex", "PreToolUse", NOTE, 'cd "${CLAUDE_PROJECT_DIR:-.}"', []],
      [
        "a variable that the script sets",
        "codex",
        "PreToolUse",
        NOTE,
        'CLAUDE_PROJECT_DIR=. ; cd "$CLAUDE_PROJECT_DIR"',
        [],
      ],
    ];
  for (const [name, agent, event, entry, text, said] of rows)
    it(`${name}, in ${agent}`, () => {
      const harness = harnessNamed(agent);
      if (!harness) throw new Error(`no harness ${agent}`);
      const found = adviseAs(harness, hookOf(event, entry), [{ script: "note.sh", text, file: "note.sh" }]);
      expect(found.map(({ code, message }) => `${code} ${message}`)).toEqual(said);
    });
});

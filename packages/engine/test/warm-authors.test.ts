import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Outcome } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { command, ROOT, scratch } from "./scratch.ts";

/** What hook authors are given: with it, one script says the same cold and warm, in Node and in Python. */

const NODE = `import { answer, refuse } from ${JSON.stringify(pathToFileURL(join(ROOT, "packages/engine/dist/warm-hook.js")))};
answer(async ({ tool_input, hook_event_name }) => {
  const { says, refuses, logs, throws, sees, circular } = tool_input;
  if (circular) return Object.assign(tool_input, { tool_input });
  if (logs) console.log(logs);
  if (refuses) refuse(refuses);
  if (throws) throw new RangeError(throws);
  if (sees) return process.env.BELAY_EVENT + " " + process.env.BELAY_SESSION_ID + " " + hook_event_name;
  return says;
});
`;
const PYTHON = `import os
from belay_hook import answer, refuse

def hook(event):
    todo = event["tool_input"]
    if todo.get("circular"):
        todo["todo"] = todo
        return todo
    if todo.get("logs"):
        print(todo["logs"])
    if todo.get("refuses"):
        refuse(todo["refuses"])
    if todo.get("throws"):
        raise IndexError(todo["throws"])
    if todo.get("sees"):
        return os.environ["BELAY_EVENT"] + " " + os.environ["BELAY_SESSION_ID"] + " " + event["hook_event_name"]
    return todo.get("says")

answer(hook)
`;

const SCRIPTS: Record<string, { file: string; text: string; command: string }> = {
  Node: { file: "hook.mjs", text: NODE, command: "node hook.mjs" },
  Python: { file: "hook.py", text: PYTHON, command: "python3 hook.py" },
};

const deny = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "no ∞",
  },
};
const rows: [name: string, todo: object, expected: object][] = [
  ["silence", {}, { decision: { kind: "none" }, runs: [{ exitCode: 0, stdout: "", stderr: "" }] }],
  ["an object", { says: deny }, { decision: { kind: "deny", reason: "no ∞" }, runs: [{ read: "json" }] }],
  ["text", { says: "word ∞" }, { decision: { kind: "none" }, runs: [{ exitCode: 0, stdout: "word ∞" }] }],
  ["neither", { says: false }, { decision: { kind: "none" }, runs: [{ exitCode: 0, stdout: "false" }] }],
  ["a list", { says: [1] }, { decision: { kind: "none" }, runs: [{ exitCode: 0, stdout: "[1]" }] }],
  ["what is no JSON", { circular: true }, { action: "error-displayed", runs: [{ exitCode: 1 }] }],
  [
    "a refusal",
    { refuses: "no ∞" },
    { decision: { kind: "deny", reason: "no ∞" }, runs: [{ exitCode: 2, stderr: "no ∞\n" }] },
  ],
  [
    "a throw",
    { throws: "far" },
    { action: "error-displayed", runs: [{ exitCode: 1, stderr: expect.stringMatching(/Error: far/) }] },
  ],
  [
    "a log, on stderr",
    { logs: "hm", says: deny },
    { decision: { kind: "deny" }, runs: [{ stderr: "hm\n", read: "json" }] },
  ],
  ["its environment", { sees: true }, { runs: [{ stdout: "PreToolUse me PreToolUse" }] }],
];

describe.each(Object.entries(SCRIPTS))("%s", (_language, script) => {
  it.each([undefined, true, "parallel"] as const)("warm: %s", { timeout: 30_000 }, async (warm) => {
    const room = scratch();
    room.write(`project/${script.file}`, script.text);
    const helper = readFileSync(join(ROOT, "examples/no-private-keys/belay_hook.py"), "utf8");
    room.write("project/belay_hook.py", helper);
    const entry = command(script.command, { name: "h", ...(warm && { warm }) });
    const hooks = await room.engineFor("PreToolUse", [entry], { sessionId: "me" });
    for (const [name, todo, expected] of rows) {
      const outcome: Outcome = await hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: { ...todo } });
      expect(outcome, name).toMatchObject(expected);
      expect(outcome.runs[0]?.failure, name).toBeUndefined();
    }
  });
});

describe("what sys.exit() is given means the same cold and warm", () => {
  const codes: [given: string, exitCode: number, stderr: string][] = [
    ["", 0, ""],
    ["None", 0, ""],
    ["-1", 255, ""],
    ["258", 2, ""],
    ["True", 1, ""],
    ["False", 0, ""],
    ["'no'", 1, "no\n"],
    ["[2]", 1, "[2]\n"],
  ];
  it.each([false, true])("warm: %s", { timeout: 30_000 }, async (warm) => {
    const room = scratch();
    const helper = readFileSync(join(ROOT, "examples/no-private-keys/belay_hook.py"), "utf8");
    room.write("project/belay_hook.py", helper);
    const text = `import sys\nfrom belay_hook import answer\nanswer(lambda event: eval(event["tool_input"]["exits"]))\n`;
    room.write("project/hook.py", text);
    const hooks = await room.engineFor("PreToolUse", [command("python3 hook.py", { name: "h", warm })]);
    for (const [given, exitCode, stderr] of codes) {
      const exits = `sys.exit(${given})`;
      const { runs } = await hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: { exits } });
      expect(runs[0], exits).toMatchObject({ exitCode, stderr, stdout: "" });
      expect(runs[0]?.failure, exits).toBeUndefined();
    }
  });
});

it("the helper for Node loads nothing", () => {
  const built = readFileSync(join(ROOT, "packages/engine/dist/warm-hook.js"), "utf8");
  expect(built).not.toMatch(/^import|\brequire\(|\bimport\(/m);
});

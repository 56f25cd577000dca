import { expect, it } from "vitest";
import { BYPASS, hook, says } from "./chat-hooks.ts";
import { scratch } from "./cli.ts";

/** How a turn can end, and what a script sees of it. */
it.each<{
  what: string;
  prompt: string;
  args?: readonly string[];
  hooks?: object;
  code: number;
  stopReason: string;
  stderr?: string | RegExp;
}>([
  { what: "done", prompt: "run echo hello", args: BYPASS, code: 0, stopReason: "done", stderr: "" },
  {
    what: "a call that a hook denied",
    prompt: "run echo hello",
    args: BYPASS,
    hooks: hook("PreToolUse", "echo 'not here' >&2; exit 2"),
    code: 0,
    stopReason: "done",
    stderr: "Bash failed (h says no): not here\n",
  },
  {
    what: "a call that a hook allowed, saying why",
    prompt: "run echo hello",
    hooks: hook(
      "PreToolUse",
      says({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          permissionDecisionReason: "I vouch for it",
        },
      }),
    ),
    code: 0,
    stopReason: "done",
    stderr: "note: h: I vouch for it\n",
  },
  {
    what: "a hook that speaks plainly where that is for the user",
    prompt: "run echo hello",
    args: [...BYPASS, "--dialect", "session-hooks"],
    hooks: hook("PostToolUse", "echo it was logged"),
    code: 0,
    stopReason: "done",
    stderr: "note: h: it was logged\n",
  },
  {
    what: "a hook that never lets it stop",
    prompt: "run echo hello",
    args: BYPASS,
    hooks: hook("Stop", says({ decision: "block", reason: "once more" })),
    code: 0,
    stopReason: "done",
    stderr: /^warning: .*8/,
  },
  {
    what: "fewer blocked stops",
    prompt: "run echo hello",
    args: [...BYPASS, "--stop-cap", "2"],
    hooks: hook("Stop", says({ decision: "block", reason: "once more" })),
    code: 0,
    stopReason: "done",
    stderr: /^warning: belay: the stop was blocked 2 times in a row without a tool call.*--stop-cap/,
  },
  {
    what: "a blocked prompt",
    prompt: "hello",
    hooks: hook("UserPromptSubmit", "echo 'no secrets' >&2; exit 2"),
    code: 2,
    stopReason: "prompt-blocked",
    stderr: "error: h: no secrets\n",
  },
  {
    what: "continue: false",
    prompt: "run echo hello",
    args: BYPASS,
    hooks: hook("PreToolUse", says({ continue: false, stopReason: "enough" })),
    code: 2,
    stopReason: "stopped",
    stderr: /error: h: enough/,
  },
  {
    what: "a question that nobody answers",
    prompt: "run echo hello",
    code: 2,
    stopReason: "unanswered",
    stderr: "Bash failed: Bash needs a permission, and nobody is there to give it: it runs a command\n",
  },
  {
    what: "a hook's question that nobody answers",
    prompt: "run echo hello",
    args: BYPASS,
    hooks: hook(
      "PreToolUse",
      says({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "ask",
          permissionDecisionReason: "look first",
        },
      }),
    ),
    code: 2,
    stopReason: "unanswered",
    stderr: "note: h: look first\nBash failed: Bash needs a permission, and nobody is there to give it\n",
  },
  {
    what: "too many turns",
    prompt: "run echo 1 then run echo 2 then run echo 3",
    args: [...BYPASS, "--max-turns", "2"],
    code: 1,
    stopReason: "turn-limit",
    stderr: /^error: the agent was stopped after 2 turns/,
  },
])("exits $code after $what", async ({ prompt, args = [], hooks, code, stopReason, stderr = "" }) => {
  const folder = scratch();
  const config = hooks ? ["--config", folder.config(hooks)] : [];
  const flags = ["chat", "-p", prompt, ...args, ...config];
  const text = await folder.belay(flags);
  const json = await folder.belay([...flags, "--output", "json"]);
  const stream = await folder.belay([...flags, "--output", "stream-json"]);
  expect([text.code, json.code, stream.code]).toEqual([code, code, code]);
  if (typeof stderr === "string") expect(text.stderr).toBe(stderr);
  else expect(text.stderr).toMatch(stderr);
  expect([json.stderr, stream.stderr]).toEqual(["", ""]);
  const whole = JSON.parse(json.stdout);
  const { messages, result, ...rest } = whole;
  expect(rest).toEqual({
    sessionId: expect.stringMatching(/^[\w-]{36}$/),
    stopReason,
    ...(rest.detail !== undefined && { detail: expect.any(String) }),
    exitCode: code,
  });
  expect(text.stdout).toBe(result === "" ? "" : `${result}\n`);
  const lines = stream.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toEqual({ type: "result", ...rest, result, sessionId: lines.at(-1).sessionId });
  const kept = messages.map(({ blocks }: { blocks: object[] }) => blocks.map(anonymous));
  expect(built(lines.slice(0, -1))).toEqual(kept);
});

/** The conversation as a reader of stream-json has it. */
function built(lines: readonly { type: string; message: string; index: number; block: object }[]) {
  const messages = new Map<string, object[]>();
  for (const { type, message, index, block } of lines)
    if (type === "remove") messages.delete(message);
    else if (type === "reset") messages.clear();
    else {
      const blocks = messages.get(message) ?? [];
      blocks[index] = anonymous(block);
      messages.set(message, blocks);
    }
  return [...messages.values()];
}

/** Ids and times differ between two sessions. */
function anonymous(block: object): object {
  return { ...block, id: "" };
}

it("prints every block, those for the agent included", async () => {
  const folder = scratch();
  const config = folder.config({
    ...hook("UserPromptSubmit", says({ systemMessage: "mind the gap" })),
    ...hook(
      "PostToolUse",
      says({ hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "it is Monday" } }),
    ),
  });
  const flags = ["chat", "-p", "run echo hi", "--mode", "bypass", "--config", config, "--output", "json"];
  const { messages } = JSON.parse((await folder.belay(flags)).stdout);
  const blocks = messages.map(
    ({ source, blocks }: { source: string; blocks: { type: string; hook?: string }[] }) => [
      source,
      ...blocks.map(({ type, hook }) => (hook === undefined ? type : `${type} by ${hook}`)),
    ],
  );
  expect(blocks).toEqual([
    ["prompt", "text"],
    ["hook", "warn by h"],
    ["model", "tool"],
    ["hook", "hook by h"],
    ["model", "text"],
  ]);
  expect(JSON.stringify(messages)).toContain("it is Monday");
});

it.each([
  { what: "without -p", args: [] },
  { what: "with -p -", args: ["-p", "-"] },
])("reads the prompt from stdin $what", async ({ args }) => {
  const input = "write a.txt: from stdin\n";
  const folder = scratch();
  const { code, stdout } = await folder.belay(["chat", ...args, "--mode", "acceptEdits"], { input });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("I wrote `a.txt`") });
});

it("says on stderr that a project's hooks are not trusted, and does not run them", async () => {
  const folder = scratch();
  folder.file(".belay/settings.json", JSON.stringify({ hooks: hook("UserPromptSubmit", "exit 2") }));
  const { code, stderr } = await folder.belay(["chat", "-p", "hello"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^warning: .*belay trust/);
});

import {
  applyOutcome,
  hookOutputProcessor,
  type Message,
  type MessageManager,
  type Outcome,
} from "@belay/core";
import { describe, expect, it } from "vitest";

/** Writes down what it is told. */
function notebook() {
  const calls: unknown[][] = [];
  const write =
    (name: string) =>
    (...args: unknown[]) =>
      void calls.push([name, ...args.filter((arg) => arg !== undefined)]);
  const manager: MessageManager = {
    addUserMessage: write("addUserMessage"),
    addErrorBlock: write("addErrorBlock"),
    updateToolBlock: write("updateToolBlock"),
    removeLastUserMessage: write("removeLastUserMessage"),
    addWarnBlock: write("addWarnBlock"),
    addHookBlock: write("addHookBlock"),
  };
  return { calls, manager };
}

const message = (to: "user" | "agent", type: Message["block"]["type"], content: string): Message => ({
  to,
  hook: "guard",
  block: {
    type,
    content,
    ...(type === "hook" && { hookEvent: "PostToolUse" }),
    ...(type === "tool" && { success: false }),
  },
});

const outcome = (event: Outcome["event"], blocked: boolean, messages: Message[]): Outcome => ({
  event,
  dialect: "wave",
  action: "continue",
  blocked,
  decision: { kind: blocked ? "block" : "none" },
  messages,
  runs: [],
  diagnostics: [],
});

interface Row {
  readonly title: string;
  readonly outcome: Outcome;
  readonly context?: { toolId?: string; toolResult?: string };
  readonly calls: unknown[][];
  /** What is reported as used: all but the removal. */
  readonly used: string[];
}

const tool = (result: string, toolId?: string) => [
  "updateToolBlock",
  { ...(toolId && { toolId }), result, success: false },
];

const ROWS: readonly Row[] = [
  { title: "nothing", outcome: outcome("Stop", false, []), calls: [], used: [] },
  {
    title: "a blocked prompt is removed first, so that nothing else is",
    outcome: outcome("UserPromptSubmit", true, [
      message("user", "error", "no"),
      message("user", "warn", "w"),
    ]),
    calls: [["removeLastUserMessage"], ["addErrorBlock", "no"], ["addWarnBlock", "w", "user"]],
    used: ["addErrorBlock", "addWarnBlock"],
  },
  {
    title: "a blocked prompt without a word is removed all the same",
    outcome: outcome("UserPromptSubmit", true, []),
    calls: [["removeLastUserMessage"]],
    used: [],
  },
  {
    title: "a prompt that is not blocked stays",
    outcome: outcome("UserPromptSubmit", false, [message("agent", "text", "context")]),
    calls: [["addUserMessage", "context"]],
    used: ["addUserMessage"],
  },
  {
    title: "a blocked stop removes nothing",
    outcome: outcome("Stop", true, [message("agent", "text", "go on")]),
    calls: [["addUserMessage", "go on"]],
    used: ["addUserMessage"],
  },
  {
    title: "several refusals of one call are one update, before everything else",
    outcome: outcome("PreToolUse", true, [
      message("user", "warn", "w"),
      message("agent", "tool", "first"),
      message("user", "error", "e"),
      message("agent", "tool", "second"),
    ]),
    context: { toolId: "t1", toolResult: "not run" },
    calls: [tool("first\nsecond", "t1"), ["addWarnBlock", "w", "user"], ["addErrorBlock", "e"]],
    used: ["updateToolBlock", "addWarnBlock", "addErrorBlock"],
  },
  {
    title: "a complaint about a result is appended to it",
    outcome: outcome("PostToolUse", true, [message("agent", "tool", "lint failed")]),
    context: { toolResult: "12 passed" },
    calls: [tool("12 passed\nlint failed")],
    used: ["updateToolBlock"],
  },
  {
    title: "a complaint about an empty result stands alone",
    outcome: outcome("PostToolUse", true, [message("agent", "tool", "lint failed")]),
    calls: [tool("lint failed")],
    used: ["updateToolBlock"],
  },
  {
    title: "a result that a hook replaced",
    outcome: { ...outcome("PostToolUse", false, []), updatedToolOutput: { stdout: "[redacted]" } },
    context: { toolId: "t1", toolResult: "12 passed" },
    calls: [["updateToolBlock", { toolId: "t1", result: '{"stdout":"[redacted]"}', success: true }]],
    used: ["updateToolBlock"],
  },
  {
    title: "a complaint about it is appended to the new result",
    outcome: {
      ...outcome("PostToolUse", true, [message("agent", "tool", "lint failed")]),
      updatedToolOutput: "[redacted]",
    },
    context: { toolResult: "12 passed" },
    calls: [tool("[redacted]\nlint failed")],
    used: ["updateToolBlock"],
  },
  {
    title: "context for the agent is a hook block, a warning keeps its address",
    outcome: outcome("PostToolUse", false, [
      message("agent", "hook", "c"),
      message("agent", "warn", "w"),
      message("user", "text", "t"),
    ]),
    calls: [
      ["addHookBlock", { type: "hook", hookEvent: "PostToolUse", content: "c" }],
      ["addWarnBlock", "w", "agent"],
      ["addWarnBlock", "t", "user"],
    ],
    used: ["addHookBlock", "addWarnBlock", "addWarnBlock"],
  },
];

describe("applyOutcome", () => {
  it.each(ROWS)("$title", ({ outcome: given, context = {}, calls, used }) => {
    const { calls: written, manager } = notebook();
    expect(applyOutcome(given, context, manager)).toEqual(used);
    expect(written).toEqual(calls);
  });
});

it("tells a conversation that wants to know which hook speaks", () => {
  const heard: [hook: string | undefined, operation: string, content: unknown][] = [];
  const speaking = (hook?: string): MessageManager => {
    const write = (name: string) => (content: unknown) => void heard.push([hook, name, content]);
    return {
      addUserMessage: write("addUserMessage"),
      addErrorBlock: write("addErrorBlock"),
      updateToolBlock: ({ result }) => void heard.push([hook, "updateToolBlock", result]),
      removeLastUserMessage: () => void heard.push([hook, "removeLastUserMessage", undefined]),
      addWarnBlock: write("addWarnBlock"),
      addHookBlock: ({ content }) => void heard.push([hook, "addHookBlock", content]),
      from: (name) => speaking(name),
    };
  };
  const messages = [
    message("agent", "tool", "no"),
    { ...message("agent", "tool", "nor me"), hook: "other" },
    { ...message("agent", "tool", "again"), hook: "other" },
    message("user", "error", "oops"),
    { ...message("agent", "hook", "go on"), hook: "other" },
  ];
  applyOutcome(outcome("PreToolUse", true, messages), {}, speaking());
  applyOutcome(outcome("UserPromptSubmit", true, []), {}, speaking());
  expect(heard).toEqual([
    ["guard, other", "updateToolBlock", "no\nnor me\nagain"],
    ["guard", "addErrorBlock", "oops"],
    ["other", "addHookBlock", "go on"],
    [undefined, "removeLastUserMessage", undefined],
  ]);
});

describe("hookOutputProcessor", () => {
  const result = (exitCode: number | undefined, more: object = {}) => ({
    success: exitCode === 0,
    ...(exitCode !== undefined && { exitCode }),
    stdout: "",
    stderr: "",
    duration: 3,
    timedOut: false,
    ...more,
  });

  const json = (answer: object) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } });

  it("blocks by exit 2 and by nothing else", () => {
    const codes = [undefined, 0, 1, 2, 3, 126, 127, 255];
    expect(codes.filter((code) => hookOutputProcessor.shouldBlock(code))).toEqual([2]);
  });

  const unsound = (stdout: string) => result(0, { success: false, stdout });
  const absent = { success: true, exitCode: 0, duration: 1, timedOut: false };
  const SHOWN = ["error-displayed", false, "addErrorBlock"] as const;
  const DENIED = ["block-tool", true, "updateToolBlock"] as const;
  const QUIET = ["continue", false, "none"] as const;
  const RESULTS: [what: string, given: ReturnType<typeof result> | typeof absent, did: readonly unknown[]][] =
    [
      ["silence", result(0), QUIET],
      ["streams that are absent", absent, QUIET],
      ["exit 2", result(2, { stderr: "no" }), DENIED],
      ["another exit", result(1, { stderr: "oops" }), SHOWN],
      ["a timeout", result(undefined, { timedOut: true }), SHOWN],
      ["a death without a code", result(undefined), SHOWN],
      ["no success with exit 0", result(0, { success: false, stderr: "x" }), SHOWN],
      ["no success with exit 0, and an allow", unsound(json({ permissionDecision: "allow" })), SHOWN],
      ["no success with exit 0, and context", unsound(json({ additionalContext: "c" })), SHOWN],
      ["no success with exit 0, and a deny", unsound(json({ permissionDecision: "deny" })), DENIED],
    ];
  it.each(RESULTS)("says what it did: %s", (_, given, [action, blocked, messageOperationUsed]) => {
    const { calls, manager } = notebook();
    const { exitCode } = given as { exitCode?: number };
    expect(hookOutputProcessor.processHookOutput("PreToolUse", given, {}, manager)).toEqual({
      action,
      metadata: {
        ...(exitCode !== undefined && { exitCode }),
        event: "PreToolUse",
        blocked,
        messageOperationUsed,
      },
    });
    expect(calls[0]?.[0] ?? "none").toBe(messageOperationUsed);
  });

  it("speaks for the hook it is told of, in the dialect it is told of", () => {
    const { calls, manager } = notebook();
    const context = { dialect: "session-hooks", hook: "guard" } as const;
    hookOutputProcessor.processHookOutput("PreToolUse", result(2), context, manager);
    hookOutputProcessor.processHookOutput("SessionEnd", result(2, { stderr: "bye" }), context, manager);
    hookOutputProcessor.processHookOutput("Stop", unsound(""), context, manager);
    expect(calls).toEqual([
      tool("blocked by hook guard: no reason given"),
      ["addUserMessage", "bye"],
      ["addErrorBlock", "hook guard: the hook died: its result says that it did not succeed"],
    ]);
  });
});

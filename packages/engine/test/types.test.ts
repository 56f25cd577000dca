import * as exported from "@belay/engine";
import {
  defineHook,
  type Engine,
  type EventName,
  type HookInput,
  type HookJsonOutput,
  type HookSpecificOutput,
} from "@belay/engine";
import * as internal from "@belay/engine/internal";
import { expect, it } from "vitest";

/*
 * Checked by tsc: an answer the event cannot give must not compile, every answer it can give must. A line below
 * `@ts-expect-error` that compiles is an error.
 */

const accepted: { [E in HookSpecificOutput["hookEventName"]]?: HookJsonOutput<E>[] } = {
  PreToolUse: [
    {},
    { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "defer" } },
    { continue: false, stopReason: "enough", systemMessage: "m", suppressOutput: true },
    {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "ask",
        permissionDecisionReason: "r",
        updatedInput: { command: "true" },
        additionalContext: "c",
      },
    },
  ],
  PostToolUse: [
    { decision: "block", reason: "r" },
    { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: ["any"] } },
    {
      hookSpecificOutput: {
        hookEventName: "PostToolUse",
        decision: "block",
        reason: "r",
        additionalContext: "c",
      },
    },
  ],
  UserPromptSubmit: [
    { decision: "block", reason: "r" },
    { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "c", updatedPrompt: "p" } },
  ],
  WorktreeCreate: [{ hookSpecificOutput: { hookEventName: "WorktreeCreate", worktreePath: "/a" } }],
  Stop: [
    { terminalSequence: "\u0007" },
    { decision: "approve" },
    { hookSpecificOutput: { hookEventName: "Stop", decision: "block", reason: "r", additionalContext: "c" } },
  ],
  SubagentStop: [{ decision: "block", reason: "r" }],
  SessionStart: [{ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "c" } }],
  SessionEnd: [{ systemMessage: "bye" }],
  PreCompact: [
    { decision: "block", reason: "r" },
    { hookSpecificOutput: { hookEventName: "PreCompact", additionalContext: "c" } },
  ],
  PermissionRequest: [
    { decision: { behavior: "deny", message: "m", interrupt: true } },
    {
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        permissionDecision: "allow",
        updatedInput: {},
      },
    },
  ],
  Notification: [{ systemMessage: "m" }],
};

/** Objects that are not written in place are checked by their types alone: what an event cannot give is `never` there. */
const denial = { hookEventName: "PostToolUse", permissionDecision: "deny" } as const;
const context = { hookEventName: "Notification", additionalContext: "c" } as const;
const rewrite = { hookEventName: "SessionStart", updatedInput: {} } as const;

type Before = HookSpecificOutput<"PreToolUse">;
type Prompt = HookSpecificOutput<"UserPromptSubmit">;

const refused = [
  // @ts-expect-error PreToolUse has no decision
  { decision: "block" } satisfies HookJsonOutput<"PreToolUse">,
  // @ts-expect-error nor a reason
  { reason: "r" } satisfies HookJsonOutput<"PreToolUse">,
  // @ts-expect-error there is no such permission
  { hookEventName: "PreToolUse", permissionDecision: "block" } satisfies Before,
  // @ts-expect-error an input is an object
  { hookEventName: "PreToolUse", updatedInput: "rm" } satisfies Before,
  // @ts-expect-error the name of the event is required
  { permissionDecision: "deny" } satisfies Before,
  // @ts-expect-error and it is this event's
  { hookSpecificOutput: { hookEventName: "Stop" } } satisfies HookJsonOutput<"PreToolUse">,
  // @ts-expect-error a permission belongs inside hookSpecificOutput
  { permissionDecision: "deny" } satisfies HookJsonOutput<"PreToolUse">,
  // @ts-expect-error the tool has run: nothing can be denied
  { hookSpecificOutput: denial } satisfies HookJsonOutput<"PostToolUse">,
  // @ts-expect-error only a block, no approval
  { decision: "approve" } satisfies HookJsonOutput<"PostToolUse">,
  // @ts-expect-error an input cannot be rewritten here
  { hookEventName: "UserPromptSubmit", updatedInput: {} } satisfies Prompt,
  // @ts-expect-error a stop is blocked or approved
  { decision: "deny" } satisfies HookJsonOutput<"Stop">,
  // @ts-expect-error nothing can be refused when a session starts
  { decision: "block", reason: "r" } satisfies HookJsonOutput<"SessionStart">,
  // @ts-expect-error a notification takes no context
  { hookSpecificOutput: context } satisfies HookJsonOutput<"Notification">,
  // @ts-expect-error the long form, or none
  { decision: "block" } satisfies HookJsonOutput<"PermissionRequest">,
  // @ts-expect-error continue is a boolean
  { continue: "no" } satisfies HookJsonOutput<"Stop">,
];

const input = (given: HookInput<"PreToolUse">) => {
  const command: unknown = given.tool_input.command;
  const name: string = given.tool_name;
  // @ts-expect-error a tool call has no prompt
  const prompt = given.prompt;
  return { command, name, prompt };
};

const named = { hookEventName: "PreToolUse" } as const;

const hooks = [
  defineHook("PreToolUse", ({ tool_name }) =>
    tool_name === "Bash"
      ? { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } }
      : undefined,
  ),
  defineHook("Stop", async ({ stop_hook_active }) =>
    stop_hook_active ? {} : { decision: "block", reason: "test first" },
  ),
  defineHook("SessionEnd", () => undefined),
  defineHook("SessionEnd", () => {}),
  defineHook("SessionEnd", async () => {}),
  defineHook("Notification", (given) => JSON.parse(given.message)),
  defineHook("PreToolUse", ({ tool_name, tool_input }) => {
    if (tool_name !== "Bash") return { systemMessage: "not a shell" };
    return { hookSpecificOutput: { ...named, updatedInput: { ...tool_input, of_my_own: 1 } } };
  }),
  defineHook("PreToolUse", (): HookJsonOutput<"PreToolUse"> => ({ hookSpecificOutput: named })),
  defineHook("Stop" as EventName, ({ hook_event_name }) => ({ systemMessage: hook_event_name })),
  defineHook("PermissionRequest", () => ({ decision: { behavior: "deny", message: "no" } })),
  // @ts-expect-error a tool that has run cannot be denied
  defineHook("PostToolUse", () => ({ hookSpecificOutput: denial })),
  // @ts-expect-error nor after a wait
  defineHook("PostToolUse", async () => ({ hookSpecificOutput: denial })),
  // @ts-expect-error the end of a session cannot be blocked
  defineHook("SessionEnd", () => ({ decision: "block" })),
  // @ts-expect-error a start takes context and nothing else
  defineHook("SessionStart", () => ({ hookSpecificOutput: rewrite })),
  // @ts-expect-error that is another event's answer
  defineHook("PreToolUse", () => ({ hookSpecificOutput: { hookEventName: "Stop" } })),
  // @ts-expect-error a misspelt field
  defineHook("PreToolUse", () => ({ hookSpecificOutput: { ...named, permissionDecison: "deny" } })),
  // @ts-expect-error of an answer that comes later, and not always
  defineHook("Stop", async ({ stop_hook_active }) => {
    if (stop_hook_active) return undefined;
    return { decision: "block", reson: "test first" };
  }),
  // @ts-expect-error at the top
  defineHook("PreToolUse", () => ({ hookSpecificOuput: { ...named, permissionDecision: "deny" } })),
  // @ts-expect-error and in the long form
  defineHook("PermissionRequest", () => ({ decision: { behavior: "deny", mesage: "no" } })),
  // @ts-expect-error a prompt is not there before a tool call
  defineHook("PreToolUse", ({ prompt }) => ({ systemMessage: prompt })),
  // @ts-expect-error there is no such event
  defineHook("PreTool", () => undefined),
];

const fires = (engine: Engine, event: EventName, read: Record<string, unknown>) => [
  engine.fire("PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" }, of_my_own: 1 }),
  engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {}, session_id: "s", cwd: "/" }, {}),
  engine.fire("Stop"),
  engine.fire("Stop", { stop_hook_active: true }),
  engine.fire("Stop", undefined, { signal: AbortSignal.abort() }),
  engine.fire("SubagentStop", { agent_id: "1", agent_type: "Explore" }),
  engine.fire(event, read),
  engine.fire(event),
  engine.explain("Stop"),
  engine.explain(event, read),
  // @ts-expect-error matchers test the tool's name
  engine.fire("PreToolUse"),
  // @ts-expect-error an empty payload has none
  engine.fire("PreToolUse", {}),
  // @ts-expect-error nor has a misspelt one
  engine.fire("PreToolUse", { toolName: "Bash", tool_input: {} }),
  // @ts-expect-error nor has one that anything may be in
  engine.fire("PreToolUse", read),
  // @ts-expect-error only the caller knows which subagent it is
  engine.fire("SubagentStop", { stop_hook_active: false }),
  // @ts-expect-error what it would match is asked with the same payload
  engine.explain("SessionStart"),
  // @ts-expect-error a tool's name is a string
  engine.fire("PreToolUse", { tool_name: 7, tool_input: {} }),
  // @ts-expect-error an input is an object
  engine.fire("PreToolUse", { tool_name: "Bash", tool_input: "ls" }),
  // @ts-expect-error a prompt is a string
  engine.explain("UserPromptSubmit", { prompt: ["x"] }),
  // @ts-expect-error there is no such event
  engine.fire("PreTool", {}),
];

it("types are checked by tsc; at run time a hook is its function with its event's name", () => {
  expect(hooks.map(({ event }) => event)).toContain("PreToolUse");
  expect(refused).toHaveLength(15);
  expect(Object.keys(accepted)).toHaveLength(11);
  expect([input, fires].map((each) => typeof each)).toEqual(["function", "function"]);
});

/** What is exported is a promise; nothing is promised by accident. Types are `@belay/core`'s, all of them. */

it("the exported exports what a host needs", () => {
  expect(Object.keys(exported).sort()).toEqual([
    "DEFAULT_LIMITS",
    "DIALECT_NAMES",
    "EVENT_NAMES",
    "UsageError",
    "applyOutcome",
    "areUserPreferences",
    "createEngine",
    "defineHook",
    "guards",
    "hookOutputProcessor",
    "isDialectName",
    "isEventName",
    "isHookBlock",
    "isHookOutputResult",
    "isOutputFor",
    "isPermissionDecision",
    "isWarnBlock",
    "outcomeSchema",
    "replay",
    "runProcess",
  ]);
});

it("nothing is exported twice", () => {
  expect(Object.keys(internal).filter((name) => name in exported)).toEqual([]);
});

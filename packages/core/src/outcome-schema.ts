import * as v from "valibot";
import { DIALECT_NAMES } from "./dialects.ts";
import { EVENT_NAMES } from "./events.ts";

const dialect = v.picklist(DIALECT_NAMES);
const event = v.picklist(EVENT_NAMES);
const anyObject = v.record(v.string(), v.unknown());

const block = v.strictObject({
  type: v.picklist(["warn", "hook", "error", "tool", "text"]),
  content: v.string(),
  success: v.optional(v.literal(false)),
  hookEvent: v.optional(event),
  metadata: v.optional(anyObject),
});

const run = v.strictObject({
  hook: v.string(),
  source: v.string(),
  dialect,
  exitCode: v.optional(v.pipe(v.number(), v.integer())),
  signal: v.optional(v.string()),
  stdout: v.string(),
  stderr: v.string(),
  executionTime: v.pipe(v.number(), v.minValue(0)),
  timedOut: v.boolean(),
  truncated: v.boolean(),
  cut: v.optional(v.array(v.picklist(["stdout", "stderr"]))),
  cap: v.optional(v.number()),
  failure: v.optional(
    v.strictObject({
      kind: v.picklist(["start", "timeout", "signal", "abort", "http", "throw"]),
      detail: v.string(),
    }),
  ),
  read: v.picklist(["json", "mixed", "exit-code"]),
  verdict: v.picklist(["abstain", "allow", "ask", "deny", "block", "stop"]),
  fault: v.optional(v.string()),
  observed: v.optional(v.literal(true)),
});

/** The Outcome of DESIGN §8, as data: `belay run --json` prints it, the property tests hold every outcome to it. */
export const outcomeSchema = v.strictObject({
  event,
  dialect,
  action: v.picklist([
    "continue",
    "block-tool",
    "block-prompt",
    "block-stop",
    "context-injected",
    "error-displayed",
    "ask-user",
    "stop",
    "block-compact",
  ]),
  blocked: v.boolean(),
  decision: v.strictObject({
    kind: v.picklist(["none", "allow", "ask", "deny", "block", "stop"]),
    reason: v.optional(v.string()),
    hook: v.optional(v.string()),
    interrupt: v.optional(v.boolean()),
  }),
  updatedInput: v.optional(anyObject),
  updatedPrompt: v.optional(v.string()),
  messages: v.array(v.strictObject({ to: v.picklist(["user", "agent"]), hook: v.string(), block })),
  runs: v.array(run),
  diagnostics: v.array(
    v.strictObject({
      code: v.string(),
      severity: v.picklist(["error", "warning", "info"]),
      message: v.string(),
      fix: v.string(),
      hook: v.optional(v.string()),
      path: v.optional(v.string()),
    }),
  ),
});

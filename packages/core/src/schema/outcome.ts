import * as v from "valibot";
import { DIALECT_NAMES } from "../tables/dialects.ts";
import { EVENT_NAMES } from "../tables/events.ts";
import {
  ACTIONS,
  ADDITIONS,
  BLOCK_TYPES,
  DECISION_KINDS,
  FAILURE_KINDS,
  READERS,
  READINGS,
  SEVERITIES,
  VERDICT_KINDS,
} from "../tables/kinds.ts";

const dialect = v.picklist(DIALECT_NAMES);
const event = v.picklist(EVENT_NAMES);
const anyObject = v.record(v.string(), v.unknown());

const block = v.strictObject({
  type: v.picklist(BLOCK_TYPES),
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
  notUtf8: v.optional(v.array(v.picklist(["stdout", "stderr"]))),
  leftOpen: v.optional(v.literal(true)),
  unset: v.optional(v.array(v.string())),
  failure: v.optional(
    v.strictObject({
      kind: v.picklist(FAILURE_KINDS),
      detail: v.string(),
    }),
  ),
  read: v.picklist(READINGS),
  verdict: v.picklist(VERDICT_KINDS),
  adds: v.optional(v.array(v.picklist(ADDITIONS))),
  fault: v.optional(v.string()),
  observed: v.optional(v.literal(true)),
});

/** The Outcome of design §8, as data: `belay run --json` prints it, the property tests hold every outcome to it. */
export const outcomeSchema = v.strictObject({
  event,
  dialect,
  action: v.picklist(ACTIONS),
  blocked: v.boolean(),
  decision: v.strictObject({
    kind: v.picklist(DECISION_KINDS),
    reason: v.optional(v.string()),
    hook: v.optional(v.string()),
    interrupt: v.optional(v.boolean()),
  }),
  updatedInput: v.optional(anyObject),
  updatedPrompt: v.optional(v.string()),
  messages: v.array(v.strictObject({ to: v.picklist(READERS), hook: v.string(), block })),
  runs: v.array(run),
  diagnostics: v.array(
    v.strictObject({
      code: v.string(),
      severity: v.picklist(SEVERITIES),
      message: v.string(),
      fix: v.string(),
      hook: v.optional(v.string()),
      path: v.optional(v.string()),
      event: v.optional(event),
      about: v.optional(v.literal("hooks")),
    }),
  ),
});

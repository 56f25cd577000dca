import * as v from "valibot";
import type { DiagnosticCode } from "../tables/diagnostics/index.ts";
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

const streams = v.array(v.picklist(["stdout", "stderr"]));

/* What an Outcome is made of: types.ts derives its types from here. A field that is not given is absent, never undefined. */

export const BLOCK = {
  type: v.picklist(BLOCK_TYPES),
  content: v.string(),
  /** On type "tool": the call failed. */
  success: v.exactOptional(v.literal(false)),
  /** On type "hook". */
  hookEvent: v.exactOptional(event),
  metadata: v.exactOptional(anyObject),
};

export const MESSAGE = { to: v.picklist(READERS), hook: v.string(), block: v.strictObject(BLOCK) };

export const RUN = {
  /** Absent, never 0, when the process gave none or there was no process. A prompt hook's yes is 0, and its no is 2. */
  exitCode: v.exactOptional(v.pipe(v.number(), v.integer())),
  signal: v.exactOptional(v.string()),
  stdout: v.string(),
  stderr: v.string(),
  /** Milliseconds. */
  executionTime: v.pipe(v.number(), v.minValue(0)),
  timedOut: v.boolean(),
  /** Some output was over the cap and was not kept. */
  truncated: v.boolean(),
  /** The streams that were cut. */
  cut: v.exactOptional(streams),
  /** The cap that cut it, in bytes. */
  cap: v.exactOptional(v.number()),
  /** Streams with bytes that were not UTF-8; U+FFFD stands in their place. */
  notUtf8: v.exactOptional(streams),
  /** The process exited while a child still held stdout open; what the child prints is not kept. */
  leftOpen: v.exactOptional(v.literal(true)),
  /** Variables that the headers name and the environment lacks. */
  unset: v.exactOptional(v.array(v.string())),
  /** It was started and not waited for. These are not its facts. */
  background: v.exactOptional(v.literal(true)),
  failure: v.exactOptional(v.strictObject({ kind: v.picklist(FAILURE_KINDS), detail: v.string() })),
};

export const RUN_REPORT = {
  hook: v.string(),
  source: v.string(),
  dialect,
  /** Its output was read to the letter of the system that the dialect is named after. */
  simulated: v.exactOptional(v.literal(true)),
  ...RUN,
  read: v.picklist(READINGS),
  /** What this hook alone says, before the fold. */
  verdict: v.picklist(VERDICT_KINDS),
  /** What it added: a rewrite, context for the agent, a message. */
  adds: v.exactOptional(v.array(v.picklist(ADDITIONS))),
  fault: v.exactOptional(v.string()),
  observed: v.exactOptional(v.literal(true)),
};

export const DECISION = {
  kind: v.picklist(DECISION_KINDS),
  reason: v.exactOptional(v.string()),
  hook: v.exactOptional(v.string()),
  interrupt: v.exactOptional(v.boolean()),
};

export const REWRITES = {
  updatedInput: v.exactOptional(anyObject),
  updatedPrompt: v.exactOptional(v.string()),
  /** What the agent reads instead of the tool's result. */
  updatedToolOutput: v.exactOptional(v.unknown()),
};

export const DIAGNOSTIC = {
  code: v.string() as v.GenericSchema<DiagnosticCode>,
  severity: v.picklist(SEVERITIES),
  message: v.string(),
  fix: v.string(),
  hook: v.exactOptional(v.string()),
  /** Where: a path in the hook's JSON, or file:line of a config entry. */
  path: v.exactOptional(v.string()),
  /** In a config file: the event whose hooks it is about. */
  event: v.exactOptional(event),
  /** In a config file: it is about hooks, not about another setting. */
  about: v.exactOptional(v.literal("hooks")),
};

/** The Outcome of design §8, as data: `belay run --json` prints it, the property tests hold every outcome to it. */
export const outcomeSchema = v.strictObject({
  event,
  dialect,
  action: v.picklist(ACTIONS),
  blocked: v.boolean(),
  decision: v.strictObject(DECISION),
  ...REWRITES,
  messages: v.array(v.strictObject(MESSAGE)),
  runs: v.array(v.strictObject(RUN_REPORT)),
  diagnostics: v.array(v.strictObject(DIAGNOSTIC)),
});

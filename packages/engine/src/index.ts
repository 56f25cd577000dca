export type * from "@belay/core";
export {
  applyOutcome,
  areUserPreferences,
  DIALECT_NAMES,
  EVENT_NAMES,
  guards,
  hookOutputProcessor,
  isDialectName,
  isEventName,
  isHookBlock,
  isHookOutputResult,
  isOutputFor,
  isWarnBlock,
  outcomeSchema,
  replay,
} from "@belay/core";
export { defineHook, type ModuleHook } from "./define-hook.ts";
export {
  createEngine,
  type Engine,
  type EngineOptions,
  type EventInput,
  type FireOptions,
  type HookStep,
} from "./engine.ts";
export { UsageError } from "./errors.ts";
export type { ExplainedMatch, Explanation } from "./explain.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export type { InputSchema } from "./tool-schema.ts";

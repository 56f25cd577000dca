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
  isPermissionDecision,
  isWarnBlock,
  outcomeSchema,
  replay,
} from "@belay/core";
export { defineHook, type ModuleHook } from "./define-hook.ts";
export { createEngine } from "./engine.ts";
export type { Variables } from "./environment.ts";
export { UsageError } from "./errors.ts";
export type { ExplainedMatch, Explanation } from "./explain.ts";
export type { LauncherMode } from "./launcher/launch.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
/** For an agent's own tools: a command in a process group of its own, with a limit, an abort and a bound on its output. */
export { type ProcessSpec, runProcess } from "./process/run-process.ts";
export type { Ask } from "./runners/runner.ts";
export type { InputSchema } from "./tool-schema.ts";
export type {
  Engine,
  EngineOptions,
  EventInput,
  FireOptions,
  HookStep,
  ListedHook,
} from "./types.ts";

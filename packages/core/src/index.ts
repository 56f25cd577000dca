export type { Handler, Hook, HookSource, Layer } from "./config/hook.ts";
export { compileMatcher, loadPatternEngine, type Matcher, type PatternEngine } from "./config/matcher.ts";
export {
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionRule,
  type Permissions,
  parseRule,
} from "./config/permission-rule.ts";
export { type Config, type ConfigFile, readConfig } from "./config/read.ts";
export { type DecideContext, type Decided, decide } from "./decide.ts";
export { explain, type Match, match } from "./match.ts";
export type { Found } from "./read/scan.ts";
export { DEFAULT_CAP, parse } from "./read/verdict.ts";
export {
  type Denier,
  type EventRecord,
  outcomeOf,
  REDACTED,
  type RecordedFacts,
  type RecordedHook,
  type Relayed,
  replay,
} from "./record.ts";
export { ENGINE, type Fired, route } from "./route.ts";
export type { Field, Fields } from "./schema/field.ts";
export { outcomeSchema } from "./schema/outcome.ts";
export {
  areUserPreferences,
  guards,
  isHookBlock,
  isHookOutputResult,
  isOutputFor,
  isPermissionDecision,
  isWarnBlock,
} from "./seeds/guards.ts";
export {
  type ApplyContext,
  applyOutcome,
  hookOutputProcessor,
  type IHookOutputProcessor,
  type ProcessContext,
} from "./seeds/processor.ts";
export type * from "./seeds/types.ts";
export { DIAGNOSTICS, type DiagnosticCode, diagnose, type Where } from "./tables/diagnostics/index.ts";
export {
  DEFAULT_DIALECT,
  DIALECT_NAMES,
  DIALECTS,
  type Dialect,
  type DialectName,
  isDialectName,
} from "./tables/dialects.ts";
export {
  COMMON_INPUT,
  EVENT_NAMES,
  EVENTS,
  type EventName,
  type EventRow,
  isEventName,
  samplePayload,
} from "./tables/events.ts";
export { ANSWER_FIELDS, COMMON_FIELDS } from "./tables/fields.ts";
export {
  type Action,
  type Addition,
  type BlockType,
  DECISION_KINDS,
  type DecisionKind,
  type FailureKind,
  isRefused,
  type Phase,
  type ReadBy,
  type Reader,
  type Severity,
  type VerdictKind,
} from "./tables/kinds.ts";
export { type Rule, ruleFor } from "./tables/rules.ts";
export { TOOLS } from "./tables/tools.ts";
export type * from "./types.ts";

export { identityFields, whatRuns } from "./config/entry.ts";
export {
  type Handler,
  HEADER_VARIABLE,
  type Hook,
  type HookSource,
  LAYERS,
  type Layer,
  placeOf,
  whereOf,
} from "./config/hook.ts";
export { parseJsonc } from "./config/jsonc.ts";
export {
  compileMatcher,
  isPattern,
  loadPatternEngine,
  type Matcher,
  type PatternEngine,
} from "./config/matcher.ts";
export {
  DEFAULT_MODE,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionRule,
  type Permissions,
  parseRule,
  unreadRule,
} from "./config/permission-rule.ts";
export { type Config, type ConfigFile, hooksOf, lacksPatterns, readConfig } from "./config/read.ts";
export { matchersGivenUp, remarksOn } from "./config/remarks.ts";
export { type DecideContext, type Decided, decide, winningRewrite } from "./decide.ts";
export { isObject } from "./json.ts";
export { explain, type Match, match, matching, withoutDoubles } from "./match.ts";
export { NOT_STARTED_CODES } from "./read/output.ts";
export { type Found, findObjects } from "./read/scan.ts";
export { DEFAULT_CAP, parse } from "./read/verdict.ts";
export {
  type EventRecord,
  outcomeOf,
  REDACTED,
  type RecordedFacts,
  type RecordedHook,
  replay,
} from "./record.ts";
export { additionsOf, ENGINE, type Fired, route } from "./route.ts";
export type { Field, Fields } from "./schema/field.ts";
export { expectedBy, misfit } from "./schema/field.ts";
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
export type { HookEventName, HookInput, HookJsonOutput, HookSpecificOutput } from "./seeds/types.ts";
export {
  DIAGNOSTICS,
  type DiagnosticCode,
  diagnose,
  isTold,
  type Where,
} from "./tables/diagnostics/index.ts";
export {
  DEFAULT_DIALECT,
  DIALECT_NAMES,
  DIALECTS,
  type Dialect,
  type DialectName,
  dialectOfFolder,
  isDialectName,
  PLUGIN_DIALECT,
} from "./tables/dialects.ts";
export {
  COMMON_INPUT,
  decisionWords,
  EVENT_NAMES,
  EVENTS,
  type EventName,
  type EventRow,
  eventRow,
  isEventName,
  isForeignEvent,
  samplePayload,
  whyNoEvent,
} from "./tables/events.ts";
export { ANSWER_FIELDS, COMMON_FIELDS, OUR_FIELDS } from "./tables/fields.ts";
export type * from "./tables/kinds.ts";
export { DECISION_KINDS, isRefused, PHASES } from "./tables/kinds.ts";
export { type Rule, ruleFor } from "./tables/rules.ts";
export { TOOLS, toolNamed, withPath } from "./tables/tools.ts";
export { brief, didYouMean, messageOf, nearest, plural, shellWord, shorten } from "./text.ts";
export type * from "./types.ts";

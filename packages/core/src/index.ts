export type { HookEventName, HookInput, HookJsonOutput, HookSpecificOutput } from "./answer-types.ts";
export { type Config, type ConfigFile, lacksPatterns, readConfig } from "./config.ts";
export { identityFields, whatRuns } from "./config-entry.ts";
export { type DecideContext, type Decided, decide, winningRewrite } from "./decide.ts";
export { DIAGNOSTICS, type DiagnosticCode, diagnose, isTold, type Where } from "./diagnostics.ts";
export {
  DEFAULT_DIALECT,
  DIALECT_NAMES,
  DIALECTS,
  type Dialect,
  type DialectName,
  dialectOfFolder,
  isDialectName,
  PLUGIN_DIALECT,
} from "./dialects.ts";
export { decisionWords, type EventRow } from "./event-row.ts";
export {
  COMMON_INPUT,
  EVENT_NAMES,
  EVENTS,
  type EventName,
  eventRow,
  isEventName,
  isForeignEvent,
  samplePayload,
  whyNoEvent,
} from "./events.ts";
export type { Field, Fields } from "./field.ts";
export { ANSWER_FIELDS, COMMON_FIELDS, OUR_FIELDS } from "./fields.ts";
export {
  areUserPreferences,
  guards,
  isHookBlock,
  isHookOutputResult,
  isOutputFor,
  isPermissionDecision,
  isWarnBlock,
} from "./guards.ts";
export {
  type Handler,
  HEADER_VARIABLE,
  type Hook,
  type HookSource,
  LAYERS,
  type Layer,
  placeOf,
  whereOf,
} from "./hook.ts";
export { isObject } from "./json-object.ts";
export { parseJsonc } from "./jsonc.ts";
export type * from "./kinds.ts";
export { DECISION_KINDS } from "./kinds.ts";
export { explain, type Match, match, matching, withoutDoubles } from "./match.ts";
export { compileMatcher, isPattern, loadPatternEngine, type Matcher, type PatternEngine } from "./matcher.ts";
export { expectedBy, misfit } from "./misfit.ts";
export { outcomeSchema } from "./outcome-schema.ts";
export { DEFAULT_CAP, parse } from "./parse.ts";
export {
  DEFAULT_MODE,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionRule,
  type Permissions,
  parseRule,
  unreadRule,
} from "./permission.ts";
export { PHASES } from "./phases.ts";
export {
  type ApplyContext,
  applyOutcome,
  hookOutputProcessor,
  type IHookOutputProcessor,
  type ProcessContext,
} from "./processor.ts";
export {
  type EventRecord,
  outcomeOf,
  REDACTED,
  type RecordedFacts,
  type RecordedHook,
  replay,
} from "./record.ts";
export { matchersGivenUp, remarksOn } from "./remarks.ts";
export { additionsOf, ENGINE, type Fired, route } from "./route.ts";
export { type Rule, ruleFor } from "./rules.ts";
export { type Found, findObjects } from "./scan.ts";
export type * from "./seed-types.ts";
export { isRefused } from "./strict.ts";
export { didYouMean, nearest } from "./suggest.ts";
export { hooksOf } from "./switch-off.ts";
export { TOOLS, toolNamed, withPath } from "./tools.ts";
export type * from "./types.ts";
export { NOT_STARTED_CODES } from "./unfinished.ts";
export { brief, messageOf, plural, shellWord, shorten } from "./wording.ts";

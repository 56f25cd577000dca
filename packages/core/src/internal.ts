/* For the other packages of Belay. These names may change with any version; a host needs none of them. */

export { fits, GAP, gaps, joinWords, narrow, PREFIX, STAR, wildPattern } from "./config/command-pattern.ts";
export { identityFields, whatRuns } from "./config/entry.ts";
export { HEADER_VARIABLE, isInBackground, LAYERS, placeOf, whereOf } from "./config/hook.ts";
export { parseJsonc } from "./config/jsonc.ts";
export { isPattern } from "./config/matcher.ts";
export { DEFAULT_MODE, unreadRule } from "./config/permission-rule.ts";
export { hooksOf, lacksPatterns } from "./config/read.ts";
export { matchersGivenUp, remarksOn } from "./config/unread-fields.ts";
export { winningRewrite, withToolOutput } from "./decide.ts";
export { type Assignments, readEnvFile } from "./env-file.ts";
export { inOrder, isObject } from "./json.ts";
export { explainMatch, type Matching, matchedValue, matching, withoutDoubles } from "./match.ts";
export { NOT_STARTED_CODES } from "./read/output.ts";
export { findObjects } from "./read/scan.ts";
export { type FiredHook, toRecord } from "./record.ts";
export { additionsOf } from "./route.ts";
export { expectedBy, misfit } from "./schema/field.ts";
export { resultText } from "./seeds/processor.ts";
export { isTold } from "./tables/diagnostics/index.ts";
export {
  dialectOfFolder,
  dialectRow,
  dialectVariables,
  hasEnvFile,
  hasLetter,
  otherReaderOf,
  PLUGIN_DIALECT,
} from "./tables/dialects.ts";
export { COMMON_EVENT_NAMES, decisionWords, eventRow } from "./tables/events.ts";
export { IDLE, OUR_FIELDS } from "./tables/fields.ts";
export { PHASES } from "./tables/kinds.ts";
export { toolNamed, withPath } from "./tables/tools.ts";
export {
  alike,
  brief,
  didYouMean,
  messageOf,
  nearest,
  plural,
  shellWord,
  shorten,
  whenOf,
  withoutPlace,
} from "./text.ts";

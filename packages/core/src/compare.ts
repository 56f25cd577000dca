/* For tools that look at what was recorded, and hold it against something else. No page needs it to show an outcome. */
export {
  agentTold,
  CHANGES,
  type Change,
  type Difference,
  differenceOf,
  type Settled,
} from "./change.ts";
export { whyNoAnswer } from "./no-answer.ts";
export { isKnownRun, reportOf } from "./report-of.ts";
export { beyond, isSame } from "./same.ts";
export { tellingLine } from "./telling-line.ts";
export { spanOf, type Waited, waitedFor } from "./waited.ts";
export { type EventMark, failedWords, opinionOf, saidBy, wordFor } from "./words.ts";

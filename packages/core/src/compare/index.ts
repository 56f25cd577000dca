/* For tools that look at what was recorded, and hold it against something else. No page needs it to show an outcome. */

export { whyNoAnswer } from "../read/verdict.ts";
export {
  agentTold,
  beyond,
  CHANGES,
  type Change,
  type Difference,
  differenceOf,
  isSame,
  type Settled,
} from "./change.ts";
export {
  type EventMark,
  failedWords,
  isKnownRun,
  opinionOf,
  reportOf,
  saidBy,
  spanOf,
  tellingLine,
  type Waited,
  waitedFor,
  wordFor,
} from "./report.ts";

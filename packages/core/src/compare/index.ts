/* For tools that compare what was recorded. A page that shows an outcome does not need them. */

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
  relayWords,
  reportOf,
  saidBy,
  spanOf,
  summaryLine,
  type Waited,
  waitedFor,
  wordFor,
} from "./report.ts";

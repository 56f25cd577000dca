export { ABILITIES, type Abilities, type Ability, abilitiesOf, type Degradation } from "./abilities.ts";
export { adviseAs, type Read } from "./advice.ts";
export { type Decoded, decode, type Native, type Undecoded, versionOf } from "./decode.ts";
export { emulate, nativeName, type Occasion } from "./emulate.ts";
export { type Asked, type Encoded, type EncodingLoss, encode, type Told } from "./encode.ts";
export type { Emulated, Harness, HarnessEvent, HookRun, Loss, Meaning, ToolNames } from "./harness.ts";
export { LOGGED_EVENTS, OPINION_EVENTS } from "./logs/events.ts";
export {
  HEAD,
  type HookRan,
  type LogEntry,
  type LogFlaw,
  type RawLine,
  type Returned,
  type SessionLog,
} from "./logs/log.ts";
export { logReader } from "./logs/names.ts";
export { recordMaker } from "./logs/records.ts";
export { meantBy } from "./read/meant.ts";
export {
  callVariables,
  HARNESSES,
  harnessNamed,
  harnessNames,
  type LoggingAgent,
  loggingAgents,
} from "./registry.ts";
export {
  closedEntry,
  entryEvent,
  installable,
  type JsonShape,
  type PluginShape,
  type Settings,
  type Shape,
  saysLimit,
} from "./settings.ts";

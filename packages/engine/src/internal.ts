/*
 * For those who build tools on the engine, as the command line does: where config files are, what they hold, who trusts
 * them. A host needs none of it. Less stable than the rest: names here may change from one version to the
 * next.
 */

export { type CheckedConfig, checkConfig } from "./check/check.ts";
export { exportsHook, NO_EXPORT } from "./check/module-file.ts";
export { adviseOnProgram, interpreterOf, isExecutable, isOnPath } from "./check/script-file.ts";
export { type ScriptWord, scriptWords } from "./check/script-words.ts";
export { projectFolderFor, relativeScripts, scriptsOf } from "./check/scripts.ts";
export {
  belayFolder,
  type ConfigPlace,
  configPlaces,
  everyPlace,
  findProject,
  homeFolder,
  isSessionUuid,
  sessionOf,
} from "./config/discover.ts";
export { type ConfigLoader, configLoader, type Loaded } from "./config/load.ts";
export { timedPatterns } from "./config/patterns.ts";
export { type Folders, OWN_AGENT_VARIABLE } from "./environment.ts";
export { fileInTheWay, readText, shownPath, statOf } from "./files/read.ts";
export { makeFolder, targetOf, writeWhole, writeWholeSync } from "./files/write.ts";
export { randomId, sha256, shortHash } from "./ids.ts";
export { followJournal, type JournalNews, type JournalPosition, recordAt } from "./journal/follow.ts";
export { type JournalFlaw, type JournalLine, linesFromEnd, linesFromStart } from "./journal/read.ts";
export { redactRecord, redactText, secretValues } from "./journal/redact.ts";
export { journalFolder, openJournal, ownFolders } from "./journal/write.ts";
export { type Kept, keepProcesses } from "./kept.ts";
export { holderName, livingHolder } from "./process/holder.ts";
export { coveredFiles } from "./trust/covered-files.ts";
export { asTrusted, type Grant, grantsOf, readProjectTrust, trustedGrant } from "./trust/evaluate.ts";
export { entryOf, fingerprint } from "./trust/fingerprint.ts";
export { trustCommand } from "./trust/notices.ts";
export {
  fromProject,
  needsTrust,
  readTrust,
  revokeTrust,
  type Trusted,
  type TrustState,
  trust,
  type WholeFiles,
} from "./trust/store.ts";

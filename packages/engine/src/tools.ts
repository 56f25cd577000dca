/*
 * For those who build tools on the engine, as the command line does: where config files are, what they hold, who trusts
 * them. A host needs none of it. Less stable than the rest: names here may change from one version to the
 * next.
 */
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
export { exportsHook, NO_EXPORT } from "./config/exports-hook.ts";
export { type Inspection, inspectConfig } from "./config/inspect.ts";
export { projectFolderFor, relativeScripts, scriptsOf } from "./config/inspect-scripts.ts";
export { type ConfigLoader, configLoader, type Loaded } from "./config/load.ts";
export { adviseOnProgram, interpreterOf, isExecutable, isOnPath } from "./config/script-file.ts";
export { type ScriptWord, scriptWords } from "./config/scripts.ts";
export type { Folders } from "./environment.ts";
export { fileInTheWay, statOf } from "./file-content.ts";
export { journalFolder } from "./journal.ts";
export { followJournal, type JournalNews, type JournalPlace, recordAt } from "./journal-follow.ts";
export { type JournalFlaw, type JournalLine, linesFromEnd, linesFromStart } from "./journal-read.ts";
export { makeFolder } from "./make-folder.ts";
export { holderName, livingHolder } from "./process/holder.ts";
export { readText } from "./read-text.ts";
export { redactText } from "./redact.ts";
export { shownPath } from "./shown-path.ts";
export { threadCpuMs } from "./thread-cpu.ts";
export { trustCommand } from "./trust/command.ts";
export { coveredFiles } from "./trust/covered-files.ts";
export { asTrusted } from "./trust/evaluate.ts";
export { entryOf, fingerprint } from "./trust/fingerprint.ts";
export { type Grant, grantsOf, trustedGrant } from "./trust/grants.ts";
export { agentVariable, OWN_AGENT_VARIABLE } from "./trust/inside-agent.ts";
export {
  fromProject,
  needsTrust,
  readTrust,
  revokeTrust,
  type Trusted,
  type TrustRead,
  type TrustState,
  trust,
  trustState,
  versionBefore,
  type WholeFiles,
} from "./trust/store.ts";
export { whenAborted } from "./when-aborted.ts";
export { targetOf, writeWhole } from "./write-whole.ts";

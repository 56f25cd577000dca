export * from "@belay/core";
export { configPlaces, findProject, homeFolder } from "./config/discover.ts";
export { type Inspection, inspectConfig } from "./config/inspect.ts";
export { type ConfigLoader, configLoader, type Loaded } from "./config/load.ts";
export { filesOf } from "./config/named-files.ts";
export { type Grant, grantPrint, grantsOf } from "./config/permission-trust.ts";
export { resolveModule, type ScriptWord, scriptWords } from "./config/scripts.ts";
export { needsTrust, printOf, type TrustState, trust, trustedPrints, trustState } from "./config/trust.ts";
export { shellWord } from "./config/trust-command.ts";
export { defineHook, type ModuleHook } from "./define-hook.ts";
export { createEngine } from "./engine.ts";
export type {
  Engine,
  EngineOptions,
  EventInput,
  Explanation,
  FireOptions,
  HookStep,
  ListedHook,
} from "./engine-types.ts";
export type { Folders } from "./environment.ts";
export { UsageError } from "./errors.ts";
export { statOf } from "./file-content.ts";
export { journalFolder } from "./journal.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
/** For an agent's own tools: a command in a process group of its own, with a limit, an abort and a bound on its output. */
export { type ProcessSpec, runProcess } from "./process/run-process.ts";
export { REDACTED, redactText } from "./redact.ts";
export type { Ask } from "./runners/runner.ts";
export type { InputSchema } from "./tool-schema.ts";

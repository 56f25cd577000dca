import { DIALECT_NAMES, didYouMean, isDialectName } from "@belay/core";
import type { EngineOptions } from "./engine-types.ts";
import { UsageError } from "./errors.ts";
import { statOf } from "./file-content.ts";
import { refuseUnknown } from "./known-names.ts";
import { LAUNCHER_MODES } from "./launcher/launch.ts";

const OPTIONS: Record<keyof EngineOptions, true> = {
  cwd: true,
  sessionId: true,
  configFiles: true,
  pluginDirs: true,
  reload: true,
  dialect: true,
  home: true,
  env: true,
  journal: true,
  limits: true,
  program: true,
  launcher: true,
  onHook: true,
  ask: true,
};

/** With a wrong dialect or folder no hook would be found, and an engine without hooks lets everything through. */
export function checkOptions(options: EngineOptions, cwd: string): void {
  const { dialect, launcher } = options;
  refuseUnknown(options, OPTIONS, "option");
  if (dialect !== undefined && !isDialectName(dialect))
    throw new UsageError(`there is no dialect ${dialect}${didYouMean(dialect, DIALECT_NAMES)}`);
  if (launcher !== undefined && !LAUNCHER_MODES.includes(launcher))
    throw new UsageError(`launcher must be one of ${LAUNCHER_MODES.join(", ")}, not ${String(launcher)}`);
  if (!statOf(cwd)?.isDirectory()) throw new UsageError(`the working folder ${cwd} is no folder`);
}

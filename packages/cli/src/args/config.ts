import { resolve } from "node:path";
import { DIALECT_NAMES, type Diagnostic, UsageError } from "@belay/engine";
import { isSessionUuid, statOf } from "@belay/engine/internal";
import { nextCommand } from "../next-command.ts";
import { type FlagValues, oneOf } from "./args.ts";
import type { CONFIG_FLAGS } from "./flags.ts";

/**
 * The config a command line means, as the engine's options. Paths are taken from where the command was given; one that is
 * given twice is one.
 */
export function configOptions(values: FlagValues<typeof CONFIG_FLAGS>) {
  return {
    cwd: workingFolder(values.cwd),
    ...(values.config && { configFiles: paths(values.config) }),
    ...(values.plugin && { pluginDirs: paths(values.plugin) }),
    ...(values.dialect !== undefined && { dialect: oneOf(values.dialect, DIALECT_NAMES, "dialect") }),
  };
}

function paths(given: readonly string[]): string[] {
  return [...new Set(given.map((path) => resolve(path)))];
}

export function workingFolder(given: string | undefined): string {
  const folder = resolve(given ?? ".");
  if (isFolder(folder)) return folder;
  throw new UsageError(`--cwd ${JSON.stringify(given)} is no folder`, "name a folder that exists");
}

export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

/** Refuses a session id that is no UUID: its hooks would not be found, and nobody would know. */
export function refuseNoUuid(given: string | undefined): void {
  if (given === undefined || isSessionUuid(given)) return;
  throw new UsageError(
    `--session ${JSON.stringify(given)} is no UUID, and only such a session has hooks of its own`,
    "give the whole id, or leave it out",
  );
}

/** A config file that cannot be read or parsed as a whole is bad usage. */
export function refuseBroken(problems: readonly Diagnostic[], values: FlagValues<typeof CONFIG_FLAGS>): void {
  const broken = problems.filter(({ code }) => code === "config-unreadable");
  if (broken.length > 0)
    throw new UsageError(broken.map(({ message }) => message).join("; "), nextOf(broken, values));
}

/** The next step: `check` says more of a file's content. For a file that is not there, the fix is said at once. */
function nextOf(problems: readonly Diagnostic[], values: FlagValues<typeof CONFIG_FLAGS>): string {
  if (problems.some(({ path = "" }) => /:\d+$/.test(path))) return `next: ${nextCommand("check", values)}`;
  const flags = (["config", "plugin"] as const).filter((name) => values[name]).map((name) => `--${name}`);
  const fixes = problems.map(({ fix }) =>
    fix.replace(/^\w/, (letter) => letter.toLowerCase()).replace(/\.$/, ""),
  );
  return [...new Set(fixes)].join("; ").replace("the path", `the path after ${flags.join(" and ")}`);
}

import { basename } from "node:path";
import {
  adviseOnHooks,
  type Diagnostic,
  type DialectName,
  diagnose,
  type Hook,
  type Layer,
} from "@belay/core";
import type { Folders } from "../environment.ts";
import { type DiscoverOptions, everyPlace, findProject, homeFolder, sessionOf } from "./discover.ts";
import { inspectScripts } from "./inspect-scripts.ts";
import { configLoader } from "./load.ts";
import { loadPatterns } from "./patterns.ts";
import { type Grant, grantsOf } from "./permission-trust.ts";
import { splitByTrust } from "./trust.ts";
import { trustCommand } from "./trust-command.ts";

export interface Inspection {
  readonly project: string;
  /** The config files that are there, in configured order. */
  readonly files: readonly string[];
  readonly hooks: readonly Hook[];
  readonly problems: readonly Diagnostic[];
}

/** Every problem of a config and of the scripts it names, session files included. Runs nothing. */
export async function inspectConfig(
  options: Omit<DiscoverOptions, "sessionId"> & { readonly env?: NodeJS.ProcessEnv },
): Promise<Inspection> {
  const { cwd, env = process.env } = options;
  const home = homeFolder(options.home);
  const project = findProject(cwd, home);
  const { places, misnamed } = everyPlace({ ...options, home, project });
  const { hooks, configs, fresh, allowedHttpHookUrls } = await configLoader().load(places);
  const patterns = hooks.some(({ matcher }) => matcher.kind === "pattern") ? await loadPatterns() : undefined;
  const folders = { project, cwd, home };
  const allowed = allowedHttpHookUrls && { allowedHttpHookUrls };
  const found = [
    ...fresh,
    ...misnamed.map((file) =>
      diagnose("config-session-name", { file: basename(file) }, { path: `${file}:1` }),
    ),
    ...adviseOnHooks(hooks, patterns),
    ...(await inspectScripts(hooks, { ...folders, env, ...allowed })),
    ...notTrusted(hooks, folders, options.dialect),
    ...notGranted(grantsOf(configs, project, home), folders),
  ];
  const isEmpty = hooks.length === 0 && found.length === 0;
  return {
    project,
    files: [...new Set([...configs.map(({ file }) => file), ...fresh.flatMap(fileOf)])],
    hooks,
    problems: isEmpty ? [diagnose("config-no-hooks", {})] : found,
  };
}

function fileOf({ path }: Diagnostic): string[] {
  return path === undefined ? [] : [path.replace(/:\d+$/, "")];
}

/** One note per file, with the command that shows exactly these hooks. */
function notTrusted(hooks: readonly Hook[], folders: Folders, dialect?: DialectName): Diagnostic[] {
  const enabled = hooks.filter((hook) => hook.enabled);
  const open = splitByTrust(enabled, folders).untrusted.map(({ hook }) => hook);
  return byFile(open).map(({ file, layer, items: [first, ...more] }) => {
    const count = more.length + 1;
    const values = {
      count: count === 1 ? "1 hook" : `${count} hooks`,
      are: count === 1 ? "is" : "are",
      names: oneAndMore(first.name, more.length),
      next: nextTrust(file, layer, folders, dialect),
    };
    return diagnose("config-untrusted", values, { path: `${file}:1` });
  });
}

/** The same for what a project's file would loosen. */
function notGranted(grants: readonly Grant[], folders: Folders): Diagnostic[] {
  const open = grants.filter(({ state }) => state !== "trusted");
  return byFile(open).map(({ file, layer, items: [first, ...more] }) => {
    const count = more.length + 1;
    const values = {
      count: count === 1 ? "1 permission" : `${count} permissions`,
      are: count === 1 ? "is" : "are",
      do: count === 1 ? "does" : "do",
      names: oneAndMore(first.what, more.length),
      next: nextTrust(file, layer, folders),
    };
    return diagnose("permission-untrusted", values, { path: `${file}:1` });
  });
}

function byFile<T extends Pick<Hook, "source">>(items: readonly T[]) {
  const files = new Map<string, { file: string; layer: Layer; items: [T, ...T[]] }>();
  for (const item of items) {
    const { file, layer } = item.source;
    const known = files.get(file);
    if (known) known.items.push(item);
    else files.set(file, { file, layer, items: [item] });
  }
  return [...files.values()];
}

function oneAndMore(first: string, more: number): string {
  return more > 0 ? `${first} and ${more} more` : first;
}

function nextTrust(file: string, layer: Layer, folders: Folders, dialect?: DialectName): string {
  const session = layer === "session" ? sessionOf(file) : undefined;
  return trustCommand({
    ...folders,
    ...(dialect && { dialect }),
    ...(session !== undefined && { session }),
  });
}

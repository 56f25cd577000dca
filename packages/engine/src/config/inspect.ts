import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import {
  adviseOnHooks,
  DIALECTS,
  type Diagnostic,
  type Dialect,
  type DialectName,
  diagnose,
  type Hook,
} from "@belay/core";
import { type ConfigPlace, configPlaces, type DiscoverOptions, findProject, homeFolder } from "./discover.ts";
import { inspectScripts } from "./inspect-scripts.ts";
import { configLoader } from "./load.ts";
import { loadPatterns } from "./patterns.ts";
import type { Folders } from "./scripts.ts";
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
  const { places, misnamed } = findPlaces({ ...options, home }, project);
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

const SESSION_FILE = /^hooks\.(.+)\.json$/;

/** What an engine would read, for every session that has a file. */
function findPlaces(options: Omit<DiscoverOptions, "sessionId">, project: string) {
  const places = configPlaces({ ...options, sessionId: "" });
  if (options.configFiles?.length || options.pluginDirs?.length) return { places, misnamed: [] };
  const row: Dialect | undefined = options.dialect && DIALECTS[options.dialect];
  if (row !== undefined && row.files !== "session") return { places, misnamed: [] };
  const folder = join(project, row?.folder ?? ".belay", "hooks");
  const sessions: ConfigPlace[] = [];
  const misnamed: string[] = [];
  for (const name of namesIn(folder)) {
    const id = SESSION_FILE.exec(name)?.[1];
    if (id === undefined) continue;
    const [place] = configPlaces({ ...options, sessionId: id }).filter(({ layer }) => layer === "session");
    if (place) sessions.push(place);
    else misnamed.push(join(folder, name));
  }
  return { places: [...places, ...sessions], misnamed };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** One note per file, with the command that shows exactly these hooks. */
function notTrusted(hooks: readonly Hook[], folders: Folders, dialect?: DialectName): Diagnostic[] {
  const files = new Map<string, Hook[]>();
  const enabled = hooks.filter((hook) => hook.enabled);
  for (const { hook } of splitByTrust(enabled, folders).untrusted)
    files.set(hook.source.file, [...(files.get(hook.source.file) ?? []), hook]);
  return [...files].map(([file, [first, ...more]]) => {
    const session = first?.source.layer === "session" ? SESSION_FILE.exec(basename(file))?.[1] : undefined;
    const count = more.length + 1;
    const values = {
      count: count === 1 ? "1 hook" : `${count} hooks`,
      are: count === 1 ? "is" : "are",
      names: [first?.name, ...(more.length > 0 ? [`${more.length} more`] : [])].join(" and "),
      next: trustCommand({
        ...folders,
        ...(dialect && { dialect }),
        ...(session !== undefined && { session }),
      }),
    };
    return diagnose("config-untrusted", values, { path: `${file}:1` });
  });
}

import { basename } from "node:path";
import { adviseOnHooks, type Diagnostic, diagnose, type Hook } from "@belay/core";
import type { Folders } from "../environment.ts";
import { editedNotice } from "../trust-notices.ts";
import { clear } from "./clear.ts";
import { type DiscoverOptions, everyPlace, findProject, homeFolder } from "./discover.ts";
import { inspectScripts } from "./inspect-scripts.ts";
import { configLoader } from "./load.ts";
import { loadPatterns } from "./patterns.ts";
import { type Asker, trustCommand } from "./trust-command.ts";

export interface Inspection {
  readonly project: string;
  /** The config files that are there, in configured order. */
  readonly files: readonly string[];
  readonly hooks: readonly Hook[];
  readonly problems: readonly Diagnostic[];
}

/** Every problem of a config and of the scripts it names, session files included. Runs nothing. */
export async function inspectConfig(
  options: Omit<DiscoverOptions, "sessionId"> & {
    readonly env?: NodeJS.ProcessEnv;
    readonly program?: string;
  },
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
    ...notTrusted(hooks, folders, options),
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

/** Guards that refuse, and one note per file about hooks that are not run; each with the command that shows them. */
function notTrusted(hooks: readonly Hook[], folders: Folders, asker: Asker): Diagnostic[] {
  const { edited, untrusted } = clear(
    hooks.filter((hook) => hook.enabled),
    folders,
  );
  const files = new Map<string, Hook[]>();
  for (const { hook } of untrusted)
    files.set(hook.source.file, [...(files.get(hook.source.file) ?? []), hook]);
  return [
    ...[...edited].map((hook) => editedNotice(hook, trustCommand(asker, folders, [hook]))),
    ...[...files].map(([file, group]) => {
      const [first, ...more] = group;
      const values = {
        count: group.length === 1 ? "1 hook" : `${group.length} hooks`,
        are: group.length === 1 ? "is" : "are",
        names: [first?.name, ...(more.length > 0 ? [`${more.length} more`] : [])].join(" and "),
        next: trustCommand(asker, folders, group),
      };
      return diagnose("config-untrusted", values, { path: `${file}:1` });
    }),
  ];
}

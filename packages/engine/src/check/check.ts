import { basename } from "node:path";
import { type Diagnostic, diagnose, type Hook } from "@belay/core";
import { adviseOnHooks, adviseOnOtherSyntax } from "@belay/core/advise";
import { plural } from "@belay/core/internal";
import { type DiscoverOptions, everyPlace, findProject, homeFolder } from "../config/discover.ts";
import { configLoader } from "../config/load.ts";
import { loadPatterns } from "../config/patterns.ts";
import type { Folders, Variables } from "../environment.ts";
import { type Grant, grantsOf, isUntrusted, readProjectTrust } from "../trust/evaluate.ts";
import { type Asker, refusalNotice, trustCommand, whyNotRun } from "../trust/notices.ts";
import { checkScripts } from "./scripts.ts";

export interface CheckedConfig {
  readonly project: string;
  /** The config files that are there, in configured order. */
  readonly files: readonly string[];
  readonly hooks: readonly Hook[];
  readonly problems: readonly Diagnostic[];
}

/** Every problem of a config and of the scripts it names, session files included. Runs nothing. */
export async function checkConfig(
  options: Omit<DiscoverOptions, "sessionId"> & {
    readonly env?: Variables;
    readonly program?: string;
  },
): Promise<CheckedConfig> {
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
    ...configs.flatMap(adviseOnOtherSyntax),
    ...adviseOnHooks(hooks, patterns),
    ...(await checkScripts(hooks, { ...folders, env, ...allowed })),
    ...notTrusted(hooks, folders, options),
    ...notGranted(grantsOf(configs, project, home), folders, options),
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

/** Guards that refuse, and one note per file about hooks that do not run; each with the command that shows them. */
function notTrusted(hooks: readonly Hook[], folders: Folders, asker: Asker): Diagnostic[] {
  const { of, problem } = readProjectTrust(hooks, folders);
  const found = hooks.filter(({ enabled }) => enabled).map(of);
  const refusing = found.filter(({ refusesAs }) => refusesAs);
  const untrusted = found.filter(isUntrusted);
  return [
    ...(problem === undefined
      ? refusing.map(({ hook }) => refusalNotice(hook, "changed", trustCommand(asker, folders, [hook])))
      : [diagnose("trust-unreadable", { problem, command: trustCommand(asker, folders, []) })]),
    ...byFile(untrusted, ({ hook }) => hook.source.file).map(([first, ...more]) => {
      const values = {
        count: plural(more.length + 1, "hook"),
        them: more.length === 0 ? "it" : "them",
        names: oneAndMore(first.hook.name, more.length),
        why: whyNotRun([first, ...more]),
        next: trustCommand(asker, folders, [first.hook]),
      };
      return diagnose("config-untrusted", values, { path: `${first.hook.source.file}:1` });
    }),
  ];
}

/** One note per file about what it would loosen; with the command that shows it. */
function notGranted(grants: readonly Grant[], folders: Folders, asker: Asker): Diagnostic[] {
  const open = grants.filter(({ state }) => state !== "trusted");
  return byFile(open, ({ source }) => source.file).map(([first, ...more]) => {
    const count = more.length + 1;
    const values = {
      count: plural(count, "permission"),
      are: count === 1 ? "is" : "are",
      them: count === 1 ? "it" : "them",
      do: count === 1 ? "does" : "do",
      names: oneAndMore(first.what, more.length),
      next: trustCommand(asker, folders, [first]),
    };
    return diagnose("permission-untrusted", values, { path: `${first.source.file}:1` });
  });
}

function byFile<T>(items: readonly T[], fileOf: (item: T) => string): [T, ...T[]][] {
  const files = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const known = files.get(fileOf(item));
    if (known) known.push(item);
    else files.set(fileOf(item), [item]);
  }
  return [...files.values()];
}

function oneAndMore(first: string, more: number): string {
  return more > 0 ? `${first} and ${more} more` : first;
}

import { DIALECT_NAMES } from "@belay/core";
import { oneLine } from "@belay/core/clean";
import type { EngineOptions, ExplainedMatch } from "@belay/engine";
import {
  configLoader,
  configPlaces,
  everyPlace,
  findProject,
  homeFolder,
  sessionOf,
  shownPath,
} from "@belay/engine/internal";
import type { FlagValues } from "../args/args.ts";
import { BELAY, type CONFIG_FLAGS, configOptions, nextCommand } from "../args/flags.ts";

/** What a chat's `/hooks` and the page know of a command line. */
type Where = Pick<EngineOptions, "dialect" | "home" | "configFiles" | "pluginDirs"> & {
  readonly cwd: string;
};

type Values = FlagValues<typeof CONFIG_FLAGS> & { readonly session?: string };

/** Where the hooks may be that a command did not find: the files of other dialects are looked at. One sentence, without a full stop. */
export async function whereHooksAre(
  command: "run" | "why" | "check" | "trust",
  values: Values,
  event?: string,
): Promise<string> {
  if (values.config || values.plugin) return `next: ${BELAY} schema --config says what a config holds`;
  const { cwd, dialect } = configOptions(values);
  const project = findProject(cwd);
  const show = (file: string) => shownPath(file, project);
  // The user's files count for every project and need no trust: they are named only where the project has no hooks.
  // This dialect's own files come first: the file of another session may be among them.
  for (const isUsers of command === "trust" ? [false] : [false, true])
    for (const name of [...new Set([dialect, undefined, ...DIALECT_NAMES])]) {
      const found = await firstWithHooks({ cwd, project, ...(name && { dialect: name }) }, isUsers);
      if (found === undefined) continue;
      const { session } = found;
      const flags = { ...values, dialect: name, ...(session !== undefined && { session }) };
      const what = session === undefined ? show(found.file) : `hooks of session ${session}`;
      return `found ${what}; try: ${nextCommand(command, flags, event)}`;
    }
  if (dialect === undefined && project === homeFolder())
    return `your own hooks, for every project, are in ~/.belay/settings.json; for a project: ${BELAY} init --cwd DIR`;
  if (dialect === undefined) return `next: ${nextCommand("init", values)}`;
  const looked = configPlaces({ cwd, sessionId: values.session ?? "", dialect }).map(({ file }) =>
    show(file),
  );
  return `looked for ${looked.length > 0 ? looked.join(", ") : "the session's file: name it by --session ID"}`;
}

/** The project's files of other dialects that hold hooks, each with the flag that reads it; empty where there are none. */
export async function unreadHooks(options: Where): Promise<string> {
  if (options.configFiles || options.pluginDirs) return "";
  const { cwd, dialect, home } = options;
  const project = findProject(cwd, home);
  const unread = new Map<string, string>();
  for (const name of [undefined, ...DIALECT_NAMES]) {
    if (name === dialect) continue;
    const places = configPlaces({ cwd, project, sessionId: "", ...(name && { dialect: name }) });
    const { hooks } = await configLoader().load(places.filter(({ layer }) => layer !== "user"));
    for (const { source } of hooks)
      unread.set(shownPath(source.file, project), name ? `--dialect ${name}` : "without --dialect");
  }
  const files = [...unread].map(([file, flag]) => `${oneLine(file)} (${flag})`);
  return files.length > 0 ? `hooks that are not read here: ${files.join(", ")}` : "";
}

export async function hooksNotRead(values: Values): Promise<string> {
  const unread = await unreadHooks(configOptions(values));
  return unread === "" ? "" : `belay: ${unread}\n`;
}

/** That line for an event that no hook of this dialect is meant for; else empty. */
export async function hooksNotAsked(matches: readonly ExplainedMatch[], values: Values): Promise<string> {
  const isMeant = ({ fires, because }: ExplainedMatch) =>
    fires || because === "untrusted" || because === "edited";
  return matches.length === 0 || matches.some(isMeant) ? "" : hooksNotRead(values);
}

async function firstWithHooks(where: Parameters<typeof everyPlace>[0], isUsers: boolean) {
  const places = everyPlace(where).places.filter(({ layer }) => (layer === "user") === isUsers);
  const source = (await configLoader().load(places)).hooks[0]?.source;
  if (source === undefined) return undefined;
  return { file: source.file, session: source.layer === "session" ? sessionOf(source.file) : undefined };
}

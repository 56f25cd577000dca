import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { type ConfigFile, DIALECTS, type Dialect, type DialectName, type Layer } from "@belay/core";
import { PLUGIN_DIALECT } from "@belay/core/internal";

/** A place where a config file may be. */
export interface ConfigPlace extends Omit<ConfigFile, "text"> {
  /** Named by the user: its absence is an error, not a default. */
  readonly required: boolean;
}

export interface DiscoverOptions {
  readonly cwd: string;
  /** Found from `cwd` if absent. An engine keeps its project wherever the agent goes. */
  readonly project?: string;
  readonly home?: string;
  readonly sessionId: string;
  readonly configFiles?: readonly string[];
  readonly pluginDirs?: readonly string[];
  readonly dialect?: DialectName;
  readonly simulate?: boolean;
}

/** The user's home. HOME may be empty or relative, and would then name a folder of whatever project we stand in. */
export function homeFolder(home?: string): string {
  const given = home ?? homedir();
  return isAbsolute(given) ? given : userInfo().homedir;
}

const OWN_FOLDER = ".belay";

/** Where Belay keeps what is its own, in a project or in the user's home. */
export function belayFolder(base: string): string {
  return join(base, OWN_FOLDER);
}

/** The nearest folder at or above `cwd` with a .belay or .git, else `cwd` itself. ~/.belay does not make home a project. */
export function findProject(cwd: string, home?: string): string {
  const userHome = real(homeFolder(home));
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const isMarked =
      existsSync(join(folder, ".git")) || (existsSync(belayFolder(folder)) && real(folder) !== userHome);
    if (isMarked) return folder;
    if (folder === dirname(folder)) return resolve(cwd);
  }
}

/** The one name of a folder to which links and slashes give several. */
function real(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : resolve(folder);
}

const SESSION_FOLDER = "hooks";
const SESSION_FILE = /^hooks\.(.+)\.json$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True if a session of this id may have hooks of its own. */
export function isSessionUuid(id: string): boolean {
  return UUID.test(id);
}

type Named = Pick<DiscoverOptions, "configFiles" | "pluginDirs">;

/** True if a session's own file is read: not where the user named the files. */
export function hasSessionLayer({ configFiles = [], pluginDirs = [] }: Named): boolean {
  return configFiles.length === 0 && pluginDirs.length === 0;
}

/** Where to look, in the order of hooks: the files that were named, or the layers of one folder (design §7). */
export function configPlaces(options: DiscoverOptions): ConfigPlace[] {
  const home = homeFolder(options.home);
  return (hasSessionLayer(options) ? layers(options) : namedFiles(options)).map((place) => ({
    ...place,
    home,
    ...(options.simulate && { simulate: true }),
  }));
}

function namedFiles({ cwd, configFiles = [], pluginDirs = [], dialect }: DiscoverOptions): ConfigPlace[] {
  const read = dialect && { dialect };
  return [
    ...configFiles.map((file) => ({
      file: resolve(cwd, file),
      layer: "config" as const,
      required: true,
      ...read,
    })),
    ...pluginDirs.map((folder) => pluginPlace(resolve(cwd, folder), dialect, "plugin", true)),
  ];
}

function layers(options: DiscoverOptions): ConfigPlace[] {
  const { cwd, home, sessionId, dialect, project = findProject(cwd, home) } = options;
  const row: Dialect | undefined = dialect && DIALECTS[dialect];
  if (row?.files === "plugin") return [pluginPlace(project, dialect, "project", false)];
  const folder = row?.folder ?? OWN_FOLDER;
  const place = (base: string, name: string, layer: Layer): ConfigPlace => ({
    file: join(base, folder, name),
    layer,
    required: false,
    ...(dialect && { dialect }),
  });
  const session = isSessionUuid(sessionId)
    ? [place(project, `${SESSION_FOLDER}/hooks.${sessionId}.json`, "session")]
    : [];
  if (row?.files === "session") return session;
  const user = place(homeFolder(home), "settings.json", "user");
  const own = [place(project, "settings.json", "project"), place(project, "settings.local.json", "local")];
  const isHome = real(project) === real(homeFolder(home));
  return [user, ...(isHome ? own.slice(1) : own), ...(row ? [] : session)];
}

/** The session that a file belongs to by its name. */
export function sessionOf(file: string): string | undefined {
  return SESSION_FILE.exec(basename(file))?.[1];
}

/** The places that an engine reads, with those of every session that has a file; and files that no session will ever read. */
export function everyPlace(options: Omit<DiscoverOptions, "sessionId"> & { readonly project: string }): {
  readonly places: readonly ConfigPlace[];
  readonly misnamed: readonly string[];
} {
  const places = configPlaces({ ...options, sessionId: "" });
  if (!hasSessionLayer(options)) return { places, misnamed: [] };
  const row: Dialect | undefined = options.dialect && DIALECTS[options.dialect];
  if (row !== undefined && row.files !== "session") return { places, misnamed: [] };
  const folder = join(options.project, row?.folder ?? OWN_FOLDER, SESSION_FOLDER);
  const sessions: ConfigPlace[] = [];
  const misnamed: string[] = [];
  for (const name of namesIn(folder)) {
    const sessionId = sessionOf(name);
    if (sessionId === undefined) continue;
    const place = configPlaces({ ...options, sessionId }).find(({ layer }) => layer === "session");
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

function pluginPlace(
  root: string,
  dialect: DialectName | undefined,
  layer: Layer,
  required: boolean,
): ConfigPlace {
  const file = join(root, "hooks", "hooks.json");
  const read = dialect ? { dialect } : { fallbackDialect: PLUGIN_DIALECT };
  return { file, layer, pluginRoot: root, ...read, required };
}

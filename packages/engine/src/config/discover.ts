import { existsSync, realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { DIALECTS, type Dialect, type DialectName, type Layer } from "@belay/core";

/** A place where a config file may be. */
export interface ConfigPlace {
  readonly file: string;
  readonly layer: Layer;
  readonly pluginRoot?: string;
  readonly dialect?: DialectName;
  readonly fallbackDialect?: DialectName;
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
}

/** The user's home. HOME may be empty or relative, and would then name a folder of whatever project we stand in. */
export function homeFolder(home?: string): string {
  const given = home ?? homedir();
  return isAbsolute(given) ? given : userInfo().homedir;
}

/** The nearest folder at or above `cwd` with a .belay or .git, else `cwd` itself. ~/.belay does not make home a project. */
export function findProject(cwd: string, home?: string): string {
  const userHome = real(homeFolder(home));
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const isMarked =
      existsSync(join(folder, ".git")) || (existsSync(join(folder, ".belay")) && real(folder) !== userHome);
    if (isMarked) return folder;
    if (folder === dirname(folder)) return resolve(cwd);
  }
}

/** One name for a folder that links and slashes give several. */
function real(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : resolve(folder);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Where to look, in the order hooks are reported: what was named, or the layers of one folder (DESIGN §7). */
export function configPlaces(options: DiscoverOptions): ConfigPlace[] {
  const { configFiles = [], pluginDirs = [], dialect } = options;
  if (configFiles.length === 0 && pluginDirs.length === 0) return layers(options);
  const read = dialect && { dialect };
  return [
    ...configFiles.map((file) => ({
      file: resolve(options.cwd, file),
      layer: "config" as const,
      required: true,
      ...read,
    })),
    ...pluginDirs.map((folder) => pluginPlace(resolve(options.cwd, folder), dialect, "plugin", true)),
  ];
}

function layers(options: DiscoverOptions): ConfigPlace[] {
  const { cwd, home, sessionId, dialect, project = findProject(cwd, home) } = options;
  const row: Dialect | undefined = dialect && DIALECTS[dialect];
  if (row?.files === "plugin") return [pluginPlace(project, dialect, "project", false)];
  const folder = row?.folder ?? ".belay";
  const place = (base: string, name: string, layer: Layer): ConfigPlace => ({
    file: join(base, folder, name),
    layer,
    required: false,
    ...(dialect && { dialect }),
  });
  const session = UUID.test(sessionId) ? [place(project, `hooks/hooks.${sessionId}.json`, "session")] : [];
  if (row?.files === "session") return session;
  const user = place(homeFolder(home), "settings.json", "user");
  const own = [place(project, "settings.json", "project"), place(project, "settings.local.json", "local")];
  const isHome = real(project) === real(homeFolder(home));
  return [user, ...(isHome ? own.slice(1) : own), ...(row ? [] : session)];
}

function pluginPlace(
  root: string,
  dialect: DialectName | undefined,
  layer: Layer,
  required: boolean,
): ConfigPlace {
  const file = join(root, "hooks", "hooks.json");
  const read = dialect ? { dialect } : { fallbackDialect: "claude-code" as const };
  return { file, layer, pluginRoot: root, ...read, required };
}

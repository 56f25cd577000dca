import { existsSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { DIALECTS, type Dialect, type DialectName, type Hook } from "@belay/core";
import { dialectVariables } from "@belay/core/internal";

/** The folders that hooks are told about. */
export interface KnownFolders {
  readonly project: string;
  readonly plugin?: string | undefined;
}

/** Where the words of a command are looked up. */
export interface Folders extends KnownFolders {
  readonly cwd: string;
  readonly home: string;
}

/** Set by Belay's own agent for every command that its tools run. */
export const OWN_AGENT_VARIABLE = "BELAY_AGENT";

const OWN_VARIABLE = "BELAY_PROJECT_DIR";
const ROWS: readonly Dialect[] = Object.values(DIALECTS);
/** Every variable that names the project; all of them are set. */
export const PROJECT_VARIABLES: readonly string[] = [
  ...new Set([OWN_VARIABLE, ...ROWS.flatMap(({ projectVariable = [] }) => projectVariable)]),
];

/** The variable that the agent of this config folder sets. */
export function projectVariable(configFolder: string): string {
  return ROWS.find(({ folder }) => folder === configFolder)?.projectVariable ?? OWN_VARIABLE;
}

/** Every name under which a hook finds a folder. A folder that is absent has no value (design §7). */
export function folderVariables({ project, plugin }: KnownFolders): Record<string, string | undefined> {
  const variables: Record<string, string | undefined> = { CLAUDE_PLUGIN_ROOT: plugin };
  for (const name of PROJECT_VARIABLES) variables[name] = project;
  return variables;
}

/** The variables of a command line whose values are known before it runs. */
export function knownVariables(folders: Folders): Record<string, string | undefined> {
  return Object.assign(folderVariables(folders), { HOME: folders.home, PWD: folders.cwd });
}

/** Fills in ${NAME} of a folder that hooks are told about. Nothing else is filled in: no shell reads such a word. */
export function withFolders(word: string, folders: KnownFolders): string {
  const values = folderVariables(folders);
  return word.replace(/\$\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/** A module hook's file: beside its config file, else in the project. */
export function resolveModule(module: string, source: Hook["source"], project: string): string {
  const [beside = "", inProject = beside] = modulePlaces(module, source, project);
  return existsSync(beside) ? beside : inProject;
}

/** Where a module hook's file is looked for; the folders that hooks are told about are filled in. */
export function modulePlaces(
  module: string,
  { file, pluginRoot: plugin }: Hook["source"],
  project: string,
): string[] {
  const path = withFolders(module, { project, plugin });
  return [...new Set([isAbsolute(path) ? path : resolve(dirname(file), path), resolve(project, path)])];
}

/** The longest value, in characters of up to three bytes: Linux takes 128 KiB. */
const MAX_VALUE = 32 * 1024;

/** What differs from one hook and event to another. */
interface Occasion {
  readonly event: string;
  readonly dialect: DialectName;
  readonly session: string;
  readonly effort?: string | undefined;
  /** A file for the variables that the hook sets. */
  readonly file?: string | undefined;
}

/** What a hook's environment holds besides that of the host. */
export function hookVariables(
  folders: KnownFolders,
  { event, dialect, file, ...given }: Occasion,
): Record<string, string | undefined> {
  const session = asValue(given.session);
  const own = dialectVariables(dialect, { session, file, effort: asValue(given.effort) });
  // A host may itself run inside a warm hook. Its own hooks are not warm for that.
  return Object.assign(folderVariables(folders), own, {
    BELAY_SESSION_ID: session,
    BELAY_EVENT: event,
    BELAY_WARM: undefined,
  });
}

/** No process starts with a variable that holds a NUL or too much: the hook runs without it. */
function asValue(value: string | undefined): string | undefined {
  return value?.includes("\0") || (value?.length ?? 0) > MAX_VALUE ? undefined : value;
}

/** The same for a warm hook. Its process serves many sessions and events; each payload names its own. */
export function warmVariables(
  folders: KnownFolders,
  dialect: DialectName,
): Record<string, string | undefined> {
  return Object.assign(folderVariables(folders), dialectVariables(dialect, {}), {
    BELAY_SESSION_ID: undefined,
    BELAY_EVENT: undefined,
    BELAY_WARM: "1",
  });
}

/** Names and values, as process.env has them. Declared without the types of Node, which a host may lack. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * An environment with these variables, the inherited names of `env` included, as Node reads an environment. A name without
 * a value is left out: a thread would be given the word "undefined". A copy: V8 does not see names that process.env gets
 * later behind a prototype.
 */
export function withVariables(env: Variables, variables: Variables): Record<string, string> {
  const result: Record<string, string> = Object.create(null); // a variable may be named __proto__
  for (const name in env) {
    const value = env[name];
    if (value !== undefined) result[name] = value;
  }
  for (const name in variables) {
    const value = variables[name];
    if (value === undefined) delete result[name];
    else result[name] = value;
  }
  return result;
}

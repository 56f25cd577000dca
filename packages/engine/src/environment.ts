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

/** Every name under which a hook finds a folder; where there is none, the name has no value (DESIGN §7). */
export function folderVariables({ project, plugin }: KnownFolders): Record<string, string | undefined> {
  return {
    BELAY_PROJECT_DIR: project,
    WAVE_PROJECT_DIR: project,
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_PLUGIN_ROOT: plugin,
  };
}

/** What a hook's environment holds besides that of the host. */
export function hookVariables(
  folders: KnownFolders,
  sessionId: string,
  event: string,
): Record<string, string | undefined> {
  return { ...folderVariables(folders), BELAY_SESSION_ID: sessionId, BELAY_EVENT: event };
}

/** An environment with these variables; one without a value is taken out. */
export function withVariables(
  env: NodeJS.ProcessEnv,
  variables: Record<string, string | undefined>,
): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = {};
  // Name by name: a spread of process.env takes twice as long, and no hook starts before this is done.
  for (const name of Object.keys(env)) result[name] = env[name];
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete result[name];
    else result[name] = value;
  }
  return result;
}

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
  const entries = Object.entries({ ...env, ...variables }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

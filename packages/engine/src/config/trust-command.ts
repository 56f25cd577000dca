import { findProject } from "./discover.ts";

/** A word as a shell takes it back: quoted only where it must be. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command that shows and trusts exactly the hooks of a project, as it is typed where this process runs. */
export function trustCommand(options: {
  readonly project: string;
  readonly home?: string;
  readonly dialect?: string;
  /** The session whose file holds some of them. */
  readonly session?: string;
}): string {
  const { project, home, dialect, session } = options;
  const isHere = findProject(process.cwd(), home) === project;
  const flags = { dialect, session, cwd: isHere ? undefined : project };
  return `belay trust${Object.entries(flags)
    .map(([name, value]) => (value === undefined ? "" : ` --${name} ${shellWord(value)}`))
    .join("")}`;
}

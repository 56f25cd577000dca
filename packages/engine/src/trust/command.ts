import { type DialectName, type Hook, shellWord } from "@belay/core";
import { findProject, sessionOf } from "../config/discover.ts";
import type { Folders } from "../environment.ts";

/** Who will type the command, and what they typed to get here. */
export interface Asker {
  /** How the command line is called here: "belay" if absent. */
  readonly program?: string | undefined;
  readonly dialect?: DialectName | undefined;
}

/** The command that shows and trusts these hooks of a project, as it is typed where this process runs. */
export function trustCommand(
  { program = "belay", dialect }: Asker,
  { project, home }: Folders,
  hooks: readonly Pick<Hook, "source">[],
): string {
  const ofSession = hooks.find(({ source }) => source.layer === "session");
  const isHere = findProject(process.cwd(), home) === project;
  const flags = {
    dialect,
    session: ofSession && sessionOf(ofSession.source.file),
    cwd: isHere ? undefined : project,
  };
  return `${program} trust${Object.entries(flags)
    .map(([name, value]) => (value === undefined ? "" : ` --${name} ${shellWord(value)}`))
    .join("")}`;
}
